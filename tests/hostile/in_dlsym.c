/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another library's malloc (wrapper.c) calls dlsym() and dlerror(), which call malloc themselves.
 * run.sh checks this (the notation is in hostile.h):
 * uses: wrapper
 * expect: births 2100 deaths 2100 */
#include <dlfcn.h>

#include "hostile.h"

static void *run(void *arg)
{
	for (int i = 0; i < 500; i++) {
		must(!dlsym(RTLD_DEFAULT, "there is no such function"), "dlsym fails");
		pairs(1);
		must(strstr(dlerror(), "no such function") != NULL, "dlerror() is that of dlsym()");
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	pairs(100);
	start_threads(t, 4, run, NULL);
	join_threads(t, 4);
	puts("in dlsym");
	return 0;
}
