/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/idlist.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_ID (1u << 20) /* more than any machine's CPUs or nodes: a larger number is damage */

bool idlist_next(struct idlist *l, unsigned *n)
{
	if (l->next > l->last) {
		char *end;
		unsigned long from = strtoul(l->p, &end, 10), to = from;

		if (end == l->p || from > MAX_ID)
			return false;
		if (*end == '-') {
			const char *second = end + 1;

			to = strtoul(second, &end, 10);
			if (end == second || to < from || to > MAX_ID)
				return false;
		}
		l->p = *end == ',' ? end + 1 : end;
		l->next = (unsigned)from;
		l->last = (unsigned)to;
	}
	*n = l->next++;
	return true;
}

unsigned idlist_count(const char *text)
{
	struct idlist l = idlist_make(text);
	unsigned n, count = 0;

	while (idlist_next(&l, &n))
		count++;
	return count;
}

void idlist_from_cpus(const cpu_set_t *set, size_t size, char *out, size_t len)
{
	int cpus = (int)size * 8;
	size_t used = 0;

	*out = 0;
	for (int from = 0; from < cpus; from++) {
		int to = from;

		if (!CPU_ISSET_S(from, size, set))
			continue;
		while (to + 1 < cpus && CPU_ISSET_S(to + 1, size, set))
			to++;
		used += (size_t)snprintf(out + used, len - used, to > from ? "%s%d-%d" : "%s%d",
					 used ? "," : "", from, to);
		if (used >= len) {
			out[len - 1] = 0;
			return;
		}
		from = to;
	}
}
