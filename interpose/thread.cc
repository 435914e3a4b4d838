#include "interpose/thread.h"

const iotrace::Ref iotrace_no_blocks[iotrace::kMaxRecords + 1] = {};

constinit thread_local iotrace::ThreadState iotrace_thread;
