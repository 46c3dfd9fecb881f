/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library with a malloc that finds the next one by dlsym(), which allocates when it fails. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);

void *malloc(size_t size)
{
	static __thread volatile int inside; /* dlsym is declared to call nobody back */
	static void *(*next)(size_t);

	if (!next && !inside) {
		inside = 1;
		dlsym(RTLD_DEFAULT, "no such function");
		next = (void *(*)(size_t))(uintptr_t)dlsym(RTLD_NEXT, "malloc");
		inside = 0;
	}
	return next ? next(size) : __libc_malloc(size);
}
