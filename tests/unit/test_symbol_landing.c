/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which functions go on after an exception. The functions are in the test program itself. */
#include "symbol/landing.h"

#include <stdio.h>

#include "check_main.h"
#include "own_image.h"

#ifdef __x86_64__

#define FUNCTION(name, table)                                                                   \
	".type " name ", @function\n" name ": .cfi_startproc\n.cfi_lsda 0x1b, " table "\nnop\n" \
	"ret\n.cfi_endproc\n.size " name ", . - " name "\n"

/* Each table begins with the encodings: no base, no types, and numbers in ULEB128. Each range of
 * calls has a start, a length, a landing pad and an action. `passes_on` has two ranges, neither
 * with a landing pad; the length of the ranges of `damaged` is that of the whole section and more.
 */
__asm__(".pushsection .gcc_except_table,\"a\",@progbits\n"
	"table_of_lands: .byte 0xff, 0xff, 1, 8, 0, 1, 0, 0, 1, 1, 1, 0\n"
	"table_of_passes_on: .byte 0xff, 0xff, 1, 8, 0, 1, 0, 0, 1, 1, 0, 0\n"
	"table_of_damaged: .byte 0xff, 0xff, 1, 0xff, 0xff, 0xff, 0xff, 0x7f\n"
	".popsection\n.pushsection .text\n" FUNCTION("lands", "table_of_lands")
		FUNCTION("passes_on", "table_of_passes_on")
			FUNCTION("damaged", "table_of_damaged") "plain: "
								".cfi_startproc\nnop\nret\n.cfi_"
								"endproc\n.popsection\n");
extern const char lands[], passes_on[], damaged[], plain[];

static bool may_land(const char *function)
{
	const struct mapping m = own_image();
	struct sym_file *f;
	uint64_t vaddr;
	bool may;

	ck_assert_int_eq(sym_file_open("/proc/self/exe", NULL, NULL, &f, NULL), 0);
	ck_assert(sym_vaddr_at(f, (uintptr_t)function - m.start + m.pgoff, &vaddr));
	may = sym_lands(f, vaddr);
	sym_file_close(f);
	return may;
}

START_TEST(a_function_with_a_landing_pad_goes_on)
{
	ck_assert(may_land(lands));
}
END_TEST

START_TEST(a_function_without_one_passes_the_exception_on)
{
	ck_assert(!may_land(passes_on));
	ck_assert(!may_land(plain));
}
END_TEST

START_TEST(a_damaged_table_proves_nothing)
{
	ck_assert(may_land(damaged));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_landing");
	TCase *c = tcase_create("landing");

	tcase_add_test(c, a_function_with_a_landing_pad_goes_on);
	tcase_add_test(c, a_function_without_one_passes_the_exception_on);
	tcase_add_test(c, a_damaged_table_proves_nothing);
	suite_add_tcase(s, c);
	return run_suite(s);
}

#else

int main(void)
{
	puts("skip: the code of this test is for x86-64");
	return 77;
}

#endif
