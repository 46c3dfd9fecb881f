/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/idlist.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* maximum number in a list; no machine has so many CPUs or nodes, so a list with a greater number
 * is damaged */
#define MAX_ID (1u << 20)

/* Reads a decimal number from *s and moves *s past it. A number greater than UINT32_MAX is read as
 * UINT32_MAX. Returns false if there is no number. */
static bool read_number(const char **s, uint32_t *out)
{
	uint64_t n = 0;

	if (!isdigit((unsigned char)**s))
		return false;
	for (; isdigit((unsigned char)**s); (*s)++)
		n = n < UINT32_MAX ? n * 10 + (uint64_t)(**s - '0') : n;
	*out = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
	return true;
}

bool idlist_range(struct idlist *l, uint32_t *first, uint32_t *last)
{
	while (*l->p == ',' || *l->p == ' ' || *l->p == '\n')
		l->p++;
	if (!*l->p || l->bad)
		return false;
	l->bad = !read_number(&l->p, first);
	if (l->bad)
		return false;
	*last = *first;
	if (*l->p == '-') {
		l->p++;
		l->bad = !read_number(&l->p, last) || *last < *first;
	}
	return !l->bad;
}

bool idlist_next(struct idlist *l, uint32_t *n)
{
	if (l->next > l->last) {
		uint32_t first, last;

		if (!idlist_range(l, &first, &last))
			return false;
		if (last > MAX_ID) {
			l->bad = true;
			return false;
		}
		l->next = first;
		l->last = last;
	}
	*n = l->next++;
	return true;
}

uint32_t idlist_count(const char *text)
{
	struct idlist l = idlist_make(text);
	uint32_t n, count = 0;

	while (idlist_next(&l, &n))
		count++;
	return count;
}

static bool has_bit(const uint64_t *words, size_t nwords, size_t bit)
{
	return bit < nwords * 64 && words[bit / 64] >> bit % 64 & 1;
}

void idlist_write(const uint64_t *words, size_t nwords, char *out, size_t size)
{
	size_t used = 0;

	out[0] = 0;
	for (size_t first = 0; first < nwords * 64; first++) {
		char range[48];
		size_t last = first;
		int len;

		if (!has_bit(words, nwords, first))
			continue;
		while (has_bit(words, nwords, last + 1))
			last++;
		len = snprintf(range, sizeof(range), last > first ? "%s%zu-%zu" : "%s%zu",
			       used ? "," : "", first, last);
		if (used + (size_t)len >= size)
			return;
		memcpy(out + used, range, (size_t)len + 1);
		used += (size_t)len;
		first = last;
	}
}
