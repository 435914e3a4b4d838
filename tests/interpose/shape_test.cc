// Tests of interpose/shape: the descriptor, the bytes and the last byte of every kind of call.
#include "interpose/shape.h"

#include <gtest/gtest.h>

#include <string.h>
#include <sys/mman.h>

#include <iterator>
#include <string>

#include "interpose/raw.h"

namespace iotrace {
namespace {

iovec piece(const char* text) { return {const_cast<char*>(text), strlen(text)}; }

// "requested/last byte", or "requested/-" where there is none in the caller's memory.
std::string described(const Transfer& transfer) {
  return std::to_string(transfer.requested) + "/" +
         (transfer.has_last_byte ? std::string(1, *transfer.last_byte) : "-");
}

TEST(VectorTransfer, finds_the_last_byte_that_was_taken) {
  const iovec vectors[] = {piece("abc"), piece("de"), piece("fghi")};
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 3, 9)), "9/i");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 3, 1)), "9/a");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 3, 3)), "9/c");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 3, 4)), "9/d");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 3, 0)), "9/-");
}

TEST(VectorTransfer, skips_empty_pieces_wherever_they_point) {
  const iovec nowhere = {reinterpret_cast<void*>(16), 0};
  const iovec vectors[] = {nowhere, piece("ab"), nowhere, piece("c"), nowhere};
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 5, 3)), "3/c");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 5, 2)), "3/b");
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 1, 0)), "0/-");
  EXPECT_EQ(described(shapes::vector_transfer(nullptr, 0, 0)), "0/-");
}

TEST(VectorTransfer, never_looks_beyond_the_pieces) {
  const iovec vectors[] = {piece("ab"), {reinterpret_cast<void*>(16), 0}};
  EXPECT_EQ(described(shapes::vector_transfer(vectors, 2, 1000)), "2/b");
}

TEST(Buffer, is_descriptor_address_length) {
  const Arguments arguments = {{7, raw::address("abcdef"), 6}};
  using S = Shape<Call::write>;
  EXPECT_EQ(S::descriptor(arguments), 7);
  EXPECT_EQ(S::bytes(arguments, 4), 4U);
  EXPECT_EQ(described(S::transfer(arguments, 4, 4)), "6/d");
  EXPECT_EQ(S::requested_by_failed(arguments, EFAULT), 6U);
}

TEST(Vectors, are_descriptor_pieces_count) {
  const iovec vectors[] = {piece("abc"), piece("de")};
  const Arguments arguments = {{8, raw::address(vectors), 2}};
  using S = Shape<Call::writev>;
  EXPECT_EQ(S::descriptor(arguments), 8);
  EXPECT_EQ(described(S::transfer(arguments, 4, 4)), "5/d");
  EXPECT_EQ(S::requested_by_failed(arguments, EAGAIN), 5U);
}

// What the kernel refused before it had read the pieces may not be readable at all.
TEST(Vectors, of_a_call_that_failed_early_are_not_looked_at) {
  void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const Arguments arguments = {{8, raw::address(page), 2}};
  for (int error : {EFAULT, EINVAL, EBADF, ENOTSOCK}) {
    EXPECT_EQ(Shape<Call::writev>::requested_by_failed(arguments, error), 0U);
    EXPECT_EQ(Shape<Call::sendmsg>::requested_by_failed(arguments, error), 0U);
    EXPECT_EQ(Shape<Call::sendmmsg>::requested_by_failed(arguments, error), 0U);
  }
  munmap(page, 4096);
}

TEST(Message, has_its_pieces_in_a_header) {
  iovec vectors[] = {piece("abc"), piece("de")};
  msghdr message = {};
  message.msg_iov = vectors;
  message.msg_iovlen = 2;
  const Arguments arguments = {{9, raw::address(&message), 0}};
  using S = Shape<Call::sendmsg>;
  EXPECT_EQ(S::descriptor(arguments), 9);
  EXPECT_EQ(described(S::transfer(arguments, 5, 5)), "5/e");
  EXPECT_EQ(S::requested_by_failed(arguments, EPIPE), 5U);
}

TEST(Messages, are_counted_by_what_each_has_sent) {
  iovec first = piece("abc"), second = piece("defg"), third = piece("xyz");
  mmsghdr messages[3] = {};
  iovec* pieces[] = {&first, &second, &third};
  for (size_t i = 0; i < std::size(messages); ++i) {
    messages[i].msg_hdr.msg_iov = pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  messages[0].msg_len = 3;
  messages[1].msg_len = 2;
  messages[2].msg_len = 100;
  const Arguments arguments = {{4, raw::address(messages), 3}};
  using S = Shape<Call::sendmmsg>;
  EXPECT_EQ(S::bytes(arguments, 2), 5U);
  EXPECT_EQ(described(S::transfer(arguments, 2, 5)), "5/e");
  EXPECT_EQ(S::bytes(arguments, 0), 0U);
  EXPECT_EQ(described(S::transfer(arguments, 0, 0)), "0/-");
}

TEST(InKernel, each_call_has_its_output_elsewhere) {
  const Arguments arguments = {{10, 11, 12}};
  EXPECT_EQ(Shape<Call::sendfile>::descriptor(arguments), 10);
  EXPECT_EQ(Shape<Call::tee>::descriptor(arguments), 11);
  EXPECT_EQ(Shape<Call::copy_file_range>::descriptor(arguments), 12);
  EXPECT_EQ(Shape<Call::splice>::descriptor(arguments), 12);
  EXPECT_EQ(Shape<Call::vmsplice>::descriptor(arguments), 10);
}

TEST(InKernel, is_never_short) {
  const Arguments arguments = {{10, 11, 12}};
  EXPECT_EQ(described(Shape<Call::sendfile>::transfer(arguments, 17, 17)), "17/-");
  EXPECT_EQ(Shape<Call::sendfile>::requested_by_failed(arguments, EAGAIN), 0U);
}

}  // namespace
}  // namespace iotrace
