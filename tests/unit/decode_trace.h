/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child under ptrace, one instruction at a time, with the decoder's word checked at each. */
#ifndef MEMDB_TESTS_DECODE_TRACE_H
#define MEMDB_TESTS_DECODE_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "decode/x86.h"

enum { TRACE_CODE = 128, TRACE_SKIP = 77 };

/* One place in the child's run. */
struct place {
	uint64_t regs[64];
	uint64_t ip, thread_pointer;
	uint8_t code[TRACE_CODE];
	size_t len;
	struct dec_recipe next; /* of the instruction at ip, or of one further on */
};

struct trace {
	pid_t pid;
	int mem;       /* the child's memory, by its addresses */
	bool watching; /* this machine has debug registers */
	struct decoder *decoder;
	struct x86 x86;
	struct place now, before;
};

bool trace_allowed(void); /* ptrace works here; says why not */

/* Forks a child that stops, and then runs run(); ends it. */
void trace_open(struct trace *t, void (*run)(void));
void trace_close(struct trace *t);

/* Reads where the child is into t->now. */
void trace_read(struct trace *t);

/* The access of the very instruction at p, if it has one, and its address. */
bool trace_touches(const struct place *p);
uint64_t trace_address(const struct place *p);

/* Points the debug registers at the bytes that t->now is about to touch, and at their neighbours;
 * false where the CPU would not watch there. */
bool trace_watch(struct trace *t);

/* Runs one instruction; the number of the signal after it, -1 at the end of the child. */
int trace_step(struct trace *t);

/* After the step: what was named was touched, and not more; all of it where `whole` is set: a CPU
 * need not fetch the half of 16 bytes that unpcklps or psrld does not use. 1 where it was seen. */
int trace_check_touched(struct trace *t, bool whole);

/* After the step: i, the instruction that ran, changed only what it may change. */
void trace_check_registers(const struct trace *t, const struct insn *i);

const char *trace_bytes(const struct place *p); /* in hex, for messages */

#endif
