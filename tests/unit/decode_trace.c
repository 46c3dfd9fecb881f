/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode_trace.h"

#if defined(__x86_64__)

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "decode/perf_regs.h"

enum { XMM = 16 /* number of vector registers that are read */ };

#define DEBUG_REGISTER(n) offsetof(struct user, u_debugreg[n])

/* Bits of DR7: enable the four debug registers, or the first, each for reads and writes of one
 * byte. */
#define WATCH_FOUR  (0x55UL | 0x3333UL << 16)
#define WATCH_FIRST (0x1UL | 0x3UL << 16)

void trace_read(struct trace *t)
{
	struct place *p = &t->now;
	struct user_regs_struct u;
	struct user_fpregs_struct fp;
	ssize_t n;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, t->pid, NULL, &u), 0);
	ck_assert_int_eq(ptrace(PTRACE_GETFPREGS, t->pid, NULL, &fp), 0);
	*p = (struct place){ .ip = u.rip };
	p->regs[REG_X86_AX] = u.rax;
	p->regs[REG_X86_BX] = u.rbx;
	p->regs[REG_X86_CX] = u.rcx;
	p->regs[REG_X86_DX] = u.rdx;
	p->regs[REG_X86_SI] = u.rsi;
	p->regs[REG_X86_DI] = u.rdi;
	p->thread_pointer = u.fs_base;
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
	for (int i = 0; i < XMM; i++)
		memcpy(&p->regs[INSN_VECTOR + i], &fp.xmm_space[4 * i], sizeof(p->regs[0]));
	n = pread(t->mem, p->code, TRACE_CODE, (off_t)u.rip);
	p->len = n > 0 ? n : 0;
	decoder_recipe(t->decoder, 0, p->code, p->len, 0, false, &p->next);
}

uint64_t trace_address(const struct place *p)
{
	return dec_address(&p->next, p->regs, p->ip) +
	       (p->next.thread_relative ? p->thread_pointer : 0);
}

bool trace_touches(const struct place *p)
{
	return p->next.source == ADDR_NEXT && p->next.insn_offset == 0;
}

/* Returns the number of prefix bytes (legacy prefixes and REX) before the opcode. */
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

/* Returns whether the instruction accesses two places in memory, for example push (%rax), which
 * loads from one and stores to the other. The two may be adjacent. */
static bool touches_twice(const struct place *p)
{
	uint8_t op = p->code[prefixes(p)];

	return (op >= 0xa4 && op <= 0xa7) || op == 0xff || op == 0x8f;
}

/* Returns whether the instruction may access no memory at all: rep with a count of 0, or an
 * instruction with a mask. */
static bool may_touch_nothing(const struct place *p)
{
	return (is_string(p) && p->regs[REG_X86_CX] == 0) || p->next.bytes == 0;
}

bool trace_watch(struct trace *t)
{
	uint64_t a = trace_address(&t->now);
	uint64_t size = t->now.next.bytes ? t->now.next.bytes : 1;
	uint64_t places[4] = { a, a + size - 1, a - 1, a + size };

	for (int k = 0; k < 4; k++)
		if (ptrace(PTRACE_POKEUSER, t->pid, DEBUG_REGISTER(k), places[k]) != 0)
			return false;
	return ptrace(PTRACE_POKEUSER, t->pid, DEBUG_REGISTER(6), 0) == 0;
}

int trace_step(struct trace *t)
{
	int status;

	ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, t->pid, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFSTOPPED(status))
		return -1;
	t->before = t->now;
	trace_read(t);
	return WSTOPSIG(status);
}

const char *trace_bytes(const struct place *p)
{
	static char s[64];

	for (size_t k = 0; k < 15 && k < p->len; k++)
		snprintf(s + 3 * k, 4, "%02x ", p->code[k]);
	return s;
}

