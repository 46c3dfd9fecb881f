/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program unloads a library by a call that no hook sees, as libc does for iconv(), and loads a
 * smaller one. Its code is in the range of the first one, whose unwind table is no longer there.
 * run.sh checks this (the notation is in hostile.h):
 * uses: replaceable
 * expect: births 2 deaths 2 */
#include <dlfcn.h>
#include <limits.h>

#include "hostile.h"

/* Loads the library of this name from the folder of the plugin, and lets it allocate. */
static void *load(const char *name)
{
	char path[PATH_MAX];
	const char *plugin = getenv("HOSTILE_PLUGIN"), *slash = strrchr(plugin, '/');
	void (*run)(void);
	void *h;

	snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - plugin), plugin, name);
	h = dlopen(path, RTLD_NOW);
	if (!h)
		must(0, dlerror());
	run = (void (*)(void))dlsym(h, "replaceable_run");
	must(run != NULL, "dlsym");
	run();
	return h;
}

int main(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	int (*unhooked)(void *) = libc ? (int (*)(void *))dlsym(libc, "dlclose") : NULL;

	must(unhooked != NULL, "dlclose");
	must(!unhooked(load("libreplaced.so")), "dlclose");
	load("libreplacing.so");
	puts("replaced");
	return 0;
}
