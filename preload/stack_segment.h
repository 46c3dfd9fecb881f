/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment: a remembered part of a walk, so that the same stack need not be walked again.
 *
 * A walk is a function of three inputs: the innermost (pc, sp), the incoming registers from which a
 * frame's CFA is computed, and the stack words that it reads. A segment remembers a part of some
 * walk: its key (pc, sp), the registers that it needs, and every word that it read (a check). If
 * the key, these registers and all words are unchanged, the walk is the same. This is exact, not a
 * guess. Words are compared from the inside out, and the comparison stops at the first difference,
 * so it reads no word that the walk itself would not read.
 *
 * Some frames are boundaries: a hash of a frame's (pc, sp) decides this. A segment ends before the
 * next boundary. So walks that start at different places have the same boundaries, and share their
 * outer segments. The last return address, through which the walk leaves the segment (the exit), is
 * not compared: it is read whenever the segment is used. So a segment stays valid if the frames
 * outside it change. But the segment's node in the tree of stacks depends on these frames. So the
 * segment remembers one pair of nodes: the node of its caller (`outer`), and the node that the
 * segment has with this caller.
 */
#ifndef MEMDB_PRELOAD_STACK_SEGMENT_H
#define MEMDB_PRELOAD_STACK_SEGMENT_H

#include "likely.h"
#include "machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers that a walk tracks in addition to pc and sp, see cfi.h. */
enum { FP, AUX, REGS };

enum { CHECKS = 14 };

/* Values of segment.reg_out: where the caller's value of a register is found when the walk leaves
 * the segment. The value is an offset from sp, or one of these constants. */
enum { REG_UNCHANGED = UINT32_MAX, REG_UNKNOWN = UINT32_MAX - 1 };

/* Value of segment.exit: the return address is in the register AUX when the walk enters the
 * segment. */
enum { EXIT_IN_AUX = UINT32_MAX };

/* How a walk leaves a segment: to the caller through a return address (END_EXIT), not at all
 * because the outermost frame is in it (END_ROOT), or not at all because the next frame is unknown
 * (END_TRUNCATED). */
enum end { END_EXIT, END_ROOT, END_TRUNCATED };

/* Value of segment.outer if the segment does not remember its node yet. No node has this id. */
#define UNRESOLVED UINT32_MAX

/* A frame with its register values. */
struct frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t reg[REGS];
	unsigned known; /* bit r is set if reg[r] is known */
};

struct segment {
	/* pc is part of the key (pc, sp). It is stored last, and is 0 while the other members are
	 * incomplete, so that a signal handler does not use them. */
	uint64_t pc;
	uint64_t sp;
	/* `outer` is the node of the frame that called the segment. `node` is the node of the
	 * segment's innermost frame for this caller; 0 means unknown */
	uint32_t node;
	uint32_t outer;
	uint8_t n_checks;
	uint8_t needs; /* bit r is set if register r must have the value in[r] at the start */
	uint8_t end;   /* a value of enum end */
	/* what to add to the return address stored at `exit`: 1 if a signal interrupted the code at
	 * this return address, otherwise 0 */
	uint8_t exit_add;
	uint32_t exit; /* where the return address of the exit is: offset from sp, or EXIT_IN_AUX */
	uint64_t exit_sp;
	uint32_t reg_out[REGS];
	/* slot of the next segment outwards in the last capture; 0 means that there is none */
	uint16_t next;
	/* bit i is set if check i is the return address of a frame in this segment */
	uint16_t ra_mask;
	/* number of the last walk that used the segment (a capture that finds all its segments
	 * valid is not a walk) */
	uint32_t epoch;
	uint64_t serial; /* a different number for each segment that was ever created */
	uint64_t check[CHECKS];
	uint64_t in[REGS];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct segment) == 192, "no space between segments");
_Static_assert(CHECKS <= 16, "one bit of ra_mask for each check");

