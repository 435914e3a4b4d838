#include "interpose/announce.h"

#include "interpose/attach.h"
#include "interpose/descriptors.h"
#include "interpose/memory.h"
#include "interpose/raw.h"

namespace iotrace {
namespace {

Slot& slot_at(uint32_t number) { return slots_of(process.header)[number]; }

// A block that is free again, or a new one. Blocks are used again, since a program may spawn any
// number of others.
Announcement* take_block() {
  for (Ref ref = __atomic_load_n(&process.announcements, __ATOMIC_ACQUIRE); ref != 0;) {
    Announcement* block = in_image<Announcement>(ref);
    uint32_t expected = 0;
    if (__atomic_compare_exchange_n(&block->in_use, &expected, 1u, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return block;
    }
    ref = block->next;
  }
  Ref ref = allocate(sizeof(Announcement));
  if (ref == 0) return nullptr;
  Announcement* block = in_image<Announcement>(ref);
  block->in_use = 1;
  block->next = __atomic_load_n(&process.announcements, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&process.announcements, &block->next, ref, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return block;
}

// A slot for `block`: the one that it has, if its last exec failed, else a new one. False when
// there is none.
bool take_slot_for(Announcement* block) {
  if (state_of(slot_at(block->slot)) == SlotState::withdrawn &&
      slot_at(block->slot).announcement == ref_in_image(block)) {
    return true;
  }
  uint32_t slot_plus_one = take_slot(process.header);
  if (slot_plus_one == 0) return false;
  block->slot = slot_plus_one - 1;
  return true;
}

void write_command(char* const* argv, Announcement* block) {
  uint32_t length = 0;
  block->command_truncated = 0;
  for (; argv != nullptr && *argv != nullptr; ++argv) {
    size_t size = __builtin_strlen(*argv) + 1;
    if (size > sizeof(block->command) - length) {
      block->command_truncated = 1;
      size = sizeof(block->command) - length;
    }
    __builtin_memcpy(block->command + length, *argv, size);
    length += static_cast<uint32_t>(size);
    if (block->command_truncated) break;
  }
  block->command_length = length;
}

}  // namespace

Announcement* announce(const ExecRequest& request, const ProgramFile& file) {
  Announcement* block = take_block();
  if (block == nullptr) return nullptr;
  if (!take_slot_for(block)) {
    __atomic_store_n(&block->in_use, 0u, __ATOMIC_RELEASE);
    return nullptr;
  }
  bool vforked = iotrace_thread.in_vfork_child != 0;
  block->announcer_slot_plus_one = process.slot + 1;
  block->in_place = !request.spawns && !vforked;
  block->expected_reason = file.reason;
  block->path_length = file.path_length;
  __builtin_memcpy(block->path, file.path, file.path_length);
  write_command(request.argv, block);
  if (request.moves_descriptors) {
    __builtin_memset(block->origins, 0, sizeof(block->origins));
  } else {
    copy_origins(block->origins);
  }
  Slot& slot = slot_at(block->slot);
  slot.pid = request.spawns ? 0 : raw::getpid();
  __atomic_store_n(&slot.announcement, ref_in_image(block), __ATOMIC_RELAXED);
  set_state(slot, SlotState::announced);
  return block;
}

void withdraw_announcement(Announcement* announcement) {
  set_state(slot_at(announcement->slot), SlotState::withdrawn);
  __atomic_store_n(&announcement->in_use, 0u, __ATOMIC_RELEASE);
}

}  // namespace iotrace
