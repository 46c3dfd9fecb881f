/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks for affinities and thread names. Each hook makes the call, then records the arguments and
 * the result. */
#include "affinity.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "rawcall.h"
#include "real.h"
#include "record.h"

enum { CPU_WORDS = 64 }; /* masks of 4,096 CPUs; larger masks would not fit a small stack */

_Static_assert((int)CPU_WORDS <= (int)THREAD_OWN,
	       "a mask fits where a thread remembers its blocks");

/* Returns the tid of a pthread_t; 0 if unknown. The tracker knows only threads that have logged
 * something. For other threads, libc may know the tid. */
static uint32_t tid_of(pthread_t thread)
{
	uint32_t tid = thread_tid_of((uint64_t)thread);

	return tid || image.foreign_pids ? tid : thread_tid_by_libc((uint64_t)thread);
}

/* Records a call that requests the CPUs `set` for the thread with tid `subject`. Does nothing if
 * subject is 0, because that thread is unknown. */
ALWAYS_INLINE void record_affinity(struct thread *t, enum tl_function fn, uint32_t subject, int err,
				   size_t size, const cpu_set_t *set)
{
	struct track_event ev = { .subject = subject, .result = (uint32_t)err };
	uint64_t words[CPU_WORDS] = { 0 };

	if (!t || !subject)
		return;
	ev.ticks = clock_ticks();
	if (size > sizeof(words))
		size = sizeof(words);
	if (!err)
		memcpy(words, set, size);
	ev.extra = err ? 0 : (uint32_t)((size + 7) / 8);
	ev.stack = record_stack(t);
	log_event(t, &ev, TL_AFFINITY, fn, words, 8);
}

EXPORT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set)
{
	struct thread *t = thread_get();
	int ret = -1;

	if (real_ready() && real.sched_setaffinity)
		ret = real.sched_setaffinity(tid, size, set);
	record_affinity(t, TL_FN_SCHED_SETAFFINITY, tid || !t ? (uint32_t)tid : t->tid,
			ret ? errno : 0, size, set);
	return ret;
}

EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	struct thread *t = thread_get();
	int ret = ENOSYS;

	if (real_ready() && real.pthread_setaffinity_np)
		ret = real.pthread_setaffinity_np(thread, size, set);
	record_affinity(t, TL_FN_PTHREAD_SETAFFINITY, t ? tid_of(thread) : 0, ret, size, set);
	return ret;
}

void affinity_record_name(uint32_t subject, const char *name)
{
	struct track_event ev = { .stack = STACK_TRUNCATED };
	struct thread *t = thread_get();

	if (!t)
		return;
	ev.ticks = clock_ticks();
	ev.subject = subject ? subject : t->tid;
	ev.extra = (uint32_t)strnlen(name, 16);
	log_event(t, &ev, TL_NAME, TL_FN_PTHREAD_SETNAME, name, 1);
}

EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
	int ret = ENOSYS;
	uint32_t subject;

	if (real_ready() && real.pthread_setname_np)
		ret = real.pthread_setname_np(thread, name);
	if (!ret && thread_get()) {
		subject = tid_of(thread);
		if (subject)
			affinity_record_name(subject, name);
	}
	return ret;
}

static uint64_t hash_of(const uint64_t *words, size_t n)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u + 1;
	return hash;
}

void affinity_record_start(struct thread *t)
{
	struct track_event ev = { .ticks = clock_ticks(),
				  .subject = t->tid,
				  .stack = STACK_TRUNCATED };
	uint64_t *words = t->own, saved = 0, hash;
	bool blocked;
	long bytes;

	/* The thread's stack may be too small for a buffer. So t->own is used, which is still
	 * empty: the thread remembers its blocks there later. */
	blocked = signals_block(&saved);
	bytes = rawcall4(SYS_sched_getaffinity, 0, CPU_WORDS * 8, (long)words, 0);
	hash = bytes > 0 ? hash_of(words, (size_t)bytes / 8)
			 : 0; /* the affinity is unknown, for example because the machine has more
			       * CPUs than the mask has bits */
	if (hash && hash != image.affinity) {
		image.affinity = image.affinity ? image.affinity : hash;
		ev.extra = (uint32_t)bytes / 8;
		log_event(t, &ev, TL_AFFINITY, TL_FN_THREAD_START, words, 8);
	}
	memset(words, 0, CPU_WORDS * 8);
	if (blocked)
		signals_restore(&saved);
}
