/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what nested loops show about the reuse of cache lines: how far each loop moves an address,
 * how often it runs, and how often an access then fetches a line. */
#include "decode/perf_regs.h"
#include "waits/account.h"
#include "waits/nest.h"
#include "waits/reuse.h"
#include "waits/turns.h"
#include "waits_fixture.h"

#include <math.h>

/*
 * A product of a block of a matrix with another one. Code:
 *   0: xor %r8d,%r8d
 *   3: mov %rsi,%r9; xor %ecx,%ecx
 *   8: movsd (%rdi,%rcx,8),%xmm1; xor %eax,%eax
 *  15: movsd (%r9,%rax,8),%xmm0; mulsd %xmm1,%xmm0
 *  25: addsd (%rdx,%rax,8),%xmm0
 *  30: movsd %xmm0,(%rdx,%rax,8); add $1,%rax; cmp $32,%rax; jne 15
 *  45: add %r11,%r9; add $1,%rcx; cmp %r10,%rcx; jne 8
 *  57: add %r11,%rdi; add %r11,%rdx; add $1,%r8; cmp %r10,%r8; jne 3
 *  72: ret
 */
static const char product[] =
	"\x45\x31\xc0\x49\x89\xf1\x31\xc9\xf2\x0f\x10\x0c\xcf\x31\xc0\xf2\x41\x0f\x10\x04"
	"\xc1\xf2\x0f\x59\xc1\xf2\x0f\x58\x04\xc2\xf2\x0f\x11\x04\xc2\x48\x83\xc0\x01\x48"
	"\x83\xf8\x20\x75\xe2\x4d\x01\xd9\x48\x83\xc1\x01\x4c\x39\xd1\x75\xcf\x4c\x01\xdf"
	"\x4c\x01\xda\x49\x83\xc0\x01\x4d\x39\xd0\x75\xbb\xc3";

static const struct nest *nest_at(const char *code, size_t len, size_t at)
{
	return plan_at(code, len, at)->nest;
}

static void check_steps(const struct nest_access *a, uint32_t insn, unsigned loop, int32_t first,
			int32_t second, int32_t third)
{
	const int32_t steps[] = { first, second, third };

	ck_assert_uint_eq(a->insn, insn);
	ck_assert_uint_eq(a->loop, loop);
	for (unsigned l = loop; l < 3; l++)
		ck_assert_msg(a->steps[l] == steps[l], "access at %u, loop %u: %d", insn, l,
			      a->steps[l]);
}

START_TEST(loops_move_addresses)
{
	const struct nest *n = nest_at(product, sizeof(product) - 1, 25);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 3);
	ck_assert_uint_eq(n->loops[0].end, 43);
	ck_assert_uint_eq(n->loops[1].end, 55);
	ck_assert_uint_eq(n->loops[2].end, 70);
	ck_assert_uint_eq(n->naccesses, 4);
	check_steps(&n->accesses[0], 15, 0, 8, WAIT_SOME_STEP, 0);
	check_steps(&n->accesses[1], 25, 0, 8, 0, WAIT_SOME_STEP);
	check_steps(&n->accesses[2], 30, 0, 8, 0, WAIT_SOME_STEP);
	check_steps(&n->accesses[3], 8, 1, 0, 8, WAIT_SOME_STEP);
	ck_assert(!n->accesses[0].again && !n->accesses[1].again && n->accesses[2].again);
}
END_TEST

START_TEST(registers_show_how_many_iterations_remain)
{
	const struct nest *n = nest_at(product, sizeof(product) - 1, 25);
	uint64_t regs[64] = {
		[REG_X86_AX] = 12, [REG_X86_CX] = 30, [REG_X86_R8] = 39, [REG_X86_R10] = 40
	};
	double left;

	ck_assert(n->registers == (UINT64_C(1) << REG_X86_AX | UINT64_C(1) << REG_X86_CX |
				   UINT64_C(1) << REG_X86_R8 | UINT64_C(1) << REG_X86_R10 |
				   UINT64_C(1) << REG_X86_R11));
	ck_assert(nest_left(n, 0, regs, &left) && left == 20);
	ck_assert(nest_left(n, 1, regs, &left) && left == 10);
	ck_assert(nest_left(n, 2, regs, &left) && left == 1);
	regs[REG_X86_AX] = 32; /* the loop has ended */
	ck_assert(!nest_left(n, 0, regs, &left));
	regs[REG_X86_AX] = 33; /* beyond the limit: the register has another value */
	ck_assert(!nest_left(n, 0, regs, &left));
}
END_TEST

