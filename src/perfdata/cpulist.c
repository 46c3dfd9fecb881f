/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/internal.h"

#include <ctype.h>

/* Reads a decimal number, capped at the largest value. False if there is none. */
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

uint32_t pd_set_nodes(struct pd_cpu *cpus, uint32_t ncpus, uint32_t budget, const char *list,
		      int32_t node)
{
	uint64_t first, last;

	while (number(&list, &first)) {
		last = first;
		if (*list == '-') {
			list++;
			if (!number(&list, &last))
				break;
		}
		for (uint64_t i = first; i <= last && i < ncpus && budget; i++, budget--)
			cpus[i].node = node;
		if (*list != ',')
			break;
		list++;
	}
	return budget;
}
