// SPDX-License-Identifier: GPL-2.0-or-later
// Data that is only read next to data that is written: one thread applies the options of a static
// structure to its numbers, another thread counts events in the same structure. With the switch,
// the counter begins at its own cache line.
// options -pthread -std=c++17
// object state -DPAD
#include "program.h"
#include "team.h"

struct alignas(LINE) State {
	volatile double scale = 1.5, offset = 2;
	volatile int mode = 1;
#ifdef PAD
	alignas(LINE)
#endif
		volatile uint64_t events = 0;
};

static State state;
static double *numbers;
static const int count = 1 << 10, passes = 60000;
static double result;

static void kernel_apply()
{
	double sum = 0;

	for (int pass = 0; pass < passes; pass++)
		for (int i = 0; i < count; i++)
			if (state.mode)
				sum += numbers[i] * state.scale + state.offset;
	result = sum;
}

static void kernel_count(uint32_t seed)
{
	for (int i = 0; i < 30000000; i++) {
		seed = seed * 1664525 + 1013904223;
		if (seed >> 30)
			state.events = state.events + 1;
	}
}

static void kernel_part(int me)
{
	if (me)
		kernel_count(5);
	else
		kernel_apply();
}

void init(void)
{
	numbers = new double[count];
	for (int i = 0; i < count; i++)
		numbers[i] = i;
}

double kernel(void)
{
	team_run(2, kernel_part);
	return result + state.events;
}
