/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of one pass over a function: where instructions begin, and where jumps go. Private to
 * decode/.
 */
#ifndef MEMDB_DECODE_OUTLINE_H
#define MEMDB_DECODE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define uthash_nonfatal_oom(e) ((void)(e))
#define HASH_NONFATAL_OOM      1
#include <uthash.h>

struct outline {
	uint64_t key;
	size_t len; /* size of the function, bytes */
	/* number of bytes that could be decoded, up to the first one that could not */
	size_t known;
	bool indirect; /* the function has a jump whose target is in a register or a table */
	UT_hash_handle hh;
	/* two bit sets, each with one bit for each byte of the function. First set: an instruction
	 * starts at this byte. Second set: a jump leads to this byte */
	uint8_t bits[];
};

/* A cache of outlines by key, the most recently used last. If all take too much memory, the
 * oldest are removed. */
struct outlines {
	struct outline *by_key;
	size_t bytes;
};

/* Decodes one instruction. arg is the argument of outline_get(). */
struct insn_step;
typedef void (*outline_step)(void *arg, const uint8_t *code, size_t len, struct insn_step *out);

/* Returns the outline of code[0..len): from the cache if key is not 0, otherwise a new one. NULL
 * means out of memory. Valid until outline_done(). */
struct outline *outline_get(struct outlines *o, uint64_t key, const uint8_t *code, size_t len,
			    outline_step step, void *arg);
void outline_done(struct outline *f); /* frees the outline if it is not in the cache */
void outlines_release(struct outlines *o);

/* Does an instruction start at byte `at`, and does a jump go there? `at` must be below f->len. */
bool outline_starts(const struct outline *f, size_t at);
bool outline_is_target(const struct outline *f, size_t at);

#endif
