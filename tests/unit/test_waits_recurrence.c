/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which loads wait for their own previous iteration (waits/recurrence.c). */
#include "waits_fixture.h"

/* Code: 0: mov (%rax),%rax; 3: test %rax,%rax; 6: jne 0; 8: ret. Each load needs the result of
 * the load of the previous iteration. The loop has 3 instructions. */
START_TEST(a_list_is_recurrent)
{
	static const char code[] = "\x48\x8b\x00\x48\x85\xc0\x75\xf8\xc3";

	ck_assert_str_eq(AT(code, 3), "own next ax loop 3");
	ck_assert_str_eq(AT(code, 6), "flow next ax loop 3");
}
END_TEST

/* Code: 0: cmp %esi,16(%rax); 3: setb %cl; 6: movzbl %cl,%ecx; 9: mov (%rax,%rcx,8),%rax; 13:
 * test %rax,%rax; 16: jne 0; 18: ret. The next node is one of two children, and the compare
 * needs the current node. */
START_TEST(a_tree_is_recurrent)
{
	static const char code[] =
		"\x39\x70\x10\x0f\x92\xc1\x0f\xb6\xc9\x48\x8b\x04\xc8\x48\x85\xc0"
		"\x75\xee\xc3";

	ck_assert_str_eq(AT(code, 13),
			 "own next ax+16 (its own: -16 + index) loop 6, flow next ax+16 loop 6");
}
END_TEST

/* Code: 0: lea (%rcx,%rax),%edx; 3: comisd (%rdi,%rdx,8),%xmm1; 8: mov %esi,%edx; 10: cmovae
 * %eax,%edx; 13: shr %eax; 15: add %edx,%ecx; 17: jne 0; 19: ret. A binary search without a branch:
 * the next place depends on what the load compared. */
START_TEST(a_search_by_conditional_moves_is_recurrent)
{
	static const char code[] =
		"\x8d\x14\x01\x66\x0f\x2f\x0c\xd7\x89\xf2\x0f\x43\xd0\xd1\xe8\x01\xd1"
		"\x75\xed\xc3";

	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 8)->candidates[0].loop, 7);
}
END_TEST

/* Code: 0: mov (%rdi,%rax,4),%ecx; 3: test %ecx,%ecx; 5: js 16; 7: inc %rax; 10: cmp %rsi,%rax; 13:
 * jne 0; 15: ret; 16: add %rcx,%rax; 19: jmp 10. Only a negative value changes the index by what
 * was loaded; all others only count it up. So the next load does not wait. */
START_TEST(an_interpreter_is_not_recurrent)
{
	static const char code[] =
		"\x8b\x0c\x87\x85\xc9\x78\x09\x48\xff\xc0\x48\x39\xf0\x75\xf1\xc3\x48\x01\xc8"
		"\xeb\xf5";

	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 3)->candidates[0].loop, 0);
}
END_TEST

/* Code: 0: mov %rsi,%rax; 3: add (%rax),%edx; 5: mov 8(%rax),%rax; 9: test %rax,%rax; 12: jne 3;
 * 14: add $16,%rsi; 18: cmp %rdi,%rsi; 21: jne 0; 23: ret. The outer loop enters one list after
 * another. It needs no load for that, but the inner loop does. */
START_TEST(a_list_in_a_loop_is_recurrent)
{
	static const char code[] =
		"\x48\x89\xf0\x03\x10\x48\x8b\x40\x08\x48\x85\xc0\x75\xf5\x48\x83\xc6\x10\x48"
		"\x39\xfe\x75\xe9\xc3";

	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 9)->candidates[0].loop, 4);
}
END_TEST

/* Code: 0: add (%rax),%edx; 2: mov 8(%rax),%rax; 6: test %rax,%rax; 9: je 16; 11: dec %ecx; 13: jne
 * 0; 15: ret; 16: mov %rsi,%rax; 19: add $64,%rsi; 23: dec %ecx; 25: jne 0; 27: ret. At the end of
 * a list the loop goes on with the next one, whose address it computes. This way is longer. */
START_TEST(a_list_after_a_list_is_recurrent)
{
	static const char code[] =
		"\x03\x10\x48\x8b\x40\x08\x48\x85\xc0\x74\x05\xff\xc9\x75\xf1\xc3\x48\x89\xf0"
		"\x48\x83\xc6\x40\xff\xc9\x75\xe5\xc3";

	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 6)->candidates[0].loop, 6);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_recurrence");
	TCase *t = tcase_create("recurrence");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, a_list_is_recurrent);
	tcase_add_test(t, a_tree_is_recurrent);
	tcase_add_test(t, a_search_by_conditional_moves_is_recurrent);
	tcase_add_test(t, an_interpreter_is_not_recurrent);
	tcase_add_test(t, a_list_in_a_loop_is_recurrent);
	tcase_add_test(t, a_list_after_a_list_is_recurrent);
	suite_add_tcase(s, t);
	return run_suite(s);
}
