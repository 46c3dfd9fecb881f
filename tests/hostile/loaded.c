/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program loads and unloads a library that allocates, many times, with and without
 * RTLD_DEEPBIND.
 * run.sh checks this (the notation is in hostile.h):
 * uses: plugin
 * expect: births 200 deaths 200 */
#include <dlfcn.h>

#include "hostile.h"

int main(void)
{
	for (int i = 0; i < 100; i++) {
		void *h = dlopen(getenv("HOSTILE_PLUGIN"), RTLD_NOW | (i % 2 ? RTLD_DEEPBIND : 0));
		void (*run)(void);

		if (!h)
			must(0, dlerror());
		run = (void (*)(void))dlsym(h, "plugin_run");
		must(run != NULL, "dlsym");
		run();
		must(!dlsym(h, "no_such_name") && dlerror(), "dlerror");
		must(!dlclose(h), "dlclose");
	}
	must(!dlerror(), "no error is left");
	puts("loaded");
	return 0;
}
