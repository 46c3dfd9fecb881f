/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to decode/: the result of one pass over a function: instruction boundaries and jump
 * targets.
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
	size_t len;    /* bytes of code */
	size_t known;  /* bytes before the first that does not decode */
	bool indirect; /* contains a jump to an address from a register or a table */
	UT_hash_handle hh;
	uint8_t bits[]; /* one bit per byte of code for "an instruction starts", then one bit per
			 * byte for "a jump target" */
};

/* A cache of outlines by key, the most recently used last. The oldest are removed when all take too
 * many bytes. */
struct outlines {
	struct outline *by_key;
	size_t bytes;
};

/* Decodes one instruction. arg is that of outline_get(). */
struct insn_step;
typedef void (*outline_step)(void *arg, const uint8_t *code, size_t len, struct insn_step *out);

/* Returns the outline of code[0..len): from the cache if key is not 0, else a new one. NULL means
 * out of memory. Valid until outline_done(). */
struct outline *outline_get(struct outlines *o, uint64_t key, const uint8_t *code, size_t len,
			    outline_step step, void *arg);
void outline_done(struct outline *f); /* frees an outline that is not cached */
void outlines_release(struct outlines *o);

/* Does an instruction start at byte `at`, and is it the target of a jump? Need at < f->len. */
bool outline_starts(const struct outline *f, size_t at);
bool outline_is_target(const struct outline *f, size_t at);

#endif
