/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what a plan (waits/waits.h) contains about the loop around an instruction: accesses of the
 * previous iteration, steps of addresses, and how long the arithmetic takes. */
#include "decode/perf_regs.h"
#include "waits_fixture.h"

/*
 * Code:
 *  0: xor %eax,%eax
 *  2: movslq (%rdx,%rax,4),%rcx
 *  6: movsd (%rsi,%rcx,8),%xmm0
 * 11: mulsd (%rdi,%rax,8),%xmm0
 * 16: inc %rax
 * 19: addsd %xmm0,%xmm1
 * 23: cmp %r8,%rax
 * 26: jne 2
 * 28: ret
 * The search for candidates goes backward from ip. It also follows the jump from 26 to 2 backward,
 * so it finds candidates of the previous iteration.
 */
START_TEST(around_a_loop)
{
	static const char code[] =
		"\x31\xc0\x48\x63\x0c\x82\xf2\x0f\x10\x04\xce\xf2\x0f\x59\x04\xc7"
		"\x48\xff\xc0\xf2\x0f\x58\xc8\x4c\x39\xc0\x75\xe6\xc3";

	ck_assert_str_eq(AT(code, 16), "own di+ax*8, flow dx+ax*4, flow si+cx*8");
	ck_assert_str_eq(AT(code, 23), "flow dx+(ax-1)*4, flow si+cx*8, flow di+(ax-1)*8");
	ck_assert_str_eq(AT(code, 6), "own dx+ax*4, window next si+cx*8, window di+(ax-1)*8");
}
END_TEST

/* Code: 0: movsd (%rip),%xmm1; 8: jmp 70; 10: nopw; 16: pxor %xmm0,%xmm0; ...; 49: addsd
 * (%rax),%xmm0; 53: movsd %xmm0,(%rax); 57: mov (%rip),%rax; 64: lock addq $1,8(%rax); 70: mov
 * (%rip),%rax; 77: mov $1,%edx; 82: lock xadd %rdx,(%rax); 87: cmp $0x1c9c37f,%rdx; 94: jle 16; 96:
 * ret. The loop is entered in its middle, at 70: the code before the entry runs once, the code
 * before 70 in the loop runs in each iteration. */
START_TEST(a_loop_is_entered_once)
{
	static const char code[] =
		"\xf2\x0f\x10\x0d\x18\x0d\x00\x00\xeb\x3c\x66\x0f\x1f\x44\x00\x00"
		"\x66\x0f\xef\xc0\x48\x8b\x05\x15\x2d\x00\x00\x48\x89\xd1\xf2\x48"
		"\x0f\x2a\xc2\x81\xe1\xff\xff\x0f\x00\x48\x8d\x04\xc8\xf2\x0f\x59"
		"\xc1\xf2\x0f\x58\x00\xf2\x0f\x11\x00\x48\x8b\x05\x08\x2d\x00\x00"
		"\xf0\x48\x83\x40\x08\x01\x48\x8b\x05\xfb\x2c\x00\x00\xba\x01\x00"
		"\x00\x00\xf0\x48\x0f\xc1\x10\x48\x81\xfa\x7f\xc3\xc9\x01\x7e\xb0"
		"\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 70);

	ck_assert_uint_eq(p->ways, 1);
	ck_assert_int_eq(p->last, -1);
	ck_assert_uint_eq(p->candidates[0].insn, 64);
	ck_assert(p->candidates[0].how == WAIT_OWN && p->candidates[0].lock);
	for (unsigned i = 0; i < p->n; i++)
		ck_assert_uint_ge(p->candidates[i].insn, 16);
	/* the nop before 16 never runs: the instruction that runs before 16 is the jump at the end
	 * of the loop, whose last byte is at 95 */
	p = plan_at(code, sizeof(code) - 1, 16);
	ck_assert_uint_eq(p->ways, 1);
	ck_assert_int_eq(p->last, 95 - 16);
}
END_TEST

/* Code: 0: test %rdi,%rdi; 3: je 10; 5: mulsd (%rsi),%xmm0; 9: ret; 10: movsd (%rdx),%xmm0; 14: jmp
 * 5. The jump back from the end of the function closes no loop, because 5 never leads to it. */
START_TEST(a_jump_back_may_close_no_loop)
{
	static const char code[] =
		"\x48\x85\xff\x74\x05\xf2\x0f\x59\x06\xc3\xf2\x0f\x10\x02\xeb\xf5";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 9);

	ck_assert_uint_eq(p->ways, 1);
	ck_assert_uint_eq(p->loop.n, 0);
	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 14)->loop.n, 0);
}
END_TEST

