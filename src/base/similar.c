/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/similar.h"

#include <string.h>

enum { NAME_MAX_LEN = 64 };

/* Returns the Levenshtein distance of two names: how many letters must be inserted, removed or
 * replaced to turn one into the other. A name longer than NAME_MAX_LEN counts as far from all other
 * names. The algorithm of Wagner and Fischer (1974) fills a matrix; keeping one row of it is
 * enough. row[j] is the distance between the letters of a that were read and the first j letters of
 * b. */
static int edit_distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	int row[NAME_MAX_LEN + 1];

	if (n > NAME_MAX_LEN || strlen(a) > NAME_MAX_LEN)
		return NAME_MAX_LEN;
	for (size_t j = 0; j <= n; j++)
		row[j] = (int)j;
	for (int i = 1; *a; a++, i++) {
		int diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			int change = diagonal + (*a != b[j - 1]);
			int skip = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);

			diagonal = row[j];
			row[j] = change < skip ? change : skip;
		}
	}
	return row[n];
}

bool similar_offer(struct similar *s, const char *name)
{
	int most = (int)strlen(s->wanted) / 2;
	int d = *s->wanted && strstr(name, s->wanted) ? 0 : edit_distance(s->wanted, name);

	if (d > most || (s->any && d >= s->distance))
		return false;
	s->distance = d;
	s->any = true;
	return true;
}
