/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/internal.h"

#include <ctype.h>

/* A decimal number, held at the largest value; false where there is none. */
static bool number(const char **s, uint64_t *out)
{
	if (!isdigit((unsigned char)**s))
		return false;
	*out = 0;
	for (; isdigit((unsigned char)**s); (*s)++) {
		if (*out < UINT32_MAX)
			*out = *out * 10 + (uint64_t)(**s - '0');
	}
	return true;
}

void pd_set_nodes(struct pd_cpu *cpus, uint32_t ncpus, const char *list, int32_t node)
{
	uint64_t first, last, next = 0;

	/* Lists ascend, so one that does not is not worth the time it may cost. */
	while (number(&list, &first) && first >= next) {
		last = first;
		if (*list == '-') {
			list++;
			if (!number(&list, &last))
				return;
		}
		for (uint64_t i = first; i <= last && i < ncpus; i++)
			cpus[i].node = node;
		if (*list != ',')
			return;
		list++;
		next = last + 1;
	}
}
