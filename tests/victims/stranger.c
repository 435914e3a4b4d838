// Not a victim but a stand-in: a library that loads like the real one and does nothing, as a wrong
// or damaged installation would have it.
int iotrace_test_stranger(void);

int iotrace_test_stranger(void) { return 0; }
