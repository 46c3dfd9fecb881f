// SPDX-License-Identifier: GPL-2.0-or-later
// False sharing in C++: two stages of a pipeline update different members of one heap object, with
// some arithmetic in between. With the switch, the members of each stage have their own cache line.
// options -pthread -std=c++17
// object statistics -DPAD statistics*
#include "program.h"
#include "team.h"

#ifdef PAD
#define STAGE alignas(LINE)
#else
#define STAGE
#endif

struct alignas(LINE) Statistics {
	STAGE volatile uint64_t parsed = 0;
	volatile double bytes = 0;
	STAGE volatile uint64_t written = 0;
	volatile double seconds = 0;
};

static Statistics *statistics;
static const int items = 12000000;

static void kernel_parse(uint32_t seed)
{
	for (int i = 0; i < items; i++) {
		seed = seed * 1664525 + 1013904223;
		statistics->parsed = statistics->parsed + 1;
		statistics->bytes = statistics->bytes + (seed >> 24);
	}
}

static void kernel_write(uint32_t seed)
{
	for (int i = 0; i < items; i++) {
		seed = seed * 22695477 + 1;
		statistics->written = statistics->written + 1;
		statistics->seconds = statistics->seconds + (seed >> 20);
	}
}

static void kernel_stage(int me)
{
	if (me)
		kernel_write(7);
	else
		kernel_parse(3);
}

void init(void)
{
	statistics = new Statistics;
}

double kernel(void)
{
	team_run(2, kernel_stage);
	return statistics->bytes + statistics->seconds + statistics->parsed + statistics->written;
}
