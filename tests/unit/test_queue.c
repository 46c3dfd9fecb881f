/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the queue of rows between the import and the thread that writes them. */
#include "database/queue.h"

#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "check_main.h"
#include "database/rows.h"

enum { ROWS = 100000, HELD = 1000, FORKS = 10 };

/* what the thread got */
static struct {
	uint32_t rows, nulls;
	pthread_t thread;
} got;
static pthread_mutex_t foreign = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_held, fork_begins;

static void wait_for(sem_t *event)
{
	while (sem_wait(event))
		;
}

static void take_row(void *arg, int what, const void *row)
{
	const struct row_dso *d = row;
	const struct row_block *b = row;
	char name[16];

	ck_assert_ptr_eq(arg, &got);
	got.thread = pthread_self();
	got.rows++;
	snprintf(name, sizeof(name), "%u", got.rows);
	if (got.rows % 2) {
		ck_assert_int_eq(what, TABLE_DSOS);
		ck_assert_uint_eq(d->id, got.rows);
		ck_assert_str_eq(d->short_name, name);
		ck_assert_ptr_null(d->long_name);
	} else {
		ck_assert_int_eq(what, QUEUE_BLOCK);
		ck_assert_uint_eq(b->size_bytes, got.rows);
	}
}

static void put_row(struct queue *q, uint32_t i)
{
	struct row_dso dso = { .id = i };
	struct row_block block = { .size_bytes = i };
	char name[16];

	snprintf(name, sizeof(name), "%u", i);
	dso.short_name = name;
	if (i % 2)
		queue_put(q, TABLE_DSOS, &dso);
	else
		queue_put(q, QUEUE_BLOCK, &block);
}

START_TEST(rows_and_their_strings_arrive_in_their_order)
{
	static struct queue q = { .write = take_row, .arg = &got };
	uint32_t i = 0;

	while (i < ROWS)
		put_row(&q, ++i);
	queue_wait(&q);
	ck_assert_uint_eq(got.rows, ROWS);
	ck_assert(!pthread_equal(got.thread, pthread_self()));
	for (; i < ROWS + 10; i++)
		put_row(&q, i + 1);
	queue_end(&q, false);
	ck_assert_uint_eq(got.rows, ROWS + 10);
	/* without a thread, a row is written at once */
	put_row(&q, ++i);
	ck_assert_uint_eq(got.rows, i);
	ck_assert(pthread_equal(got.thread, pthread_self()));
	queue_wait(&q);
	queue_end(&q, true);
}
END_TEST

static void count_row(void *arg, int what, const void *row)
{
	got.rows += row != NULL;
	got.nulls += row == NULL;
}

START_TEST(rows_that_nobody_needs_are_dropped)
{
	static struct queue q = { .write = count_row };
	const struct row_block block = { .size_bytes = 1 };

	queue_end(&q, true); /* nothing has begun yet */
	queue_put(&q, QUEUE_BLOCK, &block);
	queue_wait(&q);
	ck_assert_uint_eq(got.rows, 1);
	queue_put(&q, QUEUE_BLOCK, &block); /* this batch is not full, so it is with the caller */
	queue_end(&q, true);
	ck_assert_uint_eq(got.rows, 1);
}
END_TEST

/* Says that a fork has begun. It was registered after the queue's own handler, so it runs before
 * that one. */
static void say_fork(void)
{
	sem_post(&fork_begins);
}

/* Holds a lock, as malloc() does, from row 1 to row HELD, and at least until a fork has begun. */
static void hold_lock(void *arg, int what, const void *row)
{
	const struct row_block *b = row;

	got.rows++;
	if (b->size_bytes == 1) {
		pthread_mutex_lock(&foreign);
		sem_post(&is_held);
		wait_for(&fork_begins);
	}
	if (b->size_bytes <= HELD)
		sched_yield(); /* so that a fork that does not wait is done before row HELD */
	if (b->size_bytes == HELD)
		pthread_mutex_unlock(&foreign);
}

static uint32_t put_numbered(struct queue *q, uint64_t number)
{
	const struct row_block block = { .size_bytes = number };

	queue_put(q, QUEUE_BLOCK, &block);
	return 1;
}

