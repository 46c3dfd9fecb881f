/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the thread that empties the buffers of page-fault records. A program that initializes its
 * memory causes faults on all CPUs as fast as it can, and the kernel drops records that do not fit
 * into a buffer. So the thread wakes when a buffer is partly full, and returns each piece of a
 * buffer to the kernel as soon as the records in it are compressed.
 */
#include "record/faults.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "record/fault_file.h"

enum {
	LONGEST_WAIT_MS = 1000, /* ms; maximum time between two rounds that empty the rings */
	PIECE_BYTES = 16 << 10,
	RECORD_MOST = 64 << 10,
};

struct faults {
	struct fault_rings rings;
	struct fault_file *file;
	/* the descriptors of the rings; the last one is the eventfd that ends the thread */
	struct pollfd *polled;
	pthread_t thread;
	uint64_t every; /* N: one in N page faults is kept; 0 and 1 mean all */
	uint64_t removed;
	uint64_t random;             /* state of the random numbers, for is_chosen() */
	uint8_t record[RECORD_MOST]; /* a record that is being copied from a ring */
};

/* Compresses the new records of a ring, piece by piece, and returns the space of each piece to the
 * kernel at once. */
static void drain_ring(const struct fault_ring *r, struct fault_file *file)
{
	const uint8_t *data = (const uint8_t *)r->page + r->page->data_offset;
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;

	while (tail < head) {
		size_t at = tail & (r->bytes - 1), n = (size_t)(head - tail);

		n = n < r->bytes - at ? n : r->bytes - at;
		n = n < PIECE_BYTES ? n : PIECE_BYTES;
		fault_file_add(file, data + at, n);
		tail += n;
		__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	}
}

/* Returns true at random, on average once in `every` calls. */
static bool is_chosen(struct faults *f, uint64_t every)
{
	uint64_t x = f->random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) % every == 0;
}

/* Like drain_ring(), but keeps only one in `every` page faults. Keeps all other records. A record
 * may begin at the end of the ring and continue at the start of the ring, but its header is never
 * divided. */
static void thin_ring(struct faults *f, const struct fault_ring *r, uint64_t every)
{
	const uint8_t *data = (const uint8_t *)r->page + r->page->data_offset;
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;

	while (tail < head) {
		const size_t at = tail & (r->bytes - 1);
		struct perf_event_header h;
		size_t first;

		memcpy(&h, data + at, sizeof(h));
		first = h.size < r->bytes - at ? h.size : r->bytes - at;
		if (h.type == PERF_RECORD_SAMPLE && !is_chosen(f, every)) {
			f->removed++;
		} else {
			memcpy(f->record, data + at, first);
			memcpy(f->record + first, data, h.size - first);
			fault_file_add(f->file, f->record, h.size);
		}
		tail += h.size;
		__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	}
}

/* Empties every ring once, which is one round. */
static void drain_all(struct faults *f)
{
	const uint64_t every = __atomic_load_n(&f->every, __ATOMIC_RELAXED);

	for (unsigned i = 0; i < f->rings.n; i++) {
		if (every > 1)
			thin_ring(f, &f->rings.at[i], every);
		else
			drain_ring(&f->rings.at[i], f->file);
	}
	fault_file_end_round(f->file);
}

/* The thread's function: empties the rings until faults_stop(). */
static void *read_rings(void *arg)
{
	struct faults *f = arg;
	const unsigned stop = f->rings.n;

	while (!f->polled[stop].revents) {
		poll(f->polled, f->rings.n + 1, LONGEST_WAIT_MS);
		/* When all processes that a ring records have ended, poll() no longer waits and
		 * reports POLLHUP for the ring. So the ring is removed from the list for poll(),
		 * but is still emptied. */
		for (unsigned i = 0; i < f->rings.n; i++)
			if (f->polled[i].revents & POLLHUP)
				f->polled[i].fd = -1;
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
int faults_stop(struct faults *f, uint64_t *removed, struct md_err *err)
{
	const uint64_t one = 1;

	if (!f)
		return 0;
	if (write(f->polled[f->rings.n].fd, &one, sizeof(one)) != sizeof(one))
		pthread_cancel(f->thread);
	pthread_join(f->thread, NULL);
	*removed += f->removed;
	return release_faults(f, err);
}
