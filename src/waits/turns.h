/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates how often the loops of a recorded program run, from the iterations that remain in
 * samples (nest.h). Used only in waits/. */
#ifndef MEMDB_WAITS_TURNS_H
#define MEMDB_WAITS_TURNS_H

#include "base/index.h"

#include <stdbool.h>
#include <stdint.h>

/* A new table is { 0 }. */
struct turns {
	struct {
		struct turns_loop {
			uint32_t dso;
			uint64_t offset;  /* offset of its last instruction in the file */
			uint32_t n;       /* number of samples */
			double sum, most; /* of the iterations that remain */
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

/* Returns the number of iterations that the loop usually runs; 0 if there are too few samples. */
double turns_usual(const struct turns *t, uint32_t loop);

#endif