/* Code: 0: mov (%rdi,%rax,8),%rax; 4: cmp $1,%ecx; 7: je 27; 9: cmp $2,%ecx; 12: je 27; 14: cmp
 * $3,%ecx; 17: je 27; 19: cmp $4,%ecx; 22: je 27; 24: inc %rdx; 27: addsd (%rsi,%rax,8),%xmm0; 32:
 * ret. Five ways lead to 27, all from the load at 0. */
START_TEST(many_ways_may_join)
{
	static const char code[] = "\x48\x8b\x04\xc7\x83\xf9\x01\x74\x12\x83\xf9\x02\x74\x0d"
				   "\x83\xf9\x03\x74\x08\x83\xf9\x04\x74\x03\x48\xff\xc2"
				   "\xf2\x0f\x58\x04\xc6\xc3";

	ck_assert_str_eq(AT(code, 32), "own si+ax*8, flow base di");
	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 27)->ways, 0);
}
END_TEST

/* Loops over an array of doubles: the plain loop (`chain`), with a masked index, with a
 * branch that skips the addition, with indices from another array (`gather`), with a step in a
 * register (`column`), and with a step from memory (`loaded`). In the plain loop, the address
 * advances by 8 bytes, and the chain of additions limits the loop. */
START_TEST(a_loop_takes_what_its_arithmetic_takes)
{
	/* 0: addsd (%rdi),%xmm0; 4: add $8,%rdi; 8: cmp %rsi,%rdi; 11: jne 0; 13: ret */
	static const char chain[] = "\xf2\x0f\x58\x07\x48\x83\xc7\x08\x48\x39\xf7\x75\xf3\xc3";
	/* 0: mov %ecx,%eax; 2: inc %ecx; 4: and %edx,%eax; 6: divsd (%rdi,%rax,8),%xmm0; 11: cmp
	 * %esi,%ecx; 13: jne 0; 15: ret */
	static const char masked[] =
		"\x89\xc8\xff\xc1\x21\xd0\xf2\x0f\x5e\x04\xc7\x39\xf1\x75\xf1\xc3";
	/* 0: test %rdi,%rsi; 3: je 9; 5: addsd (%rdi),%xmm0; 9: add $8,%rdi; 13: jmp 0 */
	static const char skips[] = "\x48\x85\xfe\x74\x04\xf2\x0f\x58\x07\x48\x83\xc7\x08\xeb\xf1";
	/* 0: mov (%rcx),%edx; 2: add $4,%rcx; 6: and $63,%edx; 9: addsd (%rsi,%rdx,8),%xmm0; 14:
	 * cmp %rax,%rcx; 17: jne 0 */
	static const char gather[] =
		"\x8b\x11\x48\x83\xc1\x04\x83\xe2\x3f\xf2\x0f\x58\x04\xd6\x48\x39\xc1\x75\xed";
	/* 0: addsd (%rdi),%xmm0; 4: add %rdx,%rdi; 7: cmp %rsi,%rdi; 10: jne 0; 12: ret */
	static const char column[] = "\xf2\x0f\x58\x07\x48\x01\xd7\x48\x39\xf7\x75\xf4\xc3";
	/* 0: addsd (%rdi),%xmm0; 4: mov (%rdx),%rdx; 7: add %rdx,%rdi; 10: jne 0; 12: ret */
	static const char loaded[] = "\xf2\x0f\x58\x07\x48\x8b\x12\x48\x01\xd7\x75\xf4\xc3";
	const struct wait_plan *p = plan_at(gather, sizeof(gather) - 1, 14);

	ck_assert_uint_eq(p->loop.n, 6);
	ck_assert_int_eq(p->candidates[0].step, WAIT_NO_STEP);
	p = plan_at(chain, sizeof(chain) - 1, 4);
	ck_assert_uint_eq(p->loop.n, 4);
	ck_assert_uint_eq(p->loop.accesses, 1);
	ck_assert(!p->loop.branches && p->loop.start == 0 && p->loop.end == 11);
	ck_assert_float_eq_tol(p->loop.least, 2, 0.01f);
	ck_assert_float_eq_tol(p->loop.likely, 3.5f, 0.01f);
	ck_assert_int_eq(p->candidates[0].step, 8);
	p = plan_at(masked, sizeof(masked) - 1, 11);
	ck_assert_float_eq_tol(p->loop.least, 10, 0.01f);
	ck_assert_int_eq(p->candidates[0].step, 8);
	ck_assert_int_eq(plan_at(column, sizeof(column) - 1, 4)->candidates[0].step,
			 WAIT_SOME_STEP);
	ck_assert_int_eq(plan_at(loaded, sizeof(loaded) - 1, 4)->candidates[0].step, WAIT_NO_STEP);
	p = plan_at(skips, sizeof(skips) - 1, 9);
	ck_assert(p->loop.branches);
	ck_assert_float_lt(p->loop.least, 2); /* the addition may be skipped */
}
END_TEST