START_TEST(registers_show_how_far_loops_move_addresses)
{
	struct nest n = { 0 };
	uint64_t regs[64] = { [REG_X86_R11] = 8000 };

	memcpy(&n, nest_at(product, sizeof(product) - 1, 25),
	       nest_bytes(plan_at(product, sizeof(product) - 1, 25)->nest));
	nest_learn(&n, regs);
	check_steps(&n.accesses[0], 15, 0, 8, 8000, 0);
	check_steps(&n.accesses[1], 25, 0, 8, 0, 8000);
	nest_learn(&n, regs);
	check_steps(&n.accesses[0], 15, 0, 8, 8000, 0);
	regs[REG_X86_R11] = 16000; /* not the same in each sample */
	nest_learn(&n, regs);
	check_steps(&n.accesses[0], 15, 0, 8, WAIT_SOME_STEP, 0);
	regs[REG_X86_R11] = 8000;
	nest_learn(&n, regs);
	check_steps(&n.accesses[0], 15, 0, 8, WAIT_SOME_STEP, 0);
}
END_TEST

/* Code:
 *   0: xor %r8d,%r8d
 *   3: mov %rdx,%rax
 *   6: movsd (%rax),%xmm0; comisd %xmm2,%xmm0; js 52; ja 41
 *  18: add $8,%rax; cmp %rdi,%rax; jne 6
 *  27: addsd (%rsi),%xmm4; add $1,%r8; cmp %r10,%r8; jne 3
 *  40: ret
 *  41: addsd (%rsi),%xmm3; mov $1,%ecx; jmp 18
 *  52: mov %rax,%rdi; call 60
 * The compiler has moved the body of an if statement to 41, and the failure of an assertion to 52.
 */
#define DETOUR(MOV)                                                                        \
	"\x45\x31\xc0\x48\x89\xd0\xf2\x0f\x10\x00\x66\x0f\x2f\xc2\x78\x24\x77\x17\x48\x83" \
	"\xc0\x08\x48\x39\xf8\x75\xeb\xf2\x0f\x58\x26\x49\x83\xc0\x01\x4d\x39\xd0\x75\xdb" \
	"\xc3\xf2\x0f\x58\x1e" MOV "\x01\x00\x00\x00\xeb\xde\x48\x89\xc7\xe8\x00\x00\x00\x00"
static const char detour[] = DETOUR("\xb9"), detour_to_rax[] = DETOUR("\xb8");

/* The code at 41 belongs to the loop, and neither a jump to it nor one to 52 ends the loop early.
 * What the code at 41 accesses, and how often, is not known. */
START_TEST(a_loop_has_code_elsewhere)
{
	const struct nest *n = nest_at(detour, sizeof(detour) - 1, 14);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert(n->loops[0].step == 8 && !n->loops[0].early);
	ck_assert(n->loops[1].step == 1 && !n->loops[1].early);
	ck_assert_uint_eq(n->naccesses, 3);
	check_steps(&n->accesses[0], 6, 0, 8, 0, 0);
	check_steps(&n->accesses[1], 41, 0, WAIT_NO_STEP, WAIT_NO_STEP, 0);
	check_steps(&n->accesses[2], 27, 1, 0, 0, 0);
	ck_assert_uint_eq(plan_at(detour, sizeof(detour) - 1, 14)->loop.jumps, 1);
	/* the code at 41 changes the address */
	n = nest_at(detour_to_rax, sizeof(detour_to_rax) - 1, 14);
	ck_assert_ptr_nonnull(n);
	ck_assert_int_eq(n->loops[0].step, 0);
	check_steps(&n->accesses[0], 6, 0, WAIT_NO_STEP, WAIT_NO_STEP, 0);
}
END_TEST

