/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the unwinder of copied stacks with the compiler's own unwinder. */
#include "symbol/unwind.h"

#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "check_main.h"
#include "random.h"

enum { MAX_FRAMES = 128, STACK_BYTES = 64 << 10, MAX_MODULES = 32 };

/* A captured state of this program: registers, a copy of the stack, and the expected frames from
 * the compiler's unwinder. */
static struct moment {
	struct unwind u;
	_Alignas(8) uint8_t stack[STACK_BYTES];
	uint64_t truth[MAX_FRAMES];
	int ntruth;
} moment;

static struct module {
	struct sym_file *file;
	uint64_t lo, hi, bias;
} modules[MAX_MODULES];
static unsigned nmodules;

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
	struct module *m = &modules[nmodules];

	if (nmodules == MAX_MODULES || (path[0] != '/'))
		return 0;
	ck_assert_int_eq(sym_file_open(path, NULL, NULL, &m->file, NULL), 0);
	m->bias = info->dlpi_addr;
	m->lo = UINT64_MAX;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (m->bias + p->p_vaddr < m->lo)
			m->lo = m->bias + p->p_vaddr;
		if (m->bias + p->p_vaddr + p->p_memsz > m->hi)
			m->hi = m->bias + p->p_vaddr + p->p_memsz;
	}
	nmodules++;
	return 0;
}

static void open_modules(void)
{
	nmodules = 0;
	memset(modules, 0, sizeof(modules));
	dl_iterate_phdr(add_module, NULL);
}

static void close_modules(void)
{
	for (unsigned i = 0; i < nmodules; i++)
		sym_file_close(modules[i].file);
}

static bool module_at(void *arg, uint64_t address, struct unwind_module *out)
{
	for (unsigned i = 0; i < nmodules; i++) {
		if (address < modules[i].lo || address >= modules[i].hi)
			continue;
		*out = (struct unwind_module){ modules[i].file, modules[i].bias, true, false };
		return true;
	}
	return false;
}

/* Copies the stack from sp to its upper end. Returns the number of bytes. The address sanitizer
 * is off, because the copy includes frames of other functions. */
__attribute__((noinline, no_sanitize("address"))) static size_t copy_stack(uint64_t sp)
{
	pthread_attr_t attr;
	size_t size, n = 0;
	void *base;

	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &base, &size);
	pthread_attr_destroy(&attr);
	for (; n < STACK_BYTES && sp + n < (uint64_t)(uintptr_t)base + size; n += 8)
		*(uint64_t *)(moment.stack + n) = *(volatile const uint64_t *)(sp + n);
	return n;
}

/* Stores the registers of a context in perf's order, and copies the stack from its stack pointer
 * on. */
static void capture(const ucontext_t *c)
{
	struct unwind *u = &moment.u;
	uint64_t sp;

	*u = (struct unwind){ .module_at = module_at, .stack = moment.stack };
#if defined(__x86_64__)
	static const int greg[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				    REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };

	u->machine = UNWIND_X86_64;
	for (unsigned i = 0; i < 17; i++)
		u->regs[i] = (uint64_t)c->uc_mcontext.gregs[greg[i]];
	u->known = (1 << 17) - 1;
	sp = u->regs[7];
#else
	u->machine = UNWIND_AARCH64;
	memcpy(u->regs, c->uc_mcontext.regs, 31 * 8);
	u->regs[31] = c->uc_mcontext.sp;
	u->regs[32] = c->uc_mcontext.pc;
	u->known = ((uint64_t)1 << 33) - 1;
	sp = u->regs[31];
#endif
	u->stack_bytes = copy_stack(sp);
}

typedef void (*action)(void);

/* Calls itself `depth` times, then act(), so that the stack has frames of different sizes. */
__attribute__((noinline)) static int descend(int depth, action act)
{
	volatile char frame[48 + 16];

	frame[0] = (char)depth;
	if (depth)
		frame[1] = (char)descend(depth - 1, act);
	else
		act();
	return frame[0] + 1;
}

