/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests captured stacks: of all kinds of frames, of several threads, and of random call trees. */
#include "rawcall.h"
#include "stack_fixture.h"

static NOINLINE uint32_t with_alloca(int bytes, leaf_fn *leaf)
{
	volatile char *p = alloca((size_t)bytes);
	uint32_t id;

	p[bytes - 1] = 1;
	id = leaf();
	sink += p[bytes - 1];
	return id;
}

#define BIG_FRAME(name, bytes)                       \
	static NOINLINE uint32_t name(leaf_fn *leaf) \
	{                                            \
		volatile char room[bytes];           \
		uint32_t id;                         \
                                                     \
		room[0] = 1;                         \
		id = leaf();                         \
		sink += room[0];                     \
		return id;                           \
	}
BIG_FRAME(with_big_frame, 70000)
BIG_FRAME(with_huge_frame, 1 << 20) /* the size of this frame does not fit into a cached entry */

/* The frame is aligned more than the ABI requires, so its CFA must be read from the stack. */
static NOINLINE uint32_t with_aligned_local(leaf_fn *leaf)
{
	volatile char local[64] __attribute__((aligned(64)));
	uint32_t id;

	local[0] = 1;
	id = leaf();
	sink += local[0];
	return id;
}

static NOINLINE uint32_t with_aligned_alloca(int bytes, leaf_fn *leaf)
{
	volatile char local[64] __attribute__((aligned(64)));
	volatile char *p = alloca((size_t)bytes);
	uint32_t id;

	local[0] = 1;
	p[bytes - 1] = 1;
	id = leaf();
	sink += local[0] + p[bytes - 1];
	return id;
}

static leaf_fn *volatile indirect = hook;

static NOINLINE uint32_t via_pointer(void)
{
	uint32_t id = indirect();

	sink++;
	return id;
}

START_TEST(every_kind_of_frame_equals_the_unwinder)
{
	struct log l;

	log_open(&l);
	for (int round = 0; round < three; round++) {
		hook();
		via_pointer();
		for (int d = 0; d < 200; d++)
			recurse(d, hook);
		for (int b = 1; b < 5000; b += 97) {
			with_alloca(b, hook);
			with_alloca(b, via_pointer);
			with_aligned_alloca(b, hook);
		}
		with_big_frame(hook);
		with_big_frame(via_pointer);
		with_huge_frame(hook);
		with_huge_frame(via_pointer);
		with_aligned_local(hook);
		with_aligned_local(via_pointer);
	}
	ck_assert_uint_eq(l.truncated, 0);
	/* from the third round on, stacks are found in the cache */
	ck_assert_uint_gt(l.thread->hits, 400);
	log_close(&l);
}
END_TEST

START_TEST(a_stack_keeps_its_id)
{
	struct log l;
	uint32_t first[50];
	uint32_t ids;

	log_open(&l);
	for (int round = 0; round < 20; round++) {
		for (int d = 0; d < 50; d++) {
			uint32_t id = recurse(d, hook);

			if (!round)
				first[d] = id;
			ck_assert_uint_eq(id, first[d]);
			ck_assert(!d || id != first[d - 1]);
		}
		if (!round)
			ids = l.thread->next_id;
	}
	ck_assert_uint_eq(l.thread->next_id, ids);
	log_close(&l);
}
END_TEST

/* Returns how many pages of the state are present. */
static unsigned pages_of(const struct log *l)
{
	unsigned char resident[STACK_THREAD_SIZE / 4096];
	unsigned n = 0;

	ck_assert_int_eq(mincore(l->thread, STACK_THREAD_SIZE, resident), 0);
	for (size_t i = 0; i < sizeof(resident); i++)
		n += resident[i] & 1;
	return n;
}

START_TEST(a_small_program_touches_few_pages)
{
	struct log l;

	log_open(&l);
	for (int d = 0; d < 50; d++)
		recurse(d, hook);
	ck_assert_uint_lt(pages_of(&l), 14); /* the segments alone need about eight */
	log_close(&l);
}
END_TEST

/* Does MADV_POPULATE_WRITE make pages present? Not in an older kernel or in an emulator of user
 * processes, which takes it for advice. */
static bool populates(void)
{
	unsigned char present[4] = { 0 };
	const size_t bytes = sizeof(present) * 4096;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool all = !madvise(p, bytes, MADV_POPULATE_WRITE) && !mincore(p, bytes, present);

	for (size_t i = 0; i < sizeof(present); i++)
		all = all && (present[i] & 1);
	munmap(p, bytes);
	return all;
}

/* With more than 256 frames, tables of 128 pages come into use. They are made present at once and
 * not page by page, which would be two page faults for each. */
START_TEST(large_tables_are_made_present_at_once)
{
	struct log l;

	log_open(&l);
	if (!populates())
		goto out;
	for (int d = 0; d < 260; d++)
		recurse(d, hook);
	ck_assert_uint_gt(pages_of(&l), 128);
out:
	log_close(&l);
}
END_TEST

static int compare_ints(const void *a, const void *b)
{
	hook();
	return *(const int *)a - *(const int *)b;
}

START_TEST(callbacks_through_libc)
{
	struct log l;
	int v[100];
	int key = 17;

	log_open(&l);
	for (int i = 0; i < 100; i++)
		v[i] = (i * 37) % 100;
	qsort(v, 100, sizeof(v[0]), compare_ints);
	ck_assert_ptr_eq(bsearch(&key, v, 100, sizeof(v[0]), compare_ints), &v[17]);
	ck_assert_uint_eq(l.truncated, 0);
	ck_assert_uint_gt(l.same, 400);
	log_close(&l);
}
END_TEST