/* Puts rows until the queue begins a second batch, so that the thread works on the first one, which
 * has rows 1 to HELD. Returns their number. */
static uint32_t put_batch(struct queue *q)
{
	uint32_t n = put_numbered(q, 1);
	const struct queue_batch *first = q->filling;

	while (q->filling == first) {
		n += put_numbered(q, n + 1);
		ck_assert(n > HELD || q->filling == first);
	}
	return n;
}

/* If the child found the lock taken, it would wait forever: the thread that holds it is not in the
 * child. */
START_TEST(a_forked_child_finds_no_lock_of_the_thread)
{
	static struct queue q = { .write = hold_lock };
	uint32_t rows = put_numbered(&q, HELD + 1); /* starts the thread */
	int status;
	pid_t pid;

	sem_init(&is_held, 0, 0);
	sem_init(&fork_begins, 0, 0);
	ck_assert_int_eq(pthread_atfork(say_fork, NULL, NULL), 0);
	for (int i = 0; i < FORKS; i++) {
		queue_wait(&q);
		rows += put_batch(&q);
		wait_for(&is_held);
		pid = fork();
		if (!pid)
			_exit(pthread_mutex_trylock(&foreign) != 0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_int_eq(status, 0);
	}
	queue_end(&q, false);
	ck_assert_uint_eq(got.rows, rows);
}
END_TEST

/* Lets this process map only so many more bytes. */
static void limit_memory(uint64_t more)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	struct rlimit limit;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	limit.rlim_cur = limit.rlim_max = pages * (uint64_t)sysconf(_SC_PAGESIZE) + more;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

/* Without memory for the batches, and with memory for them but not for the stack of the thread. */
START_TEST(without_a_thread_rows_are_written_when_they_are_put)
{
	static const uint64_t left[] = { 512 << 10, 1536 << 10 };
	static struct queue q = { .write = take_row, .arg = &got };

	limit_memory(left[_i]);
	for (uint32_t i = 1; i <= HELD; i++) {
		put_row(&q, i);
		ck_assert_uint_eq(got.rows, i);
		ck_assert(pthread_equal(got.thread, pthread_self()));
	}
	ck_assert(!q.has_thread);
	ck_assert_ptr_null(q.batches[0].rows);
	queue_wait(&q);
	queue_end(&q, false);
	ck_assert_uint_eq(got.rows, HELD);
}
END_TEST

START_TEST(a_row_whose_string_cannot_be_copied_is_missed_once)
{
	static struct queue q = { .write = count_row };
	const size_t bytes = 64 << 20;
	char *text = malloc(bytes);
	struct row_dso dso = { .id = 1, .short_name = "short" };

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', bytes - 1);
	text[bytes - 1] = 0;
	queue_put(&q, TABLE_DSOS, &dso);
	queue_wait(&q);
	limit_memory(bytes / 2);
	dso.long_name = text;
	queue_put(&q, TABLE_DSOS, &dso);
	queue_put(&q, TABLE_DSOS, &dso);
	dso.long_name = NULL;
	queue_put(&q, TABLE_DSOS, &dso);
	queue_wait(&q);
	ck_assert_uint_eq(got.rows, 2);
	ck_assert_uint_eq(got.nulls, 1);
	queue_put(&q, TABLE_DSOS, &dso);
	queue_end(&q, false);
	ck_assert_uint_eq(got.rows, 3);
	ck_assert_uint_eq(got.nulls, 1);
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("queue");
	TCase *t = tcase_create("queue");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, rows_and_their_strings_arrive_in_their_order);
	tcase_add_test(t, rows_that_nobody_needs_are_dropped);
	tcase_add_test(t, a_forked_child_finds_no_lock_of_the_thread);
	if (!SANITIZED) { /* a sanitizer maps more than any limit */
		tcase_add_loop_test(t, without_a_thread_rows_are_written_when_they_are_put, 0, 2);
		tcase_add_test(t, a_row_whose_string_cannot_be_copied_is_missed_once);
	}
	suite_add_tcase(s, t);
	return run_suite(s);
}