/* A loop with a call. The called function keeps rbx, so the step of the first load is known, but it
 * may change rdi (case 1). */
START_TEST(a_call_keeps_some_registers)
{
	/* 0: addsd (%rbx),%xmm0; 4: call 9; 9: add $8,%rbx; 13: jmp 0 */
	static const char kept[] = "\xf2\x0f\x58\x03\xe8\0\0\0\0\x48\x83\xc3\x08\xeb\xf1";
	/* the same with rdi */
	static const char changed[] = "\xf2\x0f\x58\x07\xe8\0\0\0\0\x48\x83\xc7\x08\xeb\xf1";
	const struct wait_plan *p = plan_at(_i ? changed : kept, sizeof(kept) - 1, 4);

	ck_assert_uint_eq(p->loop.n, 4);
	ck_assert(p->loop.calls && p->loop.branches);
	ck_assert_int_eq(p->candidates[0].step, _i ? WAIT_NO_STEP : 8);
}
END_TEST

/* A loop waits for what it stored in the iteration before. The value comes from the store buffer:
 * at once on the fastest CPUs, after 5 cycles on usual ones. */
START_TEST(a_sum_in_memory_is_a_chain)
{
	/* 0: addsd (%rdi),%xmm0; 4: movsd %xmm0,(%rdi); 8: movsd (%rsi),%xmm0; 12: add $8,%rsi; 16:
	 * dec %ecx; 18: jne 0 */
	static const char one[] = "\xf2\x0f\x58\x07\xf2\x0f\x11\x07\xf2\x0f\x10\x06"
				  "\x48\x83\xc6\x08\xff\xc9\x75\xec\xc3";
	/* the same, but add $8,%rdi instead of add $8,%rsi: the sum is another word each time */
	static const char many[] = "\xf2\x0f\x58\x07\xf2\x0f\x11\x07\xf2\x0f\x10\x06"
				   "\x48\x83\xc7\x08\xff\xc9\x75\xec\xc3";
	const struct wait_plan *p = plan_at(one, sizeof(one) - 1, 8);

	ck_assert_float_eq_tol(p->loop.least, 2, 0.01f);
	ck_assert_float_eq_tol(p->loop.likely, 8.5f, 0.01f);
	p = plan_at(many, sizeof(many) - 1, 8);
	ck_assert_float_lt(p->loop.likely, 3);
}
END_TEST

/* Code: 0: nop; 1: nop; 2: nop; 3: test %eax,%ebx; 5: jne 1; 7: dec %ecx; 9: jne 3; 11: ret. The
 * jump from 5 leads out of the loop from 3 to 9, and the loop is entered again. */
START_TEST(loops_may_overlap)
{
	static const char both[] = "\x90\x90\x90\x85\xc3\x75\xfa\xff\xc9\x75\xf8\xc3";
	/* the jump from 5 leads to the end */
	static const char leaves[] = "\x90\x90\x90\x85\xc3\x75\x04\xff\xc9\x75\xf8\xc3";
	const struct wait_plan *p = plan_at(both, sizeof(both) - 1, 9);

	ck_assert(p->loop.n == 4 && p->loop.overlaps && !p->loop.branches);
	p = plan_at(leaves, sizeof(leaves) - 1, 9);
	ck_assert(p->loop.n == 4 && !p->loop.overlaps);
}
END_TEST

/* Code: 0: jmp 5; 2: inc %rdx; 5: and $0xffff,%eax; 10: mov (%rsi,%rax,4),%ecx; 13: mov %edx,%eax;
 * 15: cmp %rdi,%rdx; 18: jne 2; 20: ret. The index is computed at the end of the previous
 * iteration, and masked. But it still grows by one in each iteration. */
