/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library whose allocation functions call each other through interposable symbols. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void __libc_free(void *p);
void *__libc_memalign(size_t align, size_t size);

void *malloc(size_t size)
{
	return __libc_malloc(size);
}

void free(void *p)
{
	__libc_free(p);
}

void *calloc(size_t n, size_t size)
{
	void *p = size && n > SIZE_MAX / size ? NULL : malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *old, size_t size)
{
	size_t keep = old ? malloc_usable_size(old) : 0;
	void *p;

	if (old && keep >= size && size)
		return old;
	p = malloc(size ? size : 1);
	if (p && old) {
		memcpy(p, old, keep);
		free(old);
	}
	return p;
}

void *memalign(size_t align, size_t size)
{
	return __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	void *p = aligned_alloc(align, size);

	if (p)
		*out = p;
	return p ? 0 : ENOMEM;
}