int trace_check_touched(struct trace *t, bool whole)
{
	const struct place *p = &t->before;
	long hit = ptrace(PTRACE_PEEKUSER, t->pid, DEBUG_REGISTER(6), 0) & 15;

	if (may_touch_nothing(p))
		return 0;
	if (!hit && t->may_miss && t->may_miss--)
		return 0;
	if (touches_twice(p))
		hit &= 3;
	if (!whole && p->next.bytes > 8)
		hit |= 2;
	ck_assert_msg(hit == 3,
		      "%s at %#" PRIx64 " touches at %#" PRIx64 ":%s%s%s%s, not %d bytes%s",
		      trace_bytes(p), p->ip, trace_address(p), hit & 4 ? " before" : "",
		      hit & 1 ? " first" : "", hit & 2 ? " last" : "", hit & 8 ? " behind" : "",
		      p->next.bytes,
		      p->ip == t->now.ip && !memcmp(p->regs, t->now.regs, sizeof(p->regs))
			      ? "; no register has changed"
			      : "");
	return 1;
}

void trace_check_registers(const struct trace *t, const struct insn *i, bool usual)
{
	uint64_t moved;

	for (int reg = 0; reg < (usual ? INSN_VECTOR + XMM : 24); reg++) {
		if (i->writes >> reg & 1 || (reg >= 24 && reg < INSN_VECTOR))
			continue;
		ck_assert_msg(t->before.regs[reg] == t->now.regs[reg],
			      "%s at %#" PRIx64 " changed register %d", trace_bytes(&t->before),
			      t->before.ip, reg);
	}
	if (i->move.to < 0 || i->move.to >= INSN_VECTOR + XMM || i->move.from >= INSN_VECTOR + XMM)
		return;
	moved = t->before.regs[i->move.from] + (uint64_t)i->move.add;
	ck_assert_msg(t->now.regs[i->move.to] == (i->move.wraps32 ? (uint32_t)moved : moved),
		      "%s at %#" PRIx64 " moved register %d by %" PRId64, trace_bytes(&t->before),
		      t->before.ip, i->move.to,
		      (int64_t)(t->now.regs[i->move.to] - t->before.regs[i->move.from]));
}

static volatile int watched_store;

static void store_often(void)
{
	for (int i = 0; i < 20; i++)
		watched_store = i;
}

/* Forks a child that runs run() under ptrace, and waits until it has stopped before this call. */
static pid_t fork_stopped(void (*run)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		run();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);
	return pid;
}

/* Do the debug registers report accesses? Some virtual machines accept an address but never report
 * an access to it. A child stores to a known address here, so the answer does not depend on the
 * decoder. */
static bool debug_registers_work(void)
{
	pid_t pid = fork_stopped(store_often);
	int status = 0;
	bool works = ptrace(PTRACE_POKEUSER, pid, DEBUG_REGISTER(0), &watched_store) == 0 &&
		     ptrace(PTRACE_POKEUSER, pid, DEBUG_REGISTER(7), WATCH_FIRST) == 0;

	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	works = works && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
	kill(pid, SIGKILL);
	if (WIFSTOPPED(status))
		waitpid(pid, &status, 0);
	return works;
}

void trace_open(struct trace *t, void (*run)(void))
{
	struct md_err err = { 0 };
	char path[64];

	*t = (struct trace){ 0 };
	ck_assert_msg(decoder_open(DEC_X86_64, &t->decoder, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(x86_open(&t->x86, &err), 0);
	t->pid = fork_stopped(run);
	snprintf(path, sizeof(path), "/proc/%d/mem", t->pid);
	t->mem = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(t->mem, 0);
	t->watching = debug_registers_work() &&
		      ptrace(PTRACE_POKEUSER, t->pid, DEBUG_REGISTER(7), WATCH_FOUR) == 0;
	if (!t->watching)
		printf("debug registers report nothing here: addresses are only compared\n");
	trace_read(t);
}

void trace_close(struct trace *t)
{
	kill(t->pid, SIGKILL);
	waitpid(t->pid, NULL, 0);
	close(t->mem);
	x86_close(&t->x86);
	decoder_close(t->decoder);
}

bool trace_allowed(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		return true;
	printf("skip: ptrace is not allowed here\n");
	return false;
}

#endif