START_TEST(an_index_of_the_previous_iteration_has_a_step)
{
	static const char code[] = "\xeb\x03\x48\xff\xc2\x25\xff\xff\x00\x00\x8b\x0c\x86"
				   "\x89\xd0\x48\x39\xfa\x75\xee\xc3";

	ck_assert_int_eq(plan_at(code, sizeof(code) - 1, 13)->candidates[0].step, 4);
}
END_TEST

/* The step of an address may depend on a register that the loop does not write, or be the distance
 * of two rows, whose pointers the loop loads. */
START_TEST(a_step_may_be_in_a_register)
{
	/* 0: addsd (%rdi),%xmm0; 4: add %rdx,%rdi; 7: cmp %rsi,%rdi; 10: jne 0; 12: ret */
	static const char column[] = "\xf2\x0f\x58\x07\x48\x01\xd7\x48\x39\xf7\x75\xf4\xc3";
	/* 0: addsd (%rdi,%rax,8),%xmm0; 5: add %rdx,%rax; 8: cmp %rsi,%rax; 11: jne 0; 13: ret */
	static const char index[] = "\xf2\x0f\x58\x04\xc7\x48\x01\xd0\x48\x39\xf0\x75\xf3\xc3";
	/* 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: addsd (%rax,%rcx),%xmm0; 12: cmp %rsi,%rdi; 15:
	 * jne 0; 17: ret */
	static const char rows[] =
		"\x48\x8b\x07\x48\x83\xc7\x08\xf2\x0f\x58\x04\x08\x48\x39\xf7\x75\xef\xc3";
	/* 0: mov (%rdi),%rdi; 3: addsd (%rdi,%rcx),%xmm0; 8: test %rdi,%rdi; 11: jne 0; 13: ret */
	static const char list[] = "\x48\x8b\x3f\xf2\x0f\x58\x04\x0f\x48\x85\xff\x75\xf3\xc3";
	uint64_t regs[64] = { [REG_X86_DX] = 1000 };
	const struct wait_candidate *c = plan_at(column, sizeof(column) - 1, 4)->candidates;

	ck_assert(c->stride.known && !c->row);
	ck_assert_int_eq(wait_stride_bytes(&c->stride, regs), 1000);
	c = plan_at(index, sizeof(index) - 1, 5)->candidates;
	ck_assert(c->stride.known);
	ck_assert_int_eq(wait_stride_bytes(&c->stride, regs), 8000);
	c = plan_at(rows, sizeof(rows) - 1, 12)->candidates;
	ck_assert(c->row && !c->stride.known);
	ck_assert(!plan_at(list, sizeof(list) - 1, 8)->candidates[0].row);
}
END_TEST

/* The index of a column is often multiplied by the length of a row, which is in a register. */
START_TEST(a_step_may_be_a_multiple_of_a_factor)
{
	/* 0: mov %rax,%rcx; 3: imul %rdx,%rcx; 7: lea (%rcx,%rcx,2),%rcx; 11: addsd
	 * (%rdi,%rcx,8),%xmm0; 16: add $2,%rax; 20: cmp %rsi,%rax; 23: jne 0; 25: ret */
	static const char column[] =
		"\x48\x89\xc1\x48\x0f\xaf\xca\x48\x8d\x0c\x49\xf2\x0f\x58\x04\xcf"
		"\x48\x83\xc0\x02\x48\x39\xf0\x75\xe7\xc3";
	/* 3: imul %rax,%rcx, a square */
	static const char square[] =
		"\x48\x89\xc1\x48\x0f\xaf\xc8\x48\x8d\x0c\x49\xf2\x0f\x58\x04\xcf"
		"\x48\x83\xc0\x02\x48\x39\xf0\x75\xe7\xc3";
	/* 16: mov (%rbx),%rdx: each iteration loads another factor */
	static const char rewritten[] =
		"\x48\x89\xc1\x48\x0f\xaf\xca\x48\x8d\x0c\x49\xf2\x0f\x58\x04\xcf"
		"\x48\x8b\x13\x90\x48\x39\xf0\x75\xe7\xc3";
	const uint64_t regs[64] = { [REG_X86_DX] = 1000 };
	const struct wait_candidate *c = plan_at(column, sizeof(column) - 1, 16)->candidates;

	ck_assert_int_eq(c->step, WAIT_SOME_STEP);
	ck_assert(c->stride.known);
	ck_assert_int_eq(wait_stride_bytes(&c->stride, regs), 3 * 8 * 2 * 1000);
	ck_assert_int_eq(plan_at(square, sizeof(square) - 1, 16)->candidates[0].step, WAIT_NO_STEP);
	c = plan_at(rewritten, sizeof(rewritten) - 1, 16)->candidates;
	ck_assert(c->step == WAIT_NO_STEP && !c->stride.known);
}
END_TEST

