/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which function's frame contains a stack address. The model knows only the frames that
 * samples have shown. */
#include "model/seen_frames.h"

#include "check_main.h"

static struct frames frames;
static struct thread_frames *t;

static void setup(void)
{
	t = frames_of(&frames, 3);
	ck_assert_ptr_nonnull(t);
}

static void teardown(void)
{
	frames_release(&frames);
}

static void show(uint64_t sp, uint64_t cfa, uint32_t symbol)
{
	ck_assert(frames_show(
		t, &(struct frame){
			   .sp = sp, .cfa = cfa, .now_sp = sp, .location = 1, .symbol = symbol }));
}

/* Returns the function whose frame contains the address; 0 if the last observation of the stack did
 * not show that frame. An observation begins with frames_begin(); each show() adds a frame to
 * it. */
static uint32_t open_at(uint64_t address)
{
	const struct frame *f = frames_at(t, address, 0);

	return f && f->seen == t->now ? f->symbol : 0;
}

static uint32_t known_at(uint64_t address)
{
	const struct frame *f = frames_at(t, address, 0);

	return f ? f->symbol : 0;
}

START_TEST(frames_end_when_the_stack_pointer_is_above_them)
{
	frames_begin(t, 1, 0x1000);
	show(0x2000, 0x3000, 7);
	show(0x1000, 0x2000, 8);
	ck_assert_uint_eq(open_at(0x2fff), 7);
	ck_assert_uint_eq(open_at(0x1000), 8);
	ck_assert_uint_eq(open_at(0xfff), 0);
	ck_assert_uint_eq(open_at(0x3000), 0);
	frames_begin(t, 1, 0x1800);
	/* the frame of function 7 is above the stack pointer, so function 7 may still run, but this
	 * observation did not show it */
	ck_assert_uint_eq(open_at(0x2fff), 0);
	ck_assert_uint_eq(known_at(0x2fff), 7);
	show(0x1800, 0x1900, 9);
	/* the new frame of function 9 overlaps that of function 8, so function 8 has returned */
	ck_assert_uint_eq(known_at(0x1fff), 0);
	frames_begin(t, 1, 0x2000);
	ck_assert_uint_eq(known_at(0x1880), 0);
	ck_assert_uint_eq(known_at(0x2fff), 7);
	frames_begin(t, 1, 0x3000);
	ck_assert_uint_eq(known_at(0x2fff), 0);
}
END_TEST

START_TEST(a_frame_is_as_large_as_it_was_once)
{
	frames_begin(t, 1, 0x2ff0);
	/* function 7 at its first instruction, where its frame is still small */
	show(0x2ff0, 0x3000, 7);
	frames_begin(t, 1, 0x2000);
	show(0x2000, 0x3000, 7);
	frames_begin(t, 1, 0x2ff0);
	show(0x2ff0, 0x3000, 7);
	ck_assert_uint_eq(open_at(0x2000), 7);
	ck_assert_uint_eq(frames_at(t, 0x2000, 0)->now_sp, 0x2ff0);
	ck_assert_ptr_null(frames_at(t, 0x1ff0, 0));
	ck_assert_ptr_nonnull(frames_at(t, 0x1ff0, 16));
}
END_TEST

START_TEST(arguments_that_a_caller_has_pushed_do_not_end_it)
{
	frames_begin(t, 1, 0x1fc0);
	show(0x1fc0, 0x3000, 7);
	frames_begin(t, 1, 0x1f00);
	show(0x1f00, 0x2000, 8);
	ck_assert_uint_eq(known_at(0x2000), 7);
	ck_assert_uint_eq(known_at(0x1fc0), 8);
	frames_begin(t, 1, 0x1f00);
	/* The frame of function 9 overlaps that of function 7. The overlap is larger than the
	 * arguments that function 7 may have pushed for a call, so function 7 has returned. */
	show(0x1f00, 0x2800, 9);
	ck_assert_uint_eq(known_at(0x2900), 0);
	ck_assert_uint_eq(known_at(0x2700), 9);
}
END_TEST

/* The function calls itself, and an earlier frame of it may be anywhere. */
START_TEST(the_frame_that_was_shown_last_is_known)
{
	frames_begin(t, 1, 0x1000);
	show(0x2000, 0x3000, 7);
	show(0x1000, 0x2000, 7);
	ck_assert_uint_lt(frames_at(t, 0x2000, 0)->shown, frames_at(t, 0x1fff, 0)->shown);
	show(0x2000, 0x3000, 7);
	ck_assert_uint_gt(frames_at(t, 0x2000, 0)->shown, frames_at(t, 0x1fff, 0)->shown);
}
END_TEST

START_TEST(another_image_has_other_frames)
{
	frames_begin(t, 1, 0x1000);
	show(0x1000, 0x3000, 7);
	frames_begin(t, 2, 0x500);
	ck_assert_uint_eq(known_at(0x2000), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("frames");
	TCase *c = tcase_create("frames");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, frames_end_when_the_stack_pointer_is_above_them);
	tcase_add_test(c, a_frame_is_as_large_as_it_was_once);
	tcase_add_test(c, arguments_that_a_caller_has_pushed_do_not_end_it);
	tcase_add_test(c, the_frame_that_was_shown_last_is_known);
	tcase_add_test(c, another_image_has_other_frames);
	suite_add_tcase(s, c);
	return run_suite(s);
}
