/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gap.h"
#include "holders.h"
#include "room.h"
#include "signals.h"

struct thread_options thread_options = {
	.period = 1000,
	.seed = 1,
	.shapes = { { 48 << 10, 12 }, { 1 << 20, 16 }, { 32 << 20, 16 } },
};
__thread struct thread *thread_self __attribute__((tls_model("initial-exec")));
volatile unsigned thread_stopped;

/* Protects the list of threads and thread_stopped. Signals are blocked while it is locked, because
 * a signal handler of the program may call _exit() or execve(), which lock it, too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t process; /* the process of these threads */
static pthread_spinlock_t shared_lock;
static struct cache shared;
static struct thread *threads;
static pthread_key_t ending;
static uint64_t nthreads;

static void lock_threads(sigset_t *before)
{
	signals_block(before);
	pthread_mutex_lock(&lock);
}

static void unlock_threads(const sigset_t *before)
{
	pthread_mutex_unlock(&lock);
	signals_restore(before);
}

void thread_no_memory(void)
{
	static const char text[] = "memdb: no memory for the sampler\n";

	if (write(2, text, sizeof(text) - 1) < 0)
		_exit(125);
	_exit(125);
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

/* How many threads have each number: at most one, unless more than HOLDERS are alive. */
static uint32_t users[HOLDERS];

/* Returns the number for a new thread (holders.h): the lowest of those that the fewest threads
 * have. */
static unsigned take_number(void)
{
	unsigned best = 0;

	for (unsigned n = 1; n < HOLDERS; n++)
		if (users[n] < users[best])
			best = n;
	users[best]++;
	return best;
}

static void give_number(unsigned number)
{
	users[number]--;
}

/* `p` is the state of a thread that ends. Writes its data and frees the state. */
static void end_thread(void *p)
{
	struct thread *t = p, **at;
	sigset_t before;

	lock_threads(&before);
	if (!thread_stopped) {
		flush_thread(t);
		stream_end(&t->stream);
		for (at = &threads; *at && *at != t; at = &(*at)->next)
			;
		if (*at)
			*at = t->next;
		give_number(t->number);
		turns_end(&t->turns);
		counts_release(&t->counts);
		cache_release(&t->cache[0]);
		cache_release(&t->cache[1]);
		room_give(t, sizeof(*t));
		thread_self = NULL;
	}
	unlock_threads(&before);
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
	t->number = take_number();
	t->next = threads;
	threads = t;
	if (t->next && thread_options.period == 1 && !holders_begin())
		thread_no_memory();
	pthread_mutex_unlock(&lock);
	if (thread_options.period == 1)
		turns_look(&t->turns);
	t->left = gap_next(&t->random);
	t->least = thread_options.model || thread_options.period == 1 ? UINT64_MAX : 2;
	pthread_setspecific(ending, t);
	if (t->stream.tid != t->stream.pid)
		stream_begin(&t->stream, &(struct stream_task){ t->stream.pid, t->stream.tid,
								t->stream.pid, t->stream.pid, 0 });
	thread_self = t;
}

struct thread *thread_begin(void)
{
	sigset_t before;

	signals_block(&before);
	if (!thread_self) /* a signal handler may have created the state already */
		make_thread();
	signals_restore(&before);
	return thread_self;
}

static void sleep_ms(long ms)
{
	struct timespec left = { 0, ms * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* Has another thread entered and not left yet? */
static bool is_entered(const struct thread *t)
{
	return t != thread_self && __atomic_load_n(&t->entered, __ATOMIC_ACQUIRE);
}

static bool any_entered(void)
{
	bool any = false;
	sigset_t before;

	lock_threads(&before);
	for (const struct thread *t = threads; t && !any; t = t->next)
		any = is_entered(t);
	unlock_threads(&before);
	return any;
}

/* Stops sampling, and waits until the other threads have left the sampler: writing many counts
 * takes seconds. After the first wait, each of them sees thread_stopped when it enters, and this
 * thread sees which of them have entered, although no barrier orders the two in thread_enter(). */
static void stop(void)
{
	enum { FIRST_MS = 3, MOST_MS = 30000 };
	sigset_t before;
	bool others;

	lock_threads(&before);
	thread_stopped++;
	others = threads && threads->next;
	unlock_threads(&before);
	if (!others)
		return;
	sleep_ms(FIRST_MS);
	for (int ms = 0; ms < MOST_MS && any_entered(); ms++)
		sleep_ms(1);
}

/* Writes the data of a thread after stop(). If the thread has still not left the sampler, its
 * counts are lost, because it may be changing them. */
static void flush_stopped(struct thread *t)
{
	if (is_entered(t))
		stream_lose(t->counts.used);
	else
		flush_thread(t);
}

void thread_flush_all(void)
{
	sigset_t before;

	stop();
	lock_threads(&before);
	for (struct thread *t = threads; t; t = t->next)
		flush_stopped(t);
	unlock_threads(&before);
}

void thread_resume(void)
{
	sigset_t before;

	lock_threads(&before);
	if (thread_stopped) /* a child that was forked in the meantime is not stopped */
		thread_stopped--;
	unlock_threads(&before);
}

bool thread_is_own_process(void)
{
	return process == getpid();
}

/* Forgets the threads, so that a second call writes nothing. */
void thread_end_all(void)
{
	sigset_t before;

	stop();
	lock_threads(&before);
	for (; threads; threads = threads->next) {
		flush_stopped(threads);
		stream_end(&threads->stream);
	}
	unlock_threads(&before);
}

static sigset_t before_lock; /* the signals that were blocked before the fork */

static void before_fork(void)
{
	sigset_t before;

	lock_threads(&before);
	before_lock = before;
	pthread_spin_lock(&shared_lock);
}

static void in_parent(void)
{
	const sigset_t before = before_lock;

	pthread_spin_unlock(&shared_lock);
	unlock_threads(&before);
}

/* Resets the sampler in a forked child, in which only this thread of the parent exists. Drops
 * counts and buffer, because the parent writes them. */
static void in_child(void)
{
	struct thread *t = thread_self;
	const uint32_t parent = (uint32_t)process;

	process = getpid();
	thread_stopped = 0;
	threads = t;
	holders_end();
	turns_forget(t ? &t->turns : NULL);
	memset(users, 0, sizeof(users));
	if (t) {
		const uint32_t tid = t->stream.tid;

		users[t->number] = 1;
		t->next = NULL;
		t->stream.used = 0;
		t->entered = false;
		t->instructions = 0;
		counts_release(&t->counts);
		t->stream.pid = t->stream.tid = (uint32_t)process;
		stream_begin(&t->stream,
			     &(struct stream_task){ t->stream.pid, t->stream.tid, parent, tid, 0 });
		stream_flush(&t->stream);
	}
	in_parent();
}

bool thread_begin_all(void)
{
	process = getpid();
	gap_begin(thread_options.period);
	return !pthread_spin_init(&shared_lock, PTHREAD_PROCESS_PRIVATE) &&
	       !pthread_key_create(&ending, end_thread) &&
	       !pthread_atfork(before_fork, in_parent, in_child) &&
	       (!thread_options.model || cache_make(&shared, &thread_options.shapes[2]));
}