/* A loop that reads the elements of an array in the order of a list of indices does not walk along
 * a column. */
START_TEST(an_index_from_an_array_is_no_row)
{
	/* 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: addsd (%rcx,%rax,8),%xmm0; 12: cmp %rsi,%rdi; 15:
	 * jne 0; 17: ret */
	static const char scaled[] =
		"\x48\x8b\x07\x48\x83\xc7\x08\xf2\x0f\x58\x04\xc1\x48\x39\xf7\x75\xef\xc3";
	/* 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: shl $3,%rax; 11: addsd (%rcx,%rax),%xmm0; 16: cmp
	 * %rsi,%rdi; 19: jne 0; 21: ret */
	static const char shifted[] = "\x48\x8b\x07\x48\x83\xc7\x08\x48\xc1\xe0\x03\xf2\x0f\x58"
				      "\x04\x01\x48\x39\xf7\x75\xeb\xc3";
	/* 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: add %rcx,%rax; 10: addsd (%rax),%xmm0; 14: cmp
	 * %rsi,%rdi; 17: jne 0; 19: ret */
	static const char added[] = "\x48\x8b\x07\x48\x83\xc7\x08\x48\x01\xc8\xf2\x0f\x58\x00\x48"
				    "\x39\xf7\x75\xed\xc3";
	/* 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: add (%rcx,%rax),%dl; 10: cmp %rsi,%rdi; 13: jne 0;
	 * 15: ret */
	static const char bytes[] =
		"\x48\x8b\x07\x48\x83\xc7\x08\x02\x14\x01\x48\x39\xf7\x75\xf1\xc3";

	ck_assert(!plan_at(scaled, sizeof(scaled) - 1, 12)->candidates[0].row);
	ck_assert(!plan_at(shifted, sizeof(shifted) - 1, 16)->candidates[0].row);
	ck_assert(plan_at(added, sizeof(added) - 1, 14)->candidates[0].row);
	ck_assert(!plan_at(bytes, sizeof(bytes) - 1, 10)->candidates[0].row);
}
END_TEST

/* The step is the value of a register times 2 to the power of 31, a factor that does not fit into
 * int32_t. */
START_TEST(a_huge_factor_of_a_step_is_unknown)
{
	/* 0: add %rdx,%rax; 3: lea (,%rax,8),%rbx; 11: nine times shl $3,%rbx; 47: lea
	 * (%rbx,%rbx),%rbx; 51: addsd (%rdi,%rbx),%xmm0; 56: jne 0; 58: ret */
	static const char code[] = "\x48\x01\xd0\x48\x8d\x1c\xc5\0\0\0\0"
				   "\x48\xc1\xe3\x03\x48\xc1\xe3\x03\x48\xc1\xe3\x03"
				   "\x48\xc1\xe3\x03\x48\xc1\xe3\x03\x48\xc1\xe3\x03"
				   "\x48\xc1\xe3\x03\x48\xc1\xe3\x03\x48\xc1\xe3\x03"
				   "\x48\x8d\x1c\x1b\xf2\x0f\x58\x04\x1f\x75\xc6\xc3";

	ck_assert(!plan_at(code, sizeof(code) - 1, 56)->candidates[0].stride.known);
}
END_TEST

/* Code: 0: mov %edi,%eax; 2: mov (%rbp,%rax),%eax; 6: and $3,%eax; 9: add %eax,%edi; 11: add
 * (%rbx,%rax,8),%r9; 15: nop; 16: jmp 0. How far the first load moves depends on what it loads, so
 * its own address is lost. The address of its next execution is in the lower half of a register. */
START_TEST(the_next_address_may_be_half_a_register)
{
	static const char code[] = "\x89\xf8\x8b\x44\x05\x00\x83\xe0\x03\x01\xc7"
				   "\x4c\x03\x0c\xc3\x90\xeb\xee";

	ck_assert_str_eq(AT(code, 15), "own bx+ax*8, flow next bp+di loop 7");
}
END_TEST

/* `code`: 0: movsd (%rdi,%rax,8),%xmm0; 5: inc %rax; 12 nops; 20: mulsd (%rsi,%rcx,8),%xmm1; 25: 4
 * nops; 29: jmp 0. The first load is too far back to count as near the second, but it is in the
 * same loop. In `skips`, test %eax,%eax; je 29 replaces the 4 nops. If the loop has such a branch,
 * only loads that walk in large steps are listed: in `walks`, add $1000,%rax replaces inc %rax and
 * 3 nops, so the step is 8000 bytes. */
