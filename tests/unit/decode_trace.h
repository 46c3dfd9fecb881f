/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child under ptrace, one instruction at a time, and compares what each instruction did
 * with what the decoder says. */
#ifndef MEMDB_TESTS_DECODE_TRACE_H
#define MEMDB_TESTS_DECODE_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "decode/x86.h"

enum { TRACE_CODE = 128, TRACE_SKIP = 77 };

/* The child's registers and code before one instruction runs. */
struct place {
	uint64_t regs[64];
	uint64_t ip, thread_pointer;
	uint8_t code[TRACE_CODE];
	size_t len;
	/* how to compute the address of an operand from regs; the operand belongs to the
	 * instruction at ip or to a later one */
	struct dec_recipe next;
};

struct trace {
	pid_t pid;
	int mem; /* file descriptor of the child's /proc/PID/mem */
	/* false if this machine has no debug registers that report accesses, so accesses cannot be
	 * watched */
	bool watching;
	/* number of accesses that trace_check_touched() still accepts although no debug register
	 * reported them; 0 if the caller does not set it. A busy virtual machine loses a report now
	 * and then, each time for a different instruction */
	int may_miss;
	struct decoder *decoder;
	struct x86 x86;
	struct place now, before;
};

/* Returns whether this process may use ptrace. If not, prints the reason. */
bool trace_allowed(void);

/* Forks a child that stops before it calls run(). The caller ends it with trace_close(). */
void trace_open(struct trace *t, void (*run)(void));
void trace_close(struct trace *t);

/* Reads the child's registers and code into t->now: the place before its next instruction. */
void trace_read(struct trace *t);

/* trace_touches() returns whether the instruction at p->ip accesses memory. trace_address() returns
 * the address that p->next yields with the registers p->regs. */
bool trace_touches(const struct place *p);
uint64_t trace_address(const struct place *p);

/* According to t->now, the child's next instruction will access some bytes. Makes the debug
 * registers watch the first and the last of them, and the bytes just before and just after them.
 * Returns false if the CPU cannot watch these addresses. */
bool trace_watch(struct trace *t);

/* Makes the child execute one instruction. Returns the signal that stopped the child, or -1 if the
 * child has ended. */
int trace_step(struct trace *t);

/*
 * Checks after a step that the instruction accessed the first and the last byte that the decoder
 * named, and neither of the neighbouring bytes. With `whole` false, the last byte of an access of
 * more than 8 bytes need not be accessed: for example, unpcklps uses only half of its 16 bytes, and
 * a CPU need not read the other half. Returns 1, or 0 if nothing could be checked, because the
 * instruction may access no memory at all or its report was lost (may_miss).
 */
int trace_check_touched(struct trace *t, bool whole);

/* Checks that the step changed no register that the decoder calls unchanged. `i` is the decoded
 * instruction that ran. Of vector registers, checks only the copies of addresses, unless the
 * instruction is `usual`, one that a compiler makes: Capstone 4 confuses some others. */
void trace_check_registers(const struct trace *t, const struct insn *i, bool usual);

/* Returns the instruction's bytes in hexadecimal, for messages. */
const char *trace_bytes(const struct place *p);

#endif