/* For functions that read words in frames of other functions, which a sanitizer would report. */
#define NO_ASAN __attribute__((no_sanitize_address))

static inline NO_ASAN uint64_t stack_word(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

/* Packs a check into one word: the distance of the checked word from the segment's sp (in bytes, a
 * multiple of 8) and the value that the word must have, of at most ADDRESS_BITS bits. */
static inline uint64_t check_make(uint64_t offset, uint64_t word)
{
	return offset / 8 << ADDRESS_BITS | word;
}

static inline bool check_can_say(uint64_t offset, uint64_t word)
{
	return !(offset & 7) && offset / 8 < 1ull << (64 - ADDRESS_BITS) && !(word >> ADDRESS_BITS);
}

static inline uint64_t check_word(uint64_t check)
{
	return check & ((1ull << ADDRESS_BITS) - 1);
}

static inline uint64_t check_address(uint64_t check, uint64_t sp)
{
	return sp + (check >> ADDRESS_BITS) * 8;
}

static inline uint64_t segment_hash(uint64_t pc, uint64_t sp)
{
	return (pc ^ (sp << 17 | sp >> 47)) * 0x9e3779b97f4a7c15u;
}

static inline uint16_t segment_tag(uint64_t hash)
{
	return (uint16_t)(hash >> 20) | 1;
}

static inline bool segment_is_boundary(uint64_t pc, uint64_t sp)
{
	return !(segment_hash(pc, sp) >> 40 & 15);
}

static inline bool segment_same_registers(const struct segment *g, const struct frame *f)
{
	if (likely(!g->needs))
		return true;
	if (g->needs & ~f->known)
		return false;
	return (!(g->needs & 1 << FP) || g->in[FP] == f->reg[FP]) &&
	       (!(g->needs & 1 << AUX) || g->in[AUX] == f->reg[AUX]);
}

/* A signal handler may fork, and its child resets the state (stack_reset()), which fills all
 * segments with zeros, before it returns to a function that reads one. So the functions that read
 * segments take the stack pointer from the frame: with it, even zeros lead to readable addresses.
 */
static inline bool segment_same_words(const struct segment *g, uint64_t sp)
{
	unsigned n = g->n_checks;

	for (unsigned i = 0; i < n; i++) {
		uint64_t word = stack_word(check_address(g->check[i], sp));

		if (word != check_word(g->check[i]) &&
		    !(g->ra_mask >> i & 1 && code_address(word) == check_word(g->check[i])))
			return false;
	}
	return true;
}

/* Does the segment begin at this frame, and are its registers and stack words unchanged? */
static inline bool segment_holds(const struct segment *g, const struct frame *f)
{
	return g->pc == f->pc && g->sp == f->sp && segment_same_registers(g, f) &&
	       segment_same_words(g, f->sp);
}

/* Sets register r of *f to its value in the frame that called the segment, which begins at sp. */
static inline void segment_leave_register(const struct segment *g, struct frame *f, unsigned r,
					  uint64_t sp)
{
	if (likely(g->reg_out[r] == REG_UNCHANGED))
		return;
	f->known &= ~(1u << r);
	if (g->reg_out[r] == REG_UNKNOWN)
		return;
	f->known |= 1u << r;
	f->reg[r] = stack_word(sp + g->reg_out[r]);
}

/* Changes *f from the innermost frame of a segment to the frame that called its outermost frame.
 * The segment must be valid and end by END_EXIT. */
static inline void segment_leave(const struct segment *g, struct frame *f)
{
	const uint64_t sp = f->sp;

	if (unlikely(g->exit == EXIT_IN_AUX))
		f->pc = code_address(g->in[AUX]);
	else
		f->pc = code_address(stack_word(sp + g->exit)) + g->exit_add;
	f->sp = g->exit_sp;
	segment_leave_register(g, f, FP, sp);
	segment_leave_register(g, f, AUX, sp);
}

#endif