/* A sample in the outer loop, or in the code at 41, says nothing of the iterations of loops that do
 * not contain it, but the nest is the same. */
START_TEST(a_sample_is_not_in_the_innermost_loop)
{
	const struct nest *n = nest_at(detour, sizeof(detour) - 1, 31);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(plan_at(detour, sizeof(detour) - 1, 31)->loop.n, 0);
	ck_assert_uint_eq(n->n, 2);
	ck_assert(n->loops[0].step == 0 && n->loops[1].step == 1);
	check_steps(&n->accesses[0], 6, 0, 8, 0, 0);
	n = nest_at(detour, sizeof(detour) - 1, 45);
	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert(n->loops[0].step == 0 && n->loops[1].step == 0);
	check_steps(&n->accesses[0], 6, 0, 8, 0, 0);
}
END_TEST

/* Code:
 *   0: xor %r8d,%r8d
 *   3: xor %ecx,%ecx
 *   5: movsd (%rdx,%rcx),%xmm0; add $8,%rcx; addsd %xmm0,%xmm1; cmp $24,%rcx; jne 5
 *  24: xor %eax,%eax
 *  26: addsd (%rsi,%rax),%xmm2; add $8,%rax; cmp %rdi,%rax; jne 26
 *  40: add $24,%rdx; add $1,%r8; cmp %r10,%r8; jne 3
 *  53: ret
 * Next to the loop at 26 is another one, which runs 3 times. Its access counts as one of 24 bytes
 * in the loop around. */
START_TEST(a_loop_has_another_one_next_to_it)
{
	static const char code[] =
		"\x45\x31\xc0\x31\xc9\xf2\x0f\x10\x04\x0a\x48\x83\xc1\x08\xf2\x0f\x58\xc8\x48\x83"
		"\xf9\x18\x75\xed\x31\xc0\xf2\x0f\x58\x14\x06\x48\x83\xc0\x08\x48\x39\xf8\x75\xf2"
		"\x48\x83\xc2\x18\x49\x83\xc0\x01\x4d\x39\xd0\x75\xce\xc3";
	/* the same, but at 3: mov %r9,%rcx; mov %rdx,%rbp; 9: addsd (%rbp),%xmm0; add $8,%rbp; sub
	 * $1,%rcx; cmp $1,%rcx; jne 9: it counts down, from an unknown number */
	static const char down[] =
		"\x45\x31\xc0\x4c\x89\xc9\x48\x89\xd5\xf2\x0f\x58\x45\x00\x48\x83\xc5\x08\x48\x83"
		"\xe9\x01\x48\x83\xf9\x01\x75\xed\x31\xc0\xf2\x0f\x58\x14\x06\x48\x83\xc0\x08\x48"
		"\x39\xf8\x75\xf2\x49\x83\xc0\x01\x4d\x39\xd0\x75\xce\xc3";
	/* 3: xor %ebx,%ebx; 5: call 10; nop; add $8,%rbx; addsd %xmm0,%xmm1; cmp $24,%rbx; jne 5:
	 * it calls a function, and nobody knows what that accesses */
	static const char calls[] =
		"\x45\x31\xc0\x31\xdb\xe8\x00\x00\x00\x00\x90\x48\x83\xc3\x08\xf2\x0f\x58\xc8\x48"
		"\x83\xfb\x18\x75\xec\x31\xc0\xf2\x0f\x58\x14\x06\x48\x83\xc0\x08\x48\x39\xf8\x75"
		"\xf2\x48\x83\xc2\x18\x49\x83\xc0\x01\x4d\x39\xd0\x75\xcd\xc3";
	const struct nest *n = nest_at(code, sizeof(code) - 1, 31);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert(n->loops[0].step == 8 && n->loops[1].step == 1);
	ck_assert_uint_eq(n->naccesses, 2);
	check_steps(&n->accesses[0], 26, 0, 8, 0, 0);
	check_steps(&n->accesses[1], 5, 1, 0, 24, 0);
	ck_assert_uint_eq(n->accesses[0].bytes, 8);
	ck_assert_uint_eq(n->accesses[1].bytes, 24);
	/* nobody knows how often the loop at 26 runs, so how many bytes it touches */
	ck_assert_ptr_null(nest_at(code, sizeof(code) - 1, 10));
	ck_assert_ptr_null(nest_at(down, sizeof(down) - 1, 35));
	ck_assert_ptr_null(nest_at(calls, sizeof(calls) - 1, 32));
}
END_TEST

