# vfork and syscall for x86-64: the two wrappers that C++ cannot express. Any thread, any time.
#
# vfork returns twice on one stack, so it must have no frame: the return address travels in a register. The child runs in
# the parent's memory, thread-local storage included, until it executes or exits; it marks that in the thread's state, so
# that what it does to descriptors stays out of the parent's tables, and the parent takes the mark back when it runs again.
#
# The thread's state (interpose/thread.h, layout asserted there): +0 last_fd, +16 blocks,
# +24 in_vfork_child.

#include <sys/syscall.h>

        .text
        .globl  vfork
        .globl  __vfork
        .type   vfork, @function
        .type   __vfork, @function
vfork:
__vfork:
        .cfi_startproc
        endbr64
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        .cfi_register %rip, %rdi
        movq    iotrace_thread@gottpoff(%rip), %r8
        movq    %fs:16(%r8), %r9                # the parent's values, for when it runs again
        movl    %fs:24(%r8), %r10d
        movl    $SYS_vfork, %eax
        syscall
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        .cfi_restore %rip
        testq   %rax, %rax
        jz      1f
        # Parent, or failure: the child has gone its way. (r9 and r10 are restored by the kernel.)
        movl    $-1, %fs:0(%r8)
        movq    %r9, %fs:16(%r8)
        movl    %r10d, %fs:24(%r8)
        cmpq    $-4095, %rax
        jae     2f
        ret
1:      # Child: no counters are found, so that every call takes the slow path.
        leaq    iotrace_no_blocks(%rip), %r9
        movl    $-1, %fs:0(%r8)
        movq    %r9, %fs:16(%r8)
        movl    $1, %fs:24(%r8)
        ret
2:      negl    %eax
        pushq   %rax
        .cfi_adjust_cfa_offset 8
        call    __errno_location@PLT
        popq    %rdx
        .cfi_adjust_cfa_offset -8
        movl    %edx, (%rax)
        movq    $-1, %rax
        ret
        .cfi_endproc
        .size   vfork, .-vfork

# syscall(number, ...): the numbers that matter to us go to the C++ side, all others straight on, so that a clone with a
# stack of its own finds no frame of ours on the old one.
        .globl  syscall
        .type   syscall, @function
syscall:
        .cfi_startproc
        endbr64
        cmpq    $512, %rdi
        jae     3f
        leaq    iotrace_interesting_syscalls(%rip), %rax
        btl     %edi, (%rax)
        jc      iotrace_syscall
3:      jmp     *iotrace_next_syscall(%rip)
        .cfi_endproc
        .size   syscall, .-syscall

        .section .note.GNU-stack,"",@progbits
