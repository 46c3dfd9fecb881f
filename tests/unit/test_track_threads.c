/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests parts of the tracker in threads that start and end, under the thread and address
 * sanitizers. Sanitizers cannot run inside the preloaded library, so these parts are linked without
 * interposing any function. The threads write a log in memory, and the importer's reader must find
 * every event in this log. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "addresses.h"
#include "affinity.h"
#include "check_main.h"
#include "clock.h"
#include "real.h"
#include "shared_log.h"
#include "rawcall.h"
#include "tracker.h"
#include "window.h"
#include "tracklog/tracklog.h"

/* When the last destructors of a thread run, ThreadSanitizer has already freed its data about the
 * thread. So in builds with ThreadSanitizer, the log stream of an ended thread is reused only when
 * the kernel no longer knows the thread. */
#ifdef __SANITIZE_THREAD__
#define WATCH_ENDS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCH_ENDS 0
#endif
#endif
#ifndef WATCH_ENDS
#define WATCH_ENDS 1
#endif

enum {
	LOG_BYTES = 64 << 20,
	THREADS = 4,
	ROUNDS = WATCH_ENDS ? 30 : 8,
	PAIRS = 1000,
	SHARED = 5000
};

struct image image;
struct real real;

static uint8_t *log_memory;
static struct addresses set;
static pthread_barrier_t all_done;
static uint64_t taken[THREADS];

/* These replace the functions of preload/image.c, which is not linked. */

bool image_start(void)
{
	return true;
}

bool image_is_off(void)
{
	return false;
}

bool image_has_other_tids(void)
{
	return false;
}

bool image_is_parents(void)
{
	return false;
}

bool seal_expected;

bool seal_notice(void);
bool seal_notice(void)
{
	return false;
}

bool image_grow(void)
{
	return true;
}

struct track_chunk *shared_take(void)
{
	return NULL;
}

bool shared_closed(void)
{
	return false;
}

struct track_chunk *shared_slot_chunk_at(uint64_t pos)
{
	return NULL;
}

void *window_chunk(uint64_t offset)
{
	return offset + TRACK_CHUNK <= LOG_BYTES ? log_memory + offset : NULL;
}

void affinity_record_start(struct thread *t)
{
}

void *real_find(const char *name)
{
	return NULL;
}

void *real_find_anywhere(const char *name)
{
	return NULL;
}

static void setup(void)
{
	struct track_header *h;
	int fd = memfd_create("log", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, LOG_BYTES + TRACK_CHUNK), 0);
	log_memory = mmap(NULL, LOG_BYTES + TRACK_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	ck_assert_ptr_ne(log_memory, MAP_FAILED);
	log_memory += TRACK_CHUNK - (uintptr_t)log_memory % TRACK_CHUNK;
	h = (struct track_header *)log_memory;
	memcpy(h->magic, TRACK_MAGIC, sizeof(h->magic));
	h->version = TRACK_VERSION;
	h->header_bytes = TRACK_HEADER_BYTES;
	h->chunk_bytes = TRACK_CHUNK;
	h->cookie = 12345;
	h->clock = TRACK_CLOCK_MONOTONIC;
	h->shift = 2;
	h->next = TRACK_CHUNK;
	clock_init(false, true);
	clock_pair(&h->start_ticks_clock, &h->start_ns);
	image.header = image.log = h;
	image.capacity = LOG_BYTES;
	image.shift = 2;
	image.pid = (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0);
	if (WATCH_ENDS) {
		real.pthread_key_create = pthread_key_create;
		real.pthread_setspecific = pthread_setspecific;
	}
	thread_watch_ends();
	addresses_init(&set, 1 << 16);
	/* registers this thread, as the tracker's constructor does */
	ck_assert_ptr_nonnull(thread_get());
}

/* Counts the events of this kind in the log that the threads wrote. */
static uint64_t count(enum tl_kind kind)
{
	uint64_t n = 0, last = 0;
	struct tl_event e;
	struct tl_log *l;
	int ret;

	ck_assert_int_eq(tl_open_mem(log_memory, image.header->next, &l, NULL), 0);
	while ((ret = tl_next(l, &e, NULL)) > 0) {
		ck_assert_uint_ge(e.time, last);
		last = e.time;
		n += e.kind == kind;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(tl_losses(l)->lost_events, 0);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, 0);
	tl_close(l);
	return n;
}

/* Returns the number of streams in the log. */
static uint64_t places(void)
{
	uint64_t most = 0;

	for (uint64_t at = TRACK_CHUNK; at < image.header->next; at += TRACK_CHUNK) {
		const struct track_chunk *c = (const struct track_chunk *)(log_memory + at);

		most = c->stream > most ? c->stream : most;
	}
	return most + 1;
}

