/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call chains, the tracker's stacks: to call paths. */
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

/* One call chain that was met: what it means while the process's and the kernel's code stay as they
 * were. */
struct chain {
	uint32_t process, n;
	enum unwind_end end; /* of the walk that found its user's part; UNWIND_ENDS: recorded so */
	bool truncated;      /* frames are missing at its outer end */
	uint64_t generation;
	const uint64_t *ips; /* n, in the arena */
	uint32_t path;       /* call_paths.id */
};

enum {
	MAX_CHAIN = 8192,   /* frames: a record is at most 64 KiB, so no chain is longer */
	LAST_CHAINS = 1024, /* a power of two */
	MAX_UNWOUND = 512,  /* frames that are walked on a copy of a stack */
};

struct chains {
	struct arena arena;
	struct {
		struct chain *at;
		uint32_t n, cap;
	} chains;
	uint32_t last[LAST_CHAINS]; /* position + 1 of the one found last for a thread that stood
				       there, by low bits of both; 0 none */
	struct index index;
	uint64_t *ips;    /* the chain at hand, in native byte order */
	uint32_t *frames; /* its locations, innermost first, and their kinds */
	uint8_t *kinds;
	struct {
		uint64_t cfas[MAX_UNWOUND];
		const uint64_t *ips;
		uint32_t n;
	} unwound; /* the user's frames of the chain answered last, if a copy of the stack gave them
		    */
	uint64_t ends[UNWIND_ENDS]; /* chains out of stack copies that are truncated, by why */
};

/* The call path of a sample. */
struct sample_path {
	uint32_t id;  /* call_paths.id, 0 where it has no chain */
	bool unwound; /* by unwind rules: walks by frame pointers leave out who called a function
			 that keeps none */
};
struct sample_path chain_path(struct import *im, uint32_t process, const struct pd_sample *s);

int chains_init(struct chains *c, struct md_err *err);
void chains_release(struct chains *c);

/* The call path of a frame with this return address below the path of its caller; what lies in no
 * code is no frame, and nothing beyond it is believed. 0 when out of memory. */
uint32_t chain_frame(struct import *im, uint32_t process, uint32_t caller, uint64_t pc);

#endif
