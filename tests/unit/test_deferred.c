/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the deferred rows of blocks: a block gets a row in the database only when something
 * refers to it. */
#include "model/objects.h"

#include "check_main.h"

#include <stdio.h>

static struct code code;
static struct space space;
static struct objects objects;
static uint32_t process;
static char stored[4096]; /* "ID:PREVIOUS:REASON " for each block that got a row */
/* for each block that ended: "ID:1 " if a sample or page fault hit it, otherwise "ID:0 " */
static char counted[4096];
/* "asked PATH " if the model requested the call path of a call that frees a block, "stored PATH "
 * if it stored the path */
static char paths[256];

static void on_store(void *arg, const struct ended_block *e)
{
	size_t n = strlen(stored);
	const char *end = block_end_name(e->how);

	snprintf(stored + n, sizeof(stored) - n, "%u:%u:%s ", e->block->id, e->block->previous,
		 end ? end : "");
}

static uint32_t on_call_path(void *arg, const void *site)
{
	const uint32_t path = *(const uint32_t *)site;
	size_t n = strlen(paths);

	snprintf(paths + n, sizeof(paths) - n, "asked %u ", path);
	return path;
}

static void on_store_path(void *arg, const struct ended_block *e)
{
	size_t n = strlen(paths);

	snprintf(paths + n, sizeof(paths) - n, "stored %u ", e->call_path);
}

static void on_count(void *arg, const struct ended_block *e)
{
	size_t n = strlen(counted);

	snprintf(counted + n, sizeof(counted) - n, "%u:%d ", e->block->id, e->block->hit);
}

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
	space_init(&space, &code);
	objects_init(&objects, &space,
		     &(struct block_sink){
			     .count = on_count, .store = on_store, .keep_bytes = 4096 });
	process = space_process_of(&space, 100, true, 1);
	stored[0] = counted[0] = 0;
}

static void teardown(void)
{
	objects_release(&objects);
	space_release(&space);
	code_release(&code);
}

static void birth(uint64_t start, uint64_t size)
{
	objects_birth(&objects, process,
		      &(struct birth){ .start = start, .size = size, .time = 10, .call_path = 5 });
}

/* Reports that realloc made a new block out of the block at `from`, which must be the last block
 * that this thread ended. */
static void birth_from(uint64_t start, uint64_t size, uint64_t from)
{
	objects_birth(&objects, process,
		      &(struct birth){ .start = start,
				       .size = size,
				       .time = 10,
				       .call_path = 5,
				       .old_address = from });
}

static void death(uint64_t start, enum block_end how)
{
	ck_assert(objects_death(&objects, process, start, 20, 0, 0, how));
}

static void hit(uint64_t address)
{
	struct place p = objects_find(&objects, process, 0, address, 0);

	ck_assert_uint_ne(p.allocation, 0);
	objects_hit(&objects, &p);
}

START_TEST(a_block_that_nothing_hit_is_only_counted)
{
	birth(0x1000, 64);
	birth(0x2000, 64);
	birth(0x3000, 4095);
	birth(0x10000, 4096);
	hit(0x203f);
	death(0x1000, BLOCK_FREED);
	death(0x2000, BLOCK_FREED);
	death(0x3000, BLOCK_FREED);
	death(0x10000, BLOCK_FREED);
	ck_assert_str_eq(stored, "2:0:freed 4:0:freed ");
	ck_assert_str_eq(counted, "1:0 2:1 3:0 4:0 ");
}
END_TEST

/* Of large blocks that nothing hit, the first ones of each object are stored. */
START_TEST(large_blocks_may_be_too_many)
{
	objects.sink.keep_most = 2;
	for (uint64_t i = 0; i < 4; i++) {
		birth(0x10000, 4096);
		if (i == 3)
			hit(0x10000);
		death(0x10000, BLOCK_FREED);
	}
	ck_assert_str_eq(stored, "1:0:freed 2:0:freed 4:0:freed ");
	ck_assert_str_eq(counted, "1:0 2:0 3:0 4:1 ");
}
END_TEST

START_TEST(every_mapping_is_stored)
{
	objects_map(&objects, process, &(struct birth){ .start = 0x1000, .size = 64 });
	objects_unmap(&objects, process, 0x1000, 0x1040, 20, 0, 0, BLOCK_FREED);
	ck_assert_str_eq(stored, "1:0:freed ");
}
END_TEST

START_TEST(a_block_is_left_over_where_most_were_freed)
{
	birth(0x1000, 64);
	birth(0x2000, 64);
	birth(0x3000, 64);
	death(0x1000, BLOCK_FREED);
	objects_end_process(&objects, process, 0, BLOCK_LIVES);
	ck_assert_str_eq(stored, "");
	birth(0x1000, 64);
	death(0x1000, BLOCK_FREED);
	birth(0x1000, 64);
	birth(0x2000, 64);
	death(0x1000, BLOCK_FREED);
	ck_assert_str_eq(stored, "");
	objects_end_process(&objects, process, 30, BLOCK_PROCESS_END);
	ck_assert_str_eq(stored, "6:0:process end ");
}
END_TEST

