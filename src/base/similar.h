/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the name that a user may have meant. */
#ifndef MEMDB_BASE_SIMILAR_H
#define MEMDB_BASE_SIMILAR_H

#include <stdbool.h>

/* The most similar of the names that were offered so far. Starts as { .wanted = "…" }. */
struct similar {
	const char *wanted;
	int distance; /* of the best name; valid if `any` is set */
	bool any;     /* a similar name was offered */
};

/*
 * Is this name more similar to s->wanted than all names before? A name that contains the wanted one
 * is the most similar; a name of which more than half of the letters differ is not similar. Returns
 * true for the first of several equally similar names only, so offer important names first.
 */
bool similar_offer(struct similar *s, const char *name);

#endif