/* As in the product, but each iteration of the loop in the middle calls a function, 45: call 45,
 * whose accesses are unknown. */
START_TEST(unknown_accesses_end_the_nest)
{
	static const char code[] =
		"\x45\x31\xc0\x49\x89\xf1\x31\xc9\xf2\x0f\x10\x0c\xcf\x31\xc0\xf2\x41\x0f\x10\x04"
		"\xc1\xf2\x0f\x59\xc1\xf2\x0f\x58\x04\xc2\xf2\x0f\x11\x04\xc2\x48\x83\xc0\x01\x48"
		"\x83\xf8\x20\x75\xe2\xe8\xfb\xff\xff\xff\x48\x83\xc1\x01\x4c\x39\xd1\x75\xcd\xc3";

	ck_assert_ptr_null(nest_at(code, sizeof(code) - 1, 25));
}
END_TEST

/* Code: 0: lea 8(%r8),%r13; 4: xor %eax,%eax; 6: addsd (%r8,%rax),%xmm0; 12: add $16,%rax; 16: cmp
 * $320,%rax; 22: jne 6; 24: mov %r13,%r8; 27: cmp %r10,%r13; 30: jne 0; 32: ret. The outer loop's
 * counter moves by way of another register. */
START_TEST(counters_may_move_by_way_of_another_register)
{
	static const char code[] =
		"\x4d\x8d\x68\x08\x31\xc0\xf2\x41\x0f\x58\x04\x00\x48\x83\xc0\x10"
		"\x48\x3d\x40\x01\x00\x00\x75\xee\x4d\x89\xe8\x4d\x39\xd5\x75\xe0"
		"\xc3";
	const struct nest *n = nest_at(code, sizeof(code) - 1, 12);
	const uint64_t regs[64] = { [REG_X86_R13] = 1000, [REG_X86_R10] = 1080 };
	double left;

	ck_assert_ptr_nonnull(n);
	ck_assert_int_eq(n->accesses[0].steps[0], 16);
	ck_assert_int_eq(n->accesses[0].steps[1], 8);
	/* the register was changed before ip: this iteration counts, too */
	ck_assert(nest_left(n, 1, regs, &left) && left == 11);
	ck_assert(nest_left(n, 0, regs, &left) && left == 20);
}
END_TEST

/* Code: 0: xor %eax,%eax; 2: cmp %rdx,(%rdi,%rax,8); 6: je 18; 8: add $1,%rax; 12: cmp $100,%rax;
 * 16: jne 2; 18: add $8,%rdx; 22: cmp %r10,%rdx; 25: jne 0; 27: ret. The inner loop searches: it
 * may end in any iteration. */
