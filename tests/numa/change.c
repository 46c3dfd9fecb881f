/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets the kernel or another process move pages, or replace them by huge pages. Needs four nodes,
 * each with one CPU of the same number. The arrays are:
 *
 * most: memory of two huge pages, written as small pages: of every three, two on node 1 and one on
 *     node 2. Then madvise(MADV_COLLAPSE) makes two huge pages of it.
 * draw: the same, but of every two small pages, one is on node 1 and one on node 2
 * small: written like draw; used before khugepaged makes the pages huge
 * large: the memory of small, used after khugepaged has made the pages huge
 * here: written on node 0
 * there: the memory of here, used after migratepages(8) has moved it to node 3
 *
 * With the argument "collapse", only the first two are made. For each array, the program prints
 * "array NAME ADDRESS BYTES PID TID START_NS END_NS", where the times are those of the work on
 * it, and for each of its pages "home ADDRESS NODE" with the node that the kernel reports.
 */
#include <numaif.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "answer.h"

enum { PAGE = 4096, HUGE = 2 << 20, BYTES = 2 * HUGE };

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static void need(long ret, const char *what)
{
	if (ret < 0) {
		perror(what);
		exit(2);
	}
}

static void run_on_node(int node)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(node, &set);
	need(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

/* Maps an aligned range of two huge pages, which the program has not touched. */
NOINLINE static char *map_aligned(void)
{
	char *all = mmap(NULL, BYTES + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	char *p = (char *)(((uintptr_t)all + HUGE - 1) & -(uintptr_t)HUGE);

	if (all == MAP_FAILED)
		need(-1, "mmap");
	need(madvise(all, BYTES + HUGE, MADV_NOHUGEPAGE), "madvise");
	return p;
}

/* Writes the pages. Of each group of `of` consecutive pages, the last is written on node 2 and the
 * others on node 1. */
NOINLINE static void write_mixed(char *p, int of)
{
	for (int node = 1; node <= 2; node++) {
		run_on_node(node);
		for (int i = 0; i < BYTES / PAGE; i++)
			if ((i % of == of - 1) == (node == 2))
				*(volatile char *)(p + (size_t)i * PAGE) = 1;
	}
	run_on_node(0);
}

/* The emulator interrupts the program for a timer sample only where a basic block begins. The
 * access is the first instruction of the inner loop's basic block, so samples are taken at the
 * access. */
NOINLINE static void work_on(const char *p, int64_t ns)
{
	struct budget b = budget_of(ns);

	while (budget_lasts(&b))
		for (const char *a = p; a < p + BYTES; a += 1024)
			(void)*(const volatile uint64_t *)a;
}

static void tell(const char *name, char *p, int64_t start, int64_t end)
{
	tell_array(name, p, BYTES, gettid_now(), start, end);
	for (size_t i = 0; i < BYTES; i += PAGE) {
		void *page = p + i;
		int node = -1;

		need(move_pages(0, 1, &page, NULL, &node, 0), "move_pages");
		printf("home %" PRIuPTR " %d\n", (uintptr_t)page, node);
	}
	fflush(stdout);
}

NOINLINE static void collapse(const char *name, int of)
{
	char *p = map_aligned();
	int64_t start;

	write_mixed(p, of);
	need(madvise(p, BYTES, MADV_HUGEPAGE), "madvise");
	need(madvise(p, BYTES, MADV_COLLAPSE), "madvise(MADV_COLLAPSE)");
	start = now_ns();
	work_on(p, 200000000);
	tell(name, p, start, now_ns());
}

/* Returns how many bytes of the mapping at p are in huge pages. */
static long huge_bytes(const char *p)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long start, end;
	bool mine = false;
	char line[512];
	long kb = -1;

	while (f && kb < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			mine = (uintptr_t)p >= start && (uintptr_t)p < end;
		if (mine)
			sscanf(line, "AnonHugePages: %ld", &kb);
	}
	if (f)
		fclose(f);
	return kb * 1024;
}

/* Returns how many pages are described by `nodes`, a field of a line of follow.log that lists nodes
 * of successive pages. "0x3,-,1" describes five: three on node 0, one that is absent, and one on
 * node 1. */
static size_t pages_of(const char *nodes)
{
	size_t n = 0;

	for (const char *at = nodes; *at > ' '; at += strcspn(at, ",\t\n"), at += *at == ',') {
		const char *times = at + strcspn(at, "x,\t\n");

		n += *times == 'x' ? strtoul(times + 1, NULL, 10) : 1;
	}
	return n;
}

/* Returns whether the follower (the part of memdb that queries the kernel where pages are) has
 * looked at p since `since`. Its log, follow.log, is next to the tracker's folder. */
static bool was_looked_at(const char *p, int64_t since)
{
	const char *dir = getenv("MEMDB_TRACK_DIR");
	char path[4096], *line = NULL;
	bool found = false;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/../follow.log", dir ? dir : "");
	f = fopen(path, "r");
	while (f && !found && getline(&line, &cap, f) > 0) {
		int64_t time;
		uint64_t address, step;
		int pid, end = 0;

		if (sscanf(line, "homes\t%" SCNd64 "\t%d\t%" SCNx64 "\t%" SCNu64 "\t%n", &time,
			   &pid, &address, &step, &end) == 4 &&
		    end && time > since && pid == getpid())
			found = address < (uintptr_t)p + BYTES &&
				address + step * pages_of(line + end) > (uintptr_t)p;
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* Works on the pages at p until the follower has queried their nodes once (a "look"). That look may
 * have begun before this call, so a caller that needs a newer look calls this function twice. */
static void await_look(const char *p)
{
	int64_t since = now_ns();

	for (int i = 0; i < 300 && !was_looked_at(p, since); i++)
		work_on(p, 100000000);
}

NOINLINE static void by_khugepaged(void)
{
	char *p = map_aligned();
	int64_t start, seen;

	write_mixed(p, 2);
	/* after the first look, the follower knows that some pages became huge, but not which; the
	 * second look shows which pages */
	await_look(p);
	await_look(p);
	start = now_ns();
	work_on(p, 200000000);
	seen = now_ns();
	if (huge_bytes(p))
		return;
	tell("small", p, start, seen);
	await_look(p);
	await_look(p);
	need(madvise(p, BYTES, MADV_HUGEPAGE), "madvise");
	for (int i = 0; i < 100 && huge_bytes(p) < BYTES; i++)
		work_on(p, 100000000);
	if (huge_bytes(p) < BYTES)
		return;
	start = now_ns();
	work_on(p, 300000000);
	tell("large", p, start, now_ns());
}

NOINLINE static void from_outside(void)
{
	char *p = map_aligned(), pid[16];
	int64_t start = now_ns();
	int status;
	pid_t child;

	for (size_t i = 0; i < BYTES; i += PAGE)
		*(volatile char *)(p + i) = 1;
	work_on(p, 300000000);
	tell("here", p, start, now_ns());
	snprintf(pid, sizeof(pid), "%d", getpid());
	child = fork();
	need(child, "fork");
	if (!child) {
		unsetenv("LD_PRELOAD"); /* so that the tracker does not see what the program does */
		execlp("migratepages", "migratepages", pid, "0", "3", NULL);
		_exit(127);
	}
	need(waitpid(child, &status, 0), "waitpid");
	need(-status, "migratepages");
	start = now_ns();
	await_look(p);
	work_on(p, 300000000);
	tell("there", p, start, now_ns());
}

int main(int argc, char **argv)
{
	run_on_node(0);
	collapse("most", 3);
	collapse("draw", 2);
	if (argc > 1 && !strcmp(argv[1], "collapse"))
		return 0;
	by_khugepaged();
	from_outside();
	return 0;
}
