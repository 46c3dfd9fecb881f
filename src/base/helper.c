/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/helper.h"

#include <signal.h>

/* Bytes of a thread's stack. The limit of the process may be too small for SQLite. */
enum { STACK_BYTES = 1 << 20 };

/* Each helper holds this lock for reading while it works; a fork takes it for writing. */
static pthread_rwlock_t work;

static void stop_work(void)
{
	pthread_rwlock_wrlock(&work);
}

static void continue_work(void)
{
	pthread_rwlock_unlock(&work);
}

/* By default, a writer would wait as long as any of several readers holds the lock. */
static void init_lock(void)
{
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&work, &attr);
	pthread_rwlockattr_destroy(&attr);
}

/* The child gets a new lock: only the thread that took the old one could release it. */
static void prepare_forks(void)
{
	init_lock();
	pthread_atfork(stop_work, continue_work, init_lock);
}

bool helper_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t most, old;
	pthread_attr_t attr;
	bool started;

	pthread_once(&once, prepare_forks);
	sigfillset(&most);
	sigdelset(&most, SIGBUS); /* a mapped file that became shorter (mapfile.h) */
	pthread_sigmask(SIG_SETMASK, &most, &old);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	started = !pthread_create(thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

void helper_works(void)
{
	pthread_rwlock_rdlock(&work);
}

void helper_rests(void)
{
	pthread_rwlock_unlock(&work);
}
