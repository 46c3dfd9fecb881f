/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call path that allocates has frames with large local arrays. The program has not touched
 * their pages yet, and the tracker must not touch them when it reads the stack.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 606 deaths 606 */
#include "hostile.h"

enum { BYTES = 1 << 20, PAGE = 4096, DEPTH = 40 };

/* Returns how many pages that lie completely inside the array are in memory. */
static int touched(char *array)
{
	static unsigned char state[BYTES / PAGE];
	uintptr_t first = ((uintptr_t)array + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	int n = 0;

	if (mincore((void *)first, BYTES - PAGE, state))
		die("mincore");
	for (int i = 0; i < BYTES / PAGE - 1; i++)
		n += state[i] & 1;
	return n;
}

/* Calls itself with frames of different sizes. Each call allocates, so the tracker walks through
 * the frames of all outer calls. */
static NOINLINE void deeper(int depth)
{
	char *room = __builtin_alloca((size_t)depth * 700);

	room[0] = 1;
	pairs(5);
	if (depth < DEPTH)
		deeper(depth + 1);
	keep(room);
}

static NOINLINE void *work(void *arg)
{
	char array[BYTES];

	keep(array);
	free(keep(malloc(MARK)));
	deeper(1);
	pairs(1);
	must(touched(array) < 3, "the array is as the program left it");
	printf("%s\n", (const char *)arg);
	return NULL;
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t;

	work((void *)(uintptr_t) "main");
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 8 << 20);
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&t, &a, work, (void *)(uintptr_t) "thread"))
			die("pthread_create");
		pthread_join(t, NULL);
	}
	return 0;
}
