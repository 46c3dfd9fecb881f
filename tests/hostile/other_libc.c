/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program loads libc a second time, in a namespace of its own (dlmopen). The tracker does not see
 * the blocks of that libc, and those of the program are recorded as before.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 300 deaths 300 */
#include <dlfcn.h>

#include "hostile.h"

int main(void)
{
	void *(*their_malloc)(size_t);
	void (*their_free)(void *);
	void *other;

	pairs(100);
	other = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	if (!other)
		die("dlmopen");
	*(void **)&their_malloc = dlsym(other, "malloc");
	*(void **)&their_free = dlsym(other, "free");
	for (int i = 0; i < 100; i++)
		their_free(keep(their_malloc(MARK)));
	pairs(100);
	must(!dlclose(other), "dlclose");
	pairs(100);
	puts("other libc");
	return 0;
}
