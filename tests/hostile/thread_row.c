/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that runs twenty thousand threads, one after the other. After the first
 * thousand, the number of mappings and of descriptors must not grow.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 20000 deaths 20000
 * kinds: thread_end 20000
 * log: 8000 */
#include "hostile.h"

static void *run(void *arg)
{
	pairs(1);
	return NULL;
}

static int maps(void)
{
	int lines = 0, c;
	FILE *f = fopen("/proc/self/maps", "r");

	if (!f)
		die("maps");
	while ((c = getc(f)) != EOF)
		lines += c == '\n';
	fclose(f);
	return lines;
}

/* Returns the lowest free descriptor number. */
static int descriptors(void)
{
	int fd = dup(0);

	if (fd < 0)
		die("dup");
	close(fd);
	return fd;
}

int main(void)
{
	pthread_t t;
	int before = 0, open = 0;

	for (int i = 0; i < 20000; i++) {
		start_threads(&t, 1, run, NULL);
		join_threads(&t, 1);
		if (i == 1000) {
			before = maps();
			open = descriptors();
		}
	}
	must(maps() < before + 20, "maps do not grow");
	must(descriptors() == open, "descriptors do not grow");
	puts("thread row");
	return 0;
}
