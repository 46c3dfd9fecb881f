/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests to which block or object an address belongs at a given time. */
#include "base/count.h"
#include "objects_fixture.h"
#include "own_image.h"

static void birth(uint64_t start, uint64_t size, uint64_t time, uint32_t path)
{
	objects_birth(&objects, process,
		      &(struct birth){
			      .start = start, .size = size, .time = time, .call_path = path });
}

START_TEST(an_address_means_the_block_that_lives_now)
{
	birth(0x1000, 64, 10, 5);
	birth(0x1040, 64, 11, 6);
	ck_assert_uint_eq(find(0x103f).allocation, 1);
	ck_assert_uint_eq(find(0x103f).offset, 63);
	ck_assert_uint_eq(find(0x1040).allocation, 2);
	ck_assert_uint_eq(find(0x1080).object, 0);
	ck_assert(objects_death(&objects, process, 0x1000, 20, 0, 0, BLOCK_FREED));
	ck_assert_uint_eq(find(0x1000).object, 0);
	birth(0x1000, 32, 21, 6);
	ck_assert_uint_eq(find(0x1000).allocation, 3);
	ck_assert_uint_eq(find(0x1000).object, find(0x1040).object);
	ck_assert(!objects_death(&objects, process, 0x9999, 22, 0, 0, BLOCK_FREED));
	ck_assert_str_eq(ends, "1:1000:20:freed ");
	ck_assert_uint_eq(objects.objects.at[1].peak_bytes, 96);
	ck_assert_uint_eq(objects.objects.at[1].total_bytes, 96);
	ck_assert_uint_eq(objects.objects.at[0].peak_bytes, 64);
}
END_TEST

static uint32_t map_file(uint32_t of, uint64_t start, uint32_t path, uint32_t file, uint64_t offset,
			 bool named)
{
	objects_map(&objects, of,
		    &(struct birth){ .start = start,
				     .size = 0x1000,
				     .time = 10,
				     .call_path = path,
				     .file = file,
				     .file_offset = offset,
				     .file_named = named });
	return objects_find(&objects, of, 0, start + 8, 0).object;
}

