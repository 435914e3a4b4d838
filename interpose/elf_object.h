// Reading the dynamic symbol table of a loaded object. Constructor only.
//
// Source: elf(5); the layout of DT_GNU_HASH as binutils writes it.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace iotrace {

// A symbol's name with its GNU hash, which is computed once for all objects.
struct SymbolName {
  const char* text;
  uint32_t hash;
};

constexpr uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != 0; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

class ElfObject {
 public:
  explicit ElfObject(const dl_phdr_info& info);

  bool contains(const void* address) const;

  // Address of the function or variable of that name that the object defines in its default
  // version; nullptr if none.
  void* definition(const SymbolName& name) const;

  // Whether the object wants that symbol from another one.
  bool imports(const char* name) const;

  // The segment that the loader makes read-only after relocation; size 0 if there is none.
  uintptr_t relro_start() const { return relro_start_; }
  size_t relro_size() const { return relro_size_; }

 private:
  bool is_default_definition(uint32_t index, const char* name) const;

  uintptr_t base_ = 0;
  const ElfW(Phdr) * segments_ = nullptr;
  unsigned segment_count_ = 0;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* strings_ = nullptr;
  const uint32_t* gnu_hash_ = nullptr;
  const uint32_t* sysv_hash_ = nullptr;
  const uint16_t* versions_ = nullptr;
  uintptr_t relro_start_ = 0;
  size_t relro_size_ = 0;
};

}  // namespace iotrace
