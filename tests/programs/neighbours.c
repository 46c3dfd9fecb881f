/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads count in different members of one cache line, and in lines of their own. No thread
 * uses the third member of that line. */
#include <pthread.h>

enum { N = 100000 };

static struct {
	volatile long a, b, spare;
} pair __attribute__((aligned(64)));
static volatile long apart[64] __attribute__((aligned(64)));

static void *count_a(void *unused)
{
	for (int i = 0; i < N; i++) {
		pair.a++;
		apart[0]++;
	}
	return NULL;
}

static void *count_b(void *unused)
{
	for (int i = 0; i < N; i++) {
		pair.b++;
		apart[32]++;
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	if (pthread_create(&a, NULL, count_a, NULL) || pthread_create(&b, NULL, count_b, NULL))
		return 1;
	return pthread_join(a, NULL) || pthread_join(b, NULL);
}