START_TEST(loads_of_a_loop_are_beside_each_other)
{
	static const char code[] =
		"\xf2\x0f\x10\x04\xc7\x48\xff\xc0\x90\x90\x90\x90\x90\x90\x90\x90"
		"\x90\x90\x90\x90\xf2\x0f\x59\x0c\xce\x90\x90\x90\x90\xeb\xe1";
	static const char skips[] =
		"\xf2\x0f\x10\x04\xc7\x48\xff\xc0\x90\x90\x90\x90\x90\x90\x90\x90"
		"\x90\x90\x90\x90\xf2\x0f\x59\x0c\xce\x85\xc0\x74\x00\xeb\xe1";
	static const char walks[] =
		"\xf2\x0f\x10\x04\xc7\x48\x05\xe8\x03\x00\x00\x90\x90\x90\x90\x90"
		"\x90\x90\x90\x90\xf2\x0f\x59\x0c\xce\x85\xc0\x74\x00\xeb\xe1";

	ck_assert_str_eq(AT(code, 25), "own si+cx*8, beside di+(ax-1)*8");
	ck_assert_str_eq(AT(skips, 25), "own si+cx*8");
	ck_assert_str_eq(AT(walks, 25), "own si+cx*8, beside di+(ax-1000)*8");
}
END_TEST

/* Code: 0: test %ecx,%ecx; 2: je 12; 4: mov %rdx,%rax; 7: addsd (%rdi,%rax,8),%xmm0; 12: movsd
 * (%rsi,%rax,8),%xmm1; 17: add $512,%rdx; 24: jmp 0. The branch may skip the move. The first load
 * runs only with the move, so its step is known. The second load may use the value of an earlier
 * iteration. */
START_TEST(a_skipped_value_has_a_step_until_the_ways_join)
{
	static const char code[] = "\x85\xc9\x74\x08\x48\x89\xd0\xf2\x0f\x58\x04\xc7"
				   "\xf2\x0f\x10\x0c\xc6\x48\x81\xc2\x00\x02\x00\x00\xeb\xe6";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 17);

	ck_assert(p->candidates[0].how == WAIT_OWN && p->candidates[0].insn == 12);
	ck_assert_int_eq(p->candidates[0].step, WAIT_NO_STEP);
	p = plan_at(code, sizeof(code) - 1, 12);
	ck_assert(p->candidates[0].how == WAIT_OWN && p->candidates[0].insn == 7);
	ck_assert_int_eq(p->candidates[0].step, 4096);
}
END_TEST

/* Code: 0: movups (%rax),%xmm0; 3: movups 16(%rax),%xmm1; 7: movups 32(%rax),%xmm2; 11: add
 * $4096,%rax; 17: cmp %rdx,%rax; 20: jne 0. In `half`, a nop replaces the third load: an iteration
 * then accesses 32 bytes. In `near`, the step is 48 bytes. */
START_TEST(loads_next_to_each_other_are_dense)
{
	static const char code[] = "\x0f\x10\x00\x0f\x10\x48\x10\x0f\x10\x50\x20"
				   "\x48\x05\x00\x10\x00\x00\x48\x39\xd0\x75\xea";
	static const char half[] = "\x0f\x10\x00\x0f\x10\x48\x10\x0f\x1f\x40\x00"
				   "\x48\x05\x00\x10\x00\x00\x48\x39\xd0\x75\xea";
	static const char near[] = "\x0f\x10\x00\x0f\x10\x48\x10\x0f\x10\x50\x20"
				   "\x48\x05\x30\x00\x00\x00\x48\x39\xd0\x75\xea";

	ck_assert(plan_at(code, sizeof(code) - 1, 3)->candidates[0].dense);
	ck_assert(plan_at(code, sizeof(code) - 1, 11)->candidates[0].dense);
	ck_assert(!plan_at(half, sizeof(half) - 1, 3)->candidates[0].dense);
	ck_assert_int_eq(plan_at(half, sizeof(half) - 1, 3)->candidates[0].step, 4096);
	ck_assert(!plan_at(near, sizeof(near) - 1, 3)->candidates[0].dense);
}
END_TEST

/* The last instruction of each case loads from an array. If the instructions before it show that a
 * constant bounds the index, `span` is the size of the accessed range; otherwise it is 0. */
