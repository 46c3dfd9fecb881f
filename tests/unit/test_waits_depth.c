/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how far the stack pointer is below the CFA. */
#include "waits/depth.h"

#include "decoder_fixture.h"

static void check_depth(const uint8_t *code, size_t len, size_t at, uint64_t depth)
{
	bool nomem = false;

	ck_assert_msg(frame_depth(decoder, code, len, at, &nomem) == depth, "at %zu", at);
	ck_assert(!nomem);
}

START_TEST(pushed_arguments_and_alloca_change_the_depth)
{
	static const uint8_t code[] = {
		0x55,                      /*  0: push %rbp */
		0x48, 0x89, 0xe5,          /*  1: mov %rsp,%rbp */
		0x53,                      /*  4: push %rbx */
		0x48, 0x83, 0xec, 0x28,    /*  5: sub $0x28,%rsp */
		0xe8, 0,    0,    0,    0, /*  9: call */
		0x50,                      /* 14: push %rax */
		0xe8, 0,    0,    0,    0, /* 15: call */
		0x48, 0x83, 0xc4, 0x08,    /* 20: add $8,%rsp */
		0x48, 0x29, 0xc4,          /* 24: sub %rax,%rsp */
		0xe8, 0,    0,    0,    0, /* 27: call */
		0x48, 0x8d, 0x65, 0xf8,    /* 32: lea -8(%rbp),%rsp */
		0x5b,                      /* 36: pop %rbx */
		0x5d,                      /* 37: pop %rbp */
		0xc3,                      /* 38: ret */
	};

	check_depth(code, sizeof(code), 0, 8);
	check_depth(code, sizeof(code), 1, 16);
	check_depth(code, sizeof(code), 9, 64);
	check_depth(code, sizeof(code), 13, 64);
	check_depth(code, sizeof(code), 15, 72);
	check_depth(code, sizeof(code), 24, 64);
	check_depth(code, sizeof(code), 27, 0);
	check_depth(code, sizeof(code), 36, 24);
	check_depth(code, sizeof(code), 38, 8);
	check_depth(code, sizeof(code), 39, 0);
}
END_TEST

/* The loop is entered at its condition, which comes after its body. At the end, two ways meet with
 * different depths. */
START_TEST(ways_are_followed_back_and_must_agree)
{
	static const uint8_t code[] = {
		0x48, 0x83, 0xec, 0x18,    /*  0: sub $0x18,%rsp */
		0xeb, 0x05,                /*  4: jmp 11 */
		0xe8, 0,    0,    0,    0, /*  6: call */
		0x85, 0xc0,                /* 11: test %eax,%eax */
		0x75, 0xf7,                /* 13: jne 6 */
		0x74, 0x01,                /* 15: je 18 */
		0x50,                      /* 17: push %rax */
		0xe8, 0,    0,    0,    0, /* 18: call */
		0xc3,                      /* 23: ret */
	};

	check_depth(code, sizeof(code), 6, 32);
	check_depth(code, sizeof(code), 17, 32);
	check_depth(code, sizeof(code), 18, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("depth");
	TCase *c = tcase_create("depth");

	tcase_add_checked_fixture(c, open_decoder, close_decoder);
	tcase_add_test(c, pushed_arguments_and_alloca_change_the_depth);
	tcase_add_test(c, ways_are_followed_back_and_must_agree);
	suite_add_tcase(s, c);
	return run_suite(s);
}
