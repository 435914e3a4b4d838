// How an exported wrapper is marked. Everything else in the library is hidden.
#pragma once

#define IOTRACE_EXPORT extern "C" __attribute__((visibility("default")))
// Another exported name for a wrapper of the same file, with the same type.
#define IOTRACE_EXPORT_ALIAS(name, other) \
  IOTRACE_EXPORT decltype(::other) name __attribute__((alias(#other)))
