# x86-64 part of schedule_mark.h. What it points the kernel to: a restartable sequence that no thread ever runs. The four bytes before the abort
# address are the signature that glibc registers (RSEQ_SIG).

        .text
        .long   0x53053053
never_aborted:
        ud2
never_run:
        ud2

        .section .data.rel.ro, "aw", @progbits
        .globl  iotrace_schedule_descriptor
        .hidden iotrace_schedule_descriptor
        .type   iotrace_schedule_descriptor, @object
        .balign 32
iotrace_schedule_descriptor:
        .long   0                               # version
        .long   0                               # flags
        .quad   never_run                       # start
        .quad   1                               # length
        .quad   never_aborted
        .size   iotrace_schedule_descriptor, .-iotrace_schedule_descriptor

        .section .note.GNU-stack,"",@progbits