START_TEST(searches_end_early)
{
	static const char code[] = "\x31\xc0\x48\x39\x14\xc7\x74\x0a\x48\x83\xc0\x01\x48\x83"
				   "\xf8\x64\x75\xf0\x48\x83\xc2\x08\x4c\x39\xd2\x75\xe5\xc3";
	const struct nest *n = nest_at(code, sizeof(code) - 1, 6);
	const uint64_t regs[64] = { [REG_X86_AX] = 4, [REG_X86_DX] = 8, [REG_X86_R10] = 80 };
	struct reuse r;
	double left;

	ck_assert_ptr_nonnull(n);
	ck_assert(n->loops[0].early && nest_left(n, 0, regs, &left) && left == 96);
	ck_assert(!n->loops[1].early && nest_left(n, 1, regs, &left) && left == 9);
	/* so nothing is known of the lines that it uses again */
	reuse_find(n, (double[NEST_LOOPS]){ 50, 10 }, (double[NEST_ACCESSES]){ 1 << 20 },
		   &wait_caches_default, &r);
	ck_assert_ptr_null(reuse_of(&r, n, n->accesses[0].insn, NULL));
}
END_TEST

/* Code: 0: xor %eax,%eax; 2: mov %r8,%rcx; 5: addsd (%rcx,%rax,8),%xmm0; 10: mov %r9,%rcx; 13:
 * addsd (%rcx,%rax,8),%xmm0; 18: addsd 8(%rcx,%rax,8),%xmm0; 24: add $1,%rax; 28: cmp $100,%rax;
 * 32: jne 2; 34: add $8,%rdx; 38: cmp %r10,%rdx; 41: jne 0; 43: ret. One register has the addresses
 * of two arrays. */
START_TEST(arrays_in_one_register_are_not_the_same_lines)
{
	static const char code[] =
		"\x31\xc0\x4c\x89\xc1\xf2\x0f\x58\x04\xc1\x4c\x89\xc9\xf2\x0f\x58\x04\xc1\xf2\x0f"
		"\x58\x44\xc1\x08\x48\x83\xc0\x01\x48\x83\xf8\x64\x75\xe0\x48\x83\xc2\x08\x4c\x39"
		"\xd2\x75\xd5\xc3";
	const struct nest *n = nest_at(code, sizeof(code) - 1, 24);

	ck_assert_ptr_nonnull(n);
	check_steps(&n->accesses[0], 5, 0, 8, 0, 0);
	check_steps(&n->accesses[1], 13, 0, 8, 0, 0);
	check_steps(&n->accesses[2], 18, 0, 8, 0, 0);
	ck_assert(!n->accesses[0].again && !n->accesses[1].again && n->accesses[2].again);
}
END_TEST

/* Code: 0: addsd (%rdi,%rax,8),%xmm0; 5: add $1,%rax; 9: cmp $100,%rax; 13: jne 0; 15: xor
 * %eax,%eax; 17: add $8,%rdi; 21: cmp %r10,%rdi; 24: jne 0; 26: ret. Both loops start at the same
 * instruction, but they do not run equally often. */
START_TEST(loops_with_the_same_start_are_not_the_same)
{
	static const char code[] = "\xf2\x0f\x58\x04\xc7\x48\x83\xc0\x01\x48\x83\xf8\x64\x75"
				   "\xf1\x31\xc0\x48\x83\xc7\x08\x4c\x39\xd7\x75\xe6\xc3";
	const struct nest *n = nest_at(code, sizeof(code) - 1, 5);

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert_uint_eq(n->loops[0].end, 13);
	ck_assert_uint_eq(n->loops[1].end, 24);
}
END_TEST

/* Computes how often the accesses of the product fetch a line, for matrices of 64 MiB. */
static struct reuse reuse_with_rows(double inner, double middle, double outer, uint64_t stride)
{
	const struct wait_plan *p = plan_at(product, sizeof(product) - 1, 25);
	struct nest copy = { 0 }, *n = &copy;
	const double runs[NEST_LOOPS] = { inner, middle, outer };
	double most[NEST_ACCESSES];
	struct reuse r;

	memcpy(n, p->nest, nest_bytes(p->nest));
	if (stride)
		nest_learn(n, (uint64_t[64]){ [REG_X86_R11] = stride });
	for (unsigned i = 0; i < n->naccesses; i++)
		most[i] = 64 << 20;
	reuse_find(n, runs, most, &wait_caches_default, &r);
	return r;
}

