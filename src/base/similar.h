/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests the name that a user meant and misspelled. */
#ifndef MEMDB_BASE_SIMILAR_H
#define MEMDB_BASE_SIMILAR_H

#include <stdbool.h>

/* The most similar of the names that were offered so far. Starts as { .wanted = "…" }. */
struct similar {
	const char *wanted;
	int distance; /* distance of the most similar name from `wanted`; valid if `any` is set */
	bool any;     /* a similar name has been offered */
};

/* Is `name` more similar to s->wanted than all names offered before? A name that contains the
 * wanted name is the most similar one. A name whose distance is more than half the length of the
 * wanted name is not similar. If several names are equally similar, only the first yields true, so
 * important names must be offered first. */
bool similar_offer(struct similar *s, const char *name);

#endif
