// SPDX-License-Identifier: GPL-2.0-or-later
// Leaves its code in all ways other than a return: a signal handler throws out of a load, the
// exceptions run destructors and are caught; threads are cancelled; a handler jumps out of stores.
// To be built with -fnon-call-exceptions. The lines that it prints say what happened. The function
// last() then stores 3000 times.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <execinfo.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

struct guard {
	int *count;
	explicit guard(int *n) : count(n)
	{
		++*count;
	}
	~guard()
	{
		--*count;
	}
};
static int open_guards, frames;
static volatile long array[3000];
static sigjmp_buf back;
static volatile sig_atomic_t jumps;

static void on_fault(int)
{
	void *path[64];
	frames = backtrace(path, 64);
	throw 7;
}
__attribute__((noinline)) static long load(volatile long *p)
{
	return p[0] + p[1];
}
__attribute__((noinline)) static long guarded(volatile long *p)
{
	guard g(&open_guards);
	return p[2] + load(p + 1) + p[3];
}
__attribute__((noinline)) static long caught_here(volatile long *p)
{
	try {
		return p[0];
	} catch (int n) {
		return n;
	}
}
__attribute__((noinline)) static long caught_above(volatile long *p)
{
	try {
		return guarded(p);
	} catch (int n) {
		return n;
	}
}
static void *spin(void *type)
{
	pthread_setcanceltype(type ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED,
			      nullptr);
	for (long i = 0;; i++) {
		array[i % 100]++;
		if (!type && i % 100 == 0)
			pthread_testcancel();
	}
}
static bool cancels(void *type)
{
	pthread_t t;
	void *end = nullptr;
	if (pthread_create(&t, nullptr, spin, type))
		return false;
	usleep(10000);
	pthread_cancel(t);
	pthread_join(t, &end);
	return end == PTHREAD_CANCELED;
}
static void on_alarm(int)
{
	siglongjmp(back, 1);
}
static void jump(void)
{
	struct itimerval every = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	if (sigsetjmp(back, 1))
		jumps = jumps + 1;
	setitimer(ITIMER_REAL, &every, nullptr);
	while (jumps < 20)
		for (int i = 0; i < 3000; i++)
			array[i] += i;
	setitimer(ITIMER_REAL, &never, nullptr);
}
__attribute__((noinline)) static void last(void)
{
	for (int i = 0; i < 3000; i++)
		array[i] = i;
}
int main()
{
	struct sigaction fault = {};
	fault.sa_handler = on_fault;
	fault.sa_flags = SA_NODEFER;
	sigaction(SIGSEGV, &fault, nullptr);
	signal(SIGALRM, on_alarm);
	long here = caught_here(nullptr);
	printf("caught %ld, %d frames, %d guards\n", here, frames, open_guards);
	long above = caught_above(nullptr);
	printf("caught %ld, %d frames, %d guards\n", above, frames, open_guards);
	printf("cancelled %d %d\n", cancels(nullptr), cancels(&open_guards));
	jump();
	last();
	return 0;
}
