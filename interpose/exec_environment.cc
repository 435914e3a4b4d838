#include "interpose/exec_environment.h"

#include <sys/auxv.h>

#include "interpose/announce.h"
#include "interpose/attach.h"
#include "interpose/image.h"
#include "interpose/lanes.h"
#include "interpose/program_file.h"
#include "interpose/raw.h"
#include "interpose/shared/environment.h"

namespace iotrace {
namespace {

bool is_variable(const char* entry, const char* name) {
  size_t length = __builtin_strlen(name);
  return __builtin_strncmp(entry, name, length) == 0 && entry[length] == '=';
}

bool is_separator(char c) { return c == ':' || c == ' '; }

// Where the library's path stands in a value of LD_PRELOAD; nullptr if it does not.
const char* find_library(const char* value) {
  size_t length = __builtin_strlen(arena_names.library);
  for (const char* item = value; *item != 0;) {
    const char* end = item;
    while (*end != 0 && !is_separator(*end)) ++end;
    if (static_cast<size_t>(end - item) == length &&
        __builtin_memcmp(item, arena_names.library, length) == 0) {
      return item;
    }
    item = *end == 0 ? end : end + 1;
  }
  return nullptr;
}

bool names_another_run(const char* const* environment) {
  for (; *environment != nullptr; ++environment) {
    if (is_variable(*environment, kArenaVariable)) {
      return __builtin_strcmp(*environment, arena_names.arena_variable) != 0;
    }
  }
  return false;
}

const char* const kNoEnvironment[] = {nullptr};

const char* const* environment_of(const ExecRequest& request) {
  return request.environment != nullptr ? request.environment : kNoEnvironment;
}

// Whether the vector and the beginning of each of its strings are there; those that are not are the
// kernel's to complain about. Asks in batches.
bool is_readable(char* const* vector) {
  constexpr size_t kBatch = 64;
  constexpr uintptr_t kPageMask = 4095;
  iovec remote[kBatch];
  char bytes[kBatch];
  size_t count = 0;
  for (size_t i = 0; vector != nullptr; ++i) {
    char* word;
    bool new_page = i == 0 || (reinterpret_cast<uintptr_t>(vector + i) & kPageMask) == 0;
    if (new_page && !raw::read_memory(vector + i, &word, sizeof(word))) return false;
    bool at_end = vector[i] == nullptr;
    if (!at_end) remote[count++] = {vector[i], 1};
    if (count == kBatch || (at_end && count > 0)) {
      if (!raw::read_bytes(remote, count, bytes)) return false;
      count = 0;
    }
    if (at_end) break;
  }
  return true;
}

char* append(char* to, const char* text, size_t length) {
  __builtin_memcpy(to, text, length);
  return to + length;
}

// Writes "LD_PRELOAD=" with our library last, as users expect of a preload that they set
// themselves.
void write_preload(char* to, const char* old_value) {
  to = append(to, kPreloadVariable, sizeof(kPreloadVariable) - 1);
  *to++ = '=';
  if (old_value != nullptr && *old_value != 0) {
    to = append(to, old_value, __builtin_strlen(old_value));
    *to++ = ':';
  }
  append(to, arena_names.library, __builtin_strlen(arena_names.library) + 1);
}

// Writes `old_value` without our library. Returns false if nothing is left.
bool write_preload_without_us(char* to, const char* old_value) {
  const char* found = find_library(old_value);
  size_t before = static_cast<size_t>(found - old_value);
  const char* after = found + __builtin_strlen(arena_names.library);
  if (before > 0)
    --before;
  else if (*after != 0)
    ++after;
  to = append(to, kPreloadVariable, sizeof(kPreloadVariable) - 1);
  *to++ = '=';
  to = append(to, old_value, before);
  append(to, after, __builtin_strlen(after) + 1);
  return before > 0 || *after != 0;
}

void write_slot_variable(char* to, uint32_t slot) {
  to = append(to, kSlotVariable, sizeof(kSlotVariable) - 1);
  *to++ = '=';
  char digits[12];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + slot % 10);
    slot /= 10;
  } while (slot != 0);
  while (count > 0) *to++ = digits[--count];
  *to = 0;
}

}  // namespace

PlannedExec plan_exec(const ExecRequest& request) {
  PlannedExec plan;
  current_lane();  // attaches a forked child whose first act this is
  if (!have_arena() || process.image == nullptr || image_has(kImageFrozen) ||
      !process.header->follow) {
    return plan;
  }
  // Arguments that are not there are the kernel's to complain about.
  if (!is_readable(request.argv) || !is_readable(request.environment)) return plan;
  const char* const* environment = environment_of(request);
  ProgramFile file = inspect_program(request.path, request.fd);
  if (names_another_run(environment)) {
    file.reason = NotInstrumented::another_run;
    plan.announcement = announce(request, file);
    return plan;
  }
  plan.announcement = announce(request, file);
  if (plan.announcement == nullptr) return plan;
  plan.slot = plan.announcement->slot;
  plan.set_variables = true;
  plan.preload = file.can_preload && raw::accessible(arena_names.library, 4);
  plan.entries = 4;  // our three variables and the end
  plan.preload_length = sizeof(kPreloadVariable) + 2 + __builtin_strlen(arena_names.library);
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    ++plan.entries;
    if (is_variable(*entry, kPreloadVariable)) plan.preload_length += __builtin_strlen(*entry);
  }
  return plan;
}

void build_environment(const ExecRequest& request, const PlannedExec& plan, char** entries,
                       char* preload, char* slot_variable) {
  bool have_preload = false;
  char** out = entries;
  for (const char* const* entry = environment_of(request); *entry != nullptr; ++entry) {
    char* kept = const_cast<char*>(*entry);
    if (is_variable(kept, kArenaVariable) || is_variable(kept, kSlotVariable)) continue;
    if (is_variable(kept, kPreloadVariable) && !have_preload) {
      const char* value = kept + sizeof(kPreloadVariable);
      bool contains_us = find_library(value) != nullptr;
      if (plan.preload && !contains_us) {
        write_preload(preload, value);
        kept = preload;
      } else if (!plan.preload && contains_us) {
        if (!write_preload_without_us(preload, value)) continue;
        kept = preload;
      }
      have_preload = true;
    }
    *out++ = kept;
  }
  if (plan.preload && !have_preload) {
    write_preload(preload, nullptr);
    *out++ = preload;
  }
  write_slot_variable(slot_variable, plan.slot);
  *out++ = arena_names.arena_variable;
  *out++ = slot_variable;
  *out = nullptr;
}

void withdraw(const PlannedExec& plan) { withdraw_announcement(plan.announcement); }

}  // namespace iotrace
