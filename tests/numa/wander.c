/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that goes from CPU to CPU. On each CPU it does one thing that perf or the tracker
 * records: it touches fresh pages, allocates a block, or computes for 30 ms of CPU time. Needs four
 * CPUs.
 *
 * Prints "cpu NUMBER" for each CPU, in order.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, PAGES = 16, BLOCK = 1 << 20 };

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(2);
	}
	printf("cpu %d\n", cpu);
}

static void compute(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC * 3 / 100;

	while (clock() < end)
		;
}

int main(void)
{
	static const int cpus[] = { 3, 0, 1, 2, 0, 1, 3, 2 };
	int n = sizeof(cpus) / sizeof(*cpus);
	char *pages = mmap(NULL, (size_t)n * PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return 2;
	for (int i = 0; i < n; i++) {
		run_on(cpus[i]);
		if (i % 3 == 0) {
			for (int page = 0; page < PAGES; page++)
				*(volatile char *)(pages + ((size_t)i * PAGES + page) * PAGE) = 1;
		} else if (i % 3 == 1) {
			*(volatile char *)malloc(BLOCK) = 1;
		} else {
			compute();
		}
	}
	return 0;
}
