/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how a sample shows that a conditional jump went another way. */
#include "waits_fixture.h"

/* Code: 0: mov (%rsi),%rax; 3: test %edi,%edi; 5: je 12; 7: cmpb $0,(%r8,%rcx,1); 12: add $1,%rdx;
 * 16: ret. With jne (0x75), the access runs if %edi is 0. */
START_TEST(an_access_behind_a_jump_needs_its_condition)
{
	char code[] = "\x48\x8b\x06\x85\xff\x74\x05\x41\x80\x3c\x08\x00\x48\x83\xc2\x01\xc3";

	/* the load runs on both ways */
	ck_assert_str_eq(TESTS(code, 16), "di!=l0:; di=l0: 7");
	/* here, each way has a candidate of its own for the load */
	ck_assert_str_eq(TESTS(code, 12), "di=l0: 7 0; di!=l0: 0");
	code[5] = 0x75;
	ck_assert_str_eq(TESTS(code, 16), "di=l0:; di!=l0: 7");
	code[5] = 0x70; /* jo */
	ck_assert_str_eq(TESTS(code, 16), "");
	memcpy(code + 3, "\x90\x90", 2); /* the flags come from before */
	code[5] = 0x74;
	ck_assert_str_eq(TESTS(code, 16), "");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: test %esi,%esi; 5: je 11; 7: add $8,%rdi; 11: add $1,%rdx; 15: add
 * (%r8),%rax; 18: ret. The load always runs, but after the addition, %rdi is not its address. */
START_TEST(a_load_before_a_jump_may_have_another_address)
{
	static const char code[] =
		"\x48\x8b\x07\x85\xf6\x74\x04\x48\x83\xc7\x08\x48\x83\xc2\x01\x49\x03\x00\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 18);
	unsigned loads = 0;

	for (unsigned i = 0; i < p->n; i++) {
		const struct wait_candidate *c = &p->candidates[i];

		if (c->insn)
			continue;
		loads++;
		ck_assert_uint_eq(c->tests, 0);
		ck_assert_uint_ne(c->moved, 0);
	}
	ck_assert_uint_eq(loads, 1);
}
END_TEST

/* Code: 0: cmp %rcx,%rdi; 3: mov %rax,%rbx; 6: jge 11; 8: mov (%rsi),%rax; 11: add $1,%rdx; 15:
 * ret. */
START_TEST(two_registers_and_a_move_between)
{
	char code[] = "\x48\x39\xcf\x48\x89\xc3\x7d\x03\x48\x8b\x06\x48\x83\xc2\x01\xc3";

	ck_assert_str_eq(TESTS(code, 15), "di<cx:; di>=cx: 8");
	code[6] = 0x73; /* jae */
	ck_assert_str_eq(TESTS(code, 15), "di<ucx:; di>=ucx: 8");
	code[5] = 0xcf; /* 3: mov %rcx,%rdi, so the compared value is lost */
	ck_assert_str_eq(TESTS(code, 15), "");
}
END_TEST

/* Code: 0: sub $1,%rdi; 4: jb 9; 6: mov (%rsi),%rax; 9: add $1,%rdx; 13: ret. The carry is that of
 * the subtraction, not of a comparison of its result with 0. */
START_TEST(a_subtraction_shows_only_zero_and_the_sign)
{
	char code[] = "\x48\x83\xef\x01\x72\x03\x48\x8b\x06\x48\x83\xc2\x01\xc3";

	ck_assert_str_eq(TESTS(code, 13), "");
	code[4] = 0x74; /* je */
	ck_assert_str_eq(TESTS(code, 13), "di!=0:; di=0: 6");
	code[4] = 0x78; /* js */
	ck_assert_str_eq(TESTS(code, 13), "di>=0 0:; di<0 0: 6");
}
END_TEST

#ifdef __x86_64__
/* Each condition of x86, for pairs of values that differ in their order as signed and unsigned
 * numbers, and as halves. */
START_TEST(conditions_are_those_of_the_cpu)
{
	static const uint64_t values[] = { 0,          1,
					   2,          INT32_MAX,
					   UINT32_MAX, UINT64_C(1) << 32,
					   INT64_MAX,  UINT64_MAX - 1,
					   UINT64_MAX };
	static const uint8_t all[] = { 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15 };
	const size_t n = sizeof(values) / sizeof(values[0]);

	for (size_t i = 0; i < n * n * 2; i++) {
		const uint64_t a = values[i / 2 / n], b = values[i / 2 % n];
		const bool half = i % 2;
		uint64_t flags, regs[64] = { a, b };

		if (half)
			__asm__("cmpl %k2,%k1; pushfq; popq %0"
				: "=r"(flags)
				: "r"(a), "r"(b)
				: "cc", "memory");
		else
			__asm__("cmpq %2,%1; pushfq; popq %0"
				: "=r"(flags)
				: "r"(a), "r"(b)
				: "cc", "memory");
		for (size_t k = 0; k < sizeof(all); k++) {
			const bool carry = flags & 1, zero = flags >> 6 & 1, sign = flags >> 7 & 1,
				   overflow = flags >> 11 & 1;
			const bool holds[] = { overflow,
					       carry,
					       zero,
					       carry || zero,
					       sign,
					       false,
					       sign != overflow,
					       zero || sign != overflow };
			const struct wait_test t = { .value.reg = 0,
						     .against = { .base.reg = 1, .index.reg = -1 },
						     .condition = all[k],
						     .half = half };

			ck_assert_msg(wait_test_is_true(&t, regs, 0) ==
					      (holds[all[k] >> 1] != (all[k] & 1)),
				      "condition %u of %" PRIx64 " and %" PRIx64, all[k], a, b);
		}
	}
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("waits_taken");
	TCase *t = tcase_create("all");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, an_access_behind_a_jump_needs_its_condition);
	tcase_add_test(t, a_load_before_a_jump_may_have_another_address);
	tcase_add_test(t, two_registers_and_a_move_between);
	tcase_add_test(t, a_subtraction_shows_only_zero_and_the_sign);
#ifdef __x86_64__
	tcase_add_test(t, conditions_are_those_of_the_cpu);
#endif
	suite_add_tcase(s, t);
	return run_suite(s);
}
