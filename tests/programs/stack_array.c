/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large local arrays on two stacks: the main thread's and another thread's. */
#include <pthread.h>

#include "work.h"

enum { COUNT = 1 << 19 };

static int64_t budget;

NOINLINE static void use_local(const char *name)
{
	uint64_t local[COUNT];

	memset(local, 1, sizeof(local));
	work_on(name, local, COUNT, budget);
}

static void *worker(void *arg)
{
	use_local("thread_local_array");
	return arg;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;

	budget = work_ns(argc, argv, 1);
	use_local("main_local_array");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16 << 20);
	if (pthread_create(&thread, &attr, worker, NULL))
		return 2;
	pthread_join(thread, NULL);
	return 0;
}
