/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that calls every allocation function, and checks alignment and size of the blocks. A
 * call that fails must set errno as libc does and must keep the old block.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 13 deaths 13 */
#include <malloc.h>

#include "hostile.h"

int main(void)
{
	void *p[13], *q = NULL;
	volatile size_t huge = SIZE_MAX / 2;
	int n = 0;

	p[n++] = malloc(MARK);
	p[n++] = calloc(1, MARK);
	p[n++] = calloc(MARK, 1);
	p[n++] = realloc(NULL, MARK);
	p[n++] = reallocarray(NULL, 1, MARK);
	p[n++] = memalign(512, MARK);
	must(!posix_memalign(&p[n], 4096, MARK), "posix_memalign");
	must(!((uintptr_t)p[n++] & 4095), "alignment of posix_memalign");
	p[n++] = aligned_alloc(64, MARK);
	p[n++] = valloc(MARK);
	p[n++] = pvalloc(MARK);
	must(!((uintptr_t)p[n - 1] & 4095), "alignment of pvalloc");
	q = keep(malloc(10));
	p[n++] = realloc(q, MARK); /* grows q to a marked block, which counts as a birth */
	q = keep(malloc(100000));
	p[n++] = realloc(q, MARK); /* shrinks q to a marked block, which also counts as a birth */
	errno = 0;
	must(!malloc(huge) && errno == ENOMEM, "malloc fails");
	errno = 0;
	must(!realloc(p[0], huge) && errno == ENOMEM, "realloc fails");
	errno = 0;
	must(!reallocarray(p[0], huge, 4) && errno == ENOMEM, "reallocarray overflows");
	errno = 0;
	must(posix_memalign(&q, 3, MARK) == EINVAL && !errno, "posix_memalign sets no errno");
	errno = 77;
	p[n++] = malloc(MARK);
	must(errno == 77, "malloc keeps errno");
	for (int i = 0; i < n; i++) {
		must(p[i] && malloc_usable_size(p[i]) >= MARK, "usable size");
		memset(p[i], i, MARK);
	}
	must(!realloc(p[--n], 0), "realloc to nothing frees");
	p[0] = realloc(p[0], 5 * MARK);
	while (n > 0)
		free(p[--n]);
	free(NULL);
	must(errno == 77, "free keeps errno");
	puts("forms");
	return 0;
}