static action at_the_bottom;

static int compare(const void *a, const void *b)
{
	if (at_the_bottom) {
		action act = at_the_bottom;

		at_the_bottom = NULL;
		descend(2, act);
	}
	return *(const int *)a - *(const int *)b;
}

/* Calls act() from a function that qsort() calls, so that the stack has frames of the C library. */
__attribute__((noinline)) static void through_library(action act)
{
	int v[16];

	for (int i = 0; i < 16; i++)
		v[i] = (i * 7) % 16;
	at_the_bottom = act;
	qsort(v, 16, sizeof(*v), compare);
}

/* A callback of _Unwind_Backtrace(): stores the address of one frame in moment.truth. backtrace()
 * cannot be used, because the sanitizers replace it. */
static _Unwind_Reason_Code add_truth(struct _Unwind_Context *c, void *arg)
{
	if (moment.ntruth == MAX_FRAMES)
		return _URC_END_OF_STACK;
	if (_Unwind_GetIP(c))
		moment.truth[moment.ntruth++] = _Unwind_GetIP(c);
	return _URC_NO_REASON;
}

__attribute__((noinline)) static void take(void)
{
	/* static, because its 1 KiB would make this function's frame too large */
	static ucontext_t c;

	moment.ntruth = 0;
	_Unwind_Backtrace(add_truth, NULL);
	getcontext(&c);
	capture(&c);
}

static void on_signal(int sig)
{
	take();
}

__attribute__((noinline)) static void take_in_handler(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
}

/* Compares the frames of both unwinders. Frame 0 differs, because each unwinder starts at a
 * different call in take(). In an interrupted frame, the compiler's unwinder has the pc and ours
 * pc + 1. */
static void check_equal(enum unwind_end want)
{
	uint64_t ips[MAX_FRAMES];
	uint32_t n;

	ck_assert_int_eq(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), want);
	ck_assert_int_eq((int)n, moment.ntruth);
	for (uint32_t i = 1; i < n; i++)
		ck_assert_msg(ips[i] - moment.truth[i] <= 1, "frame %u: %" PRIx64 ", not %" PRIx64,
			      i, ips[i], moment.truth[i]);
}

START_TEST(equals_the_compilers_unwinder)
{
	descend(20, take);
	ck_assert_int_gt(moment.ntruth, 22);
	check_equal(UNWIND_OUTERMOST);
}
END_TEST

START_TEST(goes_through_the_c_library)
{
	through_library(take);
	check_equal(UNWIND_OUTERMOST);
}
END_TEST

START_TEST(goes_through_a_signal_handler)
{
	descend(5, take_in_handler);
	check_equal(UNWIND_OUTERMOST);
}
END_TEST

/* Shortens the copy of the stack byte by byte. The frames that are still found are correct. */
START_TEST(a_short_copy_gives_the_inner_frames)
{
	uint64_t ips[MAX_FRAMES], whole[MAX_FRAMES];
	uint32_t n, last = 0, all;

	descend(20, take);
	ck_assert_int_eq(unwind_stack(&moment.u, whole, MAX_FRAMES, &all), UNWIND_OUTERMOST);
	for (size_t bytes = 0; last < 15; bytes++) {
		/* of exactly this size, so that sanitizers detect a read outside */
		uint8_t *copy = malloc(bytes);

		memcpy(copy, moment.stack, bytes);
		moment.u.stack = copy;
		moment.u.stack_bytes = bytes;
		ck_assert_int_eq(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), UNWIND_STACK);
		ck_assert_uint_ge(n, last);
		ck_assert_uint_lt(n, all);
		ck_assert_mem_eq(ips, whole, n * sizeof(*ips));
		last = n;
		free(copy);
	}
}
END_TEST

