/* Switches stacks: the registers that a called function keeps (System V ABI) lie on the stack that is left. */
#if defined(__x86_64__)
.text

/* void tutti_task_switch(void** left, void* entered) */
.globl tutti_task_switch
.hidden tutti_task_switch
.type tutti_task_switch, @function
.p2align 4
tutti_task_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)  /* rounding and exception masks belong to the called function too */
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tutti_task_switch, . - tutti_task_switch

/* Where a new stack is entered: rbx is the function, r12 its argument.  No caller: unwinding ends here. */
.globl tutti_task_entry
.hidden tutti_task_entry
.type tutti_task_entry, @function
.p2align 4
tutti_task_entry:
  .cfi_startproc
  .cfi_undefined rip
  endbr64
  movq %r12, %rdi
  call *%rbx
  ud2
  .cfi_endproc
.size tutti_task_entry, . - tutti_task_entry
#endif

.section .note.GNU-stack, "", %progbits
