/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests where a pointer certainly comes from. */
#include "waits/source.h"

#include <string.h>

#include "decoder_fixture.h"
#include "decode/perf_regs.h"

/* A place with a known variable: the tests use the address of such a place as the variable. */
static const void *is_known(const struct source_place *p, void *arg)
{
	const struct source_place *known = arg;

	return p->insn == known->insn && p->reg == known->reg && p->in_slot == known->in_slot &&
			       p->is_address == known->is_address && p->slot == known->slot
		       ? known
		       : NULL;
}

static struct source source_of(const uint8_t *code, size_t len, struct source_place of,
			       struct source_place *known)
{
	struct source found;

	if (!of.used)
		of.used = of.insn;
	ck_assert_int_eq(source_find(decoder, code, len, &of, known ? is_known : NULL, known,
				     &found),
			 0);
	return found;
}

/* Returns the argument (PERF_REG_*) from which register reg comes; -1 means unknown. */
static int argument_in(const uint8_t *code, size_t len, uint32_t insn, int reg)
{
	const struct source s =
		source_of(code, len, (struct source_place){ .insn = insn, .reg = (int8_t)reg },
			  NULL);

	return s.kind == SOURCE_ARGUMENT ? s.reg : -1;
}

START_TEST(an_argument_is_followed_through_copies_and_loops)
{
	static const uint8_t code[] = {
		0x53,                      /*  0: push %rbx */
		0x48, 0x8d, 0x5f, 0x08,    /*  1: lea 8(%rdi),%rbx */
		0xe8, 0,    0,    0,    0, /*  5: call */
		0xf2, 0x0f, 0x10, 0x03,    /* 10: movsd (%rbx),%xmm0 */
		0x48, 0x83, 0xc3, 0x08,    /* 14: add $8,%rbx */
		0x48, 0x39, 0xd8,          /* 18: cmp %rbx,%rax */
		0x75, 0xf3,                /* 21: jne 10 */
		0x5b,                      /* 23: pop %rbx */
		0xc3,                      /* 24: ret */
	};

	ck_assert_int_eq(argument_in(code, sizeof(code), 10, REG_X86_BX), REG_X86_DI);
	ck_assert_int_eq(argument_in(code, sizeof(code), 12, REG_X86_BX), REG_X86_DI);
	/* a call may change it */
	ck_assert_int_eq(argument_in(code, sizeof(code), 10, REG_X86_SI), -1);
	ck_assert_int_eq(argument_in(code, sizeof(code), 5, REG_X86_SI), REG_X86_SI);
	ck_assert_int_eq(argument_in(code, sizeof(code), 5, REG_X86_AX), -1);
}
END_TEST

START_TEST(exchanged_arguments_are_uncertain)
{
	static const uint8_t code[] = {
		0xf2, 0x0f, 0x10, 0x07, /*  0: movsd (%rdi),%xmm0 */
		0x48, 0x89, 0xf0,       /*  4: mov %rsi,%rax */
		0x48, 0x89, 0xfe,       /*  7: mov %rdi,%rsi */
		0x48, 0x89, 0xc7,       /* 10: mov %rax,%rdi */
		0x75, 0xf1,             /* 13: jne 0 */
		0xc3,                   /* 15: ret */
	};

	ck_assert_int_eq(argument_in(code, sizeof(code), 0, REG_X86_DI), -1);
	ck_assert_int_eq(argument_in(code, 13, 7, REG_X86_AX), REG_X86_SI);
}
END_TEST

/* Without optimisation, arguments are in words of the frame. The second word has its address
 * taken, so it and what is above it may change. */
