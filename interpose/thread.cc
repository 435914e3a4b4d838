#include "interpose/thread.h"

constinit thread_local iotrace::ThreadState iotrace_thread;
