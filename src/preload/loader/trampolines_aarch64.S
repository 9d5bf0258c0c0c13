/* Trampolines: MPI_X jumps through its slot; PMPI_X first tests its caller.  No argument is read.
   Only x9, x10, x16 and x17 are used, which a call may change. */

#include "preload/loader/loader.h"

#define ENTRY_POINT hint #34 /* bti c: an indirect jump may lead here */

.text

/* MPI_X, and the stub that its slot holds until the first call. */
.macro TRAMPOLINE index, name
  .globl \name
  .type \name, %function
  .p2align 4
\name:
  ENTRY_POINT
  adrp x16, tutti_loader_slots + 8 * \index
  add x16, x16, :lo12:(tutti_loader_slots + 8 * \index)
  ldar x16, [x16]                           /* what the binder wrote before it is seen with it */
  br x16
  .size \name, . - \name

  .globl P\name
  .type P\name, %function
  .p2align 4
P\name:
  ENTRY_POINT
  lsr x9, x30, #12                          /* the page of the return address ... */
  and x10, x9, #(TUTTI_CALLER_PAGES - 1)
  adrp x16, tutti_loader_callers             /* ... is looked up: word = page << 1 | is served */
  add x16, x16, :lo12:tutti_loader_callers
  add x16, x16, x10, lsl #3
  ldar x10, [x16]
  cmp x9, x10, lsr #1
  b.ne 1f
  and x10, x10, #1
  adrp x16, tutti_loader_profiling + 16 * \index
  add x16, x16, :lo12:(tutti_loader_profiling + 16 * \index)
  ldr x16, [x16, x10, lsl #3]
  br x16
1:
  adrp x16, tutti_loader_new_caller
  add x16, x16, :lo12:tutti_loader_new_caller
  mov w17, #\index
  b resolve
  .size P\name, . - P\name

  .p2align 4
unbound_\index:
  ENTRY_POINT
  adrp x16, tutti_loader_first_call
  add x16, x16, :lo12:tutti_loader_first_call
  mov w17, #\index
  b resolve

  .pushsection .data.rel.local, "aw"
  .quad unbound_\index
  .popsection
.endm

/* x16: void* function(unsigned index, void* return_address); w17: index; x30: return address.
   Calls it with every argument register saved, then jumps to what it returned. */
  .type resolve, %function
  .p2align 4
resolve:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov w0, w17
  mov x1, x30
  blr x16
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  br x16
  .cfi_endproc
  .size resolve, . - resolve

.pushsection .data.rel.local, "aw"
  .hidden tutti_loader_slots
  .globl tutti_loader_slots
  .type tutti_loader_slots, %object
  .p2align 6
tutti_loader_slots:
.popsection

#define TUTTI_CALL(index, name) TRAMPOLINE index, name
#include "loader_calls.inc"

.section .note.GNU-stack, "", %progbits
