/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes accesses for the sampler "soft" to count, or prints how many its stream contains:
 *
 *   soft work        stores to an array once and loads it twice
 *   soft count FILE  prints how many loads and stores of the array the stream has
 */
#include <stdio.h>
#include <string.h>

#include "access_format.h"

enum { N = 5000 };

static volatile long array[N];

static void work(void)
{
	for (int i = 0; i < N; i++)
		array[i] = i;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < N; i++)
			(void)array[i];
}

/* If the sample is of the array, adds the number of accesses that it represents to n[0] (loads) or
 * n[1] (stores). `body` has the fields of the sample that ACCESS_SAMPLE_TYPE names; `last` is the
 * last field, the data source. */
static void add_sample(const uint64_t *body, uint64_t last, uint64_t n[2])
{
	if (body[0] == ACCESS_EVENT_ACCESS && body[4] - (uint64_t)array < sizeof(array))
		n[last & PERF_MEM_OP_STORE ? 1 : 0] += body[6];
}

static int count(const char *path)
{
	FILE *f = fopen(path, "r");
	uint64_t body[1 << 13], n[2] = { 0 };
	struct perf_event_header h;

	while (f && fread(&h, sizeof(h), 1, f) == 1) {
		const size_t words = (h.size - sizeof(h)) / sizeof(body[0]);

		if (fread(body, sizeof(body[0]), words, f) != words)
			return 1;
		if (h.type == PERF_RECORD_SAMPLE)
			add_sample(body, body[words - 1], n);
	}
	printf("%llu loads, %llu stores\n", (unsigned long long)n[0], (unsigned long long)n[1]);
	return !f || fclose(f);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "count"))
		return count(argv[2]);
	work();
	return 0;
}