START_TEST(an_argument_is_followed_through_the_frame)
{
	static const uint8_t code[] = {
		0x55,                      /*  0: push %rbp */
		0x48, 0x89, 0xe5,          /*  1: mov %rsp,%rbp */
		0x48, 0x89, 0x7d, 0xe0,    /*  4: mov %rdi,-0x20(%rbp) */
		0x48, 0x89, 0x75, 0xe8,    /*  8: mov %rsi,-0x18(%rbp) */
		0x48, 0x8d, 0x7d, 0xe8,    /* 12: lea -0x18(%rbp),%rdi */
		0xe8, 0,    0,    0,    0, /* 16: call */
		0x48, 0x8b, 0x45, 0xe0,    /* 21: mov -0x20(%rbp),%rax */
		0x48, 0x01, 0xd0,          /* 25: add %rdx,%rax */
		0x8b, 0x00,                /* 28: mov (%rax),%eax */
		0x48, 0x8b, 0x45, 0xe8,    /* 30: mov -0x18(%rbp),%rax */
		0xc9,                      /* 34: leave */
		0xc3,                      /* 35: ret */
	};
	struct source_place of = { .insn = 21, .reg = REG_X86_BP, .in_slot = true, .slot = -0x20 };
	struct source s;

	of.used = 28;
	s = source_of(code, sizeof(code), of, NULL);
	ck_assert_int_eq(s.kind, SOURCE_ARGUMENT);
	ck_assert_int_eq(s.reg, REG_X86_DI);
	of.slot = -0x18;
	ck_assert_int_eq(source_of(code, sizeof(code), of, NULL).kind, SOURCE_UNKNOWN);
	ck_assert_int_eq(argument_in(code, sizeof(code), 34, REG_X86_AX), -1);
	ck_assert_int_eq(argument_in(code, sizeof(code), 28, REG_X86_AX), -1); /* a sum */
}
END_TEST

/* The argument of the caller, in rdi, is stored at -0x18(%rbp) and read again. `between` has the
 * instructions before that. Returns the argument that the read yields; -1 means unknown. */
static int stored_and_read(const uint8_t *between, size_t len)
{
	static const uint8_t first[] = {
		0x55,                   /* push %rbp */
		0x48, 0x89, 0xe5,       /* mov %rsp,%rbp */
		0x48, 0x89, 0x7d, 0xe8, /* mov %rdi,-0x18(%rbp) */
	};
	static const uint8_t last[] = {
		0xe8, 0,    0,    0,    0, /* call */
		0x48, 0x8b, 0x45, 0xe8,    /* mov -0x18(%rbp),%rax */
		0x8b, 0x00,                /* mov (%rax),%eax */
		0xc9,                      /* leave */
		0xc3,                      /* ret */
	};
	uint8_t code[64];
	const size_t size = sizeof(first) + len + sizeof(last);

	ck_assert_uint_le(size, sizeof(code));
	memcpy(code, first, sizeof(first));
	memcpy(code + sizeof(first), between, len);
	memcpy(code + sizeof(first) + len, last, sizeof(last));
	return argument_in(code, size, (uint32_t)(size - 4), REG_X86_AX);
}

