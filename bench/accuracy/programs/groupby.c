/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums rows (64 MiB, in order) by group: searches the key of the group in a table of slots (16 MiB,
 * at random, probed linearly), and adds to the sum and count of the group in another table (32
 * MiB). */
// held out
// object rows -DROW_MASK=63
// object slots -DSLOT_MASK=255
// object sums -DSUM_MASK=63
#include "program.h"

enum { ROWS = 1 << 22, SLOTS = 1 << 21, GROUPS = 1 << 20 };
#ifndef ROW_MASK
#define ROW_MASK (ROWS - 1)
#endif
#ifndef SLOT_MASK
#define SLOT_MASK (SLOTS - 1)
#endif
#ifndef SUM_MASK
#define SUM_MASK (SLOTS - 1)
#endif

struct row {
	uint32_t key;
	float value;
	double weight;
};
struct sum {
	double total;
	uint64_t count;
};
static struct row *rows;
static uint64_t *slots;
static struct sum *sums;

void init(void)
{
	rows = malloc(ROWS * sizeof(*rows));
	slots = calloc(SLOTS, sizeof(*slots));
	sums = calloc(SLOTS, sizeof(*sums));
	for (int i = 0; i < ROWS; i++)
		rows[i] = (struct row){ random_number() % GROUPS, 1, 0.5 };
}

double kernel(void)
{
	for (uint32_t repeat = 0; repeat < 3; repeat++) {
		for (uint32_t i = 0; i < ROWS; i++) {
			const struct row *r = &rows[i & ROW_MASK];
			uint32_t key = MIX(r->key, i) % GROUPS + 1;
			uint32_t at = key * 0x9E3779B1u >> 11;

			/* Half of the slots are free, so a search is short. */
			while (slots[at & SLOT_MASK] && slots[at & SLOT_MASK] != (key | at >> 31) &&
			       (at & 3))
				at++;
			slots[at & SLOT_MASK] = key;
			sums[at & SUM_MASK].total += r->value * r->weight;
			sums[at & SUM_MASK].count++;
		}
	}
	return sums[7].total;
}
