/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of one pass over a function: where its instructions begin, and where its jumps lead.
 * Private to decode/. */
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
	/* number of bytes, from the start of the function, before the first byte that could not be
	 * decoded */
	size_t known;
	bool indirect; /* the function has a jump whose target is in a register or a table */
	UT_hash_handle hh;
	/* two bit sets, one after the other, each with a bit for each byte of the function: whether
	 * an instruction starts at this byte (set only before `known`); whether a jump leads to it
	 */
	uint8_t bits[];
};

/* A cache of outlines by key, the most recently used last. If all of them together take too much
 * memory, the least recently used are removed. */
struct outlines {
	struct outline *by_key;
	size_t bytes;
};

/* Decodes one instruction into *out. `arg` is the argument that was passed to outline_get(). */
struct insn_step;
typedef void (*outline_step)(void *arg, const uint8_t *code, size_t len, struct insn_step *out);

/* Returns the outline of the function code[0..len). If key is not 0, the outline is cached by key.
 * Calls step(arg, ...) for each instruction if no outline is cached. NULL means out of memory. The
 * outline is valid until outline_done(). */
struct outline *outline_get(struct outlines *o, uint64_t key, const uint8_t *code, size_t len,
			    outline_step step, void *arg);
void outline_done(struct outline *f); /* must be called after outline_get(); frees an outline that
				       * is not cached */
void outlines_release(struct outlines *o);

/* outline_starts(): does an instruction start at byte `at`? outline_is_target(): does a jump lead
 * to byte `at`? `at` must be below f->len. */
bool outline_starts(const struct outline *f, size_t at);
bool outline_is_target(const struct outline *f, size_t at);

#endif