/* Processes map shared memory at different call paths, but it is the same memory. */
START_TEST(shared_memory_is_one_object_in_all_processes)
{
	const uint32_t other = space_process_of(&space, 200, true, 2);
	const uint32_t object = map_file(process, 0x10000, 5, 1, 0, true);

	ck_assert_uint_ne(object, 0);
	ck_assert_uint_eq(map_file(other, 0x90000, 6, 1, 0, true), object);
	ck_assert_uint_eq(objects_find(&objects, other, 0, 0x90010, 0).offset, 16);
	ck_assert_uint_eq(objects.objects.at[object - 1].call_path, 5);
	ck_assert_uint_eq(objects.objects.at[object - 1].live_bytes, 0x2000);
	/* another part of the file is another object, and so is another file from the same call
	 * path */
	ck_assert_uint_ne(map_file(other, 0xa0000, 6, 1, 0x1000, true), object);
	ck_assert_uint_ne(map_file(process, 0x20000, 5, 2, 0, true), object);
	objects_unmap(&objects, other, 0x90000, 0x90800, 20, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(objects_find(&objects, other, 0, 0x90800, 0).object, object);
	objects_unmap(&objects, other, 0x90800, 0x91000, 21, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(objects.objects.at[object - 1].live_bytes, 0x1000);
	ck_assert_uint_eq(objects_find(&objects, process, 0, 0x10000, 0).object, object);
}
END_TEST

/* Anonymous shared memory has no file through which other processes could map it. So all such
 * memory that a call path maps is one object, as for private memory. */
START_TEST(anonymous_shared_memory_belongs_to_its_call_path)
{
	const uint32_t object = map_file(process, 0x10000, 5, 1, 0, false);

	ck_assert_uint_eq(map_file(process, 0x20000, 5, 2, 0, false), object);
	ck_assert_uint_ne(map_file(process, 0x30000, 6, 3, 0, false), object);
}
END_TEST

static uint32_t map_private(uint64_t start, uint32_t path, uint32_t dso)
{
	objects_map(&objects, process,
		    &(struct birth){ .start = start,
				     .size = 0x1000,
				     .time = 10,
				     .call_path = path,
				     .dso = dso });
	return find(start + 8).object;
}

/* A function that maps several files makes an object for each of them, which knows its file. */
START_TEST(each_file_that_a_call_path_maps_is_an_object)
{
	const uint32_t object = map_private(0x10000, 5, 1), none = map_private(0x20000, 5, 0);

	ck_assert_uint_eq(map_private(0x30000, 5, 1), object);
	ck_assert_uint_ne(map_private(0x40000, 5, 2), object);
	ck_assert_uint_ne(map_private(0x50000, 6, 1), object);
	ck_assert_uint_ne(none, object);
	ck_assert_uint_eq(map_private(0x60000, 5, 0), none);
	ck_assert_uint_eq(objects.objects.at[object - 1].dso, 1);
	ck_assert_uint_eq(objects.objects.at[none - 1].dso, 0);
	objects_unmap(&objects, process, 0x10000, 0x10800, 20, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(find(0x10900).object, object);
}
END_TEST

/* Thread 2 has just ended the block at old_address. It makes a new block at 0x5000 out of that
 * block, and then ends the new block. Returns the id of the old block, which the model stores for
 * the new block. */
static uint32_t previous_of(uint64_t old_address)
{
	objects_birth(&objects, process,
		      &(struct birth){ .start = 0x5000,
				       .size = 64,
				       .time = 30,
				       .thread = 2,
				       .old_address = old_address });
	ck_assert(objects_death(&objects, process, 0x5000, 40, 3, 0, BLOCK_FREED));
	return previous;
}

START_TEST(a_resized_block_names_the_one_it_replaced)
{
	birth(0x1000, 64, 10, 5);
	birth(0x2000, 64, 11, 5);
	ck_assert(objects_death(&objects, process, 0x1000, 20, 2, 0, BLOCK_RESIZED));
	ck_assert(objects_death(&objects, process, 0x2000, 21, 1, 0, BLOCK_FREED));
	ck_assert_uint_eq(previous_of(0x1000), 1);
	ck_assert_uint_eq(previous_of(0x2000), 0);
	ck_assert_uint_eq(previous_of(0), 0);
}
END_TEST

START_TEST(a_block_that_stands_for_several_counts_as_many)
{
	birth(0x1000, 64, 10, 5);
	ck_assert(!objects.objects.at[0].estimated);
	objects_birth(
		&objects, process,
		&(struct birth){
			.start = 0x2000, .size = 32, .time = 11, .call_path = 5, .weight = 100 });
	ck_assert(objects_death(&objects, process, 0x2000, 20, 0, 0, BLOCK_FREED));
	birth(0x2000, 64, 21, 5);
	ck_assert(objects.objects.at[0].estimated);
	ck_assert_uint_eq(objects.objects.at[0].blocks, 102);
	ck_assert_uint_eq(objects.objects.at[0].total_bytes, 3328);
	ck_assert_uint_eq(objects.objects.at[0].peak_bytes, 3264);
	ck_assert_uint_eq(objects.objects.at[0].live_bytes, 128);
}
END_TEST

START_TEST(a_birth_over_a_live_block_ends_it)
{
	birth(0x1000, 64, 10, 5);
	birth(0x1000, 64, 20, 5);
	ck_assert_str_eq(ends, "1:1000:20:reused ");
	ck_assert_uint_eq(find(0x1000).allocation, 2);
}
END_TEST

START_TEST(a_birth_ends_what_was_known_inside_it)
{
	birth(0x1000, 64, 10, 5);
	birth(0x1100, 64, 11, 5);
	birth(0x1200, 64, 12, 5);
	birth(0x10c0, 0x140, 20, 6);
	ck_assert_str_eq(ends, "2:1100:20:reused ");
	ck_assert_uint_eq(find(0x1110).allocation, 4);
	ck_assert_uint_eq(find(0x1010).allocation, 1);
	ck_assert_uint_eq(find(0x1210).allocation, 3);
	/* a block of 0 bytes, as malloc(0) returns it; block 4 is still found after it */
	birth(0x1000, 0, 30, 5);
	ck_assert_uint_eq(find(0x10c0).allocation, 4);
	birth(UINT64_MAX, 1, 40, 5);
	ck_assert_uint_eq(find(UINT64_MAX).allocation, 6);
}
END_TEST

START_TEST(a_mapping_without_bytes_is_none)
{
	struct birth b = { .start = 0x10000, .size = 0x1000, .time = 5, .call_path = 7 };

	objects_map(&objects, process, &b);
	b.size = 0;
	objects_map(&objects, process, &b);
	b.size = UINT64_MAX;
	objects_map(&objects, process, &b);
	ck_assert_uint_eq(objects.last_id, 1);
	ck_assert_uint_eq(find(0x10fff).allocation, 1);
}
END_TEST

START_TEST(a_younger_mapping_beats_the_image_that_was_there)
{
	extern const char end[];
	const uint64_t last = (uintptr_t)end - 1;
	struct birth b = { .start = last & ~(uint64_t)4095, .size = 4096, .time = 20 };
	struct mapping m = own_image();
	struct place p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 100, &m, 10);
	p = find(last);
	ck_assert_uint_ne(p.object, 0);
	ck_assert_uint_eq(p.allocation, 0);
	ck_assert_uint_eq(p.birth, 10);
	objects_map(&objects, process, &b);
	ck_assert_uint_eq(find(last).allocation, 1);
	/* mmap() was called before the image was mapped: a loader other than libc made this mapping
	 * to load the image */
	b.time = 9;
	objects_map(&objects, process, &b);
	ck_assert_uint_eq(find(last).object, p.object);
}
END_TEST

START_TEST(a_childs_part_of_a_mapping_ends_without_a_row)
{
	uint32_t child = space_process_of(&space, 200, true, 2), n;
	struct birth b = { .start = 0x10000, .size = 0x9000, .time = 5, .call_path = 7 };

	objects_map(&objects, process, &b);
	objects_fork(&objects, process, child);
	objects_unmap(&objects, child, 0x12000, 0x13000, 6, 0, 0, BLOCK_FREED);
	objects_end_process(&objects, child, 7, BLOCK_PROCESS_END);
	ck_assert_str_eq(ends, "");
	n = objects.blocks.n;
	/* the fork makes the slots of ended blocks reusable */
	objects_fork(&objects, process, child);
	objects_unmap(&objects, child, 0x12000, 0x13000, 8, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(objects.blocks.n, n);
	ck_assert_uint_eq(find(0x12000).allocation, 1);
}
END_TEST

START_TEST(a_page_may_be_older_than_the_block_in_it)
{
	struct mapping m = { .start = 0x10000, .end = 0x20000, .has_prot = true };
	struct place p;

	m.dso = code_dso(&code, "[heap]", NULL);
	space_map(&space, 100, &m, 10);
	birth(0x11000, 64, 20, 5);
	p = find(0x11000);
	ck_assert_uint_eq(p.birth, 20);
	ck_assert_uint_eq(objects_page_birth(&objects, process, 0x11000, &p), 10);
	space_unmap(&space, process, 0x10000, 0x20000, 30);
	ck_assert_uint_eq(objects_page_birth(&objects, process, 0x11000, &p), 20);
}
END_TEST

/* malloc keeps the heads of blocks and free memory between the blocks, in the arenas of threads as
 * in "[heap]". */
START_TEST(memory_between_heap_blocks_is_heap)
{
	struct mapping m = { .start = 0x10000, .end = 0x20000, .has_prot = true };
	uint32_t heap;

	m.dso = code_dso(&code, "[heap]", NULL);
	space_map(&space, 100, &m, 1);
	heap = find(0x12000).object;
	m.dso = code_dso(&code, "//anon", NULL);
	m.start = 0x30000;
	m.end = 0x40000;
	space_map(&space, 100, &m, 2);
	m.start = 0x50000;
	m.end = 0x60000;
	space_map(&space, 100, &m, 3);
	birth(0x31000, 64, 20, 5);
	ck_assert_uint_eq(find(0x30ff8).object, heap);
	ck_assert_uint_ne(find(0x31000).object, heap);
	ck_assert_uint_eq(find(0x3f000).object, heap);
	ck_assert_uint_ne(find(0x50000).object, heap);
	ck_assert_str_eq(AT_ID(objects.objects, heap).name, "[heap outside blocks]");
	ck_assert_str_eq(AT_ID(objects.objects, find(0x50000).object).name,
			 "[mappings outside blocks]");
}
END_TEST

START_TEST(a_mapping_cut_in_three_is_one_allocation)
{
	struct birth b = { .start = 0x10000, .size = 0x9000, .time = 5, .call_path = 7 };

	objects_map(&objects, process, &b);
	objects_unmap(&objects, process, 0x12000, 0x13000, 6, 0, 0, BLOCK_FREED);
	objects_unmap(&objects, process, 0x15000, 0x16000, 7, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(find(0x11fff).allocation, 1);
	ck_assert_uint_eq(find(0x12000).allocation, 0);
	ck_assert_uint_eq(find(0x13000).allocation, 1);
	ck_assert_uint_eq(find(0x13000).offset, 0x3000);
	ck_assert_uint_eq(find(0x18fff).allocation, 1);
	ck_assert_uint_eq(objects.objects.at[0].live_bytes, 0x7000);
	objects_unmap(&objects, process, 0x13000, 0x15000, 8, 0, 0, BLOCK_FREED);
	objects_unmap(&objects, process, 0x0, 0x12000, 9, 0, 0, BLOCK_FREED);
	ck_assert_str_eq(ends, "");
	objects_unmap(&objects, process, 0x16000, 0x20000, 10, 0, 0, BLOCK_FREED);
	ck_assert_str_eq(ends, "1:10000:10:freed ");
	ck_assert_uint_eq(objects.objects.at[0].live_bytes, 0);
	ck_assert(rangemap_empty(&space_memory(&space, process)->tracked_maps));
}
END_TEST

START_TEST(the_ends_of_a_mapping_can_go_first)
{
	struct birth b = { .start = 0x10000, .size = 0x4000, .time = 5, .call_path = 7 };

	objects_map(&objects, process, &b);
	objects_unmap(&objects, process, 0x10000, 0x11000, 6, 0, 0, BLOCK_FREED);
	objects_unmap(&objects, process, 0x13000, 0x14000, 7, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(find(0x10fff).allocation, 0);
	ck_assert_uint_eq(find(0x11000).offset, 0x1000);
	ck_assert_uint_eq(find(0x13000).allocation, 0);
	objects_end_process(&objects, process, 9, BLOCK_PROCESS_END);
	ck_assert_str_eq(ends, "1:10000:9:process end ");
}
END_TEST

START_TEST(a_child_sees_its_parents_blocks_and_ends_only_its_own)
{
	uint32_t child = space_process_of(&space, 200, true, 2), parent = process;

	birth(0x1000, 64, 10, 5);
	objects_fork(&objects, parent, child);
	ck_assert(objects_death(&objects, parent, 0x1000, 20, 0, 0, BLOCK_FREED));
	ck_assert_str_eq(ends, "1:1000:20:freed ");
	process = child;
	ck_assert_uint_eq(find(0x1000).allocation, 1);
	birth(0x2000, 64, 30, 5);
	objects_end_process(&objects, child, 40, BLOCK_PROCESS_END);
	ck_assert_str_eq(ends, "1:1000:20:freed 2:2000:40:process end ");
}
END_TEST

START_TEST(a_mapping_cut_by_parent_and_child_is_two_views_of_one_allocation)
{
	uint32_t child = space_process_of(&space, 200, true, 2), parent = process;
	struct birth b = { .start = 0x10000, .size = 0x9000, .time = 5, .call_path = 7 };

	objects_map(&objects, process, &b);
	objects_fork(&objects, parent, child);
	objects_unmap(&objects, child, 0x12000, 0x13000, 6, 0, 0, BLOCK_FREED);
	objects_unmap(&objects, parent, 0x10000, 0x15000, 7, 0, 0, BLOCK_FREED);
	ck_assert_uint_eq(find(0x11000).allocation, 0);
	ck_assert_uint_eq(find(0x16000).offset, 0x6000);
	process = child;
	ck_assert_uint_eq(find(0x11000).allocation, 1);
	ck_assert_uint_eq(find(0x12000).allocation, 0);
	ck_assert_uint_eq(find(0x16000).offset, 0x6000);
	ck_assert_uint_eq(objects.objects.at[0].live_bytes, 0x4000);
	objects_end_process(&objects, parent, 9, BLOCK_PROCESS_END);
	ck_assert_str_eq(ends, "1:10000:9:process end ");
	ck_assert_uint_eq(find(0x16000).offset, 0x6000);
	objects_end_process(&objects, child, 10, BLOCK_PROCESS_END);
	ck_assert_str_eq(ends, "1:10000:9:process end ");
}
END_TEST

START_TEST(children_cost_what_they_change)
{
	enum { BLOCKS = 20000, CHILDREN = 20000 };

	for (uint64_t i = 0; i < BLOCKS; i++)
		birth(0x10000 + i * 64, 64, 10, 5);
	for (uint32_t i = 0; i < CHILDREN; i++) {
		uint32_t parent = process;

		process = space_process_of(&space, 200 + i, true, 20);
		objects_fork(&objects, parent, process);
		ck_assert(objects_death(&objects, process, 0x10040, 30, 0, 0, BLOCK_FREED));
		birth(0x10040, 64, 40, 6);
		ck_assert_uint_eq(find(0x10040).allocation, BLOCKS + 1 + i);
		ck_assert_uint_eq(find(0x10080).allocation, 3);
		objects_end_process(&objects, process, 50, BLOCK_LIVES);
		process = parent;
		ends[0] = 0;
	}
	ck_assert_uint_eq(objects.blocks.n, BLOCKS + 1);
	/* all blocks that remain belong to the parent, which frees them here */
	for (uint64_t i = 0; i < BLOCKS; i++) {
		ck_assert(
			objects_death(&objects, process, 0x10000 + i * 64, 60, 0, 0, BLOCK_FREED));
		ends[0] = 0;
	}
	birth(0x10000, 64, 70, 5);
	ck_assert_uint_eq(objects.blocks.n, BLOCKS + 1);
}
END_TEST

START_TEST(the_log_of_the_tracker_is_no_object)
{
	static const char *const paths[] = { "/tmp/a.db.capture/track/311-6555-0.log",
					     "/tmp/a.db.capture/track/311-6555-0.log2",
					     "/tmp/track/a-1-2.log", "/tmp/311-6555-0.log" };
	struct mapping m = { .start = 0x700000, .end = 0x800000, .has_prot = true };

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		m.dso = code_dso(&code, paths[i], NULL);
		space_map(&space, 100, &m, i + 1);
		ck_assert_msg(!find(0x7f0000).object == !i, "%s", paths[i]);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("objects");
	TCase *t = tcase_create("objects");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_address_means_the_block_that_lives_now);
	tcase_add_test(t, shared_memory_is_one_object_in_all_processes);
	tcase_add_test(t, anonymous_shared_memory_belongs_to_its_call_path);
	tcase_add_test(t, each_file_that_a_call_path_maps_is_an_object);
	tcase_add_test(t, a_resized_block_names_the_one_it_replaced);
	tcase_add_test(t, a_block_that_stands_for_several_counts_as_many);
	tcase_add_test(t, a_birth_over_a_live_block_ends_it);
	tcase_add_test(t, a_birth_ends_what_was_known_inside_it);
	tcase_add_test(t, a_mapping_without_bytes_is_none);
	tcase_add_test(t, a_younger_mapping_beats_the_image_that_was_there);
	tcase_add_test(t, a_childs_part_of_a_mapping_ends_without_a_row);
	tcase_add_test(t, a_page_may_be_older_than_the_block_in_it);
	tcase_add_test(t, memory_between_heap_blocks_is_heap);
	tcase_add_test(t, a_mapping_cut_in_three_is_one_allocation);
	tcase_add_test(t, the_ends_of_a_mapping_can_go_first);
	tcase_add_test(t, a_child_sees_its_parents_blocks_and_ends_only_its_own);
	tcase_add_test(t, a_mapping_cut_by_parent_and_child_is_two_views_of_one_allocation);
	tcase_add_test(t, children_cost_what_they_change);
	tcase_add_test(t, the_log_of_the_tracker_is_no_object);
	suite_add_tcase(s, t);
	return run_suite(s);
}
