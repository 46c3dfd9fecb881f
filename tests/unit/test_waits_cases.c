/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what may have run before an instruction of a function with a jump table. */
#include "waits_fixture.h"

/* Code: 0: mov (%rdi),%rax; 3: jmp *%rax; 5: mov (%rsi),%rcx; 8: add %rcx,%rbx; 11: jmp 16; 13:
 * nopl
 * (%rax); 16: add (%rdx),%rbx; 19: add $8,%rdx; 23: dec %ecx; 25: jne 16; 27: ret. The jump at 3
 * may lead to 5, behind code that does not continue there, but hardly into the middle of other
 * code. The loop at 16 is a loop wherever it is entered. */
START_TEST(a_jump_table_leads_to_the_starts_of_cases)
{
	static const char code[] =
		"\x48\x8b\x07\xff\xe0\x48\x8b\x0e\x48\x01\xcb\xeb\x03\x0f\x1f\x00\x48\x03\x1a"
		"\x48\x83\xc2\x08\xff\xc9\x75\xf5\xc3";

	ck_assert_str_eq(AT(code, 3), "own di");
	ck_assert_int_eq(plan_at(code, sizeof(code) - 1, 5)->ways, 0);
	ck_assert_str_eq(AT(code, 8), "own si");
	ck_assert_str_eq(AT(code, 11), "flow si");
	ck_assert_str_eq(AT(code, 19), "own dx");
	ck_assert_str_eq(AT(code, 16), "window (dx-8)");
	ck_assert_uint_eq(plan_at(code, sizeof(code) - 1, 19)->loop.n, 4);
}
END_TEST

/* A loop whose body is a switch. Code: 0: xor %esi,%esi; 2: lea 0x3d(%rip),%r8; 9: cmpq
 * $7,(%rdi,%rsi,8); 14: ja 36; 16: mov (%rdi,%rsi,8),%rdx; 20: movslq (%r8,%rdx,4),%rdx; 24: add
 * %r8,%rdx; 27: jmp *%rdx; 29: nopl (%rax); 32: idivq 8(%rcx); 36: add $1,%rsi; 40: cmp %rsi,%r9;
 * 43: jne 9; 45: ret; 46: xchg %ax,%ax; 48: xor 16(%rcx),%rax; 52: jmp 36. The jump at 52 goes
 * back, but leads from a case to what follows the switch: it does not close a loop. */
START_TEST(cases_join_behind_a_switch)
{
	static const char code[] =
		"\x31\xf6\x4c\x8d\x05\x3d\x00\x00\x00\x48\x83\x3c\xf7\x07\x77\x14\x48\x8b\x14\xf7"
		"\x49\x63\x14\x90\x4c\x01\xc2\xff\xe2\x0f\x1f\x00\x48\xf7\x79\x08\x48\x83\xc6\x01"
		"\x49\x39\xf1\x75\xdc\xc3\x66\x90\x48\x33\x41\x10\xeb\xee";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 36);
	unsigned seen = 0;

	ck_assert_uint_eq(p->ways, 3);
	for (unsigned i = 0; i < p->n; i++)
		seen |= p->candidates[i].insn == 32 ? 1 : p->candidates[i].insn == 48 ? 2 : 0;
	ck_assert_uint_eq(seen, 3);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_cases");
	TCase *t = tcase_create("cases");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, a_jump_table_leads_to_the_starts_of_cases);
	tcase_add_test(t, cases_join_behind_a_switch);
	suite_add_tcase(s, t);
	return run_suite(s);
}
