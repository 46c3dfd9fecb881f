/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library whose malloc looks up the next malloc with dlsym(). A dlsym() that fails allocates its
 * message, so it calls this malloc again. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);

void *malloc(size_t size)
{
	/* `inside` is volatile because dlsym() may call this malloc. The declaration of dlsym()
	 * (leaf) says that it does not, so the compiler could remove the stores. */
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
