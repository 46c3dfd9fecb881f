/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "thread.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "room.h"

struct thread_options thread_options = {
	.period = 1000,
	.seed = 1,
	.shapes = { { 48 << 10, 12 }, { 1 << 20, 16 }, { 32 << 20, 16 } },
};
__thread struct thread *thread_self __attribute__((tls_model("initial-exec")));
volatile bool thread_stopped;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list of threads */
static pthread_spinlock_t shared_lock;
static struct cache shared;
static struct thread *threads;
static pthread_key_t ending;
static uint64_t nthreads;

void thread_no_memory(void)
{
	static const char text[] = "memdb: no memory for the sampler\n";

	if (write(2, text, sizeof(text) - 1) < 0)
		_exit(125);
	_exit(125);
}

uint64_t thread_gap(struct thread *t)
{
	double u;

	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	u = ((double)(t->random >> 11) + 0.5) / 9007199254740992.0;
	return (uint64_t)(log(u) / log1p(-1 / (double)thread_options.period)) + 1;
}

bool thread_use_shared(uint64_t line)
{
	bool hit;

	pthread_spin_lock(&shared_lock);
	hit = cache_use(&shared, line);
	pthread_spin_unlock(&shared_lock);
	return hit;
}

uint32_t thread_callers(const struct thread *t, uint64_t *callers, uint32_t n)
{
	const uint32_t known = t->depth < CALLS_MOST ? t->depth : CALLS_MOST;

	if (n > known)
		n = known;
	for (uint32_t i = 0; i < n; i++)
		callers[i] = t->calls[known - 1 - i].back;
	return n;
}

static void flush_thread(struct thread *t)
{
	counts_flush(&t->counts, &t->stream);
	if (t->instructions)
		stream_sample(&t->stream, &(struct stream_sample){
						  .event = ACCESS_EVENT_INSTRUCTIONS,
						  .period = t->instructions,
					  });
	t->instructions = 0;
	stream_flush(&t->stream);
}

/* Blocks all signals of this thread: a signal handler of the program may call the sampler, which
 * must not find the thread's state only partly built or partly freed. *before receives the signals
 * that were blocked until now. */
static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* `p` is the state of a thread that ends. Writes its data and frees the state. */
static void end_thread(void *p)
{
	struct thread *t = p, **at;
	sigset_t before;

	block_signals(&before);
	pthread_mutex_lock(&lock);
	if (!thread_stopped) {
		flush_thread(t);
		stream_end(&t->stream);
		for (at = &threads; *at && *at != t; at = &(*at)->next)
			;
		if (*at)
			*at = t->next;
		counts_release(&t->counts);
		cache_release(&t->cache[0]);
		cache_release(&t->cache[1]);
		room_give(t, sizeof(*t));
		thread_self = NULL;
	}
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void make_thread(void)
{
	struct thread *t = room_take(sizeof(*t));

	if (!t || (thread_options.model && (!cache_make(&t->cache[0], &thread_options.shapes[0]) ||
					    !cache_make(&t->cache[1], &thread_options.shapes[1]))))
		thread_no_memory();
	t->stream.pid = (uint32_t)getpid();
	t->stream.tid = (uint32_t)syscall(SYS_gettid);
	t->flushed = t->counts.from = stream_now();
	pthread_mutex_lock(&lock);
	t->random = (thread_options.seed * 1000003 + ++nthreads) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	t->next = threads;
	threads = t;
	pthread_mutex_unlock(&lock);
	t->left = thread_gap(t);
	t->least = thread_options.model || thread_options.period == 1 ? UINT64_MAX : 2;
	pthread_setspecific(ending, t);
	if (t->stream.tid != t->stream.pid)
		stream_begin(&t->stream, t->stream.pid, t->stream.pid);
	thread_self = t;
}

struct thread *thread_begin(void)
{
	sigset_t before;

	block_signals(&before);
	if (!thread_self) /* a signal handler may have made it already */
		make_thread();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return thread_self;
}

void thread_flush_all(void)
{
	static const struct timespec moment = { 0, 3000000 };

	thread_stopped = true;
	/* gives other threads time to leave the sampler: they check thread_stopped only when they
	 * enter it */
	nanosleep(&moment, NULL);
	pthread_mutex_lock(&lock);
	for (struct thread *t = threads; t; t = t->next)
		flush_thread(t);
	pthread_mutex_unlock(&lock);
}

void thread_end_all(void)
{
	thread_flush_all();
	pthread_mutex_lock(&lock);
	for (struct thread *t = threads; t; t = t->next)
		stream_end(&t->stream);
	pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	pthread_spin_lock(&shared_lock);
}

static void in_parent(void)
{
	pthread_spin_unlock(&shared_lock);
	pthread_mutex_unlock(&lock);
}

/* Resets the sampler in a forked child, in which only this thread of the parent exists. Drops
 * counts and buffer, because the parent writes them. */
static void in_child(void)
{
	struct thread *t = thread_self;
	const uint32_t pid = t ? t->stream.pid : 0, tid = t ? t->stream.tid : 0;

	in_parent();
	threads = t;
	if (!t)
		return;
	t->next = NULL;
	t->stream.used = 0;
	t->instructions = 0;
	counts_release(&t->counts);
	t->stream.pid = t->stream.tid = (uint32_t)getpid();
	stream_begin(&t->stream, pid, tid);
}

bool thread_begin_all(void)
{
	return !pthread_spin_init(&shared_lock, PTHREAD_PROCESS_PRIVATE) &&
	       !pthread_key_create(&ending, end_thread) &&
	       !pthread_atfork(before_fork, in_parent, in_child) &&
	       (!thread_options.model || cache_make(&shared, &thread_options.shapes[2]));
}
