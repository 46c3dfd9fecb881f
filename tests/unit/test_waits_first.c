/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how a sample shows that it is in the first iteration of a loop. */
#include "waits_fixture.h"

/* Code: 0: xor %eax,%eax; 2: mov (%rdi,%rax,8),%rdx; 6: add %rdx,(%rsi,%rax,8); 10: add $1,%rax;
 * 14: cmp %rcx,%rax; 17: jne 2; 19: ret. */
static const char indexed[] = "\x31\xc0\x48\x8b\x14\xc7\x48\x01\x14\xc6\x48\x83\xc0\x01\x48\x39\xc8"
			      "\x75\xef\xc3";

START_TEST(an_index_has_its_first_value)
{
	ck_assert_str_eq(TESTS(indexed, 6), "ax=0: 6");
	/* at 14, the index has advanced already; the load has run in this iteration */
	ck_assert_str_eq(TESTS(indexed, 14), "(ax-1)=0:");
	/* at the head, everything is of the iteration before */
	ck_assert_str_eq(TESTS(indexed, 2), "ax=0: 2 6; (ax-1)=0:");
	ck_assert_str_eq(TESTS(indexed, 19), "ax!=cx: 2 6; (ax-1)=0:");
}
END_TEST

/* Code: 0: mov %rdi,%rax; 3: mov (%rax),%rdx; 6: add $8,%rax; 10: cmp %rsi,%rax; 13: jne 3; 15:
 * ret. The end of the array is in the place of its start if the loop changes rdi, too: 3: add
 * (%rdi),%rax. */
START_TEST(a_pointer_has_its_first_value)
{
	char code[] = "\x48\x89\xf8\x48\x8b\x10\x48\x83\xc0\x08\x48\x39\xf0\x75\xf4\xc3";

	ck_assert_str_eq(TESTS(code, 3), "ax=di: 3; (ax-8)=di:");
	code[5] = 0x38; /* 3: mov (%rax),%rdi */
	ck_assert_str_eq(TESTS(code, 3), "");
}
END_TEST

/* Code: 0: xor %eax,%eax; 2: jmp 7; 4: mov %rbx,%rdx; 7: mov (%rdi,%rax,8),%rbx; 11: mov
 * %rbx,8(%rsi,%rax,8); 16: add $1,%rax; 20: cmp %rcx,%rax; 23: jne 4; 25: ret. */
START_TEST(a_loop_may_be_entered_in_the_middle)
{
	static const char code[] =
		"\x31\xc0\xeb\x03\x48\x89\xda\x48\x8b\x1c\xc7\x48\x89\x5c\xc6\x08"
		"\x48\x83\xc0\x01\x48\x39\xc8\x75\xeb\xc3";

	ck_assert_str_eq(TESTS(code, 11), "ax=0: 11; ax=cx: 11");
}
END_TEST

/* Code: 0: lea 16(%rip),%rax; 7: mov (%rax),%rdx; 10: test %rdx,%rdx; 13: je 19; 15: add $8,%rax;
 * 19: cmp %rsi,%rax; 22: jne 7; 24: ret. If the branch skips the addition, the second iteration has
 * the first value, too; the tests are about the jump. */
START_TEST(each_iteration_must_count)
{
	char code[] = "\x48\x8d\x05\x10\0\0\0\x48\x8b\x10\x48\x85\xd2\x74\x04\x48\x83\xc0\x08"
		      "\x48\x39\xf0\x75\xef\xc3";

	ck_assert_str_eq(TESTS(code, 7), "dx!=0:; dx=0:");
	memcpy(code + 13, "\x66\x90", 2); /* 13: nop */
	ck_assert_str_eq(TESTS(code, 7), "ax=ip+16: 7; (ax-8)=ip+16:");
	code[18] = 0; /* 15: add $0,%rax */
	ck_assert_str_eq(TESTS(code, 7), "");
}
END_TEST

/* Code: 0: mov $N,%eax; 5: mov (%rdi,%rax,8),%rdx; 9: sub $1,%eax; 12: jne 5; 14: ret. */
START_TEST(a_counter_may_have_half_a_register)
{
	static const char code[] = "\xb8\xf0\xff\xff\xff\x48\x8b\x14\xc7\x83\xe8\x01\x75\xf7\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 9);
	uint64_t regs[64] = { 0xfffffff0 };

	ck_assert_uint_eq(p->ntests, 1);
	ck_assert(wait_test_is_true(p->tests, regs, 0));
	ck_assert_uint_eq(wait_test_registers(p->tests), 1);
	regs[0]--;
	ck_assert(!wait_test_is_true(p->tests, regs, 0));
}
END_TEST

/* Code: 0: test %rsi,%rsi; 3: je 9; 5: xor %eax,%eax; 7: jmp 12; 9: mov %rsi,%rax; 12: mov
 * (%rdi,%rax,8),%rdx; 16: add $1,%rax; 20: cmp %rcx,%rax; 23: jne 12; 25: ret. */
START_TEST(a_loop_with_two_entries_has_no_test)
{
	static const char code[] =
		"\x48\x85\xf6\x74\x04\x31\xc0\xeb\x03\x48\x89\xf0\x48\x8b\x14\xc7"
		"\x48\x83\xc0\x01\x48\x39\xc8\x75\xf3\xc3";

	ck_assert_str_eq(TESTS(code, 12), "si=0:; si!=0:");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_first");
	TCase *t = tcase_create("all");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, an_index_has_its_first_value);
	tcase_add_test(t, a_pointer_has_its_first_value);
	tcase_add_test(t, a_loop_may_be_entered_in_the_middle);
	tcase_add_test(t, each_iteration_must_count);
	tcase_add_test(t, a_counter_may_have_half_a_register);
	tcase_add_test(t, a_loop_with_two_entries_has_no_test);
	suite_add_tcase(s, t);
	return run_suite(s);
}
