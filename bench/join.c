/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how fast samples are joined to blocks (model/objects.h), without files: 10 million
 * allocation events (births and deaths in random order, with LIVE blocks alive) and 2 million
 * address look-ups between them. Prints CPU seconds and ns for each. Then prints the memory and the
 * time of a fork with ten times as many live blocks.
 *
 *    join [LIVE]      default 100000
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "model/objects.h"

enum { EVENTS = 10000000, LOOKUPS = 2000000 };

/* Returns the CPU time of this process. Unlike wall time, it depends little on what else the
 * machine does. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns how many bytes of anonymous memory this process has in RAM. */
static uint64_t memory(void)
{
	unsigned long long resident = 0, shared = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f || fscanf(f, "%*u %llu %llu", &resident, &shared) != 2)
		resident = shared = 0;
	if (f)
		fclose(f);
	return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void add(struct objects *o, uint32_t process, uint32_t k, uint64_t time)
{
	objects_birth(o, process,
		      &(struct birth){ .start = 0x10000 + k * UINT64_C(96),
				       .size = 80,
				       .time = time,
				       .call_path = k % 1000 + 1 });
}

/* Measures the memory per live block: makes `live` births in the order of their addresses. Then
 * measures the time of a fork. */
static void measure_memory(struct objects *o, struct space *space, uint32_t live)
{
	uint32_t process = space_process_of(space, 2, true, 1);
	uint64_t before = memory();
	double t0;

	for (uint32_t k = 0; k < live; k++)
		add(o, process, k, k);
	printf("%.1f bytes for each live block\n", (double)(memory() - before) / live);
	t0 = now();
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t child = space_process_of(space, 1000 + i, true, 1);

		objects_fork(o, process, child);
		objects_death(o, child, 0x10000, i, 1, 0, BLOCK_FREED);
		objects_end_process(o, child, i, BLOCK_PROCESS_END);
	}
	printf("%.1f us for a child that frees one of them and ends\n", (now() - t0) * 1e6 / 400);
}

static uint32_t next_random(uint64_t *s)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*s >> 33);
}

int main(int argc, char **argv)
{
	uint32_t live = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000, found = 0,
		 process;
	struct sym_options so = { 0 };
	struct objects objects;
	struct space space;
	struct code code;
	uint64_t seed = 1;
	double t0;
	bool *alive = calloc(live + 1, sizeof(*alive));

	if (!live || !alive || code_init(&code, &so, NULL))
		return 1;
	space_init(&space, &code);
	objects_init(&objects, &space, &(struct block_sink){ .keep_bytes = 4096 });
	process = space_process_of(&space, 1, true, 1);
	t0 = now();
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint32_t k = next_random(&seed) % live;
		uint64_t address = 0x10000 + k * UINT64_C(96);

		if (alive[k])
			objects_death(&objects, process, address, i, 1, 0, BLOCK_FREED);
		else
			add(&objects, process, k, i);
		alive[k] = !alive[k];
		if (i % (EVENTS / LOOKUPS) == 0) {
			address = 0x10000 + next_random(&seed) % live * UINT64_C(96) + 8;
			found += objects_find(&objects, process, 0, address, 0).object != 0;
		}
	}
	t0 = now() - t0;
	printf("%d events and %d look-ups over %u blocks: %.2f s (%.0f ns each); %u found\n",
	       EVENTS, LOOKUPS, live, t0, t0 * 1e9 / (EVENTS + LOOKUPS), found);
	measure_memory(&objects, &space, live * 10);
	objects_release(&objects);
	space_release(&space);
	code_release(&code);
	free(alive);
	return 0;
}
