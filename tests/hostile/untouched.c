/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Local arrays that nobody has touched yet lie between the frames of a call path that allocates:
 * the first touch of their pages is the program's.
 * expect: births 606 deaths 606 */
#include "hostile.h"

enum { BYTES = 1 << 20, PAGE = 4096, DEPTH = 40 };

/* Pages wholly inside the array that are there. */
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

/* Frames of several sizes, each of which allocates and is walked from farther in. */
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
