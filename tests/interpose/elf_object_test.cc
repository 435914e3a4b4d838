// Tests of interpose/elf_object: on the C library and the program of this test, and on small tables
// made by hand.
#include "interpose/elf_object.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/mman.h>

#include <functional>
#include <iterator>
#include <optional>

namespace iotrace {
namespace {

// The loaded object that `wanted` accepts.
std::optional<ElfObject> find_object(const std::function<bool(const ElfObject&)>& wanted) {
  struct Search {
    const std::function<bool(const ElfObject&)>& wanted;
    std::optional<ElfObject> found;
  } search{wanted, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        Search& state = *static_cast<Search*>(argument);
        ElfObject object(*info);
        if (!state.wanted(object)) return 0;
        state.found = object;
        return 1;
      },
      &search);
  return search.found;
}

ElfObject c_library() {
  return *find_object([](const ElfObject& object) { return object.contains(stdout); });
}

const char variable_of_the_program = 'x';
ElfObject program() {
  return *find_object(
      [](const ElfObject& object) { return object.contains(&variable_of_the_program); });
}

SymbolName symbol(const char* name) { return {name, gnu_hash(name)}; }

TEST(GnuHash, is_that_of_the_linker) {
  // The examples of the format's description: binutils, bfd/elflink.c (bfd_elf_gnu_hash).
  EXPECT_EQ(gnu_hash(""), 0x1505U);
  EXPECT_EQ(gnu_hash("printf"), 0x156b2bb8U);
  EXPECT_EQ(gnu_hash("exit"), 0x7c967e3fU);
  EXPECT_EQ(gnu_hash("syscall"), 0xbac212a0U);
}

TEST(ElfObject, finds_a_function_of_the_c_library) {
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(libc, nullptr);
  for (const char* name : {"write", "writev", "fflush", "stdout", "environ"})
    EXPECT_EQ(c_library().definition(symbol(name)), dlsym(libc, name)) << name;
  dlclose(libc);
}

TEST(ElfObject, of_several_versions_finds_the_default) {
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void* current = dlsym(libc, "fmemopen");
  void* old = dlvsym(libc, "fmemopen", "GLIBC_2.2.5");
  dlclose(libc);
  ASSERT_NE(old, nullptr);
  ASSERT_NE(old, current);
  EXPECT_EQ(c_library().definition(symbol("fmemopen")), current);
}

TEST(ElfObject, does_not_find_what_is_not_there) {
  EXPECT_EQ(c_library().definition(symbol("no_such_function")), nullptr);
  EXPECT_EQ(c_library().definition(symbol("")), nullptr);
}

TEST(ElfObject, a_program_imports_what_it_does_not_define) {
  ASSERT_NE(memfd_create("", MFD_CLOEXEC), -1);
  EXPECT_TRUE(program().imports("memfd_create"));
  EXPECT_EQ(program().definition(symbol("memfd_create")), nullptr);
  EXPECT_FALSE(program().imports("no_such_function"));
  EXPECT_FALSE(c_library().imports("memfd_create"));
}

TEST(ElfObject, contains_its_own_memory_alone) {
  EXPECT_TRUE(program().contains(&variable_of_the_program));
  EXPECT_FALSE(c_library().contains(&variable_of_the_program));
  int on_stack = 0;
  EXPECT_FALSE(program().contains(&on_stack));
  EXPECT_FALSE(program().contains(nullptr));
}

TEST(ElfObject, the_stdio_tables_lie_in_the_relro_segment) {
  ElfObject libc = c_library();
  uintptr_t table = *reinterpret_cast<const uintptr_t*>(stdout + 1);
  EXPECT_GE(table, libc.relro_start());
  EXPECT_LT(table, libc.relro_start() + libc.relro_size());
}

// An object whose tables are made by hand: symbol 1 is wanted, 2 defined in an old version, 3 in
// the default one, 4 is no function.
struct HandMade {
  explicit HandMade(bool with_versions) {
    symbols[1] = {1, STT_FUNC, 0, SHN_UNDEF, 0, 0};
    symbols[2] = {8, STT_FUNC, 0, 1, 0x100, 0};
    symbols[3] = {8, STT_FUNC, 0, 1, 0x200, 0};
    symbols[4] = {14, STT_TLS, 0, 1, 0x300, 0};
    ElfW(Dyn)* entry = dynamic;
    *entry++ = {DT_SYMTAB, {reinterpret_cast<uintptr_t>(symbols)}};
    *entry++ = {DT_STRTAB, {reinterpret_cast<uintptr_t>(strings)}};
    *entry++ = {DT_HASH, {reinterpret_cast<uintptr_t>(hash)}};
    if (with_versions) *entry++ = {DT_VERSYM, {reinterpret_cast<uintptr_t>(versions)}};
    segment.p_type = PT_DYNAMIC;
    segment.p_vaddr = reinterpret_cast<uintptr_t>(dynamic);
    info.dlpi_phdr = &segment;
    info.dlpi_phnum = 1;
  }
  const char strings[20] = "\0wanted\0found\0errno";
  ElfW(Sym) symbols[5] = {};
  uint16_t versions[5] = {0, 2, 0x8000 | 2, 3, 3};
  uint32_t hash[2] = {1, 5};  // buckets, symbols
  ElfW(Dyn) dynamic[5] = {};
  ElfW(Phdr) segment = {};
  dl_phdr_info info = {};
};

TEST(ElfObject, without_a_gnu_hash_table_goes_through_all_symbols) {
  HandMade tables(true);
  ElfObject object(tables.info);
  EXPECT_EQ(object.definition(symbol("found")), reinterpret_cast<void*>(0x200));
  EXPECT_EQ(object.definition(symbol("wanted")), nullptr);
  EXPECT_EQ(object.definition(symbol("errno")), nullptr);
}

TEST(ElfObject, without_versions_takes_the_first_definition) {
  HandMade tables(false);
  EXPECT_EQ(ElfObject(tables.info).definition(symbol("found")), reinterpret_cast<void*>(0x100));
}

TEST(ElfObject, without_any_table_has_nothing) {
  dl_phdr_info nothing = {};
  ElfObject object(nothing);
  EXPECT_EQ(object.definition(symbol("write")), nullptr);
  EXPECT_FALSE(object.imports("write"));
  EXPECT_EQ(object.relro_size(), 0U);
}

}  // namespace
}  // namespace iotrace
