/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main thread first touches every page of `serial`, the thread `toucher` every page of
 * `parallel`. Then both threads read both arrays.
 */
#include <pthread.h>

#include "answer.h"

enum { PAGES = 2048 };

static char *serial, *parallel;
static size_t page;

NOINLINE static char *make_serial(void)
{
	return must_have(malloc(PAGES * page));
}

NOINLINE static char *make_parallel(void)
{
	return must_have(malloc(PAGES * page));
}

NOINLINE static void touch_pages(char *p)
{
	for (size_t i = 0; i < PAGES; i++)
		*(volatile char *)(p + i * page) = 1;
}

NOINLINE static int read_pages(const char *p)
{
	int sum = 0;

	for (size_t i = 0; i < PAGES; i++)
		sum += *(const volatile char *)(p + i * page);
	return sum;
}

static void *toucher(void *arg)
{
	pthread_setname_np(pthread_self(), "toucher");
	touch_pages(parallel);
	tell_array("parallel", parallel, PAGES * page, gettid_now(), 0, 0);
	if (read_pages(serial) != PAGES)
		exit(2);
	return arg;
}

int main(void)
{
	pthread_t thread;

	page = (size_t)sysconf(_SC_PAGESIZE);
	serial = make_serial();
	parallel = make_parallel();
	touch_pages(serial);
	tell_array("serial", serial, PAGES * page, gettid_now(), 0, 0);
	if (pthread_create(&thread, NULL, toucher, NULL))
		return 2;
	pthread_join(thread, NULL);
	tell_value("pages", PAGES);
	tell_value("page_bytes", (int64_t)page);
	return read_pages(parallel) == PAGES ? 0 : 2;
}
