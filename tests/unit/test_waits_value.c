/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is known of an address if only one of its registers is. */
#include "waits/value.h"

#include "check_main.h"

#include "decode/perf_regs.h"

enum { FORGOTTEN = BODY_REGISTERS - 1 };

/* A constant may lead out of a heap block to which a register points. But the stack pointer points
 * to no variable, so the constant is that of the variable. */
START_TEST(only_a_variable_of_the_stack_keeps_its_constant)
{
	static const struct {
		int8_t base, index;
		int64_t add;
	} rows[] = {
		{ REG_X86_SP, FORGOTTEN, 0x120 },
		{ REG_X86_BX, FORGOTTEN, 0 },
		{ FORGOTTEN, REG_X86_BX, 0 },
	};
	const struct insn_mem m = { .base = rows[_i].base,
				    .index = rows[_i].index,
				    .scale = 1,
				    .disp = 0x120,
				    .bytes = 8,
				    .load = true };
	struct wait_address a;
	struct values v;

	values_init(&v);
	v.at[FORGOTTEN].known = false;
	ck_assert(!values_address(&v, &m, 0, &a));
	ck_assert(values_base(&v, &m, 0, &a));
	ck_assert_int_eq(a.disp, rows[_i].add);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_value");
	TCase *t = tcase_create("waits_value");

	tcase_add_loop_test(t, only_a_variable_of_the_stack_keeps_its_constant, 0, 3);
	suite_add_tcase(s, t);
	return run_suite(s);
}