START_TEST(random_call_trees_equal_the_unwinder)
{
	struct log l;

	log_open(&l);
	grow_many(20000);
	ck_assert_uint_eq(l.same, 20000);
	ck_assert_uint_eq(l.thread->lost, 0);
	log_close(&l);
}
END_TEST

/* A capture looks up its stack by a hash (stack_recent.c). Here sequences of stacks repeat, and
 * then others follow that differ in the depth or the functions of some. */
START_TEST(sequences_that_repeat_and_change)
{
	enum { SEEDS = 5, ROUNDS = 60, STACKS = 40 };
	static uint32_t ids[SEEDS][STACKS];
	struct log l;

	log_open(&l);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned seed = round / 3 * 7 % SEEDS;
		struct plan p = { .seed = 1 + seed / 2 };

		for (unsigned i = 0; i < STACKS; i++) {
			uint32_t id;

			p.depth = (int)(next_random(&p) % 20 + seed % 2);
			id = grow(&p);
			ck_assert_uint_ge(id, STACK_FIRST_ID);
			if (!ids[seed][i])
				ids[seed][i] = id;
			ck_assert_uint_eq(id, ids[seed][i]);
		}
	}
	ck_assert_uint_eq(l.same, ROUNDS * STACKS);
	ck_assert_uint_eq(l.thread->lost, 0);
	log_close(&l);
}
END_TEST

START_TEST(the_same_without_dl_find_object)
{
	struct log l;

	log_open(&l);
	stack_init(NULL);
	grow_many(2000);
	ck_assert_uint_eq(l.same, 2000);
	log_close(&l);
}
END_TEST

START_TEST(deep_stacks_are_cut_once_and_whole_later)
{
	struct log l;
	uint32_t root;
	int outer;

	log_open(&l);
	outer = depth_of(&l, capture_only(), &root);
	ck_assert_uint_eq(root, STACK_ROOT);
	ck_assert_int_ge(depth_of(&l, recurse(4000, capture_only), &root), outer + 4000);
	ck_assert_uint_eq(root, STACK_ROOT);
	ck_assert(stack_reset(l.thread));
	memset(l.nodes, 0, MAX_NODES * sizeof(*l.nodes));
	ck_assert_int_le(depth_of(&l, recurse(9000, capture_only), &root), STACK_MAX_DEPTH);
	ck_assert_uint_eq(root, STACK_TRUNCATED);
	recurse(9000, capture_only);
	ck_assert_int_ge(depth_of(&l, recurse(9000, capture_only), &root), outer + 9000);
	ck_assert_uint_eq(root, STACK_ROOT);
	log_close(&l);
}
END_TEST

#if defined(__x86_64__)
/* A forked child copies each page that it writes, so this is what a child with few stacks costs.
 * The functions of another processor have other frames, whose rules are on more pages. */
START_TEST(few_stacks_touch_three_pages)
{
	struct log l;

	log_open(&l);
	if (sysconf(_SC_PAGESIZE) != 4096) {
		log_close(&l);
		return;
	}
	madvise(l.thread, STACK_THREAD_SIZE, MADV_NOHUGEPAGE);
	for (int i = 0; i < 2; i++) {
		grow_many(3);
		recurse(8, capture_only);
		ck_assert_uint_le(pages_of(&l), 3);
		ck_assert(stack_reset(l.thread));
		ck_assert_uint_le(pages_of(&l), 3);
		memset(l.nodes, 0, MAX_NODES * sizeof(*l.nodes));
	}
	ck_assert_uint_eq(l.thread->lost, 0);
	log_close(&l);
}
END_TEST
#endif

static void *thread_main(void *arg)
{
	struct log l;
	unsigned *same = arg;

	log_open(&l);
	hook();
	grow_many(500);
	with_big_frame(hook);
	*same = l.same;
	log_close(&l);
	return NULL;
}

START_TEST(threads_have_their_own)
{
	pthread_t t[6];
	unsigned same[6] = { 0 };

	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(pthread_create(&t[i], NULL, thread_main, &same[i]), 0);
	for (int i = 0; i < 6; i++) {
		pthread_join(t[i], NULL);
		ck_assert_uint_eq(same[i], 502);
	}
}
END_TEST

static void *moved_main(void *arg)
{
	logged = arg;
	stack_thread_moved(logged->thread);
	grow_many(200);
	return NULL;
}

START_TEST(a_state_moves_to_another_thread)
{
	struct log l;
	pthread_t t;

	log_open(&l);
	grow_many(200);
	for (int i = 0; i < three; i++) {
		ck_assert_int_eq(pthread_create(&t, NULL, moved_main, &l), 0);
		pthread_join(t, NULL);
	}
	ck_assert_uint_eq(l.same, 800);
	log_close(&l);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stack");
	TCase *t = tcase_create("stack");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, every_kind_of_frame_equals_the_unwinder);
	tcase_add_test(t, a_stack_keeps_its_id);
	tcase_add_test(t, a_small_program_touches_few_pages);
	tcase_add_test(t, large_tables_are_made_present_at_once);
	tcase_add_test(t, callbacks_through_libc);
	tcase_add_test(t, random_call_trees_equal_the_unwinder);
	tcase_add_test(t, sequences_that_repeat_and_change);
	tcase_add_test(t, the_same_without_dl_find_object);
	tcase_add_test(t, deep_stacks_are_cut_once_and_whole_later);
#if defined(__x86_64__)
	tcase_add_test(t, few_stacks_touch_three_pages);
#endif
	tcase_add_test(t, threads_have_their_own);
	tcase_add_test(t, a_state_moves_to_another_thread);
	suite_add_tcase(s, t);
	return run_suite(s);
}