/* A word of the frame is private only if nothing else than a store to this word may change it. */
START_TEST(a_word_that_something_else_may_change_is_uncertain)
{
	static const struct {
		uint8_t code[16];
		size_t len;
		bool certain;
	} cases[] = {
		{ { 0x90 }, 1, true },
		/* lea -0x20(%rbp),%rdi: the start of a struct or array that contains the word */
		{ { 0x48, 0x8d, 0x7d, 0xe0 }, 4, false },
		/* lea -0x10(%rbp),%rdi: above the word */
		{ { 0x48, 0x8d, 0x7d, 0xf0 }, 4, true },
		/* lea -0x20(%rbp,%rcx,8),%rdi */
		{ { 0x48, 0x8d, 0x7c, 0xcd, 0xe0 }, 5, false },
		/* mov %rsi,-0x20(%rbp,%rcx,8); the index may also be negative */
		{ { 0x48, 0x89, 0x74, 0xcd, 0xe0 }, 5, false },
		{ { 0x48, 0x89, 0x74, 0xcd, 0xf0 }, 5, false },
		/* mov -0x20(%rbp,%rcx,8),%rsi: changes nothing */
		{ { 0x48, 0x8b, 0x74, 0xcd, 0xe0 }, 5, true },
		/* movaps %xmm0,-0x20(%rbp): 16 bytes, of which 8 are the word */
		{ { 0x0f, 0x29, 0x45, 0xe0 }, 4, false },
		/* movaps %xmm0,-0x30(%rbp) */
		{ { 0x0f, 0x29, 0x45, 0xd0 }, 4, true },
		/* movl $0,-0x14(%rbp): the upper half of the word */
		{ { 0xc7, 0x45, 0xec, 0, 0, 0, 0 }, 7, false },
		/* mov %rbp,%rdi; add $-0x18,%rdi */
		{ { 0x48, 0x89, 0xef, 0x48, 0x83, 0xc7, 0xe8 }, 7, false },
		/* add %rbp,%rdx; then rdx may be any address in the frame */
		{ { 0x48, 0x01, 0xea }, 3, false },
		/* mov %rbp,(%rcx) */
		{ { 0x48, 0x89, 0x29 }, 3, false },
		/* mov %rsp,%rdx: the address of an array of variable length */
		{ { 0x48, 0x89, 0xe2 }, 3, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg((stored_and_read(cases[i].code, cases[i].len) == REG_X86_DI) ==
				      cases[i].certain,
			      "case %zu", i);
}
END_TEST

/* rbp is not the frame pointer, but points to an array at the stack pointer. */
START_TEST(a_copy_of_the_stack_pointer_in_rbp_is_no_frame_pointer)
{
	static const uint8_t code[] = {
		0x55,                         /*  0: push %rbp */
		0x48, 0x83, 0xec, 0x20,       /*  1: sub $0x20,%rsp */
		0x48, 0x89, 0xe5,             /*  5: mov %rsp,%rbp */
		0x48, 0x89, 0x7c, 0x24, 0x08, /*  8: mov %rdi,8(%rsp) */
		0x48, 0x89, 0x75, 0x08,       /* 13: mov %rsi,8(%rbp) */
		0x48, 0x8b, 0x44, 0x24, 0x08, /* 17: mov 8(%rsp),%rax */
		0x8b, 0x00,                   /* 22: mov (%rax),%eax */
		0xc3,                         /* 24: ret */
	};

	ck_assert_int_eq(argument_in(code, sizeof(code), 22, REG_X86_AX), -1);
}
END_TEST

/* The place at 0 counts for 3, but not for 8: a jump leads in between. */
START_TEST(no_jump_leads_between_a_place_and_its_use)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0xf8, /*  0: mov %rdi,%rax */
		0x48, 0x01, 0xd0, /*  3: add %rdx,%rax */
		0x8b, 0x00,       /*  6: mov (%rax),%eax */
		0x8b, 0x00,       /*  8: mov (%rax),%eax */
		0x75, 0xfc,       /* 10: jne 8 */
		0xc3,             /* 12: ret */
	};
	struct source_place of = { .insn = 0, .reg = REG_X86_DI, .used = 6 };

	ck_assert_int_eq(source_of(code, sizeof(code), of, NULL).kind, SOURCE_ARGUMENT);
	of.used = 8;
	ck_assert_int_eq(source_of(code, sizeof(code), of, NULL).kind, SOURCE_UNKNOWN);
}
END_TEST

START_TEST(a_known_variable_ends_the_search)
{
	static const uint8_t code[] = {
		0x75, 0x05,             /*  0: jne 7 */
		0x48, 0x89, 0xfb,       /*  2: mov %rdi,%rbx */
		0xeb, 0x03,             /*  5: jmp 10 */
		0x48, 0x89, 0xf3,       /*  7: mov %rsi,%rbx */
		0x48, 0x89, 0xdf,       /* 10: mov %rbx,%rdi */
		0xe8, 0,    0,    0, 0, /* 13: call */
		0xc3,                   /* 18: ret */
	};
	const struct source_place of = { .insn = 13, .reg = REG_X86_DI };
	struct source_place known = { .insn = 10, .reg = REG_X86_BX };
	struct source s = source_of(code, sizeof(code), of, &known);

	ck_assert_int_eq(s.kind, SOURCE_VARIABLE);
	ck_assert_ptr_eq(s.variable, &known);
	known.insn = 2; /* only on one of two ways */
	known.reg = REG_X86_DI;
	ck_assert_int_eq(source_of(code, sizeof(code), of, &known).kind, SOURCE_UNKNOWN);
}
END_TEST

