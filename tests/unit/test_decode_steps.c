/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoder against the CPU. A child is single-stepped through code of its own, of libc and of
 * the dynamic linker. Before each step the decoder says what the instruction is about to touch,
 * and the debug registers watch exactly those bytes and their two neighbours: afterwards the CPU
 * says whether it did. Behind the step the decoder must find the same address from the registers as
 * they are then, or say that it cannot; and no register may have changed that it calls unchanged.
 */
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode/insn.h"
#include "decode/perf_regs.h"

#include "check_main.h"
#include "decode_workload.h"

enum { MOST_STEPS = 60000, CODE = 128, SKIP = 77 };

#define DEBUG_REGISTER(n) offsetof(struct user, u_debugreg[n])

/* Each of the four: enabled, reads and writes, one byte. */
#define WATCH_FOUR (0x55UL | 0x3333UL << 16)

/* One place in the child's run. */
struct place {
	uint64_t regs[64];
	uint64_t ip;
	uint8_t code[CODE];
	size_t len;
	struct dec_recipe next; /* of the instruction at ip, or of one further on */
};

struct run {
	pid_t pid;
	int mem;
	bool watching;
	struct decoder *decoder;
	struct x86 x86;
	struct place now, before;
	uint64_t later_ip, later_address; /* a NEXT that points further on; 0 none */
	int later_steps;
	long steps, watched, retired, later, kept;
};

static void read_place(struct run *r, struct place *p)
{
	struct user_regs_struct u;
	ssize_t n;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, r->pid, NULL, &u), 0);
	*p = (struct place){ .ip = u.rip };
	p->regs[REG_X86_AX] = u.rax;
	p->regs[REG_X86_BX] = u.rbx;
	p->regs[REG_X86_CX] = u.rcx;
	p->regs[REG_X86_DX] = u.rdx;
	p->regs[REG_X86_SI] = u.rsi;
	p->regs[REG_X86_DI] = u.rdi;
	p->regs[REG_X86_BP] = u.rbp;
	p->regs[REG_X86_SP] = u.rsp;
	p->regs[REG_X86_R8] = u.r8;
	p->regs[REG_X86_R9] = u.r9;
	p->regs[REG_X86_R10] = u.r10;
	p->regs[REG_X86_R11] = u.r11;
	p->regs[REG_X86_R12] = u.r12;
	p->regs[REG_X86_R13] = u.r13;
	p->regs[REG_X86_R14] = u.r14;
	p->regs[REG_X86_R15] = u.r15;
	n = pread(r->mem, p->code, CODE, (off_t)u.rip);
	p->len = n > 0 ? n : 0;
	ck_assert_uint_gt(p->len, 0);
	decoder_recipe(r->decoder, 0, p->code, p->len, 0, false, &p->next);
}

static uint64_t address_of(const struct place *p)
{
	return dec_address(&p->next, p->regs, p->ip);
}

static bool touches_now(const struct place *p)
{
	return p->next.source == ADDR_NEXT && p->next.insn_offset == 0;
}

/* The bytes of legacy prefixes and REX. */
static size_t prefixes(const struct place *p)
{
	size_t n = 0;

	while (n < 8 && (p->code[n] == 0x66 || p->code[n] == 0x67 || p->code[n] == 0xf2 ||
			 p->code[n] == 0xf3 || (p->code[n] & 0xf0) == 0x40))
		n++;
	return n;
}

static bool is_string(const struct place *p)
{
	uint8_t op = p->code[prefixes(p)];

	return (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf);
}

/* Instructions that touch a second place too, maybe next to the first. */
static bool touches_twice(const struct place *p)
{
	uint8_t op = p->code[prefixes(p)];

	return (op >= 0xa4 && op <= 0xa7) || op == 0xff || op == 0x8f;
}

/* What may touch none of its bytes: rep with a count of zero, a mask. */
static bool may_touch_nothing(const struct place *p)
{
	return (is_string(p) && p->regs[REG_X86_CX] == 0) || p->next.bytes == 0;
}

static void watch(struct run *r)
{
	uint64_t a = address_of(&r->now);
	uint64_t size = r->now.next.bytes ? r->now.next.bytes : 1;
	uint64_t places[4] = { a, a + size - 1, a - 1, a + size };

	for (int k = 0; k < 4; k++)
		ck_assert_msg(ptrace(PTRACE_POKEUSER, r->pid, DEBUG_REGISTER(k), places[k]) == 0,
			      "%#" PRIx64 " at %#" PRIx64 " is no address", places[k], r->now.ip);
	ck_assert_int_eq(ptrace(PTRACE_POKEUSER, r->pid, DEBUG_REGISTER(6), 0), 0);
}

static const char *bytes_of(const struct place *p)
{
	static char s[64];

	for (size_t k = 0; k < 15 && k < p->len; k++)
		snprintf(s + 3 * k, 4, "%02x ", p->code[k]);
	return s;
}

static void check_watched(struct run *r)
{
	const struct place *p = &r->before;
	long hit = ptrace(PTRACE_PEEKUSER, r->pid, DEBUG_REGISTER(6), 0) & 15;

	if (may_touch_nothing(p))
		return;
	ck_assert_msg((hit & 3) == 3, "%s at %#" PRIx64 " did not touch %d bytes at %#" PRIx64,
		      bytes_of(p), p->ip, p->next.bytes, address_of(p));
	ck_assert_msg(!(hit & 12) || touches_twice(p),
		      "%s at %#" PRIx64 " touches more than %d bytes at %#" PRIx64, bytes_of(p),
		      p->ip, p->next.bytes, address_of(p));
	r->watched++;
}

