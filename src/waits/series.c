/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/series.h"

#include <math.h>
#include <stdlib.h>

enum {
	LINE = 64,
	FIRST_SLOTS = 16,
	MOST_SHIFT = 20,
	WORD = 8,
};

/* If more than this share of the steps goes in one direction, the addresses are in order. */
#define IN_ORDER 0.6

/* If more than this share of the draws is distinct, the number of lines cannot be estimated, only
 * that there are many. */
#define ALL_DISTINCT 0.98

const struct wait_caches wait_caches_default = {
	.level = { { 48 << 10, 4 }, { 1 << 20, 14 }, { 32 << 20, 50 } },
	.memory = 400,
};

/* Must be the same in every run, so that a recording always gives the same shares. Never 0. */
static uint32_t hash_of(uint64_t line)
{
	line *= UINT64_C(0x9e3779b97f4a7c15);
	line ^= line >> 32;
	line *= UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(line >> 32) | UINT32_C(1) << 31;
}

/* The slot of a hash, or a free one. The low zeros of the hash carry no information. */
static struct series_line *find(struct series_line *lines, uint32_t size, uint32_t hash,
				uint32_t shift)
{
	uint32_t i = (hash >> shift) & (size - 1);

	while (lines[i].hash && lines[i].hash != hash)
		i = (i + 1) & (size - 1);
	return &lines[i];
}

static bool is_kept(uint32_t hash, uint32_t shift)
{
	return !(hash & ((UINT32_C(1) << shift) - 1));
}

/* Moves the lines that are still kept into a table of `size` slots. */
static bool rehash(struct series *s, uint32_t size, uint32_t shift)
{
	struct series_line *lines = calloc(size, sizeof(*lines));
	uint32_t used = 0;

	if (!lines)
		return false;
	for (uint32_t i = 0; i < s->size; i++) {
		if (!s->lines[i].hash || !is_kept(s->lines[i].hash, shift))
			continue;
		*find(lines, size, s->lines[i].hash, shift) = s->lines[i];
		used++;
	}
	free(s->lines);
	s->lines = lines;
	s->size = size;
	s->used = used;
	s->shift = shift;
	return true;
}

static bool make_room(struct series *s)
{
	if (s->used == SERIES_LINES && s->shift < MOST_SHIFT)
		return rehash(s, s->size, s->shift + 1);
	if (2 * s->used >= s->size && s->used < SERIES_LINES)
		return rehash(s, s->size ? 2 * s->size : FIRST_SLOTS, s->shift);
	return true;
}

static bool add_line(struct series *s, uint64_t line)
{
	uint32_t hash = hash_of(line);
	struct series_line *l;

	if (!is_kept(hash, s->shift))
		return true;
	if (!make_room(s))
		return false;
	if (!is_kept(hash, s->shift) || s->used == SERIES_LINES)
		return true;
	l = find(s->lines, s->size, hash, s->shift);
	s->used += !l->hash;
	l->hash = hash;
	l->n++;
	return true;
}

bool series_add(struct series *s, uint64_t address)
{
	if (s->n) {
		s->up += address > s->last;
		s->down += address < s->last;
	}
	if (!s->n || address < s->low)
		s->low = address;
	if (!s->n || address > s->high)
		s->high = address;
	s->last = address;
	s->n++;
	return add_line(s, address / LINE);
}

void series_release(struct series *s)
{
	free(s->lines);
	*s = (struct series){ 0 };
}

/* The estimated number of lines if n draws hit d distinct ones; at most `most`. */
static double recapture(double n, double d, double most)
{
	double low = d, high = most;

	while (high > low * 1.01) {
		double u = sqrt(low * high);

		if (-u * expm1(-n / u) < d)
			low = u;
		else
			high = u;
	}
	return sqrt(low * high);
}

double series_footprint(const struct series *s)
{
	double span = (double)(s->high / LINE - s->low / LINE + 1), lines;
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->size; i++)
		n += s->lines[i].n;
	if (s->n < 2 || !s->used || (double)s->used >= ALL_DISTINCT * (double)n)
		return span * LINE;
	lines = recapture((double)n, s->used, span) * (double)(UINT64_C(1) << s->shift);
	return (lines < span ? lines : span) * LINE;
}

double series_order(const struct series *s)
{
	double up = s->up, down = s->down;

	if (s->n <= SERIES_FEW || up + down == 0)
		return 0;
	return fabs(up - down) / (up + down);
}

bool series_is_stream(const struct series *s, const struct wait_caches *c)
{
	return series_order(s) > IN_ORDER && series_footprint(s) > (double)c->level[1].bytes;
}

/* Prefetched: only the memory's time for transferring the bytes is left. */
static double wait_in_order(double footprint, unsigned bytes, const struct wait_caches *c)
{
	static const double word[CACHE_LEVELS + 1] = { 0, 4, 6, 10 };
	int level = 0;

	while (level < CACHE_LEVELS && footprint >= (double)c->level[level].bytes)
		level++;
	return level ? (bytes ? bytes : WORD) / (double)WORD * word[level] : 0.5;
}

/* Each cache level serves the share of the accesses that fits into it. */
double series_wait_anywhere(double footprint, const struct wait_caches *c)
{
	double served = 0, cycles = 0;

	for (int i = 0; i <= CACHE_LEVELS; i++) {
		double room = i < CACHE_LEVELS ? (double)c->level[i].bytes / footprint : 1;
		double share = (room < 1 ? room : 1) - served;

		if (share <= 0)
			continue;
		cycles += share * (i < CACHE_LEVELS ? c->level[i].cycles : c->memory);
		served += share;
	}
	return cycles - c->level[0].cycles + 0.5;
}

double series_wait(const struct series *s, unsigned bytes, const struct wait_caches *c)
{
	double footprint = series_footprint(s);

	return series_order(s) > IN_ORDER ? wait_in_order(footprint, bytes, c)
					  : series_wait_anywhere(footprint, c);
}
