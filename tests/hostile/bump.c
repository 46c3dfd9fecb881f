/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocator that never reuses a block. A signal handler may interrupt it at any instruction
 * and leave it by a jump. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *at;

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t size);
void free(void *p);

void *malloc(size_t size)
{
	size_t bytes = (size + 16 + 15) & ~(size_t)15;
	char *p, *none = NULL;

	if (!at) {
		p = mmap(NULL, 16ul << 30, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		__atomic_compare_exchange_n(&at, &none, p, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
	p = __atomic_fetch_add(&at, bytes, __ATOMIC_SEQ_CST);
	*(size_t *)p = size;
	return p + 16;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size); /* never used before, so it contains zeros */
}

void *realloc(void *old, size_t size)
{
	char *p = malloc(size);

	if (old)
		memcpy(p, old, size < ((size_t *)old)[-2] ? size : ((size_t *)old)[-2]);
	return p;
}

void free(void *p)
{
}
