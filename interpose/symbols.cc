#include "interpose/symbols.h"

#include <errno.h>
#include <link.h>

#include "interpose/elf_object.h"

namespace iotrace {
namespace {

// What next::NAME points to at first. Another library's constructor may call a wrapper before ours
// has run.
template <typename F, F* slot>
struct ResolveFirst;
template <typename R, typename... A, R (**slot)(A...)>
struct ResolveFirst<R (*)(A...), slot> {
  static R call(A... arguments) {
    resolve_next_definitions();
    return (*slot)(arguments...);
  }
};
template <typename R, typename... A, R (**slot)(A...) noexcept>
struct ResolveFirst<R (*)(A...) noexcept, slot> {
  static R call(A... arguments) noexcept {
    resolve_next_definitions();
    return (*slot)(arguments...);
  }
};

// Stands for a function that this C library does not have.
long missing_function() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

namespace next {
#define NEXT(name) \
  constinit decltype(&::name) name = &ResolveFirst<decltype(&::name), &next::name>::call;
#define NEXT_AS(name, type)                   \
  constinit std::type_identity_t<type> name = \
      &ResolveFirst<std::type_identity_t<type>, &next::name>::call;
#define ALIAS(name, other)
#include "interpose/exports.def"
#undef NEXT
#undef NEXT_AS
#undef ALIAS
}  // namespace next

namespace {
extern "C" long first_syscall(long number, long a, long b, long c, long d, long e, long f);
}

// For calls_<processor>.S, which jumps there.
extern "C" {
__attribute__((visibility("hidden"))) void* iotrace_next_syscall =
    reinterpret_cast<void*>(&first_syscall);
}

namespace {

extern "C" long first_syscall(long number, long a, long b, long c, long d, long e, long f) {
  resolve_next_definitions();
  return reinterpret_cast<long (*)(long, ...)>(iotrace_next_syscall)(number, a, b, c, d, e, f);
}

void* rseq_offset_address = nullptr;
void* single_threaded_address = nullptr;

struct Row {
  SymbolName name;
  void** slot;
  bool is_data = false;  // may be missing; what is missing else is a function that says so
};

#define NEXT(symbol) {{#symbol, gnu_hash(#symbol)}, reinterpret_cast<void**>(&next::symbol)},
#define NEXT_AS(symbol, type) NEXT(symbol)
#define ALIAS(name, other)
const Row kRows[] = {
#include "interpose/exports.def"
    {{"syscall", gnu_hash("syscall")}, &iotrace_next_syscall},
    {{"__rseq_offset", gnu_hash("__rseq_offset")}, &rseq_offset_address, true},
    {{"__libc_single_threaded", gnu_hash("__libc_single_threaded")},
     &single_threaded_address,
     true},
};
#undef NEXT
#undef NEXT_AS
#undef ALIAS
constexpr size_t kRowCount = sizeof(kRows) / sizeof(kRows[0]);

struct Walk {
  bool past_ourselves = false;
  void* found[kRowCount] = {};
};

int visit(dl_phdr_info* info, size_t, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  ElfObject object(*info);
  if (!walk.past_ourselves) {
    walk.past_ourselves = object.contains(kRows);
    return 0;
  }
  for (size_t i = 0; i < kRowCount; ++i) {
    if (walk.found[i] == nullptr) walk.found[i] = object.definition(kRows[i].name);
  }
  return 0;
}

}  // namespace

void resolve_next_definitions() {
  Walk walk;
  dl_iterate_phdr(visit, &walk);
  for (size_t i = 0; i < kRowCount; ++i) {
    if (walk.found[i] != nullptr) {
      *kRows[i].slot = walk.found[i];
    } else if (!kRows[i].is_data) {
      *kRows[i].slot = reinterpret_cast<void*>(&missing_function);
    }
  }
}

const ptrdiff_t* rseq_offset() { return static_cast<const ptrdiff_t*>(rseq_offset_address); }

const volatile char* single_threaded_flag() {
  return static_cast<const char*>(single_threaded_address);
}

}  // namespace iotrace