START_TEST(no_more_frames_than_asked_for)
{
	uint64_t ips[7] = { [6] = 42 };
	uint32_t n;

	descend(20, take);
	ck_assert_int_eq(unwind_stack(&moment.u, ips, 6, &n), UNWIND_FULL);
	ck_assert_uint_eq(n, 6);
	ck_assert_uint_eq(ips[6], 42);
	ck_assert_int_eq(unwind_stack(&moment.u, ips, 0, &n), UNWIND_FULL);
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(unknown_registers)
{
	unsigned pc = moment.u.machine == UNWIND_X86_64 ? 16 : 32;
	unsigned sp = moment.u.machine == UNWIND_X86_64 ? 7 : 31;
	uint64_t ips[MAX_FRAMES];
	uint32_t n = 1;

	descend(20, take);
	moment.u.known &= ~((uint64_t)1 << pc);
	ck_assert_int_eq(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), UNWIND_UNSOUND);
	ck_assert_uint_eq(n, 0);
	/* The pc and the stack pointer are enough for functions without a frame pointer. */
	moment.u.known = (uint64_t)1 << pc | (uint64_t)1 << sp;
	ck_assert_int_ne(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), UNWIND_FULL);
	ck_assert_uint_ge(n, 1);
}
END_TEST

START_TEST(a_pc_without_code)
{
	uint64_t ips[MAX_FRAMES];
	uint32_t n;

	descend(3, take);
	moment.u.regs[moment.u.machine == UNWIND_X86_64 ? 16 : 32] = 16;
	ck_assert_int_eq(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), UNWIND_NO_CODE);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(ips[0], 16);
}
END_TEST

enum { JIT = 0x10000, STACK = 0x7000 };

static bool jit_at(void *arg, uint64_t address, struct unwind_module *out)
{
	const bool *anonymous = arg;

	*out = (struct unwind_module){ .code = true, .anonymous = *anonymous };
	return address >= JIT && address < JIT + 0x1000;
}

/* Generated code has two frames with frame pointers. The caller of the outer frame is at address
 * 0, so there the walk ends. */
START_TEST(only_anonymous_code_is_walked_by_frame_pointers)
{
	uint64_t stack[8] = { 0, 0, STACK + 48, JIT + 0x20, 0, 0, 0, 0 }, ips[MAX_FRAMES];
	bool anonymous = true;
	struct unwind u = {
		.machine = UNWIND_X86_64,
		.regs = { [6] = STACK + 16, [7] = STACK, [16] = JIT + 0x10 },
		.known = 1 << 6 | 1 << 7 | 1 << 16,
		.stack = (const uint8_t *)stack,
		.stack_bytes = sizeof(stack),
		.module_at = jit_at,
		.arg = &anonymous,
	};
	uint32_t n;

	ck_assert_int_eq(unwind_stack(&u, ips, MAX_FRAMES, &n), UNWIND_NO_RULES);
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(ips[1], JIT + 0x20);
	stack[2] = STACK + 8; /* points to the frame itself, so it is not a frame pointer */
	ck_assert_int_eq(unwind_stack(&u, ips, MAX_FRAMES, &n), UNWIND_NO_RULES);
	ck_assert_uint_eq(n, 2);
	anonymous = false;
	ck_assert_int_eq(unwind_stack(&u, ips, MAX_FRAMES, &n), UNWIND_NO_RULES);
	ck_assert_uint_eq(n, 1);
}
END_TEST

static bool first_module_at(void *arg, uint64_t address, struct unwind_module *out)
{
	return address >= modules[0].lo && address < modules[0].hi && module_at(arg, address, out);
}

/* The outermost frame of this program is called by code that is not known. */
START_TEST(the_last_frame_has_a_cfa)
{
	uint64_t ips[MAX_FRAMES], cfas[MAX_FRAMES] = { 0 };
	uint32_t n;

	descend(5, take);
	moment.u.module_at = first_module_at;
	moment.u.cfas = cfas;
	ck_assert_int_eq(unwind_stack(&moment.u, ips, MAX_FRAMES, &n), UNWIND_NO_CODE);
	ck_assert_uint_ge(n, 5);
	for (uint32_t i = 1; i < n; i++)
		ck_assert_uint_gt(cfas[i], cfas[i - 1]);
}
END_TEST

