/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places the pages of an array in a known way, lets threads work on it, and prints on which
 * nodes the pages are according to the kernel.
 *
 * place HOW WORK [SECONDS [MIB]]
 *
 * Each node with CPUs has one thread, which is bound to the first CPU of the node. HOW decides
 * on which nodes the pages are:
 * serial           the main thread, bound to the first node, writes them all
 * parallel         each thread writes its part
 * interleave       mbind(MPOL_INTERLEAVE) over all nodes, then like serial
 * policy           set_mempolicy(MPOL_INTERLEAVE) over all nodes, then like serial
 * bind=NODE        mbind(MPOL_BIND), then like serial
 * preferred=NODE   set_mempolicy(MPOL_PREFERRED), then like serial
 * move=NODE        like serial, then move_pages() of all pages to the node
 * rebind=NODE      like serial, then mbind(MPOL_BIND, MPOL_MF_MOVE)
 * migrate=NODE     like serial, then migrate_pages() of the process
 *
 * WORK decides what each thread then reads and writes, in random order, for SECONDS (0.4) of CPU
 * time in user mode. Time in the kernel does not count, because moving pages takes seconds if the
 * emulated machine has more CPUs than the host:
 * own              its part
 * next             the part of the next thread
 * all              the array
 * first            only the first thread works, on the array
 *
 * Prints the lines of answer.h, where the parts of the array are part0, part1, …, and:
 * home ADDRESS NODE    for each page of the array, asked from the kernel at the end
 * moved_ns (value)     the time when the pages had been moved
 */
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "answer.h"

enum { MOST = 64 };

static struct {
	const char *how;
	int node; /* the NODE of HOW=NODE */
	const char *work;
	int64_t budget_ns;
	/* sizes in bytes: of a page, of the array, and of each thread's part */
	size_t page, bytes, part;
	int threads, cpu[MOST], nodes;
	char *array;
	pthread_barrier_t barrier;
} job;

static int first_cpu(int node)
{
	char path[80], line[256] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
	f = fopen(path, "r");
	if (!f)
		return -2;
	if (!fgets(line, sizeof(line), f) || line[0] == '\n')
		line[0] = 0;
	fclose(f);
	return line[0] ? atoi(line) : -1;
}

static void find_nodes(void)
{
	for (int cpu; (cpu = first_cpu(job.nodes)) != -2; job.nodes++)
		if (cpu >= 0)
			job.cpu[job.threads++] = cpu;
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(2);
	}
}

static void need(long ret, const char *what)
{
	if (ret) {
		perror(what);
		exit(2);
	}
}

static unsigned long all_nodes(void)
{
	return (1ul << job.nodes) - 1;
}

/* Sets the memory policy that HOW requires, before the pages are touched. */
NOINLINE static void set_policy(void)
{
	unsigned long all = all_nodes(), one = 1ul << job.node;

	if (!strcmp(job.how, "interleave"))
		need(mbind(job.array, job.bytes, MPOL_INTERLEAVE, &all, MOST, 0), "mbind");
	else if (!strcmp(job.how, "policy"))
		need(set_mempolicy(MPOL_INTERLEAVE, &all, MOST), "set_mempolicy");
	else if (!strcmp(job.how, "bind"))
		need(mbind(job.array, job.bytes, MPOL_BIND, &one, MOST, 0), "mbind");
	else if (!strcmp(job.how, "preferred"))
		need(set_mempolicy(MPOL_PREFERRED, &one, MOST), "set_mempolicy");
}

NOINLINE static void write_pages(char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += job.page)
		*(volatile char *)(p + i) = 1; /* the first touch of the page */
}

NOINLINE static void move_all(void)
{
	size_t n = job.bytes / job.page;
	void **pages = must_have(calloc(n, sizeof(*pages)));
	int *nodes = must_have(calloc(n, sizeof(*nodes))),
	    *status = must_have(calloc(n, sizeof(int)));

	for (size_t i = 0; i < n; i++) {
		pages[i] = job.array + i * job.page;
		nodes[i] = job.node;
	}
	need(move_pages(0, n, pages, nodes, status, MPOL_MF_MOVE), "move_pages");
	free(pages);
	free(nodes);
	free(status);
}

/* Moves the pages as HOW requires, after they were touched. */
NOINLINE static void move(void)
{
	unsigned long all = all_nodes(), one = 1ul << job.node;

	if (!strcmp(job.how, "move"))
		move_all();
	else if (!strcmp(job.how, "rebind"))
		need(mbind(job.array, job.bytes, MPOL_BIND, &one, MOST, MPOL_MF_MOVE), "mbind");
	else if (!strcmp(job.how, "migrate") && migrate_pages(0, MOST, &all, &one) < 0)
		need(1, "migrate_pages");
	tell_value("moved_ns", now_ns());
}

static int64_t user_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_utime.tv_sec * INT64_C(1000000000) + usage.ru_utime.tv_usec * 1000;
}