START_TEST(a_constant_bounds_an_index)
{
	static const struct {
		const char *code;
		size_t len;
		uint64_t span;
	} cases[] = {
#define CODE(s) s, sizeof(s) - 1
		/* and $0x3ff,%eax; mov (%r10,%rax,4),%eax */
		{ CODE("\x25\xff\x03\x00\x00\x41\x8b\x04\x82"), 4096 },
		/* movzbl %al,%edx; mov (%rsi,%rdx,8),%rcx */
		{ CODE("\x0f\xb6\xd0\x48\x8b\x0c\xd6"), 2048 },
		/* shr $54,%rax; mov (%rsi,%rax,4),%eax */
		{ CODE("\x48\xc1\xe8\x36\x8b\x04\x86"), 4096 },
		/* and $0x3ff,%eax; mov %eax,%edx; mov (%rsi,%rdx,4),%eax */
		{ CODE("\x25\xff\x03\x00\x00\x89\xc2\x8b\x04\x96"), 4096 },
		/* and $0x3ff,%ax: keeps the upper bits; mov (%rsi,%rax,4),%eax */
		{ CODE("\x66\x25\xff\x03\x8b\x04\x86"), 0 },
		/* and $-4,%rax; mov (%rsi,%rax,4),%eax */
		{ CODE("\x48\x83\xe0\xfc\x8b\x04\x86"), 0 },
		/* and $0x3ff,%eax; inc %rax; mov (%rsi,%rax,4),%eax */
		{ CODE("\x25\xff\x03\x00\x00\x48\xff\xc0\x8b\x04\x86"), 0 },
#undef CODE
	};
	char code[32];

	memcpy(code, cases[_i].code, cases[_i].len);
	code[cases[_i].len] = (char)0xc3;
	ck_assert_uint_eq(plan_at(code, cases[_i].len + 1, cases[_i].len)->candidates[0].span,
			  cases[_i].span);
}
END_TEST

/* 0: mov (%rdi,%rcx,4),%eax; 3: add $2,%rcx; 7: test $0x40,%al; 9: jne 15; 11: add
 * (%rsi,%rax,8),%rdx; 15: test %r9d,%r9d; 18: jne 23; 20: inc %r8; 23: lea 8(%r10),%r10; 27: cmp
 * %r11,%rcx; 30: jne 0; 32: ret. Only the first jump depends on data; r8 does not change in each
 * iteration, and r10 changes more than rcx. */
START_TEST(a_loop_has_a_counter_and_jumps_that_depend_on_data)
{
	static const char code[] =
		"\x8b\x04\x8f\x48\x83\xc1\x02\xa8\x40\x75\x04\x48\x03\x14\xc6\x45"
		"\x85\xc9\x75\x03\x49\xff\xc0\x4d\x8d\x52\x08\x4c\x39\xd9\x75\xe0\xc3";
	/* 0: mov (%rdi),%rdi; 3: test %rdi,%rdi; 6: jne 0; 8: ret */
	static const char list[] = "\x48\x8b\x3f\x48\x85\xff\x75\xf8\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 23);

	ck_assert_int_eq(p->loop.counter.reg, REG_X86_CX);
	ck_assert_int_eq(p->loop.counter.adds, 2);
	ck_assert_uint_eq(p->loop.jumps, 1);
	/* the load and the test */
	ck_assert_double_eq_tol(p->loop.resolve, 4 + 1, 0.01);
	p = plan_at(list, sizeof(list) - 1, 3);
	ck_assert_uint_eq(p->loop.n, 3);
	ck_assert_int_eq(p->loop.counter.adds, 0);
	ck_assert_uint_eq(p->loop.jumps, 0);
	ck_assert_double_eq(p->loop.resolve, 0);
}
END_TEST

/* 0: mov (%rsi,%rcx,4),%eax; 3: imul $0x9e3779b1,%eax,%eax; 9: test %eax,%eax; 11: js 18; 13: addsd
 * (%rdi,%rdx,8),%xmm0; 18: inc %rcx; 21: cmp %rdx,%rcx; 24: jne 0; 26: ret. From one jump to the
 * next one there are the counter, the load, the product and the test. If the load and the product
 * come after the jump (case 1: test, js, addsd, mov, imul, inc, cmp, jne), the counter does not. */
