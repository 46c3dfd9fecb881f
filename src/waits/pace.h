/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares how long a loop's memory accesses take with how long its arithmetic takes. Both run at
 * the same time, so the slower of the two limits the loop. An example is a chain of additions over
 * an array in the second-level cache: it would take just as long if the array were in the first
 * level, because the hardware prefetches the array during the additions.
 *
 * How long an iteration's arithmetic takes is known from its instructions (struct wait_loop). The
 * time of its memory accesses has two parts: its streams transfer bytes at the bandwidth of the
 * cache level that contains them, and its other misses cost latency, of which several overlap.
 * Bandwidths and latencies differ between machines by a factor of 4 or so, so the result may also
 * be PACE_UNCLEAR.
 */
#ifndef MEMDB_WAITS_PACE_H
#define MEMDB_WAITS_PACE_H

#include "waits/reach.h"
#include "waits/waits.h"

/* Cycles per ns of a fast CPU. Arithmetic is assumed to run on the fastest CPU. */
#define PACE_CLOCK 4.0

/* Cost of a mispredicted jump, in cycles. */
#define JUMP_CYCLES 20.0

/* One memory access in the loop. */
struct pace_access {
	uint32_t insn, object;
	int32_t step; /* as in struct wait_access: bytes by which its address changes in an
		       * iteration */
	bool stores;  /* whether it only stores */
	/* whether its address comes from the value that it loaded in the previous iteration */
	bool recurrent;
	/* how often it goes on at a place that depends on data, each time it runs (reuse_jumps());
	 * 0 means unknown */
	double jumps;
	/* of accesses that go through the same part of the same object, all have the number of the
	 * first; set by pace_parts(). 0: it is alone */
	uint32_t part;
	bool again; /* whether another access fetches its lines (reuse_of()) */
	bool row;   /* whether each iteration accesses another row (struct wait_candidate) */
	struct reach_access access;
};

enum pace_verdict {
	PACE_MEMORY,  /* memory takes longer, or the loop's accesses are not known */
	PACE_UNCLEAR, /* which of the two takes longer depends on the machine */
	/* arithmetic takes at least as long, even with slow memory, and iterations are not seen to
	 * take much longer */
	PACE_ARITHMETIC,
};

struct pace {
	enum pace_verdict verdict;
	/* from 0 to 1: share of the loop's time that it would need if memory accesses took no time;
	 * 0: nothing is known, 1: PACE_ARITHMETIC */
	double other;
	/* share of the time that mispredicted jumps take, if a quarter of those is mispredicted
	 * that depend on data */
	double jumps;
	/* share of the time that arithmetic may need: it does on a usual CPU, but not on the
	 * fastest one, or if half of these jumps are mispredicted. If PACE_MEMORY, the longer an
	 * iteration takes, the less is in doubt */
	double unclear;
};

/* Sets `part` of the n accesses a[]. Must be called before the functions below if two accesses may
 * be to one object. */
void pace_parts(struct pace_access *a, unsigned n);

/* Judges a loop by its n accesses. `turn` is the number of cycles of an iteration according to the
 * loop's counter; if it is 0 (unknown), the rates of streams may show it. `reach` is the result of
 * reach_find(). */
struct pace pace_judge(const struct wait_loop *l, const struct pace_access *a, unsigned n,
		       double turn, const struct wait_caches *c, const double reach[CACHE_LEVELS]);

/* Computes how many cycles the loop's accesses take in an iteration if bandwidth is the limit: a
 * stream that advances by 64 bytes transfers 16 times as many as one that advances by 4, and a
 * stream whose lines are still in a cache transfers them faster than memory does. Sets cycles[i]
 * for each of the n accesses a[i]: of a stream, the time of all streams through its object
 * together; of other accesses, the time from one miss to the next if many overlap. */
void pace_transfers(const struct wait_loop *l, const struct pace_access *a, unsigned n, double turn,
		    const struct wait_caches *c, const double reach[CACHE_LEVELS], double *cycles);

/* Returns which part of the time the transfer of a stream's bytes takes at most, from 0 to 1: at
 * the rate of the stream, if memory is slow. `stores`: whether its lines are written back. Returns
 * 0 if the rate is not known. */
double pace_transfer(const struct reach_access *a, bool stores, const struct wait_caches *c);

/* Returns how many cycles an iteration takes if an access moves by `step` bytes in an iteration (as
 * in struct wait_access), and by `rate` bytes per ns according to samples. Returns 0 if `step` is
 * unknown or perhaps not constant, or if `rate` is 0 (unknown). */
double pace_measured(int32_t step, double rate);

/* Returns by how many bytes per ns an access of loop *l advances at most if it moves by `step`
 * bytes in an iteration: as fast as arithmetic allows. Returns 0 if this is unknown. */
double pace_fastest(const struct wait_loop *l, int32_t step);

/* Returns how many cycles an iteration is expected to take. Its arithmetic takes `arithmetic`
 * cycles, and its memory accesses, which run at the same time, between `least` and `most`. If
 * arithmetic may hide the accesses (PACE_UNCLEAR), the result is `most`, so that as little of the
 * time as possible counts as arithmetic. Otherwise, it is the geometric mean of `least` and `most`,
 * after each has been raised to `arithmetic` if it is less. */
double pace_expected(enum pace_verdict verdict, double arithmetic, double least, double most);

#endif