/* The emulator interrupts the program for a timer sample only where a basic block begins. The
 * access is the first instruction of the inner loop's basic block, so samples are taken at the
 * access. The order is random: if a walk through the array took a multiple of the sampling period,
 * samples of a walk in order would all be in one place. */
NOINLINE static void work_on_part(uint64_t *a, size_t count, int64_t budget_ns)
{
	int64_t end = user_ns() + budget_ns;
	uint64_t lines = count / 8, random = (uintptr_t)&end;
	volatile uint64_t *p = a;

	while (user_ns() < end)
		for (uint64_t i = 0; i < lines; i++) {
			++*p;
			random = random * 6364136223846793005u + 1442695040888963407u;
			p = a + 8 * ((random >> 32) * lines >> 32);
		}
}

static void *worker(void *arg)
{
	int i = (int)(intptr_t)arg;
	char name[16], *own = job.array + (size_t)i * job.part;
	int64_t start;

	run_on(job.cpu[i]);
	if (!strcmp(job.how, "parallel"))
		write_pages(own, job.part);
	pthread_barrier_wait(&job.barrier);
	start = now_ns();
	if (!strcmp(job.work, "own"))
		work_on_part((uint64_t *)own, job.part / sizeof(uint64_t), job.budget_ns);
	else if (!strcmp(job.work, "next"))
		work_on_part((uint64_t *)(job.array + (size_t)((i + 1) % job.threads) * job.part),
			     job.part / sizeof(uint64_t), job.budget_ns);
	else if (!strcmp(job.work, "all") || !i)
		work_on_part((uint64_t *)job.array, job.bytes / sizeof(uint64_t), job.budget_ns);
	snprintf(name, sizeof(name), "part%d", i);
	tell_array(name, own, job.part, gettid_now(), start, now_ns());
	return NULL;
}

static void work(void)
{
	pthread_t thread[MOST];

	pthread_barrier_init(&job.barrier, NULL, (unsigned)job.threads);
	for (int i = 0; i < job.threads; i++)
		need(pthread_create(&thread[i], NULL, worker, (void *)(intptr_t)i),
		     "pthread_create");
	for (int i = 0; i < job.threads; i++)
		pthread_join(thread[i], NULL);
}

/* Queries the nodes of n pages from the kernel. Some kernels (6.1) report a page as absent if NUMA
 * balancing has marked it for a hint fault. Changing the protection of the mapping removes the mark
 * and does not move the page. */
static int ask_homes(void **page, int *node, size_t n)
{
	int unknown = 0;

	need(mprotect(job.array, job.bytes, PROT_READ), "mprotect");
	need(move_pages(0, n, page, NULL, node, 0), "move_pages");
	need(mprotect(job.array, job.bytes, PROT_READ | PROT_WRITE), "mprotect");
	for (size_t i = 0; i < n; i++)
		unknown += node[i] < 0;
	return unknown;
}

static void tell_homes(void)
{
	size_t n = job.bytes / job.page;
	void **page = must_have(calloc(n, sizeof(*page)));
	int *node = must_have(calloc(n, sizeof(*node)));

	for (size_t i = 0; i < n; i++)
		page[i] = job.array + i * job.page;
	for (int tries = 10; ask_homes(page, node, n) && tries; tries--)
		; /* queries again: during the query, NUMA balancing may have marked a page */
	for (size_t i = 0; i < n; i++)
		printf("home %" PRIuPTR " %d\n", (uintptr_t)page[i], node[i]);
	free(page);
	free(node);
}

static void read_words(int argc, char **argv)
{
	char *equals = argc > 1 ? strchr(argv[1], '=') : NULL;

	if (argc < 3) {
		fprintf(stderr, "usage: place HOW own|next|all|first [SECONDS [MIB]]\n");
		exit(2);
	}
	if (equals) {
		*equals = 0;
		job.node = atoi(equals + 1);
	}
	job.how = argv[1];
	job.work = argv[2];
	job.budget_ns = work_ns(argc - 2, argv + 2, 0.4);
	job.page = (size_t)sysconf(_SC_PAGESIZE);
	job.bytes = (argc > 4 ? (size_t)atoi(argv[4]) : 8) << 20;
}

NOINLINE static char *make_array(void)
{
	/* aligned so that malloc makes a mapping for it, and its header is not on a page of the
	 * array */
	char *array = must_have(aligned_alloc(1 << 20, job.bytes));

	return array;
}

int main(int argc, char **argv)
{
	read_words(argc, argv);
	find_nodes();
	job.part = job.bytes;
	/* Each thread's part is the array divided by a power of two. With three threads, the last
	 * quarter of the array belongs to no thread. */
	for (int n = job.threads; n > 1; n = (n + 1) / 2)
		job.part /= 2;
	run_on(job.cpu[0]);
	job.array = make_array();
	tell_array("array", job.array, job.bytes, 0, 0, 0);
	set_policy();
	if (strcmp(job.how, "parallel") != 0)
		write_pages(job.array, job.bytes);
	move();
	work();
	tell_homes();
	tell_value("pid", getpid());
	tell_value("threads", job.threads);
	return 0;
}
