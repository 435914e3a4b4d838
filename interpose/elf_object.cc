#include "interpose/elf_object.h"

#include <elf.h>

namespace iotrace {

ElfObject::ElfObject(const dl_phdr_info& info)
    : base_(info.dlpi_addr), segments_(info.dlpi_phdr), segment_count_(info.dlpi_phnum) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (unsigned i = 0; i < segment_count_; ++i) {
    if (segments_[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(base_ + segments_[i].p_vaddr);
    } else if (segments_[i].p_type == PT_GNU_RELRO) {
      relro_start_ = base_ + segments_[i].p_vaddr;
      relro_size_ = segments_[i].p_memsz;
    }
  }
  if (dynamic == nullptr) return;
  // glibc has relocated these addresses in place, musl and the vDSO have not.
  auto address = [this](uintptr_t value) { return value < base_ ? value + base_ : value; };
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    uintptr_t value = dynamic->d_un.d_ptr;
    switch (dynamic->d_tag) {
      case DT_SYMTAB:
        symbols_ = reinterpret_cast<const ElfW(Sym)*>(address(value));
        break;
      case DT_STRTAB:
        strings_ = reinterpret_cast<const char*>(address(value));
        break;
      case DT_GNU_HASH:
        gnu_hash_ = reinterpret_cast<const uint32_t*>(address(value));
        break;
      case DT_HASH:
        sysv_hash_ = reinterpret_cast<const uint32_t*>(address(value));
        break;
      case DT_VERSYM:
        versions_ = reinterpret_cast<const uint16_t*>(address(value));
        break;
      default:
        break;
    }
  }
}

bool ElfObject::contains(const void* address) const {
  uintptr_t offset = reinterpret_cast<uintptr_t>(address) - base_;
  for (unsigned i = 0; i < segment_count_; ++i) {
    const ElfW(Phdr)& segment = segments_[i];
    if (segment.p_type == PT_LOAD && offset - segment.p_vaddr < segment.p_memsz) return true;
  }
  return false;
}

bool ElfObject::is_default_definition(uint32_t index, const char* name) const {
  constexpr uint16_t kHidden =
      0x8000;  // an older version, for programs that were linked against it
  const ElfW(Sym)& symbol = symbols_[index];
  unsigned type = symbol.st_info & 0xf;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
         (type == STT_FUNC || type == STT_OBJECT) &&
         (versions_ == nullptr || !(versions_[index] & kHidden)) &&
         __builtin_strcmp(strings_ + symbol.st_name, name) == 0;
}

void* ElfObject::definition(const SymbolName& name) const {
  if (symbols_ == nullptr || strings_ == nullptr) return nullptr;
  auto found = [this](uint32_t index) {
    return reinterpret_cast<void*>(base_ + symbols_[index].st_value);
  };
  if (gnu_hash_ != nullptr) {
    uint32_t bucket_count = gnu_hash_[0], first = gnu_hash_[1], bloom_size = gnu_hash_[2],
             shift = gnu_hash_[3];
    const ElfW(Addr)* bloom = reinterpret_cast<const ElfW(Addr)*>(gnu_hash_ + 4);
    const uint32_t* buckets = reinterpret_cast<const uint32_t*>(bloom + bloom_size);
    const uint32_t* chain = buckets + bucket_count;
    constexpr uint32_t kBits = sizeof(ElfW(Addr)) * 8;
    ElfW(Addr) word = bloom[name.hash / kBits % bloom_size];
    ElfW(Addr) mask = ElfW(Addr){1} << name.hash % kBits | ElfW(Addr){1}
                                                               << (name.hash >> shift) % kBits;
    if ((word & mask) != mask || bucket_count == 0) return nullptr;
    uint32_t index = buckets[name.hash % bucket_count];
    if (index < first) return nullptr;
    for (;; ++index) {
      uint32_t hash = chain[index - first];
      if ((hash | 1) == (name.hash | 1) && is_default_definition(index, name.text))
        return found(index);
      if (hash & 1) return nullptr;
    }
  }
  if (sysv_hash_ == nullptr) return nullptr;
  for (uint32_t index = 1; index < sysv_hash_[1]; ++index) {
    if (is_default_definition(index, name.text)) return found(index);
  }
  return nullptr;
}

bool ElfObject::imports(const char* name) const {
  if (symbols_ == nullptr || strings_ == nullptr) return false;
  // Symbols without a definition come before those in the GNU hash table.
  uint32_t end = gnu_hash_ != nullptr ? gnu_hash_[1] : sysv_hash_ != nullptr ? sysv_hash_[1] : 0;
  for (uint32_t index = 1; index < end; ++index) {
    if (symbols_[index].st_shndx == SHN_UNDEF &&
        __builtin_strcmp(strings_ + symbols_[index].st_name, name) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace iotrace
