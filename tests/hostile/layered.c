/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The allocation functions of this program call each other: calloc calls malloc, realloc calls
 * malloc and free. The tracker must count each block once.
 * run.sh checks this (the notation is in hostile.h):
 * uses: layers
 * expect: births 1400 deaths 1400
 * unknown: 0
 * exact: 2741 600 */
#include "hostile.h"

enum { OTHER = 2741 };

static void *run(void *arg)
{
	void *p = NULL;

	for (int i = 0; i < 100; i++) {
		pairs(1);
		free(keep(calloc(1, MARK)));
		free(keep(realloc(NULL, MARK)));
		free(keep(aligned_alloc(64, MARK)));
		must(!posix_memalign(&p, 64, MARK), "posix_memalign");
		free(keep(p));
		/* this realloc moves the block: the birth of a block of OTHER bytes, the death of a
		 * marked block */
		p = keep(realloc(mark(), OTHER));
		/* these leave the block at its address; the log must still show a death and a birth
		 * for each */
		p = keep(realloc(p, OTHER));
		p = keep(realloc(p, MARK));
		must(!!p, "realloc");
		p = keep(realloc(p, OTHER)); /* leaves the block at its address, too */
		p = keep(realloc(p, 2 * MARK));
		free(p);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL) || pthread_join(t, NULL))
		die("thread");
	run(NULL);
	puts("layered");
	return 0;
}
