/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers for each code location the answer to a question that compares names, because a location
 * is in many call paths. */
#ifndef MEMDB_IMPORT_ANSWERS_H
#define MEMDB_IMPORT_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

struct import;

/* The answers to one question, indexed by locations.id - 1. A struct of zeros has none. */
struct answers {
	uint8_t *at; /* 0: not asked yet, 1: no, 2: yes */
	uint32_t n, cap;
};

/* Returns the answer for this location, which must not be 0. Only the first call for a location
 * calls find(). When out of memory, sets im->nomem and returns false. */
bool answer_for(struct import *im, struct answers *known, uint32_t location,
		bool (*find)(struct import *im, uint32_t location));

#endif
