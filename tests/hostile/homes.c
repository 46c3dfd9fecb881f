/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large blocks have the homes of their pages asked before they go.
 * options: homes=1
 * expect: births 0 deaths 0
 * homes: 3 */
#include "hostile.h"

int main(void)
{
	char *p = malloc(1 << 20), *q = malloc(100000), *m;

	memset(p, 1, 1 << 20);
	memset(q, 1, 100000);
	m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(m, 1, 1 << 20);
	free(p);
	q = realloc(q, 50);
	free(q);
	munmap(m, 1 << 20);
	errno = 0;
	puts("homes");
	return 0;
}
