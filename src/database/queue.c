/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread and the batches of rows.
 *
 * A batch is much longer than a hand-over takes (on a virtual machine, waking a thread may take
 * 50 us), and all batches together fit into the second-level cache.
 *
 * What must stay true: while this process forks, the thread works on no batch. The child is a copy
 * of the forking thread alone; a lock that another thread held at that moment would stay locked
 * forever. And the thread blocks all signals, and neither reads mapped files nor changes their
 * list: the handler of a SIGBUS reads that list without a lock (mapfile_guard()).
 */
#include "database/queue.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"
#include "database/rows.h"

enum {
	BATCH_BYTES = 256 << 10,
	TEXT_BYTES = 1 << 20, /* maximum number of bytes of a batch's strings */
	/* bytes of the thread's stack. The limit of the process may be too small for SQLite */
	STACK_BYTES = 1 << 20,
};

/* Precedes each row in a batch. */
struct queued {
	uint32_t what, bytes; /* bytes of the row, rounded up so that the next one is aligned */
};

/* A thread holds this lock while it works on a batch. */
static pthread_mutex_t working = PTHREAD_MUTEX_INITIALIZER;

static void stop_work(void)
{
	pthread_mutex_lock(&working);
}

static void continue_work(void)
{
	pthread_mutex_unlock(&working);
}

static void prepare_forks(void)
{
	pthread_atfork(stop_work, continue_work, continue_work);
}

static size_t bytes_of(int what)
{
	static const size_t bytes[] = {
		[QUEUE_SAMPLE - TABLES] = sizeof(struct row_sample),
		[QUEUE_FAULT - TABLES] = sizeof(struct row_sample),
		[QUEUE_OPERATION - TABLES] = sizeof(struct row_sample),
		[QUEUE_BLOCK - TABLES] = sizeof(struct row_block),
		[QUEUE_CELLS - TABLES] = 0,
	};

	return what < TABLES ? tables[what].row_size : bytes[what - TABLES];
}

static void write_batch(struct queue *q, struct queue_batch *b)
{
	for (size_t at = 0; at < b->used;) {
		struct queued item;

		memcpy(&item, b->rows + at, sizeof(item));
		at += sizeof(item);
		if (!atomic_load_explicit(&q->discards, memory_order_relaxed))
			q->write(q->arg, (int)item.what, b->rows + at);
		at += item.bytes;
	}
	if (b->nomem)
		q->write(q->arg, QUEUE_KINDS, NULL);
	b->used = 0;
	b->nomem = false;
	arena_clear(&b->text);
}

static void *write_rows(void *arg)
{
	struct queue *q = arg;
	int slot;

	while ((slot = ring_next(&q->ring)) != RING_CLOSED) {
		stop_work();
		write_batch(q, &q->batches[slot]);
		continue_work();
		ring_done(&q->ring);
	}
	return NULL;
}

static void free_batches(struct queue *q)
{
	for (int i = 0; i < QUEUE_BATCHES; i++) {
		free(q->batches[i].rows);
		arena_release(&q->batches[i].text);
		q->batches[i] = (struct queue_batch){ 0 };
	}
	q->filling = NULL;
}

/* Starts the thread. It blocks all signals, so that only the caller's thread gets them. */
static bool start_thread(struct queue *q)
{
	sigset_t all, old;
	pthread_attr_t attr;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	started = !pthread_create(&q->thread, &attr, write_rows, q);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

static void begin(struct queue *q)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	bool ok = true;

	q->began = true;
	pthread_once(&once, prepare_forks);
	for (int i = 0; i < QUEUE_BATCHES; i++) {
		q->batches[i].rows = malloc(BATCH_BYTES);
		ok = ok && q->batches[i].rows;
	}
	ring_init(&q->ring, QUEUE_BATCHES);
	q->has_thread = ok && start_thread(q);
	if (q->has_thread)
		return;
	ring_release(&q->ring);
	free_batches(q);
}

/* Hands the batch over. */
static void send(struct queue *q)
{
	if (q->filling)
		ring_put(&q->ring);
	q->filling = NULL;
}

/* Returns the batch to which a row of this size is added. */
static struct queue_batch *batch_for(struct queue *q, size_t bytes)
{
	uint64_t start;

	if (q->filling &&
	    (q->filling->used + bytes > BATCH_BYTES || q->filling->text.used > TEXT_BYTES))
		send(q);
	if (!q->filling) {
		start = monotonic_ns();
		q->filling = &q->batches[ring_vacant(&q->ring)];
		q->waited_ns += monotonic_ns() - start;
	}
	return q->filling;
}

/* Replaces the pointers to strings in a row with copies, because the caller's strings are valid
 * only during the call. */
static bool copy_texts(struct arena *text, const struct table *t, char *row)
{
	for (int i = 0; i < t->ncolumns; i++) {
		const char **p = (const char **)(void *)(row + t->columns[i].offset);

		if (t->columns[i].kind != COLUMN_TEXT || !*p)
			continue;
		*p = arena_copy(text, *p, strlen(*p));
		if (!*p)
			return false;
	}
	return true;
}

void queue_put(struct queue *q, int what, const void *row)
{
	const size_t bytes = (bytes_of(what) + 7) & ~(size_t)7;
	struct queued item = { (uint32_t)what, (uint32_t)bytes };
	struct queue_batch *b;
	char *at;

	if (!q->began)
		begin(q);
	if (!q->has_thread) {
		q->write(q->arg, what, row);
		return;
	}
	b = batch_for(q, sizeof(item) + bytes);
	at = b->rows + b->used;
	memcpy(at, &item, sizeof(item));
	memcpy(at + sizeof(item), row, bytes_of(what));
	if (what < TABLES && !copy_texts(&b->text, &tables[what], at + sizeof(item)))
		b->nomem = true;
	else
		b->used += sizeof(item) + bytes;
}

void queue_wait(struct queue *q)
{
	if (!q->has_thread)
		return;
	send(q);
	ring_wait(&q->ring);
}

void queue_end(struct queue *q, bool discard)
{
	if (!q->has_thread)
		return;
	if (discard)
		atomic_store(&q->discards, true);
	send(q);
	ring_close(&q->ring);
	pthread_join(q->thread, NULL);
	q->has_thread = false;
	ring_release(&q->ring);
	free_batches(q);
}