/* From behind the instruction: the same access, or none. */
static void check_retired(struct run *r, size_t size)
{
	const struct dec_recipe *n = &r->before.next;
	struct dec_recipe b;

	decoder_recipe(r->decoder, 0, r->before.code, size + 1, size, true, &b);
	if (b.source != ADDR_RETIRED)
		return;
	ck_assert_msg(touches_now(&r->before), "%s was no access", bytes_of(&r->before));
	ck_assert_msg(dec_address(&b, r->now.regs, r->now.ip) == address_of(&r->before),
		      "%s at %#" PRIx64 ": %#" PRIx64 " before, %#" PRIx64 " behind",
		      bytes_of(&r->before), r->before.ip, address_of(&r->before),
		      dec_address(&b, r->now.regs, r->now.ip));
	ck_assert(b.load == n->load && b.store == n->store && b.lock == n->lock);
	ck_assert_int_eq(b.bytes, n->bytes);
	r->retired++;
}

/* What a NEXT further on has said must be what the instruction says when its turn comes. */
static void check_later(struct run *r)
{
	const struct place *p = &r->now;

	if (r->later_ip == p->ip) {
		ck_assert(touches_now(p));
		ck_assert_msg(r->later_address == address_of(p), "%s at %#" PRIx64, bytes_of(p),
			      p->ip);
		r->later_ip = 0;
		r->later++;
	}
	if (r->later_ip)
		ck_assert_int_lt(++r->later_steps, 65);
	if (r->later_ip || p->next.source != ADDR_NEXT || !p->next.insn_offset)
		return;
	r->later_ip = p->ip + p->next.insn_offset;
	r->later_address = address_of(p);
	r->later_steps = 0;
}

static void check_registers(struct run *r, const struct insn *i)
{
	for (int reg = 0; reg < 24; reg++) {
		if (i->writes >> reg & 1)
			continue;
		ck_assert_msg(r->before.regs[reg] == r->now.regs[reg],
			      "%s at %#" PRIx64 " changed register %d", bytes_of(&r->before),
			      r->before.ip, reg);
		r->kept++;
	}
	if (i->move.to >= 0)
		ck_assert_uint_eq(r->now.regs[i->move.to],
				  r->before.regs[i->move.from] + (uint64_t)i->move.add);
}

/* One instruction further; false at the end of the child. */
static bool step(struct run *r)
{
	bool watching = r->watching && touches_now(&r->now);
	struct insn i;
	int status;

	if (watching)
		watch(r);
	ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, r->pid, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(r->pid, &status, 0), r->pid);
	if (!WIFSTOPPED(status))
		return false;
	ck_assert_int_eq(WSTOPSIG(status), SIGTRAP);
	r->before = r->now;
	read_place(r, &r->now);
	r->steps++;
	if (watching)
		check_watched(r);
	if (!x86_decode(&r->x86, r->before.code, r->before.len, &i))
		return true;
	if (i.flow == FLOW_ON || r->now.ip == r->before.ip + i.size)
		check_registers(r, &i);
	if (i.flow == FLOW_ON && r->now.ip == r->before.ip + i.size)
		check_retired(r, i.size);
	check_later(r);
	return true;
}

static void attach(struct run *r)
{
	char path[64];
	int status;

	ck_assert_int_eq(waitpid(r->pid, &status, 0), r->pid);
	ck_assert(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, r->pid, NULL, PTRACE_O_EXITKILL);
	snprintf(path, sizeof(path), "/proc/%d/mem", r->pid);
	r->mem = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(r->mem, 0);
	r->watching = ptrace(PTRACE_POKEUSER, r->pid, DEBUG_REGISTER(7), WATCH_FOUR) == 0;
	if (!r->watching)
		printf("no debug registers here (%s): addresses are only compared\n",
		       strerror(errno));
}

/* One part of the workload, stepped through from its first instruction. */
START_TEST(the_cpu_agrees)
{
	struct run r = { 0 };
	struct md_err err = { 0 };

	ck_assert_msg(decoder_open(DEC_X86_64, &r.decoder, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(x86_open(&r.x86, &err), 0);
	r.pid = fork();
	ck_assert_int_ge(r.pid, 0);
	if (r.pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		workload_parts[_i].run();
		_exit(0);
	}
	attach(&r);
	read_place(&r, &r.now);
	while (r.steps < MOST_STEPS && step(&r))
		;
	kill(r.pid, SIGKILL);
	waitpid(r.pid, NULL, 0);
	close(r.mem);
	printf("%s: %ld steps, %ld accesses watched, %ld retired, %ld further on\n",
	       workload_parts[_i].name, r.steps, r.watched, r.retired, r.later);
	ck_assert_int_ge(r.steps, workload_parts[_i].steps);
	ck_assert_int_ge(r.retired, r.steps / 20);
	if (r.watching)
		ck_assert_int_ge(r.watched, r.steps / 10);
	x86_close(&r.x86);
	decoder_close(r.decoder);
}
END_TEST

static bool can_trace(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

int main(void)
{
	Suite *s = suite_create("decode_steps");
	TCase *t = tcase_create("decode_steps");

	if (!can_trace()) {
		printf("skipped: this environment does not allow ptrace\n");
		return SKIP;
	}
	tcase_set_timeout(t, 100);
	tcase_add_loop_test(t, the_cpu_agrees, 0, WORKLOAD_PARTS);
	suite_add_tcase(s, t);
	return run_suite(s);
}

#else

int main(void)
{
	printf("skipped: steps through x86-64 instructions\n");
	return 77;
}

#endif
