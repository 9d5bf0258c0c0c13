/* Trampolines: MPI_X jumps through its slot; PMPI_X first tests its caller.  No argument is read.
   Only r10, r11 and rax are used: no C function without variable arguments is passed anything in them. */

#include "preload/loader/loader.h"

#define ENTRY_POINT endbr64 /* an indirect jump may lead here (Intel CET) */

.text

/* MPI_X, and the stub that its slot holds until the first call. */
.macro TRAMPOLINE index, name
  .globl \name
  .type \name, @function
  .p2align 4
\name:
  ENTRY_POINT
  jmp *(tutti_loader_slots + 8 * \index)(%rip)
  .size \name, . - \name

  .globl P\name
  .type P\name, @function
  .p2align 4
P\name:
  ENTRY_POINT
  movq (%rsp), %r11                         /* the page of the return address ... */
  shrq $12, %r11
  movl %r11d, %eax
  andl $(TUTTI_CALLER_PAGES - 1), %eax
  leaq tutti_loader_callers(%rip), %r10      /* ... is looked up: word = page << 1 | is served */
  movq (%r10, %rax, 8), %rax
  movq %rax, %r10
  shrq $1, %r10
  cmpq %r11, %r10
  jne 1f
  andl $1, %eax
  leaq (tutti_loader_profiling + 16 * \index)(%rip), %r10
  jmp *(%r10, %rax, 8)
1:
  leaq tutti_loader_new_caller(%rip), %r11
  pushq $\index
  jmp resolve
  .size P\name, . - P\name

  .p2align 4
unbound_\index:
  ENTRY_POINT
  leaq tutti_loader_first_call(%rip), %r11
  pushq $\index
  jmp resolve

  .pushsection .data.rel.local, "aw"
  .quad unbound_\index
  .popsection
.endm

/* r11: void* function(unsigned index, void* return_address).  Stack: index, return address.
   Calls it with every argument register saved, then jumps to what it returned. */
  .type resolve, @function
  .p2align 4
resolve:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  pushq %rbp
  .cfi_def_cfa_offset 24
  .cfi_offset %rbp, -24
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  andq $-16, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movl 8(%rbp), %edi
  movq 16(%rbp), %rsi
  call *%r11
  movq %rax, %r11
  movq (%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 16
  addq $8, %rsp
  .cfi_def_cfa_offset 8
  jmp *%r11
  .cfi_endproc
  .size resolve, . - resolve

.pushsection .data.rel.local, "aw"
  .hidden tutti_loader_slots
  .globl tutti_loader_slots
  .type tutti_loader_slots, @object
  .p2align 6
tutti_loader_slots:
.popsection

#define TUTTI_CALL(index, name) TRAMPOLINE index, name
#include "loader_calls.inc"

.section .note.GNU-stack, "", @progbits
