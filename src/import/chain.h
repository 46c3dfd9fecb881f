/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns call chains and the tracker's stacks into call paths. */
#ifndef MEMDB_IMPORT_CHAIN_H
#define MEMDB_IMPORT_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/index.h"
#include "symbol/unwind.h"

struct import;
struct pd_sample;

/* One distinct call chain and its result. Valid while the code of the process and of the kernel
 * stays the same. */
struct chain {
	uint32_t process, n;
	/* how the walk of the user part ended; UNWIND_ENDS: recorded as addresses */
	enum unwind_end end;
	bool truncated; /* outer frames are missing */
	uint64_t generation;
	const uint64_t *ips; /* n addresses, in the arena */
	uint32_t path;       /* call_paths.id; 0 means not resolved */
};

enum {
	MAX_CHAIN = 8192,   /* frames: a record has at most 64 KiB, so no chain is longer */
	LAST_CHAINS = 1024, /* size of the cache, a power of two */
	MAX_UNWOUND = 512,  /* limit on frames walked in one stack copy */
};

struct chains {
	struct arena arena;
	struct {
		struct chain *at;
		uint32_t n, cap;
	} chains;
	/* position + 1 of the chain found last, by a hash of thread and ip; 0 means none */
	uint32_t last[LAST_CHAINS];
	struct index index;
	uint64_t *ips;    /* the current chain, in native byte order */
	uint32_t *frames; /* its locations and their kinds, innermost first */
	uint8_t *kinds;
	struct {
		uint64_t cfas[MAX_UNWOUND];
		const uint64_t *ips;
		uint32_t n;
	} unwound; /* user frames of the current chain, if they come from a stack copy */
	uint64_t ends[UNWIND_ENDS]; /* truncated chains from stack copies, by reason */
};

/* The call path of a sample. */
struct sample_path {
	uint32_t id;  /* call_paths.id, 0 means the sample has no chain */
	bool unwound; /* by unwind rules; frame pointers miss callers of functions without one */
};
/* Finds the call path of a sample; adds it to the model if it is new. */
struct sample_path chain_path(struct import *im, uint32_t process, const struct pd_sample *s);

/* Allocates the scratch arrays. Returns 0 or MD_ENOMEM; release c in both cases. */
int chains_init(struct chains *c, struct md_err *err);
void chains_release(struct chains *c);

/* Returns the call path of a frame that has this return address and was called from the path
 * `caller`. If the address lies outside all code, returns CALL_PATH_TRUNCATED: the path then starts
 * again, without the frames outside. Returns 0 when out of memory. */
uint32_t chain_frame(struct import *im, uint32_t process, uint32_t caller, uint64_t pc);

#endif