static struct reuse reuse_in_product(double inner, double middle, double outer)
{
	return reuse_with_rows(inner, middle, outer, 0);
}

static void check_near(double x, double expected)
{
	ck_assert_msg(fabs(x - expected) <= expected / 4, "%g instead of %g", x, expected);
}

/* Rows that are a multiple of a page apart compete for the lines of one offset, of which the first
 * level has 12. */
START_TEST(rows_at_the_same_offset_compete)
{
	check_near(reuse_with_rows(32, 32, 32, 8000).fetched[0].most[0], 32 * 4.9 / (32 * 32 * 32));
	ck_assert(reuse_with_rows(32, 32, 32, 8192).fetched[0].most[0] == 1);
	check_near(reuse_with_rows(32, 32, 32, 8192).fetched[0].most[1], 32 * 4.9 / (32 * 32 * 32));
	check_near(reuse_with_rows(32, 8, 32, 8192).fetched[0].most[0], 8 * 4.9 / (32 * 8 * 32));
}
END_TEST

START_TEST(what_fits_is_fetched_once)
{
	struct reuse r = reuse_in_product(32, 32, 32);

	/* a block of b, 32 rows of 4 to 5 lines, stays in the first level for all rows of a and c
	 */
	check_near(r.fetched[0].most[0], 32 * 4.9 / (32 * 32 * 32));
	check_near(r.fetched[1].most[0], 4.9 / (32 * 32));
	/* a row of a is read once: that it is in order is no reuse */
	ck_assert(r.fetched[3].most[0] == 1);
	/* 4,096 rows of b do not fit, so each row of a and c needs all of them again. The row of c
	 * stays */
	r = reuse_in_product(32, 4096, 4096);
	ck_assert(r.fetched[0].most[0] == 1);
	check_near(r.fetched[1].most[0], 4.9 / (32 * 4096));
	/* they would fit into the second level, but they are on 4,096 pages; the third level has
	 * room for them */
	ck_assert(r.fetched[0].most[1] == 1);
	check_near(r.fetched[0].most[2], 4.9 * 4096 / (32.0 * 4096 * 4096));
	/* nothing is known about the loops around the innermost one: they may run once, or often */
	r = reuse_in_product(32, 0, 0);
	ck_assert(r.fetched[0].most[0] == 1);
	ck_assert(r.fetched[1].most[0] == 1);
	check_near(r.fetched[1].least[0], 4.9 / (32 * 64));
	/* one run of the innermost loop alone does not fit */
	r = reuse_in_product(1e7, 1000, 1000);
	ck_assert(r.fetched[0].most[0] == 1 && r.fetched[1].most[0] == 1);
	ck_assert(!reuse_in_product(0, 32, 32).known);
}
END_TEST

/* Deals samples at instruction 25 of the product, whose addresses spread over matrices of 64 MiB,
 * and returns the level of the last one. If `counted`, the samples show that each loop runs 32
 * times. */
static enum wait_level level_in_product(bool counted, uint64_t stride)
{
	const struct wait_plan *p = plan_at(product, sizeof(product) - 1, 25);
	const struct account_sample sample = { .thread = 1, .time = 1000, .period = 1000 };
	uint32_t objects[ACCOUNT_MOST] = { 0 }, wait, place;
	struct account_deal d;
	struct account *a;
	enum wait_level level;

	ck_assert_int_eq(account_open(&wait_caches_default, &a, NULL), 0);
	place = account_place(a, p, 1, 4096);
	for (uint32_t i = 0; i < 2000; i++) {
		for (unsigned k = 0; k < p->n + p->ahead; k++)
			account_saw(a, place, k, &sample,
				    (i * UINT64_C(0x9e3779b97f4a7c15) >> 38) + (k << 26), k + 1);
		if (counted)
			account_loops(a, place, &sample,
				      (uint64_t[64]){ [REG_X86_AX] = i % 32,
						      [REG_X86_CX] = (i >> 5) % 32,
						      [REG_X86_R8] = (i >> 10) % 32,
						      [REG_X86_R10] = 32,
						      [REG_X86_R11] = stride },
				      UINT64_MAX);
	}
	for (unsigned k = 0; k < p->n; k++)
		objects[k] = k + 1;
	wait = account_wait(a, place, 1, objects);
	ck_assert_uint_ne(wait, 0);
	account_deal(a, wait, 1000, &d);
	level = d.level;
	account_close(a);
	return level;
}