static void *write_pairs(void *arg)
{
	uint64_t address = 0x10000 * (1 + (uint64_t)(uintptr_t)arg);

	for (int i = 0; i < PAIRS; i++) {
		struct thread *t = thread_get();

		log_birth(t, clock_ticks(), address, 24, TL_FN_MALLOC, 0, STACK_ROOT);
		log_realloc(t, clock_ticks(), address, clock_ticks(), address + 64, 1ull << 30,
			    TL_FN_REALLOC, STACK_ROOT);
		log_death(t, clock_ticks(), address + 64);
	}
	/* ThreadSanitizer does not see that the kernel reported a thread's death. So in its build,
	 * no thread ends while another thread may reuse its stream. */
	if (!WATCH_ENDS)
		pthread_barrier_wait(&all_done);
	return NULL;
}

START_TEST(threads_that_come_and_go_lose_nothing)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&all_done, NULL, THREADS);
	for (int i = 0; i < ROUNDS; i++) {
		for (uintptr_t n = 0; n < THREADS; n++)
			ck_assert_int_eq(pthread_create(&t[n], NULL, write_pairs, (void *)n), 0);
		for (int n = 0; n < THREADS; n++)
			pthread_join(t[n], NULL);
	}
	ck_assert_uint_eq(count(TL_BIRTH), 2 * ROUNDS * THREADS * PAIRS);
	ck_assert_uint_eq(count(TL_DEATH), 2 * ROUNDS * THREADS * PAIRS);
	ck_assert_uint_eq(count(TL_THREAD_END), WATCH_ENDS * ROUNDS * THREADS);
	ck_assert_uint_lt(places(), 20 * THREADS);
}
END_TEST

/* Adds and removes addresses. Other threads use other addresses in the same buckets. */
static void *add_and_remove(void *arg)
{
	uint64_t me = (uint64_t)(uintptr_t)arg;

	for (uint64_t i = 1; i <= SHARED; i++) {
		uint64_t address = (i * THREADS + me) * 16;

		if (!addresses_add(&set, address, (uint32_t)me))
			continue;
		taken[me]++;
		ck_assert(addresses_remove(&set, address));
		ck_assert(!addresses_remove(&set, address));
		if (i % 4 == 0 && addresses_add(&set, address, (uint32_t)me))
			/* the upper 32 bits count the addresses that remain in the set */
			taken[me] += 1ull << 32;
	}
	return NULL;
}

START_TEST(a_set_of_addresses_is_shared_without_loss)
{
	uint64_t at = 0, address, left[THREADS] = { 0 };
	pthread_t t[THREADS];
	uint32_t value;

	for (uintptr_t n = 0; n < THREADS; n++)
		ck_assert_int_eq(pthread_create(&t[n], NULL, add_and_remove, (void *)n), 0);
	for (int n = 0; n < THREADS; n++)
		pthread_join(t[n], NULL);
	while (addresses_next(&set, &at, &address, &value)) {
		ck_assert_uint_lt(value, THREADS);
		ck_assert_uint_eq(address / 16 % THREADS, value);
		left[value]++;
	}
	for (int n = 0; n < THREADS; n++) {
		ck_assert_uint_eq(left[n], taken[n] >> 32);
		ck_assert_uint_gt((uint32_t)taken[n], SHARED * 9 / 10);
	}
}
END_TEST

START_TEST(a_full_bucket_and_odd_addresses_are_refused)
{
	struct addresses few = { 0 };
	uint64_t at = 0, address;
	uint32_t value;
	unsigned n = 0;

	ck_assert(!addresses_add(&few, 0x1000, 0));
	ck_assert(!addresses_remove(&few, 0x1000));
	addresses_init(&few, 4096);
	ck_assert(!addresses_add(&few, 0, 0));
	ck_assert(!addresses_add(&few, 0x1004, 0));
	ck_assert(!addresses_add(&few, 1ull << 48, 0));
	/* aligned to 8 bytes only, as jemalloc may return */
	ck_assert(addresses_add(&few, 0x1008, 7));
	ck_assert(!addresses_remove(&few, 0x1000));
	ck_assert(addresses_next(&few, &at, &address, &value));
	ck_assert_uint_eq(address, 0x1008);
	ck_assert_uint_eq(value, 7);
	ck_assert(addresses_remove(&few, 0x1008));
	for (uint64_t a = 16; a <= 16 * 8192; a += 16)
		n += addresses_add(&few, a, ADDRESSES_VALUES - 1);
	ck_assert_uint_gt(n, 3000);
	ck_assert_uint_le(n, 4096);
	for (uint64_t a = 16; a <= 16 * 8192; a += 16)
		n -= addresses_remove(&few, a);
	ck_assert_uint_eq(n, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("track_threads");
	TCase *t = tcase_create("track_threads");

	tcase_set_timeout(t, 240);
	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, threads_that_come_and_go_lose_nothing);
	tcase_add_test(t, a_set_of_addresses_is_shared_without_loss);
	tcase_add_test(t, a_full_bucket_and_odd_addresses_are_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
