/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which registers certainly contain an address from a block of addresses. */
#include "waits/passed.h"

#include <string.h>

#include "decoder_fixture.h"
#include "decode/perf_regs.h"

/* Returns the word of the block whose address register reg contains before byte `at`; -1 means that
 * this is not certain. */
static int64_t word_of(const uint8_t *code, size_t len, size_t at, int reg)
{
	struct passed_register regs[PASSED_REGISTERS];
	unsigned n;

	ck_assert_int_eq(passed_registers(decoder, code, len, at, regs, &n), 0);
	for (unsigned i = 0; i < n; i++)
		if (regs[i].reg == reg)
			return regs[i].word;
	return -1;
}

/* After the return, padding follows, and then code that jumps back before the loop. */
START_TEST(an_address_is_followed_through_calls_and_loops)
{
	static const uint8_t code[] = {
		0x53,                            /*  0: push %rbx */
		0x48, 0x89, 0xfb,                /*  1: mov %rdi,%rbx */
		0xe8, 0,    0,    0,    0,       /*  4: call */
		0x85, 0xc0,                      /*  9: test %eax,%eax */
		0x74, 0x1a,                      /* 11: je 39 */
		0x48, 0x8b, 0x4b, 0x08,          /* 13: mov 8(%rbx),%rcx */
		0xf2, 0x0f, 0x10, 0x04, 0xd1,    /* 17: movsd (%rcx,%rdx,8),%xmm0 */
		0x48, 0x83, 0xc2, 0x01,          /* 22: add $1,%rdx */
		0x48, 0x39, 0xd0,                /* 26: cmp %rdx,%rax */
		0x75, 0xf2,                      /* 29: jne 17 */
		0x5b,                            /* 31: pop %rbx */
		0xc3,                            /* 32: ret */
		0x66, 0x0f, 0x1f, 0x44, 0,    0, /* 33: nopw 0(%rax,%rax,1) */
		0x31, 0xd2,                      /* 39: xor %edx,%edx */
		0xeb, 0xe2,                      /* 41: jmp 13 */
	};

	ck_assert_int_eq(word_of(code, sizeof(code), 17, REG_X86_CX), 8);
	ck_assert_int_eq(word_of(code, sizeof(code), 29, REG_X86_CX), 8);
	ck_assert_int_eq(word_of(code, sizeof(code), 29, REG_X86_BX), -1);
	ck_assert_int_eq(word_of(code, sizeof(code), 13, REG_X86_CX), -1);
	ck_assert_int_eq(word_of(code, sizeof(code), 39, REG_X86_CX), -1);
	ck_assert_int_eq(word_of(code, sizeof(code), 18, REG_X86_CX), -1); /* no instruction */
}
END_TEST

/* Each iteration exchanges the two addresses, so each register may contain either. */
START_TEST(exchanged_addresses_are_uncertain)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x07,       /*  0: mov (%rdi),%rax */
		0x48, 0x8b, 0x4f, 0x08, /*  3: mov 8(%rdi),%rcx */
		0x48, 0x8b, 0x10,       /*  7: mov (%rax),%rdx */
		0x48, 0x89, 0xc6,       /* 10: mov %rax,%rsi */
		0x48, 0x89, 0xc8,       /* 13: mov %rcx,%rax */
		0x48, 0x89, 0xf1,       /* 16: mov %rsi,%rcx */
		0x48, 0x85, 0xd2,       /* 19: test %rdx,%rdx */
		0x75, 0xef,             /* 22: jne 7 */
		0xc3,                   /* 24: ret */
	};

	ck_assert_int_eq(word_of(code, sizeof(code), 3, REG_X86_AX), 0);
	ck_assert_int_eq(word_of(code, sizeof(code), 7, REG_X86_AX), -1);
	ck_assert_int_eq(word_of(code, sizeof(code), 7, REG_X86_CX), -1);
	ck_assert_int_eq(word_of(code, sizeof(code), 22, REG_X86_AX), -1);
}
END_TEST

/* Code without optimisation keeps the pointer to the block in the frame. */
START_TEST(the_block_may_be_in_the_frame)
{
	static const uint8_t code[] = {
		0x55,                      /*  0: push %rbp */
		0x48, 0x89, 0xe5,          /*  1: mov %rsp,%rbp */
		0x48, 0x89, 0x7d, 0xe8,    /*  4: mov %rdi,-0x18(%rbp) */
		0xe8, 0,    0,    0,    0, /*  8: call */
		0x48, 0x8b, 0x45, 0xe8,    /* 13: mov -0x18(%rbp),%rax */
		0x48, 0x8b, 0x40, 0x10,    /* 17: mov 0x10(%rax),%rax */
		0x48, 0x83, 0xc0, 0x08,    /* 21: add $8,%rax */
		0x5d,                      /* 25: pop %rbp */
		0xc3,                      /* 26: ret */
	};

	ck_assert_int_eq(word_of(code, sizeof(code), 21, REG_X86_AX), 16);
	ck_assert_int_eq(word_of(code, sizeof(code), 25, REG_X86_AX), -1);
}
END_TEST

/* A conditional jump out of the function leads to a part of it that the compiler has moved away,
 * and which may jump back to any instruction. */
START_TEST(nothing_is_certain_if_a_part_of_the_function_is_elsewhere)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x07,          /*  0: mov (%rdi),%rax */
		0x48, 0x85, 0xd2,          /*  3: test %rdx,%rdx */
		0x0f, 0x84, 0,    0, 1, 0, /*  6: je out of the function */
		0x48, 0x8b, 0x10,          /* 12: mov (%rax),%rdx */
		0xe9, 0,    0,    1, 0,    /* 15: jmp out of the function: a tail call */
	};
	uint8_t whole[sizeof(code)];

	memcpy(whole, code, sizeof(code));
	whole[10] = 0; /* je 12 */
	ck_assert_int_eq(word_of(whole, sizeof(whole), 12, REG_X86_AX), 0);
	ck_assert_int_eq(word_of(code, sizeof(code), 12, REG_X86_AX), -1);
}
END_TEST

/* Behind bytes that are no instruction, there may be jumps back. */
START_TEST(nothing_is_certain_if_not_all_bytes_are_instructions)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x07,       /* 0: mov (%rdi),%rax */
		0x48, 0x8b, 0x10,       /* 3: mov (%rax),%rdx */
		0xc3,                   /* 6: ret */
		0x06,                   /* 7: no instruction */
		0x48, 0x8b, 0x47, 0x08, /* 8: mov 8(%rdi),%rax */
		0xeb, 0xf5,             /* 12: jmp 3 */
	};

	ck_assert_int_eq(word_of(code, 7, 3, REG_X86_AX), 0);
	ck_assert_int_eq(word_of(code, sizeof(code), 3, REG_X86_AX), -1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("passed");
	TCase *c = tcase_create("passed");

	tcase_add_checked_fixture(c, open_decoder, close_decoder);
	tcase_add_test(c, an_address_is_followed_through_calls_and_loops);
	tcase_add_test(c, exchanged_addresses_are_uncertain);
	tcase_add_test(c, the_block_may_be_in_the_frame);
	tcase_add_test(c, nothing_is_certain_if_a_part_of_the_function_is_elsewhere);
	tcase_add_test(c, nothing_is_certain_if_not_all_bytes_are_instructions);
	suite_add_tcase(s, c);
	return run_suite(s);
}
