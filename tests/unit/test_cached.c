/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which samples count as hits of the first-level cache because of the object that they
 * access. */
#include "import/cached.h"

#include "check_main.h"
#include "database/memory.h"
#include "import/pipeline.h"

static struct object object;
static struct import im;

static void begin(enum object_kind kind, uint64_t bytes)
{
	object = (struct object){ .kind = kind, .extent = bytes };
	im.model.objects.objects.at = &object;
	im.model.objects.objects.n = 1;
}

/* Returns the kind of time of a sample of the object, after cached_find(). */
static int kind_of(uint32_t thread, int32_t opcode, int32_t kind)
{
	struct row_sample row = { 0 };

	row.data.object_id = 1;
	row.data.thread_id = thread;
	row.kind.memory_opcode = opcode;
	row.kind.time_kind = kind;
	row.kind.addr_source = ADDR_RETIRED;
	row.kind.missed = 1;
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
	begin(OBJECT_STACK, 8 << 20); /* a frame */
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	begin(OBJECT_HEAP, 0);
	object.blocks = 1000;
	object.peak_bytes = 32000;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_CACHED);
	object.peak_bytes = 64000;
	ck_assert_int_eq(kind_of(1, MEMORY_LOAD, TIME_MEMORY), TIME_MEMORY);
}
END_TEST

/* One thread writes and another one uses it: then its lines move. Reading alone moves none. */
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

	tcase_add_test(tc, small_objects_stay);
	tcase_add_test(tc, written_by_one_and_used_by_another);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
