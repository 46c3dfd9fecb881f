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

/* A call chain and its path, stored once for all samples with this chain. The path is valid until
 * code is mapped or unmapped in the process or the kernel. */
struct chain {
	uint32_t process, n;
	/* how the walk of the copied user stack ended; UNWIND_ENDS means that no such copy was
	 * walked */
	enum unwind_end end;
	bool truncated; /* outer frames are missing */
	uint64_t generation;
	const uint64_t *ips; /* n addresses; owned by chains.arena */
	uint32_t path;       /* call_paths.id; 0 means that the chain has not been resolved, or that
			      * this failed */
};

enum {
	/* maximum number of frames of a chain; a perf record has at most 64 KiB, so no chain is
	 * longer */
	MAX_CHAIN = 8192,
	LAST_CHAINS = 1024, /* size of the cache that is indexed by a hash of thread and ip; a power
			     * of two */
	MAX_UNWOUND = 512,  /* maximum number of frames that are unwound from one stack copy */
};

struct chains {
	struct arena arena;
	struct {
		struct chain *at;
		uint32_t n, cap;
	} chains;
	/* the first cache, indexed by a hash of thread and ip: position + 1 in `chains` of the
	 * chain seen last; 0 means none */
	uint32_t last[LAST_CHAINS];
	struct index index;
	uint64_t *ips; /* addresses of the current chain, in native byte order */
	/* location ids of the current chain; `kinds` has the call_kind of each; both innermost
	 * first */
	uint32_t *frames;
	uint8_t *kinds;
	uint64_t cfas[MAX_UNWOUND]; /* CFAs of the frames that were unwound for the current chain */
	uint64_t ends[UNWIND_ENDS]; /* indexed by enum unwind_end: number of stack copies whose walk
				     * ended early for this reason; those of page faults are not
				     * counted */
};

/* The call path of a sample. */
struct sample_path {
	uint32_t id; /* call_paths.id; 0 means that the sample has no chain, or memory ran out */
	/* whether the user frames were found by unwind rules, which skip no frame; a walk by frame
	 * pointers skips the caller of a function that sets no frame pointer */
	bool unwound;
	/* the user frames, if they were found by unwinding a copy of the stack: their addresses and
	 * CFAs, innermost first. Valid until the next call of chain_path() */
	const uint64_t *ips, *cfas;
	uint32_t nframes;
};

/* Finds the call path of a sample; adds it to the model if it is new. */
struct sample_path chain_path(struct import *im, uint32_t process, const struct pd_sample *s);

/* If the path of this sample has a caller that the walk by frame pointers has skipped, right after
 * the innermost user frame, sets *location to its location (0 means that it is unknown) and returns
 * true. */
bool chain_skipped(struct import *im, uint32_t process, const struct pd_sample *s,
		   uint32_t *location);

/* Returns `path` with its innermost frame at the location `at`, that of the instruction to which
 * the sample's cost belongs. If the innermost frame is in another function than `at`, returns
 * `path` itself, because the function's callers would not be those of `at`. Returns 0 when out of
 * memory. */
uint32_t chain_at(struct import *im, uint32_t path, uint32_t at);

/* Initializes *c and allocates its scratch arrays. Returns 0 or MD_ENOMEM. chains_release() must be
 * called in both cases. */
int chains_init(struct chains *c, struct md_err *err);
void chains_release(struct chains *c);

/* Returns the call path of a frame in a stack that the tracker logged. `pc` is the frame's return
 * address, `caller` the call path of its caller. If pc is outside all code, returns
 * CALL_PATH_TRUNCATED, so that the path begins with the next frame inwards. Returns 0 when out of
 * memory. */
uint32_t chain_frame(struct import *im, uint32_t process, uint32_t caller, uint64_t pc);

#endif
