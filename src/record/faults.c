/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the thread that empties the buffers of page-fault records. A program that initializes its
 * memory causes faults on all CPUs as fast as it can, and the kernel drops records that do not fit
 * into a buffer. So the thread wakes when a buffer is partly full, and returns each piece of a
 * buffer to the kernel as soon as the records in it are compressed.
 *
 * The kernel also wakes the thread when a recorded process ends. In a storm of processes, that
 * would take more time than the rest of the recording, while the buffers get little. So in a storm
 * the thread looks at the buffers at regular times instead.
 */
#include "record/faults.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "record/fault_file.h"
#include "record/fault_storm.h"

enum {
	LONGEST_WAIT_MS = 1000, /* ms; maximum time between two rounds that empty the rings */
	STORM_WAIT_MS = 20, /* ms; the time between them in a storm, whose end is so noticed soon */
	PIECE_BYTES = 16 << 10,
};

struct faults {
	struct fault_rings rings;
	struct fault_file *file;
	/* the descriptors of the rings; the last one is the eventfd that ends the thread */
	struct pollfd *polled;
	pthread_t thread;
	uint64_t every; /* N: one in N page faults is kept; 0 and 1 mean all */
	uint64_t removed;
	uint64_t random; /* state of the random numbers, for is_chosen() */
	struct fault_storm storm;
	uint64_t storm_begin, storm_end; /* see struct faults_missing */
};

/* Copies n bytes from position `at` of the ring, and continues at the ring's start if they reach
 * over its end. */
static void copy_bytes(const struct fault_ring *r, uint64_t at, void *out, size_t n)
{
	const uint8_t *data = (const uint8_t *)r->page + r->page->data_offset;
	const size_t from = at & (r->bytes - 1);
	const size_t first = n < r->bytes - from ? n : r->bytes - from;

	memcpy(out, data + from, first);
	memcpy((uint8_t *)out + first, data, n - first);
}

/* Returns true at random, on average once in `every` calls. */
static bool is_chosen(struct faults *f, uint64_t every)
{
	uint64_t x = f->random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % every == 0;
}

/* The body of PERF_RECORD_FORK. */
struct fork_record {
	struct perf_event_header header;
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t time;
};

/* A process or a thread has started: tells the two apart. */
static void note_start(struct faults *f, const struct fault_ring *r, uint64_t at)
{
	struct fork_record k;

	copy_bytes(r, at, &k, sizeof(k));
	if (k.pid != k.parent_pid)
		fault_storm_add(&f->storm, k.time);
}

/* Does the record at position `at` of the ring belong into the file? perf.data has the starts and
 * ends of processes; here, they only serve to notice storms. */
static bool is_kept(struct faults *f, const struct fault_ring *r, uint64_t at, uint32_t type,
		    uint64_t every)
{
	if (type == PERF_RECORD_FORK)
		note_start(f, r, at);
	if (type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT)
		return false;
	if (type != PERF_RECORD_SAMPLE || every <= 1 || is_chosen(f, every))
		return true;
	f->removed++;
	return false;
}

/* Compresses the records from `from` to `to`, and returns their space and all before it to the
 * kernel. */
static void take(struct faults *f, const struct fault_ring *r, uint64_t from, uint64_t to)
{
	const uint8_t *data = (const uint8_t *)r->page + r->page->data_offset;

	while (from < to) {
		const size_t at = from & (r->bytes - 1);
		const size_t n = to - from < r->bytes - at ? (size_t)(to - from) : r->bytes - at;

		fault_file_add(f->file, data + at, n);
		from += n;
	}
	__atomic_store_n(&r->page->data_tail, to, __ATOMIC_RELEASE);
}

/* Takes the new records of a ring, piece by piece, so that the kernel gets the space of each piece
 * at once. The header of a record is never divided by the ring's end. */
