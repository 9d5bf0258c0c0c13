/* Switches stacks: the registers that a called function keeps (AAPCS64) lie on the stack that is left. */
#if defined(__aarch64__)
.text

/* void tutti_task_switch(void** left, void* entered) */
.globl tutti_task_switch
.hidden tutti_task_switch
.type tutti_task_switch, %function
.p2align 4
tutti_task_switch:
  hint #34  /* bti c */
  sub sp, sp, #176
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mrs x9, fpcr
  str x9, [sp, #160]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldr x9, [sp, #160]
  msr fpcr, x9
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #176
  ret
.size tutti_task_switch, . - tutti_task_switch

/* Where a new stack is entered: x19 is the function, x20 its argument.  No caller: unwinding ends here. */
.globl tutti_task_entry
.hidden tutti_task_entry
.type tutti_task_entry, %function
.p2align 4
tutti_task_entry:
  .cfi_startproc
  .cfi_undefined x30
  hint #36  /* bti j */
  mov x0, x20
  blr x19
  brk #0
  .cfi_endproc
.size tutti_task_entry, . - tutti_task_entry
#endif

.section .note.GNU-stack, "", %progbits
