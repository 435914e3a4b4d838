#include "interpose/inherited.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interpose/attach.h"
#include "interpose/process.h"
#include "interpose/raw.h"
#include "interpose/shared/environment.h"

namespace iotrace {
namespace {

const char* value_of(char** environment, const char* name) {
  size_t length = __builtin_strlen(name);
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (__builtin_strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  }
  return nullptr;
}

bool parse_hex(const char* text, size_t length, uint64_t* value) {
  if (length != 16) return false;
  *value = 0;
  for (size_t i = 0; i < length; ++i) {
    char c = text[i];
    unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                     : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                                            : 16;
    if (digit > 15) return false;
    *value = *value << 4 | digit;
  }
  return true;
}

bool parse_decimal(const char* text, uint32_t* value) {
  *value = 0;
  if (*text == 0) return false;
  for (; *text != 0; ++text) {
    if (*text < '0' || *text > '9' || *value >= kSlotCount) return false;
    *value = *value * 10 + static_cast<uint32_t>(*text - '0');
  }
  return *value < kSlotCount;
}

// Reads one announcement, which in a narrow window is not mapped. nullptr when it cannot be had;
// `release` after use.
struct MappedAnnouncement {
  Announcement* announcement = nullptr;
  void* window = nullptr;
  size_t size = 0;

  MappedAnnouncement(const ArenaHeader* header, const char* path, Ref ref) {
    if (ref == 0) return;
    uint64_t offset = offset_of_ref(ref);
    if (process.base != nullptr) {
      announcement = at<Announcement>(process.base, ref);
      return;
    }
    if (offset + sizeof(Announcement) > header->arena_size) return;
    uint64_t start = offset & ~uint64_t{4095};
    size = offset - start + sizeof(Announcement);
    int fd = raw::open(path, O_RDWR);
    if (fd < 0) return;
    window = raw::map(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);
    raw::close(fd);
    if (window != nullptr) {
      announcement = reinterpret_cast<Announcement*>(static_cast<char*>(window) + (offset - start));
    }
  }
  ~MappedAnnouncement() {
    if (window != nullptr) raw::unmap(window, size);
  }
};

// The kernel passes on, unchanged, the path that exec was given: a program that was started by one
// that is not instrumented has inherited a slot that was not meant for it, and shows another path.
bool meant_for_us(const Slot& slot, const Announcement& announcement, int pid) {
  int executing = __atomic_load_n(&slot.pid, __ATOMIC_RELAXED);
  if (executing != 0 && executing != pid) return false;
  const char* path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (path == nullptr) return true;
  size_t length = __builtin_strlen(path);
  if (length > sizeof(announcement.path)) length = sizeof(announcement.path);
  return announcement.path_length == 0 || (length == announcement.path_length &&
                                           __builtin_memcmp(path, announcement.path, length) == 0);
}

void start_with_origins(const Announcement& announcement) {
  __builtin_memcpy(process.origins, announcement.origins, sizeof(announcement.origins));
  process.table_end = kOriginCount;
}

}  // namespace

char** initial_environment() { return environ; }

bool read_inherited_names(char** environment, InheritedNames* names) {
  if (environment == nullptr) return false;
  const char* arena = value_of(environment, kArenaVariable);
  const char* slot = value_of(environment, kSlotVariable);
  if (arena == nullptr || slot == nullptr || !parse_decimal(slot, &names->slot)) return false;
  size_t length = __builtin_strlen(arena);
  size_t path_length = length;
  while (path_length > 0 && arena[path_length - 1] != ':') --path_length;
  if (path_length < 2) return false;
  if (!parse_hex(arena + path_length, length - path_length, &names->nonce)) return false;
  path_length -= 1;
  constexpr size_t kVariableLength = sizeof(kArenaVariable) - 1;
  if (kVariableLength + 1 + length >= kPathCapacity) return false;
  __builtin_memcpy(names->arena_path, arena, path_length);
  names->arena_path[path_length] = 0;

  char* variable = arena_names.arena_variable;
  __builtin_memcpy(variable, kArenaVariable, kVariableLength);
  variable[kVariableLength] = '=';
  __builtin_memcpy(variable + kVariableLength + 1, arena, length + 1);
  size_t directory_length = path_length;
  while (directory_length > 0 && arena[directory_length - 1] != '/') --directory_length;
  if (directory_length + sizeof(kLibraryName) > sizeof(arena_names.library)) return false;
  __builtin_memcpy(arena_names.library, arena, directory_length);
  __builtin_memcpy(arena_names.library + directory_length, kLibraryName, sizeof(kLibraryName));
  return true;
}

Inheritance inherit(ArenaHeader* header, const InheritedNames& names, int pid) {
  Slot& slot = slots_of(header)[names.slot];
  MappedAnnouncement mapped(header, names.arena_path,
                            __atomic_load_n(&slot.announcement, __ATOMIC_ACQUIRE));
  Announcement* announcement = mapped.announcement;
  bool ours = announcement != nullptr && state_of(slot) == SlotState::announced &&
              meant_for_us(slot, *announcement, pid);
  if (ours && change_state(slot, SlotState::announced, SlotState::attaching)) {
    start_with_origins(*announcement);
    uint32_t announcer = announcement->announcer_slot_plus_one;
    bool in_place = announcement->in_place;
    __atomic_store_n(&announcement->in_use, 0u, __ATOMIC_RELEASE);
    return {names.slot + 1, in_place ? 0 : announcer, in_place ? announcer : 0};
  }
  // Executed without our seeing it: by a program that is not instrumented, or from inside libc
  // (system, popen).
  bool same_process = slot.pid == pid && state_of(slot) == SlotState::announced;
  if (slot.image != 0 && process.base != nullptr) {
    same_process = at<ImageRecord>(process.base, slot.image)->pid == pid;
  }
  uint32_t other = names.slot + 1;
  return {take_slot(header), same_process ? 0 : other, same_process ? other : 0};
}

}  // namespace iotrace