static void drain_ring(struct faults *f, const struct fault_ring *r, uint64_t every)
{
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = r->page->data_tail, from = at; /* the piece reaches from `from` to `at` */

	while (at < head) {
		struct perf_event_header h;
		bool kept;

		copy_bytes(r, at, &h, sizeof(h));
		kept = is_kept(f, r, at, h.type, every);
		if (!kept || at - from >= PIECE_BYTES) {
			take(f, r, from, at);
			from = kept ? at : at + h.size;
		}
		at += h.size;
	}
	take(f, r, from, at);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Empties every ring once, which is one round. Pauses the events when a storm begins, until it is
 * over. */
static void drain_all(struct faults *f)
{
	const uint64_t every = __atomic_load_n(&f->every, __ATOMIC_RELAXED);
	const uint64_t begin_ns = now_ns();
	const bool paused = f->storm.on;

	for (unsigned i = 0; i < f->rings.n; i++)
		drain_ring(f, &f->rings.at[i], every);
	fault_file_end_round(f->file);
	fault_storm_pass(&f->storm, begin_ns);
	if (f->storm.on == paused)
		return;
	fault_rings_pause(&f->rings, f->storm.on);
	if (!f->storm.on)
		f->storm_end = now_ns();
	else if (!f->storm_begin)
		f->storm_begin = begin_ns;
}

/* Waits for the time of the next round. */
static void await_round(struct faults *f)
{
	const unsigned stop = f->rings.n;

	if (f->storm.on)
		poll(&f->polled[stop], 1, STORM_WAIT_MS);
	else
		poll(f->polled, f->rings.n + 1, LONGEST_WAIT_MS);
	/* When all processes that a ring records have ended, poll() no longer waits and reports
	 * POLLHUP for the ring. So the ring is removed from the list for poll(), but is still
	 * emptied. */
	for (unsigned i = 0; i < stop; i++)
		if (f->polled[i].revents & POLLHUP)
			f->polled[i].fd = -1;
}

/* The thread's function: empties the rings until faults_stop(). */
static void *read_rings(void *arg)
{
	struct faults *f = arg;
	const unsigned stop = f->rings.n;

	while (!f->polled[stop].revents) {
		await_round(f);
		drain_all(f);
	}
	drain_all(f); /* records may have arrived since the last round */
	return NULL;
}

/* Makes the list of descriptors for poll(): those of the rings, and last the eventfd with which
 * faults_stop() ends the thread. */
static int make_polled(struct faults *f, struct md_err *err)
{
	f->polled = calloc(f->rings.n + 1, sizeof(*f->polled));
	if (!f->polled)
		return md_nomem(err);
	for (unsigned i = 0; i < f->rings.n; i++)
		f->polled[i] = (struct pollfd){ .fd = f->rings.at[i].fds[0], .events = POLLIN };
	f->polled[f->rings.n] = (struct pollfd){ .fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN };
	if (f->polled[f->rings.n].fd < 0)
		return md_fail_errno(err, MD_ESYS, "cannot make an event");
	return 0;
}

/* Starts the thread. It blocks all signals, so that only the main thread gets them. */
static int start_thread(struct faults *f, struct md_err *err)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = pthread_create(&f->thread, NULL, read_rings, f);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret ? md_fail(err, MD_ESYS, "cannot start a thread: %s", strerror(ret)) : 0;
}

/* When faults_start() fails, it calls this function while some members are not set yet. Returns the
 * result of fault_file_close(). */
static int release_faults(struct faults *f, struct md_err *err)
{
	int ret = fault_file_close(f->file, err);

	if (f->polled && f->polled[f->rings.n].fd > 0)
		close(f->polled[f->rings.n].fd);
	free(f->polled);
	fault_rings_release(&f->rings);
	free(f);
	return ret;
}

/* Must be called before the child process pid executes the program, because exec() enables the
 * events. */
int faults_start(const struct faults_options *o, int32_t pid, int fd, struct faults **out,
		 struct md_err *err)
{
	struct faults *f = calloc(1, sizeof(*f));
	int ret;

	*out = NULL;
	if (!f)
		return md_nomem(err);
	fault_storm_init(&f->storm, (unsigned)sysconf(_SC_NPROCESSORS_CONF));
	ret = fault_rings_open(&f->rings, o, pid, err);
	if (!ret)
		ret = fault_file_open(&f->rings, fd, &f->file, err);
	if (!ret)
		ret = make_polled(f, err);
	if (!ret)
		ret = start_thread(f, err);
	if (ret) {
		release_faults(f, NULL);
		return ret;
	}
	*out = f;
	return 0;
}

void faults_thin(struct faults *f, uint64_t every)
{
	if (f)
		__atomic_store_n(&f->every, every, __ATOMIC_RELAXED);
}

/* Before the thread ends, it writes the records that are left in the buffers. f may be NULL. */
int faults_stop(struct faults *f, struct faults_missing *missing, struct md_err *err)
{
	const uint64_t one = 1;

	if (!f)
		return 0;
	if (write(f->polled[f->rings.n].fd, &one, sizeof(one)) != sizeof(one))
		pthread_cancel(f->thread);
	pthread_join(f->thread, NULL);
	if (f->storm.on)
		f->storm_end = now_ns();
	fault_storm_end(&f->storm, now_ns());
	*missing = (struct faults_missing){
		.removed = f->removed,
		.storm_ns = f->storm.total_ns,
		.storm_processes = f->storm.processes,
		.storm_begin = f->storm_begin,
		.storm_end = f->storm_begin ? f->storm_end : 0,
	};
	return release_faults(f, err);
}
