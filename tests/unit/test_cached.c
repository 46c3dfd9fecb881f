/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which samples count as hits of the first-level cache because the object that they access is
 * small. */
#include "import/cached.h"

#include "check_main.h"
#include "database/data_source.h"
#include "import/pipeline.h"

static struct object object;
static struct import im;
static uint64_t address;

static void end(void)
{
	waits_release(&im.model.waits);
}

static void begin(enum object_kind kind, uint64_t bytes)
{
	object = (struct object){ .kind = kind, .extent = bytes };
	im.model.objects.objects.at = &object;
	im.model.objects.objects.n = 1;
	address = 0x7f0000000000;
}

/* Calls cached_find() for a sample of the object, and returns the sample's kind of time. */
static int kind_of(uint32_t thread, int32_t opcode, int32_t kind)
{
	struct row_sample row = { 0 };

	row.data.object_id = 1;
	row.data.thread_id = thread;
	row.kind.memory_opcode = opcode;
	row.kind.time_kind = kind;
	row.kind.addr_source = ADDR_RETIRED;
	row.kind.missed = 1;
	row.data.period = 1;
	row.data.has = HAS_address;
	row.data.address = (int64_t)address;
	cached_find(&im, &row);
	ck_assert_int_eq(row.kind.missed, row.kind.time_kind != TIME_CACHED);
	return row.kind.time_kind;
}

START_TEST(small_objects_stay)
{
	begin(OBJECT_STATIC, 32768);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_UNKNOWN), TIME_CACHED);
	ck_assert_int_eq(kind_of(1, MEMORY_STORE, TIME_SHARING), TIME_SHARING);
	begin(OBJECT_STATIC, 32769);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
	begin(OBJECT_STATIC, 0); /* not known */
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
	begin(OBJECT_HEAP, 0);
	object.blocks = 1000;
	object.peak_bytes = 32000;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	object.peak_bytes = 64000;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
}
END_TEST

/* Most programs use little of the 8 MiB of a thread's stack. So accesses to the stack count as
 * cached until two samples are far apart. The same applies to a function's frame and to a small
 * local variable. */
START_TEST(stacks_are_as_large_as_their_samples_show)
{
	static const struct {
		const char *local;
		uint32_t symbol;
		uint64_t extent;
		int first, apart;
	} cases[] = {
		{ NULL, 0, 8 << 20, TIME_CACHED, TIME_MEMORY },
		{ NULL, 1, 4096, TIME_CACHED, TIME_MEMORY },
		{ NULL, 1, 48 << 20, TIME_MEMORY, TIME_MEMORY },
		{ "pointer", 0, 8, TIME_CACHED, TIME_MEMORY },
		{ "array", 0, 48 << 20, TIME_MEMORY, TIME_MEMORY },
	};

	begin(OBJECT_STACK, cases[_i].extent);
	object.local = (const void *)cases[_i].local;
	object.symbol = cases[_i].symbol;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), cases[_i].first);
	address += 32767;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), cases[_i].first);
	address -= 32768;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), cases[_i].apart);
	/* samples that count as cached have no cost, but may still have been waits */
	if (cases[_i].first == TIME_CACHED)
		ck_assert_uint_eq(im.model.waits.uncharged.at[0], 2);
}
END_TEST

/* If one thread writes an object and another thread uses it, the object's cache lines move between
 * the threads' CPUs. If all threads only read it, no line moves. */
START_TEST(written_by_one_and_used_by_another)
{
	begin(OBJECT_STATIC, 64);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	ck_assert_int_eq(kind_of(2, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	ck_assert_int_eq(kind_of(2, MEMORY_LOAD_STORE, TIME_MEMORY), TIME_MEMORY);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
	begin(OBJECT_STATIC, 64);
	ck_assert_int_eq(kind_of(1, MEMORY_STORE, TIME_MEMORY), TIME_CACHED);
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	ck_assert_int_eq(kind_of(2, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cached");
	TCase *tc = tcase_create("cached");

	tcase_add_checked_fixture(tc, NULL, end);
	tcase_add_test(tc, small_objects_stay);
	tcase_add_loop_test(tc, stacks_are_as_large_as_their_samples_show, 0, 5);
	tcase_add_test(tc, written_by_one_and_used_by_another);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
