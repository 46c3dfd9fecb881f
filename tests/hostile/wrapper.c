/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library whose malloc finds the next malloc with dlsym(). A failing dlsym() allocates, so it
 * calls this malloc. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);

void *malloc(size_t size)
{
	/* volatile: dlsym() may call this malloc, but its declaration (leaf) denies that, so the
	 * compiler could remove the stores of inside */
	static __thread volatile int inside;
	static void *(*next)(size_t);

	if (!next && !inside) {
		inside = 1;
		dlsym(RTLD_DEFAULT, "no such function");
		next = (void *(*)(size_t))(uintptr_t)dlsym(RTLD_NEXT, "malloc");
		inside = 0;
	}
	return next ? next(size) : __libc_malloc(size);
}