/* The array begins at the stack pointer, which the second function changes before the call. */
START_TEST(an_array_begins_at_the_stack_pointer)
{
	static const uint8_t code[] = {
		0x48, 0x29, 0xc4,          /*  0: sub %rax,%rsp */
		0x48, 0x89, 0xe3,          /*  3: mov %rsp,%rbx */
		0x90, 0x90, 0x90, 0x90,    /*  6: nop, or push %rax */
		0x48, 0x89, 0xdf,          /* 10: mov %rbx,%rdi */
		0xe8, 0,    0,    0,    0, /* 13: call */
		0xc3,                      /* 18: ret */
	};
	const struct source_place of = { .insn = 13, .reg = REG_X86_DI };
	struct source_place known = { .insn = 6, .reg = REG_X86_SP };
	uint8_t moved[sizeof(code)];

	memcpy(moved, code, sizeof(code));
	moved[8] = 0x50;
	ck_assert_ptr_eq(source_of(code, sizeof(code), of, &known).variable, &known);
	ck_assert_ptr_eq(source_of(moved, sizeof(moved), of, &known).variable, &known);
	known.insn = 13;
	ck_assert_ptr_eq(source_of(code, sizeof(code), of, &known).variable, &known);
	ck_assert_int_eq(source_of(moved, sizeof(moved), of, &known).kind, SOURCE_UNKNOWN);
}
END_TEST

/* Compilers let a pointer begin one element before an array if they add to it before each use. */
START_TEST(a_variable_begins_at_an_address_in_the_frame_to_which_nothing_is_added)
{
	static const uint8_t code[] = {
		0x48, 0x83, 0xec, 0x48,       /*  0: sub $72,%rsp */
		0x48, 0x8d, 0x5c, 0x24, 0x10, /*  4: lea 16(%rsp),%rbx */
		0x90, 0x90, 0x90, 0x90,       /*  9: nop, or add $8,%rbx */
		0x48, 0x89, 0xdf,             /* 13: mov %rbx,%rdi */
		0xe8, 0,    0,    0,    0,    /* 16: call */
		0x75, 0xf2,                   /* 21: jne 9 */
		0xc3,                         /* 23: ret */
	};
	const struct source_place of = { .insn = 16, .reg = REG_X86_DI };
	struct source_place known = {
		.insn = 4, .reg = REG_X86_SP, .is_address = true, .slot = 16
	};
	uint8_t added[sizeof(code)];
	struct source s;

	memcpy(added, code, sizeof(code));
	memcpy(added + 9, "\x48\x83\xc3\x08", 4);
	s = source_of(code, sizeof(code), of, &known);
	ck_assert_int_eq(s.kind, SOURCE_VARIABLE);
	ck_assert(s.is_address);
	ck_assert_ptr_eq(s.variable, &known);
	ck_assert_int_eq(source_of(added, sizeof(added), of, &known).kind, SOURCE_UNKNOWN);
	known.slot = 24;
	ck_assert_int_eq(source_of(code, sizeof(code), of, &known).kind, SOURCE_UNKNOWN);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_source");
	TCase *t = tcase_create("source");

	tcase_add_checked_fixture(t, open_decoder, close_decoder);
	tcase_add_test(t, an_argument_is_followed_through_copies_and_loops);
	tcase_add_test(t, exchanged_arguments_are_uncertain);
	tcase_add_test(t, an_argument_is_followed_through_the_frame);
	tcase_add_test(t, a_word_that_something_else_may_change_is_uncertain);
	tcase_add_test(t, a_copy_of_the_stack_pointer_in_rbp_is_no_frame_pointer);
	tcase_add_test(t, no_jump_leads_between_a_place_and_its_use);
	tcase_add_test(t, a_known_variable_ends_the_search);
	tcase_add_test(t, an_array_begins_at_the_stack_pointer);
	tcase_add_test(t, a_variable_begins_at_an_address_in_the_frame_to_which_nothing_is_added);
	suite_add_tcase(s, t);
	return run_suite(s);
}
