/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/cell.h"

#include <string.h>

#include "base/escape.h"

enum { CONSIDERED = 100, LONGEST_KEPT = 30 };

bool cell_is_label(const char *s)
{
	const size_t digits = strspn(s, "0123456789"), len = strlen(s);
	const bool is_file = !strchr(s, ' ');

	return (s[0] == '[' && s[len - 1] == ']' && (!is_file || len <= LONGEST_KEPT)) ||
	       (digits && !strncmp(s + digits, " more ", 6));
}

/* Is s made of numbers, such as "-1347.4 to -366.6", "7.0-10.0", "54.1 %" or "~2.0M"? */
static bool is_figure(const char *s)
{
	return *s && strchr("0123456789+-~", *s) && !s[strspn(s, "0123456789.,+-~ %toKMGk")];
}

int cell_least(const char *s)
{
	const int width = escape_width(s), place = escape_place(s);
	const int least = is_figure(s) ? width : place < width && place ? place + 1 : place;

	return least <= LONGEST_KEPT ? least : 0; /* the 1 is for "…", in place of a function */
}

/* Do two texts look the same if both are shortened in this way? */
static bool look_same(const char *a, const char *b, int max, int head)
{
	const struct escape_cut x = escape_cut_after(a, max, head);
	const struct escape_cut y = escape_cut_after(b, max, head);

	return x.head == y.head && !memcmp(a, b, x.head) && !strcmp(a + x.tail, b + y.tail);
}

/* Returns the number of texts that differ from an earlier one but look the same if shortened. */
static int count_lookalikes(const struct cell_column *c, int max, int head)
{
	int rows = c->rows < CONSIDERED ? c->rows : CONSIDERED, n = 0;

	for (int i = 1; i < rows; i++)
		for (int k = 0; k < i; k++) {
			const char *a = c->at[i * c->stride], *b = c->at[k * c->stride];

			if (a && b && strcmp(a, b) != 0 && look_same(a, b, max, head)) {
				n++;
				break;
			}
		}
	return n;
}

/* Tries the cuts that are nearest to the middle first. */
int cell_head(const struct cell_column *c, int max)
{
	int best = ESCAPE_MIDDLE, least = count_lookalikes(c, max, best);

	for (int step = 1; least && step < max; step++) {
		const int head = max / 2 + (step % 2 ? -(step + 1) / 2 : step / 2);
		const int n = head >= 0 && head < max ? count_lookalikes(c, max, head) : least;

		if (n < least) {
			least = n;
			best = head;
		}
	}
	return best;
}
