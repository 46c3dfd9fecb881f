/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "region.h"

#include <stdlib.h>
#include <string.h>

/* lines of an entry: begin, length, landing pad, action */
enum { ENTRY_LINES = 4 };

void regions_release(struct regions *r)
{
	free(r->copy);
}

static const char *skip_space(const char *s)
{
	return s + strspn(s, " \t");
}

/* Returns n if s begins with the label <name>n, otherwise REGION_NONE. Sets *end to the text after
 * it. */
static long label_number(const char *s, const char *name, char **end)
{
	const size_t length = strlen(name);
	long n;

	if (strncmp(s, name, length) != 0)
		return REGION_NONE;
	n = strtol(s + length, end, 10);
	return *end == s + length ? REGION_NONE : n;
}

/* If line i begins an entry of a table, ".uleb128 .LEHBn-start", returns n and sets *start to the
 * label "start". */
static long region_of_entry(const struct text *t, int i, const char **start)
{
	const char *s = skip_space(t->line[i].text);
	char *end;
	long n;

	if (strncmp(s, ".uleb128", strlen(".uleb128")) != 0)
		return REGION_NONE;
	n = label_number(skip_space(s + strlen(".uleb128")), ".LEHB", &end);
	if (n == REGION_NONE || *end != '-')
		return REGION_NONE;
	*start = end + 1;
	return n;
}

/* Writes an entry for this copy after the entries of the table that ends at line `end`: entries are
 * in the order of addresses, and copies are at the end of a function. */
static void put_entry(const struct region_copy *c, const struct text *t, int end, FILE *out)
{
	const char *start;

	for (int i = end - ENTRY_LINES; i >= 0; i -= ENTRY_LINES) {
		const long n = region_of_entry(t, i, &start);

		if (n == REGION_NONE)
			return;
		if (n != c->region)
			continue;
		fprintf(out,
			"\t.uleb128 .Lmemdb_copy%u-%s\n\t.uleb128 .Lmemdb_left%u-.Lmemdb_copy%u\n",
			c->copy, start, c->copy, c->copy);
		fprintf(out, "%s\n%s\n", t->line[i + 2].text, t->line[i + 3].text);
		return;
	}
}

void regions_read(struct regions *r, const struct text *t, int i, FILE *out)
{
	const char *s = t->line[i].text;
	char *end;
	long n;

	if (*s != '.')
		return;
	n = label_number(s, ".LEHB", &end);
	if (n != REGION_NONE)
		r->now = n;
	else if (label_number(s, ".LEHE", &end) != REGION_NONE)
		r->now = REGION_NONE;
	if (strncmp(s, ".LLSDACSE", strlen(".LLSDACSE")) != 0)
		return;
	for (unsigned c = 0; c < r->ncopies; c++)
		put_entry(&r->copy[c], t, i, out);
	r->ncopies = 0;
}

void regions_add(struct regions *r, unsigned copy)
{
	if (r->now == REGION_NONE)
		return;
	if (r->ncopies == r->room) {
		const unsigned room = r->room ? 2 * r->room : 64;
		struct region_copy *bigger = realloc(r->copy, room * sizeof(bigger[0]));

		if (!bigger) {
			r->failed = true;
			return;
		}
		r->copy = bigger;
		r->room = room;
	}
	r->copy[r->ncopies++] = (struct region_copy){ copy, r->now };
}
