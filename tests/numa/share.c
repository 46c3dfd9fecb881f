/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that several processes share. Needs four nodes, each with one CPU of the same number.
 *
 * anonymous: mapped before the processes are forked
 * memfd: a memfd that each process maps at a different address
 * posix: the same with shm_open()
 * systemv: the same with shmat()
 * spread: like anonymous, and interleaved over the nodes 0 to 2 by one of the processes
 * populated: like anonymous, but the kernel interleaves the pages over all nodes in a call of
 *     madvise(), without page faults
 * file: a file in the current folder, which a child on node 3 writes with write(2)
 *
 * Of the first four arrays, each of four children writes a quarter, the first on node 0, and so on.
 * In `spread` and `populated`, the child on node 3 places all pages. Then the main process reads
 * all pages on node 0, and a new child reads all pages on node 2: this is the array with the suffix
 * "_later".
 *
 * by_kernel: private memory, which the kernel reads for a write(2) on node 1 and which is then
 *     written on node 2
 *
 * Prints "array NAME ADDRESS BYTES PID TID START_NS END_NS", where the times are those of the
 * reading, and "home ADDRESS NODE" of each page, according to the kernel.
 */
#include <fcntl.h>
#include <numaif.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>

#include "answer.h"

enum { PAGE = 4096, PART = 64 * PAGE, BYTES = 4 * PART };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
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

NOINLINE static void write_pages(char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE)
		*(volatile char *)(p + i) = 1;
}

/* The emulator interrupts the program for a timer sample only where a basic block begins. The
 * access is the first instruction of the inner loop's basic block, so samples are taken at the
 * access. */
NOINLINE static void work_on(const char *p, size_t bytes)
{
	struct budget b = budget_of(100000000);

	while (budget_lasts(&b))
		for (const char *a = p; a < p + bytes; a += 512)
			(void)*(const volatile uint64_t *)a;
}

static void finish(const char *name, const char *p, size_t bytes)
{
	int64_t start = now_ns();

	work_on(p, bytes);
	tell_array(name, p, bytes, gettid_now(), start, now_ns());
	for (size_t i = 0; i < bytes; i += PAGE) {
		void *page = (void *)(uintptr_t)(p + i);
		int node = -1;

		need(move_pages(0, 1, &page, NULL, &node, 0), "move_pages");
		printf("home %" PRIuPTR " %d\n", (uintptr_t)page, node);
	}
	fflush(stdout);
}

/* A piece of shared memory. If it has the same address in all processes, `address` is set.
 * Otherwise `id` is the descriptor of a file, or the id of a System V segment, with which a process
 * maps it. */
struct memory {
	const char *name;
	int id;
	char *address;
};

static char *see(const struct memory *m)
{
	char *p = m->address;

	if (!p && !strcmp(m->name, "systemv"))
		p = shmat(m->id, NULL, 0);
	else if (!p)
		p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, m->id, 0);
	if (p == MAP_FAILED)
		need(-1, m->name);
	return p;
}

/* Runs act() in a child that is bound to a node, and waits for its end. */
static void child(const struct memory *m, int node, void (*act)(const struct memory *, int))
{
	pid_t pid = fork();
	int status;

	need(pid, "fork");
	if (!pid) {
		run_on_node(node);
		act(m, node);
		_exit(0);
	}
	need(waitpid(pid, &status, 0), "waitpid");
	need(-status, "child");
}

NOINLINE static void write_part(const struct memory *m, int node)
{
	write_pages(see(m) + node * PART, PART);
}

NOINLINE static void write_spread(const struct memory *m, int node)
{
	char *p = see(m);
	unsigned long nodes = 7;

	(void)node;
	need(mbind(p, BYTES, MPOL_INTERLEAVE, &nodes, 64, 0), "mbind");
	write_pages(p, BYTES);
}

NOINLINE static void populate(const struct memory *m, int node)
{
	char *p = see(m);
	unsigned long nodes = 15;

	(void)node;
	need(set_mempolicy(MPOL_INTERLEAVE, &nodes, 64), "set_mempolicy");
	need(madvise(p, BYTES, MADV_POPULATE_WRITE), "madvise");
}

NOINLINE static void write_file(const struct memory *m, int node)
{
	static const char text[PART];

	(void)node;
	for (int i = 0; i < 4; i++)
		need(write(m->id, text, sizeof(text)), "write");
}

NOINLINE static void read_later(const struct memory *m, int node)
{
	char name[32];

	(void)node;
	snprintf(name, sizeof(name), "%s_later", m->name);
	finish(name, see(m), BYTES);
}

NOINLINE static void share(const char *name, int id, char *address)
{
	const struct memory m = { name, id, address };

	need(id, name);
	fflush(stdout);
	if (!strcmp(name, "spread"))
		child(&m, 3, write_spread);
	else if (!strcmp(name, "populated"))
		child(&m, 3, populate);
	else if (!strcmp(name, "file"))
		child(&m, 3, write_file);
	else
		for (int node = 0; node < 4; node++)
			child(&m, node, write_part);
	run_on_node(0);
	finish(name, see(&m), BYTES);
	child(&m, 2, read_later);
}

NOINLINE static char *map_anonymous(int flags)
{
	char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		need(-1, "mmap");
	return p;
}

static int sized(int fd)
{
	need(fd, "open");
	need(ftruncate(fd, BYTES), "ftruncate");
	return fd;
}

NOINLINE static void by_kernel(void)
{
	char *p = map_anonymous(MAP_PRIVATE);
	int fd = memfd_create("out", MFD_CLOEXEC);

	run_on_node(1);
	need(write(fd, p, BYTES), "write");
	run_on_node(2);
	write_pages(p, BYTES);
	finish("by_kernel", p, BYTES);
}

int main(void)
{
	int id = shmget(IPC_PRIVATE, BYTES, 0600);

	share("anonymous", 0, map_anonymous(MAP_SHARED));
	share("memfd", sized(memfd_create("numbers", MFD_CLOEXEC)), NULL);
	share("posix", sized(shm_open("/memdb-share", O_RDWR | O_CREAT | O_CLOEXEC, 0600)), NULL);
	shm_unlink("/memdb-share");
	share("systemv", id, NULL);
	shmctl(id, IPC_RMID, NULL);
	share("spread", 0, map_anonymous(MAP_SHARED));
	share("populated", 0, map_anonymous(MAP_SHARED));
	share("file", open("memdb-share.tmp", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), NULL);
	unlink("memdb-share.tmp");
	by_kernel();
	return 0;
}
