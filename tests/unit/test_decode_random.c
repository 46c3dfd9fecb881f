/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the decoder against the CPU, on random opcodes with random operands. A compiler would
 * never emit most of them. Each instruction runs once in a child whose registers point into a
 * memory area of its own. Instructions that the CPU refuses are skipped. An instruction that
 * runs must touch the bytes that the decoder named, have the length that the decoder returned,
 * and change no register that the decoder called unchanged.
 */
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)

#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "check_main.h"
#include "decode/perf_regs.h"
#include "decode_trace.h"
#include "random.h"

enum { TRIES = 40000, AREA = 1 << 20, SLACK = 1 << 16, PAGE = 4096 };

static uint64_t state;
static uint8_t *area, *code;

static uint32_t random_below(uint32_t n)
{
	random_next(&state);
	return (uint32_t)(state >> 33) % n;
}

static void wait_for_end(void)
{
	for (;;)
		pause();
}

/* Returns a pointer into the middle of the child's memory area, or a number that is small enough
 * for an index. */
static uint64_t random_register(void)
{
	if (random_below(3) == 0)
		return random_below(256);
	return (uintptr_t)area + AREA / 2 + (random_below(SLACK) & (random_below(2) ? ~63u : ~0u));
}

/* The child's registers before its first instruction, from which the registers for each random
 * instruction are made. */
struct start {
	struct user_regs_struct general;
	/* restored for each instruction, because a masked x87 exception would stay set for later
	 * ones */
	struct user_fpregs_struct fp;
};

static void random_registers(const struct trace *t, const struct start *first)
{
	struct user_regs_struct u = first->general;

	u.rax = random_register();
	u.rbx = random_register();
	u.rcx = random_register();
	u.rdx = random_register();
	u.rsi = random_register();
	u.rdi = random_register();
	u.rbp = random_register();
	u.rsp = random_register();
	u.r8 = random_register();
	u.r9 = random_register();
	u.r10 = random_register();
	u.r11 = random_register();
	u.r12 = random_register();
	u.r13 = random_register();
	u.r14 = random_register();
	u.r15 = random_register();
	u.rip = (uintptr_t)code;
	u.eflags = 0x202 | random_below(256);
	u.orig_rax = (uint64_t)-1;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, t->pid, NULL, &u), 0);
	ck_assert_int_eq(ptrace(PTRACE_SETFPREGS, t->pid, NULL, &first->fp), 0);
}

static size_t random_opcode(uint8_t *p)
{
	uint8_t w = random_below(2) ? 0x80 : 0;
	size_t n = 0;

	switch (random_below(8)) {
	case 0: /* VEX prefix of two or three bytes */
		p[n++] = 0xc5;
		p[n++] = 0xf8 | random_below(8);
		break;
	case 1:
		p[n++] = 0xc4;
		p[n++] = 0xe0 | (1 + random_below(3));
		p[n++] = w | 0x78 | random_below(8);
		break;
	case 2: /* EVEX prefix without a mask register */
		p[n++] = 0x62;
		p[n++] = 0xf0 | (1 + random_below(3));
		p[n++] = w | 0x7c | random_below(4);
		p[n++] = 0x08 | random_below(3) << 5;
		break;
	default:
		if (random_below(4) == 0)
			p[n++] = "\x66\xf2\xf3\x67\xf0"[random_below(5)];
		if (random_below(2))
			p[n++] = 0x40 | random_below(16);
		if (random_below(2))
			p[n++] = 0x0f;
		else
			break;
		if (random_below(6) == 0)
			p[n++] = random_below(2) ? 0x38 : 0x3a;
	}
	p[n++] = random_below(256);
	return n;
}

/* Makes a random instruction. Its displacement and immediate are small, so that its address
 * stays in the child's memory area. */
static void random_instruction(uint8_t p[32])
{
	size_t n = random_opcode(p);

	p[n++] = random_below(256);
	p[n++] = random_below(256);
	while (n < 32) {
		p[n] = n % 4 ? 0 : random_below(128);
		n++;
	}
}

static bool is_prefix(uint8_t b)
{
	return b == 0x66 || b == 0x67 || b == 0xf2 || b == 0xf3 || b == 0xf0 || (b & 0xf0) == 0x40;
}