START_TEST(a_jump_is_decided_by_a_chain)
{
	static const char before[] =
		"\x8b\x04\x8e\x69\xc0\xb1\x79\x37\x9e\x85\xc0\x78\x05\xf2\x0f\x58\x04\xd7\x48"
		"\xff\xc1\x48\x39\xd1\x75\xe6\xc3";
	static const char after[] =
		"\x85\xc0\x78\x05\xf2\x0f\x58\x04\xd7\x8b\x04\x8e\x69\xc0\xb1\x79\x37\x9e\x48"
		"\xff\xc1\x48\x39\xd1\x75\xe6\xc3";
	const struct wait_plan *p =
		_i ? plan_at(after, sizeof(after) - 1, 12) : plan_at(before, sizeof(before) - 1, 3);

	ck_assert_uint_eq(p->loop.jumps, 1);
	ck_assert_double_eq_tol(p->loop.resolve, (_i ? 0 : 1) + 4 + 3 + 1, 0.01);
}
END_TEST

/* Code elsewhere that jumps back into a loop, and what it jumps over. */
START_TEST(a_detour_skips_a_part_of_the_loop)
{
	/* 0: cmpl $0,(%rdi); 3: je 21; 5: mov (%rdx),%eax; 7: add $8,%rdx; 11: add $16,%rdi; 15:
	 * cmp %rdi,%rsi; 18: jne 0; 20: ret; 21: inc %r8; 24: jmp 11. The load at 5 does not run in
	 * each iteration, so rdx does not count them. */
	static const char skips[] = "\x83\x3f\x00\x74\x10\x8b\x02\x48\x83\xc2\x08\x48\x83\xc7\x10"
				    "\x48\x39\xfe\x75\xec\xc3\x49\xff\xc0\xeb\xf1";
	/* 0: mov (%rdi),%eax; 2: add $4,%rdi; 6: xor %ecx,%ecx; 8: jmp 18; 10: cmp
	 * %eax,(%rsi,%rcx,4); 13: je 0; 15: inc %rcx; 18: cmp %rdx,%rcx; 21: jb 10; 23: ret. The
	 * code at 0 begins another run of the loop: it is no detour. */
	static const char enters[] = "\x8b\x07\x48\x83\xc7\x04\x31\xc9\xeb\x08\x39\x04\x8e\x74"
				     "\xf1\x48\xff\xc1\x48\x39\xd1\x72\xf3\xc3";
	const struct wait_plan *p = plan_at(skips, sizeof(skips) - 1, 15);

	ck_assert_int_eq(p->loop.counter.adds, 16);
	ck_assert_int_eq(p->loop.counter.reg, REG_X86_DI);
	for (unsigned i = 0; i < p->n; i++)
		if (p->candidates[i].insn == 5)
			ck_assert_int_eq(p->candidates[i].step, WAIT_NO_STEP);
	p = plan_at(enters, sizeof(enters) - 1, 18);
	ck_assert_int_eq(p->loop.counter.adds, 1);
	ck_assert_int_eq(p->loop.counter.reg, REG_X86_CX);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_loop");
	TCase *t = tcase_create("waits_loop");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, around_a_loop);
	tcase_add_test(t, a_loop_is_entered_once);
	tcase_add_test(t, a_jump_back_may_close_no_loop);
	tcase_add_test(t, many_ways_may_join);
	tcase_add_loop_test(t, a_call_keeps_some_registers, 0, 2);
	tcase_add_test(t, a_sum_in_memory_is_a_chain);
	tcase_add_test(t, loops_may_overlap);
	tcase_add_test(t, a_loop_takes_what_its_arithmetic_takes);
	tcase_add_test(t, an_index_of_the_previous_iteration_has_a_step);
	tcase_add_test(t, a_step_may_be_in_a_register);
	tcase_add_test(t, a_step_may_be_a_multiple_of_a_factor);
	tcase_add_test(t, an_index_from_an_array_is_no_row);
	tcase_add_test(t, a_huge_factor_of_a_step_is_unknown);
	tcase_add_test(t, the_next_address_may_be_half_a_register);
	tcase_add_test(t, loads_of_a_loop_are_beside_each_other);
	tcase_add_test(t, loads_next_to_each_other_are_dense);
	tcase_add_test(t, a_skipped_value_has_a_step_until_the_ways_join);
	tcase_add_loop_test(t, a_constant_bounds_an_index, 0, 7);
	tcase_add_test(t, a_detour_skips_a_part_of_the_loop);
	tcase_add_test(t, a_loop_has_a_counter_and_jumps_that_depend_on_data);
	tcase_add_loop_test(t, a_jump_is_decided_by_a_chain, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
