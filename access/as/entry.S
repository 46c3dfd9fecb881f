/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that as/entry.h describes. They are called between two instructions of a compiled
 * program that expects no call, so they keep all registers, vector registers too. */
#ifdef __x86_64__
#include "as/entry.h"

/* VECTORS: size of the state that xsave writes, bytes: all registers up to those of AVX-512. */
#define VECTORS       2816
#define VECTORS_MASK  0xe7
#define XSAVE_HEADER  512

	.text

	.globl	memdb_soft_enter
	.hidden	memdb_soft_enter
	.type	memdb_soft_enter, @function
memdb_soft_enter:
	.cfi_startproc
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movq	memdb_soft_far@gottpoff(%rip), %rax
	addq	%fs:(%rax,%rsi,8), %rdi
	movq	memdb_soft_granted@gottpoff(%rip), %rcx
	movq	%fs:(%rcx,%rsi,8), %rcx
	/* no more accesses can be left than were granted; a signal handler may have granted
	 * fewer */
	cmpq	%rcx, %rdi
	cmovg	%rcx, %rdi
	movq	%rdi, %fs:(%rax,%rsi,8)
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	popq	%rax
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	memdb_soft_enter, .-memdb_soft_enter

	.globl	memdb_soft_at
	.hidden	memdb_soft_at
	.type	memdb_soft_at, @function
memdb_soft_at:
	.cfi_startproc
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	movq	%rdx, %rax
	shrl	$ENTRY_LANE_SHIFT, %eax
	shll	$3, %eax
	addq	memdb_soft_far@gottpoff(%rip), %rax
	/* 3 (load and store) counts as two accesses */
	andl	$3, %edx
	incl	%edx
	shrl	%edx
	subq	%rdx, %fs:(%rax)
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	leaq	soft_report(%rip), %rax
	js	look
	popq	%rax
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	memdb_soft_at, .-memdb_soft_at

	.globl	memdb_soft_repeat
	.hidden	memdb_soft_repeat
	.type	memdb_soft_repeat, @function
memdb_soft_repeat:
	.cfi_startproc
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	movq	memdb_soft_far@gottpoff(%rip), %rax
	subq	%rcx, %fs:(%rax) /* lane 0 */
	leaq	soft_report_repeated(%rip), %rax
	js	look
	popq	%rax
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	memdb_soft_repeat, .-memdb_soft_repeat

/* Calls the function in rax, or soft_report_fast() if that is enough, with the arguments rdi, rsi, edx, the number of steps (rcx), and the
 * frame pointer of the program. rax is on the stack. */
	.type	look, @function
look:
	.cfi_startproc
	.cfi_adjust_cfa_offset 8
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbx
	.cfi_rel_offset %rbx, -48
	movq	(%rbp), %r8
	leaq	-VECTORS(%rsp), %rsp
	andq	$-64, %rsp
	movq	%rax, %r9
	testl	$ENTRY_THREAD_LOCAL, %edx
	je	1f
	addq	%fs:0, %rdi
1:
	leaq	soft_report(%rip), %r10
	cmpq	%r10, %r9
	jne	7f
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	call	soft_report_fast
	testb	%al, %al
	jne	5f
	movq	(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdx
	movq	-8(%rbp), %rcx
	movq	(%rbp), %r8
	leaq	soft_report(%rip), %r9
7:
	movq	%rdx, %r10
	movzbl	soft_xsave(%rip), %ebx
	testl	%ebx, %ebx
	je	2f
	xorl	%eax, %eax
	.irp	word, 0, 8, 16, 24, 32, 40, 48, 56
	movq	%rax, XSAVE_HEADER+\word(%rsp)
	.endr
	movl	$VECTORS_MASK, %eax
	xorl	%edx, %edx
	cmpl	$XSAVE_COMPACT, %ebx
	je	6f
	xsave64	(%rsp)
	jmp	3f
6:
	xsavec64 (%rsp)
	jmp	3f
2:
	fxsave64 (%rsp)
3:
	movl	%r10d, %edx
	call	*%r9
	testl	%ebx, %ebx
	je	4f
	movl	$VECTORS_MASK, %eax
	xorl	%edx, %edx
	xrstor64 (%rsp)
	jmp	5f
4:
	fxrstor64 (%rsp)
5:
	leaq	-48(%rbp), %rsp
	popq	%rbx
	.cfi_restore %rbx
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rbp
	.cfi_def_cfa %rsp, 16
	.cfi_restore %rbp
	popq	%rax
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	look, .-look
#endif
	.section .note.GNU-stack, "", %progbits
