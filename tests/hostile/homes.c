/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker asks the kernel on which nodes the pages of large blocks are: before the blocks are
 * freed, after their pages were moved, and when the program ends.
 * run.sh checks this (the notation is in hostile.h):
 * options: homes=1
 * expect: births 0 deaths 0
 * homes: 13
 * events: mbind 1 move_pages 3 migrate_pages 1 */
#include <sys/syscall.h>
#include <sys/wait.h>

#include "hostile.h"

enum { MOVE = 2 /* MPOL_MF_MOVE */, LARGE = 1 << 20 };

static void *touched(void *p, size_t size)
{
	return memset(p, 1, size);
}

/* Moves five pages: three consecutive pages and two others. */
static void move_some(char *m)
{
	void *pages[5] = { m, m + 4096, m + 8192, m + 65536, m + 69632 };
	int nodes[5] = { 0 }, status[5] = { -1, -1, -1, -1, -1 };

	if (!syscall(SYS_move_pages, 0, 5, pages, nodes, status, MOVE))
		must(!status[0] && !status[4], "the pages are on node 0");
}

/* Moves a page of another process, of which the tracker must then record where it is. */
static void move_of_another(char *m)
{
	int node = 0, status = -1, pipe_of_child[2];
	void *page = m;
	pid_t child;

	must(!pipe(pipe_of_child), "a pipe");
	child = fork();
	if (!child) {
		close(pipe_of_child[1]);
		_exit((int)read(pipe_of_child[0], &node, 1));
	}
	if (!syscall(SYS_move_pages, child, 1, &page, &node, &status, MOVE))
		must(!status || status == -EACCES, "the page is on node 0, or shared");
	close(pipe_of_child[0]);
	close(pipe_of_child[1]);
	waitpid(child, NULL, 0);
}

int main(void)
{
	char *p = touched(malloc(LARGE), LARGE), *q = touched(malloc(100000), 100000), *m;
	unsigned long node0 = 1;
	void *kept = keep(touched(malloc(200000), 200000));

	m = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touched(m, LARGE);
	syscall(SYS_mbind, m, LARGE, 0, NULL, 0, MOVE);
	move_some(m);
	move_of_another(m);
	/* moves all pages from node 0 to node 0: the tracker must then query again on which nodes
	 * p, q, kept and m are */
	syscall(SYS_migrate_pages, 0, 64, &node0, &node0);
	free(p);
	q = realloc(q, 50);
	free(q);
	munmap(m, LARGE);
	/* each mapping replaces the previous one, so the tracker must report only the nodes of the
	 * last one */
	for (int i = 0; i < 20; i++)
		m = mmap(m, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			 -1, 0);
	touched(m, LARGE);
	must(mremap(m, LARGE, LARGE, MREMAP_FIXED, m + LARGE) == MAP_FAILED, "it may not move");
	errno = 0;
	puts("homes");
	return !kept;
}
