/* SPDX-License-Identifier: GPL-2.0-or-later */
/* False sharing: two threads count the words of their own text by length, each in its own row of a
 * static table. Both rows are in one cache line. With the switch, each row has its own line. */
// options -pthread
// object tally -DPAD
#include "program.h"
#include "team.h"

enum { THREADS = 2, WORDS = 1 << 12, PASSES = 6000 };
#ifdef PAD
#define ROW _Alignas(LINE)
#else
#define ROW
#endif

struct row {
	ROW uint32_t lengths[4];
};
static struct row tally[THREADS];
static uint8_t *texts[THREADS];

void init(void)
{
	for (int t = 0; t < THREADS; t++) {
		texts[t] = malloc(WORDS);
		for (int i = 0; i < WORDS; i++)
			texts[t][i] = random_number() & 3;
	}
}

static void kernel_tally(int me)
{
	const uint8_t *text = texts[me];
	uint32_t *lengths = tally[me].lengths;

	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < WORDS; i++)
			lengths[text[i]]++;
}

double kernel(void)
{
	team_run(THREADS, kernel_tally);
	return tally[0].lengths[1] + tally[1].lengths[2];
}
