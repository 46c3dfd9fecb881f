/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that changes its mappings: unmaps a part of a mapping, moves a mapping, duplicates a
 * shared mapping with mremap(old_size = 0), and changes the break.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 0 deaths 0
 * events: mmap 2..9 munmap 2..9 mremap 2..9 brk 2 shmat 1 shmdt 1 */
#include <sys/shm.h>

#include "hostile.h"

int main(void)
{
	char *p = mmap(NULL, 64 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *s = mmap(NULL, 4 << 12, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
	     *q;
	int id = shmget(IPC_PRIVATE, 8192, 0600);

	must(p != MAP_FAILED && s != MAP_FAILED && id >= 0, "mmap");
	must(!munmap(p + (8 << 12), 8 << 12), "munmap of a part");
	q = mremap(p, 8 << 12, 128 << 12, MREMAP_MAYMOVE);
	must(q != MAP_FAILED, "mremap");
	s[0] = 'x';
	q = mremap(s, 0, 4 << 12, MREMAP_MAYMOVE);
	must(q != MAP_FAILED && q != s && q[0] == 'x', "mremap doubles");
	must(sbrk(8192) != (void *)-1 && sbrk(-8192) != (void *)-1, "sbrk");
	q = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	must(q != (void *)-1 && !shmdt(q), "shmat");
	must(!munmap(s, 4 << 12), "munmap");
	puts("mapper");
	return 0;
}