START_TEST(a_stored_block_needs_the_one_that_it_replaced)
{
	birth(0x1000, 64);
	death(0x1000, BLOCK_RESIZED);
	birth_from(0x2000, 128, 0x1000);
	death(0x2000, BLOCK_RESIZED);
	birth_from(0x3000, 256, 0x2000);
	ck_assert_str_eq(stored, "");
	hit(0x3000);
	death(0x3000, BLOCK_FREED);
	/* Block 1 has no row, so block 2 does not name it as its previous block. */
	ck_assert_str_eq(stored, "2:0:resized 3:2:freed ");
}
END_TEST

START_TEST(a_large_block_needs_the_one_that_it_replaced)
{
	birth(0x1000, 64);
	death(0x1000, BLOCK_RESIZED);
	birth_from(0x10000, 4096, 0x1000);
	ck_assert_str_eq(stored, "1:0:resized ");
	death(0x10000, BLOCK_RESIZED);
	birth_from(0x1000, 64, 0x10000);
	death(0x1000, BLOCK_FREED);
	ck_assert_str_eq(stored, "1:0:resized 2:1:resized ");
}
END_TEST

START_TEST(ends_wait_only_for_live_blocks)
{
	birth(0x1000, 64);
	for (int i = 0; i < 1000; i++) {
		death(0x1000, BLOCK_RESIZED);
		birth_from(0x1000, 64, 0x1000);
	}
	ck_assert_uint_le(objects.deferred.n, 2);
	death(0x1000, BLOCK_FREED);
	birth(0x1000, 64);
	/* this block was resized, but the block that replaced it is never reported */
	death(0x1000, BLOCK_RESIZED);
	birth(0x1000, 64);
	death(0x1000, BLOCK_RESIZED);
	birth(0x1000, 64);
	death(0x1000, BLOCK_FREED);
	ck_assert_uint_le(objects.deferred.n, 2);
	ck_assert_str_eq(stored, "");
}
END_TEST

START_TEST(a_child_may_hit_what_its_parent_freed)
{
	uint32_t child = space_process_of(&space, 200, true, 2), parent = process;

	birth(0x1000, 64);
	birth(0x2000, 64);
	objects_fork(&objects, parent, child);
	death(0x1000, BLOCK_FREED);
	death(0x2000, BLOCK_FREED);
	ck_assert_str_eq(counted, "1:0 2:0 ");
	ck_assert_str_eq(stored, "");
	process = child;
	hit(0x1000);
	hit(0x1020);
	ck_assert_str_eq(stored, "1:0:freed ");
	objects_end_process(&objects, child, 30, BLOCK_PROCESS_END);
	ck_assert_str_eq(stored, "1:0:freed ");
	ck_assert_uint_eq(objects.deferred.n, 2);
	ck_assert_uint_ne(objects.free_deferred, 0);
}
END_TEST

START_TEST(a_child_may_resize_its_parents_block)
{
	uint32_t child = space_process_of(&space, 200, true, 2), parent = process;

	birth(0x1000, 64);
	objects_fork(&objects, parent, child);
	process = child;
	death(0x1000, BLOCK_RESIZED);
	birth_from(0x3000, 4096, 0x1000);
	death(0x3000, BLOCK_FREED);
	ck_assert_str_eq(stored, "2:1:freed ");
	process = parent;
	death(0x1000, BLOCK_FREED);
	ck_assert_str_eq(stored, "2:1:freed 1:0:freed ");
}
END_TEST

/* The sink can find the call path of a free only during objects_death(). So if the block may get a
 * row later, objects_death() requests the call path at once. */
START_TEST(only_ends_that_may_be_stored_need_a_call_path)
{
	uint32_t path = 7;

	objects.sink.call_path = on_call_path;
	objects.sink.store = on_store_path;
	paths[0] = 0;
	birth(0x1000, 64);
	ck_assert(objects_death(&objects, process, 0x1000, 20, 0, &path, BLOCK_FREED));
	ck_assert_str_eq(paths, "");
	birth(0x1000, 4096);
	ck_assert(objects_death(&objects, process, 0x1000, 20, 0, &path, BLOCK_FREED));
	ck_assert_str_eq(paths, "asked 7 stored 7 ");
	path = 8;
	birth(0x1000, 64);
	ck_assert(objects_death(&objects, process, 0x1000, 20, 0, &path, BLOCK_RESIZED));
	path = 9;
	birth_from(0x2000, 4096, 0x1000);
	ck_assert_str_eq(paths, "asked 7 stored 7 asked 8 stored 8 ");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("deferred");
	TCase *t = tcase_create("deferred");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_block_that_nothing_hit_is_only_counted);
	tcase_add_test(t, large_blocks_may_be_too_many);
	tcase_add_test(t, every_mapping_is_stored);
	tcase_add_test(t, a_block_is_left_over_where_most_were_freed);
	tcase_add_test(t, a_stored_block_needs_the_one_that_it_replaced);
	tcase_add_test(t, a_large_block_needs_the_one_that_it_replaced);
	tcase_add_test(t, ends_wait_only_for_live_blocks);
	tcase_add_test(t, a_child_may_hit_what_its_parent_freed);
	tcase_add_test(t, a_child_may_resize_its_parents_block);
	tcase_add_test(t, only_ends_that_may_be_stored_need_a_call_path);
	suite_add_tcase(s, t);
	return run_suite(s);
}
