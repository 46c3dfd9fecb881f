/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the call frame information (directives .cfi_…) of a function through its text. So the
 * copies of blocks, which are at the function's end, can be unwound like the original blocks: when
 * a thread is cancelled, when a signal handler throws or calls backtrace(), and in a debugger.
 *
 * At the start of the function, its state is saved (.cfi_remember_state). A copy restores that
 * state, and then repeats the directives that are in force at the original block. Most copies have
 * the same state as the previous copy, and need no directives.
 */
#ifndef MEMDB_ACCESS_AS_FRAME_H
#define MEMDB_ACCESS_AS_FRAME_H

#include <stdbool.h>
#include <stdio.h>

/* A directive of the call frame information. Each directive of a text gets a number of its own. So
 * if two states end with the same number, the same directives are in force before it, too. */
struct frame_directive {
	const char *text; /* the line of the directive, borrowed from the text */
	unsigned number;
};

struct frame_state {
	unsigned n; /* the first n directives of frame.set are in force */
	/* whether the frame's address is relative to the stack pointer, so that each change of the
	 * stack pointer must be described */
	bool by_sp;
};

/* The state of frame_read(). All members are zero at the start of a text. */
struct frame {
	bool open; /* whether the text is between .cfi_startproc and .cfi_endproc */
	struct frame_state now;
	struct frame_directive *set;
	unsigned room, numbers;
	struct frame_state remembered[16]; /* states that .cfi_remember_state has saved */
	unsigned depth;
	unsigned copied; /* number of the last directive in force at the end of the copies */
	bool failed;     /* whether memory ran out, or more states were remembered than fit */
};

void frame_release(struct frame *f);

/* Reads a line of the text, which the caller has just written to `out`. At the start of a function,
 * also writes a directive there. */
void frame_read(struct frame *f, const char *line, FILE *out);

/* Writes to `copies` the directives that lead from the state at the end of the copies to the state
 * at the line that was read last. */
void frame_copy(struct frame *f, FILE *copies);

/* Writes, at the end of a function, the directives that must come before its copies. */
void frame_begin_copies(const struct frame *f, FILE *out);

/* If the frame's address is relative to the stack pointer, writes a directive which says that the
 * previous instruction has moved the stack pointer down by `bytes`. */
void frame_move(const struct frame *f, int bytes, FILE *out);

#endif
