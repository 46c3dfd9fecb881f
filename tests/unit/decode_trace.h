/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child under ptrace, one instruction at a time, and checks the decoder at each step. */
#ifndef MEMDB_TESTS_DECODE_TRACE_H
#define MEMDB_TESTS_DECODE_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "decode/x86.h"

enum { TRACE_CODE = 128, TRACE_SKIP = 77 };

/* The state of the child before one instruction. */
struct place {
	uint64_t regs[64];
	uint64_t ip, thread_pointer;
	uint8_t code[TRACE_CODE];
	size_t len;
	struct dec_recipe next; /* recipe at ip: for this instruction or a later one */
};

struct trace {
	pid_t pid;
	int mem;       /* /proc/PID/mem of the child */
	bool watching; /* this machine has debug registers */
	struct decoder *decoder;
	struct x86 x86;
	struct place now, before;
};

bool trace_allowed(void); /* Returns whether ptrace works here; prints why not */

/* Forks a child that stops before it calls run(). trace_close() kills it. */
void trace_open(struct trace *t, void (*run)(void));
void trace_close(struct trace *t);

/* Reads the child's registers and code into t->now. */
void trace_read(struct trace *t);

/* trace_touches() says whether the instruction at p itself accesses memory, trace_address()
 * where. */
bool trace_touches(const struct place *p);
uint64_t trace_address(const struct place *p);

/* Points the debug registers at the first and last byte that t->now is about to touch, and at
 * the bytes before and after them. Returns false if the CPU cannot watch there. */
bool trace_watch(struct trace *t);

/* Runs one instruction. Returns the number of the signal that stopped the child, or -1 if it
 * ended. */
int trace_step(struct trace *t);

/*
 * Checks after a step that the instruction touched the first and last byte that the decoder named,
 * and neither neighbour. Without `whole`, the last byte may stay untouched if there are more than
 * 8: a CPU need not fetch the half of 16 bytes that unpcklps or psrld does not use. Returns 1, or 0
 * if the instruction may touch nothing.
 */
int trace_check_touched(struct trace *t, bool whole);

/* Checks after a step that i, the instruction that ran, changed only the registers that it may
 * change. */
void trace_check_registers(const struct trace *t, const struct insn *i);

const char *trace_bytes(const struct place *p); /* the code in hex, for messages */

#endif