START_TEST(blocks_that_stay_are_no_wait)
{
	ck_assert_int_eq(level_in_product(false, 8000), WAIT_MISSES);
	/* how long memory takes for the lines that are fetched may be more than the arithmetic */
	ck_assert_int_le(level_in_product(true, 8000), WAIT_UNCLEAR);
}
END_TEST

/* The innermost loop of `product` always runs 32 times. The loop around it runs `turns` times from
 * one sample to the next, 1 ms later. Returns for which part of the samples it is clear that they
 * are a wait. */
static double waits_in_product(uint64_t turns)
{
	const struct wait_plan *p = plan_at(product, sizeof(product) - 1, 25);
	struct account_sample sample = { .thread = 1, .time = 1, .period = 1000000 };
	uint32_t objects[ACCOUNT_MOST] = { 1, 2, 3, 4 }, place, wait = 0;
	struct account_deal d;
	struct account *a;
	double sure = 0;

	ck_assert_int_eq(account_open(&wait_caches_default, &a, NULL), 0);
	place = account_place(a, p, 1, 4096);
	for (uint32_t i = 0; i < 4000; i++) {
		sample.time += sample.period;
		for (unsigned k = 0; k < p->n + p->ahead; k++)
			account_saw(a, place, k, &sample,
				    (i * UINT64_C(0x9e3779b97f4a7c15) >> 38) + (k << 26), k + 1);
		account_loops(a, place, &sample,
			      (uint64_t[64]){ [REG_X86_AX] = i % 32,
					      [REG_X86_CX] = i * turns,
					      [REG_X86_R10] = UINT64_C(1) << 30,
					      [REG_X86_R11] = 8000 },
			      UINT64_MAX);
		if (i == 2000) /* with its first deal, the shares are estimated */
			wait = account_wait(a, place, 1, objects);
		if (i < 2000)
			continue;
		account_deal(a, wait, sample.period, &d);
		sure += d.level == WAIT_MISSES;
	}
	account_close(a);
	return sure / 2000;
}

/* Iterations of 8 ns are waits, those of 0.5 ns are not, though the innermost loop is too short to
 * show either. */
START_TEST(loops_around_a_short_one_show_its_time)
{
	ck_assert_double_gt(waits_in_product(1000000 / 32 / 8), 0.8);
	ck_assert_double_lt(waits_in_product(1000000 / 32 * 2), 0.1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_nest");
	TCase *tc = tcase_create("nest");

	tcase_add_checked_fixture(tc, open_waits, close_waits);
	tcase_add_test(tc, loops_move_addresses);
	tcase_add_test(tc, registers_show_how_many_iterations_remain);
	tcase_add_test(tc, registers_show_how_far_loops_move_addresses);
	tcase_add_test(tc, a_loop_has_code_elsewhere);
	tcase_add_test(tc, a_sample_is_not_in_the_innermost_loop);
	tcase_add_test(tc, a_loop_has_another_one_next_to_it);
	tcase_add_test(tc, unknown_accesses_end_the_nest);
	tcase_add_test(tc, counters_may_move_by_way_of_another_register);
	tcase_add_test(tc, searches_end_early);
	tcase_add_test(tc, arrays_in_one_register_are_not_the_same_lines);
	tcase_add_test(tc, loops_with_the_same_start_are_not_the_same);
	tcase_add_test(tc, rows_at_the_same_offset_compete);
	tcase_add_test(tc, what_fits_is_fetched_once);
	tcase_add_test(tc, blocks_that_stay_are_no_wait);
	tcase_add_test(tc, loops_around_a_short_one_show_its_time);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