/*
 * Returns whether the test must not run this instruction: system calls; instructions on
 * descriptor tables, which the kernel emulates; instructions that disturb single-stepping (mov
 * to a segment register delays the trap, and some virtual machines that execute cpuid for the
 * child stop only after the next instruction); 16-bit jumps, calls and returns, and movsxd to 16
 * bits, which CPUs execute differently (movsxd reads 2 bytes on some and 4 on others).
 */
static bool is_excluded(const uint8_t *p)
{
	bool small = p[0] == 0x66, wide;
	size_t n = is_prefix(p[0]) && (p[0] & 0xf0) != 0x40;

	wide = (p[n] & 0xf8) == 0x48;
	n += (p[n] & 0xf0) == 0x40;
	if (is_prefix(p[n]) || p[n] == 0x26 || (p[n] & 0xf7) == 0x36 || p[n] == 0x2e)
		return true;
	if (p[n] == 0x0f)
		return p[n + 1] <= 0x03 || p[n + 1] == 0x05 || p[n + 1] == 0x34 ||
		       p[n + 1] == 0xa1 || p[n + 1] == 0xa2 || p[n + 1] == 0xa9 ||
		       (small && (p[n + 1] & 0xf0) == 0x80);
	if (small && !wide && p[n] == 0x63)
		return true;
	if (small && (p[n] == 0xe8 || p[n] == 0xe9 || p[n] == 0xc2 || p[n] == 0xc3 || p[n] == 0xff))
		return true;
	return p[n] == 0xcc || p[n] == 0xcd || p[n] == 0xf1 || p[n] == 0x8e || p[n] == 0x9d;
}

/* Makes the child run one random instruction. Increments *ran if it ran, and *watched if debug
 * registers watched its accesses. */
static void try_one(struct trace *t, const struct start *first, long *ran, long *watched)
{
	uint8_t bytes[32];
	struct insn i;
	bool watching;

	random_instruction(bytes);
	if (is_excluded(bytes))
		return;
	ck_assert_int_eq(pwrite(t->mem, bytes, sizeof(bytes), (off_t)(uintptr_t)code), 32);
	random_registers(t, first);
	trace_read(t);
	watching = t->watching && trace_touches(&t->now) && trace_watch(t);
	if (trace_step(t) != SIGTRAP)
		return;
	if (!x86_decode(&t->x86, bytes, sizeof(bytes), &i))
		return;
	++*ran;
	if (watching)
		*watched += trace_check_touched(t, false);
	if (i.flow != FLOW_ON)
		return;
	ck_assert_msg(t->now.ip == t->before.ip + i.size || t->now.ip == t->before.ip,
		      "%s is %" PRIu64 " bytes long, not %d", trace_bytes(&t->before),
		      t->now.ip - t->before.ip, i.size);
	trace_check_registers(t, &i, false);
}

START_TEST(the_cpu_agrees)
{
	struct start first;
	struct trace t;
	long ran = 0, watched = 0;

	state = 1 + _i;
	area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1,
		    0);
	code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(area != MAP_FAILED && code != MAP_FAILED);
	trace_open(&t, wait_for_end);
	ck_assert_int_eq(ptrace(PTRACE_GETREGS, t.pid, NULL, &first.general), 0);
	ck_assert_int_eq(ptrace(PTRACE_GETFPREGS, t.pid, NULL, &first.fp), 0);
	for (int k = 0; k < TRIES; k++)
		try_one(&t, &first, &ran, &watched);
	printf("%d random instructions: %ld ran, %ld accesses watched\n", TRIES, ran, watched);
	ck_assert_int_ge(ran, TRIES / 10);
	if (t.watching)
		ck_assert_int_ge(watched, TRIES / 40);
	trace_close(&t);
	munmap(area, AREA);
	munmap(code, PAGE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_random");
	TCase *t = tcase_create("decode_random");

	if (!trace_allowed())
		return TRACE_SKIP;
	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, the_cpu_agrees, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}

#else

int main(void)
{
	printf("skip: runs x86-64 instructions\n");
	return 77;
}

#endif