/* AArch64 programs may store tags in the top byte of pointers, including pointers to their
 * stack. */
START_TEST(tags_of_aarch64_are_no_part_of_an_address)
{
	const uint64_t tag = (uint64_t)0xb4 << 56, other = (uint64_t)0x35 << 56;
	uint64_t stack[6] = { 0, 0, other | (STACK + 32), JIT + 0x20, 0, JIT + 0x30 };
	uint64_t ips[MAX_FRAMES];
	bool anonymous = true;
	struct unwind u = {
		.machine = UNWIND_AARCH64,
		.regs = { [29] = tag | (STACK + 16), [31] = STACK, [32] = JIT + 0x10 },
		.known = (uint64_t)1 << 29 | (uint64_t)1 << 31 | (uint64_t)1 << 32,
		.stack = (const uint8_t *)stack,
		.stack_bytes = sizeof(stack),
		.module_at = jit_at,
		.arg = &anonymous,
	};
	uint32_t n;

	ck_assert_int_eq(unwind_stack(&u, ips, MAX_FRAMES, &n), UNWIND_NO_RULES);
	ck_assert_uint_eq(n, 3);
	ck_assert_uint_eq(ips[1], JIT + 0x20);
	ck_assert_uint_eq(ips[2], JIT + 0x30);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
	random_next(state);
	return *state >> 16 | *state << 48;
}

/* Unwinds with random registers and stacks. Each walk ends and writes no more frames than the
 * array holds. */
START_TEST(hostile_stacks_end)
{
	uint64_t ips[MAX_FRAMES], state = 1, walks = 0;
	uint8_t stack[2048];
	uint32_t n;

	descend(20, take);
	for (unsigned round = 0; round < 20000; round++) {
		struct unwind u = moment.u;

		memcpy(stack, moment.stack, sizeof(stack));
		u.stack = stack;
		u.stack_bytes = next_random(&state) % (sizeof(stack) + 1);
		for (unsigned i = 0; i < 16; i++) {
			uint64_t r = next_random(&state), word;

			/* a random word: a code address, a stack address or an arbitrary number */
			word = r % 3 == 0 ? modules[r / 3 % nmodules].lo + r / 256 % 0x20000
			       : r % 3 == 1
				       ? u.regs[u.machine == UNWIND_X86_64 ? 7 : 31] + r / 256 % 600
				       : r;
			memcpy(stack + next_random(&state) % (sizeof(stack) / 8) * 8, &word, 8);
			if (r / 7 % 4 == 0)
				u.regs[r / 32 % UNWIND_REGISTERS] = word;
		}
		ck_assert_int_lt(unwind_stack(&u, ips, MAX_FRAMES, &n), UNWIND_ENDS);
		ck_assert_uint_le(n, MAX_FRAMES);
		walks += n > 3;
	}
	ck_assert_uint_gt(walks, 1000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unwind");
	TCase *t = tcase_create("unwind");

	tcase_add_checked_fixture(t, open_modules, close_modules);
	tcase_add_test(t, equals_the_compilers_unwinder);
	tcase_add_test(t, goes_through_the_c_library);
	tcase_add_test(t, goes_through_a_signal_handler);
	tcase_add_test(t, a_short_copy_gives_the_inner_frames);
	tcase_add_test(t, no_more_frames_than_asked_for);
	tcase_add_test(t, unknown_registers);
	tcase_add_test(t, a_pc_without_code);
	tcase_add_test(t, only_anonymous_code_is_walked_by_frame_pointers);
	tcase_add_test(t, the_last_frame_has_a_cfa);
	tcase_add_test(t, tags_of_aarch64_are_no_part_of_an_address);
	tcase_add_test(t, hostile_stacks_end);
	suite_add_tcase(s, t);
	return run_suite(s);
}
