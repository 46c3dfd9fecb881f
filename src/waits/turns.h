/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates how often the loops of a recorded program run, from the iterations that remain in
 * samples (nest.h), and how long an iteration takes, from their counters in successive samples.
 * Used only in waits/. */
#ifndef MEMDB_WAITS_TURNS_H
#define MEMDB_WAITS_TURNS_H

#include "base/index.h"

#include <stdbool.h>
#include <stdint.h>

enum { TURNS_THREADS = 4 /* maximum number of threads whose counters are compared */ };

/* A sample in a loop: the register to which each iteration adds `adds`, and a number that is likely
 * to differ between runs of the loop: a hash of the registers that it does not change. */
struct turns_count {
	uint32_t thread;
	int32_t adds;
	uint64_t counter, run, time, period;
};

/* A new table is { 0 }. */
struct turns {
	struct {
		struct turns_loop {
			uint32_t dso;
			uint64_t offset;  /* offset of its last instruction in the file */
			uint32_t n;       /* number of samples */
			double sum, most; /* of the iterations that remain */
			struct turns_thread {
				uint32_t thread; /* 0 means none */
				/* of its last sample */
				uint64_t time, counter, run;
				int64_t low, high; /* of the counter, in all samples */
			} threads[TURNS_THREADS];
			/* pairs of successive samples between which the loop seems to have gone on;
			 * whose counter was set back; of different runs by their fixed registers */
			uint32_t goes_on, back, changed;
			double ns, turns;      /* of the pairs between which the loop went on */
			double rates, squares; /* sums of their turns per ns, and of its squares */
			/* number of samples whose counter was reported */
			uint64_t counted;
			uint64_t period; /* the longest time between the samples of a pair */
		} * at;
		uint32_t n, cap;
	} loops;
	struct index by_offset;
};

void turns_release(struct turns *t);

/* Returns the id of a loop, never 0. 0 means out of memory. */
uint32_t turns_loop(struct turns *t, uint32_t dso, uint64_t offset);

/* Reports that `left` iterations of the loop remain in a sample, with the current one. */
void turns_saw(struct turns *t, uint32_t loop, double left);

/* Reports the loop's counter in a sample. Must be called in the order of time. */
void turns_counted(struct turns *t, uint32_t loop, const struct turns_count *c);

/* Returns how many ns an iteration of the loop takes, if it runs so long that successive samples
 * are in the same run; otherwise 0. No iteration takes less than `least` ns. */
double turns_time(const struct turns *t, uint32_t loop, int32_t adds, double least);

/* Returns the number of iterations that the loop usually runs; 0 if there are too few samples. */
double turns_usual(const struct turns *t, uint32_t loop);

/* Returns the same, but 0 if the loop does not always run about the same number of iterations. */
double turns_equal(const struct turns *t, uint32_t loop);

/* Returns which part of the samples in the loop `around` are in the loop `inner` inside it: of
 * those whose counters were reported. */
double turns_part(const struct turns *t, uint32_t inner, uint32_t around);

#endif
