/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares x86_length() with Capstone, on the code of the loaded libraries and on random bytes. */
#include <capstone/capstone.h>
#include <link.h>
#include <string.h>

#include "base/count.h"
#include "check_main.h"
#include "decode/x86.h"
#include "random.h"

static csh capstone;
static cs_insn *insn;

static void open_capstone(void)
{
	ck_assert_int_eq(cs_open(CS_ARCH_X86, CS_MODE_64, &capstone), CS_ERR_OK);
	insn = cs_malloc(capstone);
	ck_assert_ptr_nonnull(insn);
}

static void close_capstone(void)
{
	cs_free(insn, 1);
	cs_close(&capstone);
}

/* Returns the length that Capstone finds; 0 if Capstone does not know the instruction. */
static size_t capstone_length(const uint8_t *code, size_t len)
{
	uint64_t address = 0;

	len = len < 15 ? len : 15;
	return cs_disasm_iter(capstone, &code, &len, &address, insn) ? insn->size : 0;
}

/* Is Capstone's length of the decoded instruction known to be wrong? Capstone reads no ModRM byte
 * of the undefined instructions (ud0, ud2b). In jumps and calls, a prefix for the operand or
 * address size makes Capstone read a shorter offset; Intel's CPUs ignore the prefix there. */
static bool capstone_errs(void)
{
	bool relative = insn->id == X86_INS_XBEGIN || *insn->mnemonic == 'j' ||
			strcmp(insn->mnemonic, "call") == 0;

	return insn->id == X86_INS_UD0 || insn->id == X86_INS_UD2B ||
	       (relative &&
		(memchr(insn->bytes, 0x66, insn->size) || memchr(insn->bytes, 0x67, insn->size)));
}

static size_t compare_code(const uint8_t *code, size_t len)
{
	size_t n = 0, at = 0, size;

	for (; at < len; at += size ? size : 1, n++) {
		size_t expected = capstone_length(code + at, len - at);

		size = x86_length(code + at, len - at);
		if (expected && size != expected && !capstone_errs())
			ck_abort_msg("%s %s has %zu bytes, not %zu", insn->mnemonic, insn->op_str,
				     expected, size);
	}
	return n;
}

static int compare_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	size_t *n = (size_t *)arg;

	for (int k = 0; k < info->dlpi_phnum; k++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[k];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && *info->dlpi_name == '/')
			*n += compare_code((const uint8_t *)(info->dlpi_addr + p->p_vaddr),
					   p->p_memsz);
	}
	return size ? 0 : 1;
}

START_TEST(lengths_of_compiled_code)
{
	size_t n = 0;

	open_capstone();
	dl_iterate_phdr(compare_object, &n);
	ck_assert_uint_gt(n, 100000);
	close_capstone();
}
END_TEST

START_TEST(lengths_of_random_code)
{
	uint64_t s = 0x2545f4914f6cdd1d;
	size_t known = 0, same = 0;
	uint8_t code[15];

	open_capstone();
	for (int n = 0; n < 200000; n++) {
		size_t expected;

		for (size_t k = 0; k < sizeof(code); k++) {
			random_next(&s);
			code[k] = s >> 56;
		}
		expected = capstone_length(code, sizeof(code));
		known += expected > 0;
		same += expected && x86_length(code, sizeof(code)) == expected;
		if (expected && !capstone_errs())
			ck_assert_uint_eq(x86_length(code, sizeof(code)), expected);
	}
	ck_assert_uint_gt(known, 100000);
	ck_assert_uint_ge(same, known - known / 1000);
	close_capstone();
}
END_TEST

START_TEST(lengths_by_the_manual)
{
	static const struct {
		const char *code;
		size_t size;
	} known[] = {
		{ "\x66\xe8\x01\x02\x03\x04", 6 },                  /* data16 call */
		{ "\x66\x0f\x84\x01\x02\x03\x04", 7 },              /* data16 je */
		{ "\x0f\xb9\x40\x08", 4 },                          /* ud1 8(%rax),%eax */
		{ "\x0f\xff\xc0", 3 },                              /* ud0 %eax,%eax */
		{ "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10 }, /* movabs */
		{ "\x48\x66\xb8\x01\x02", 5 },     /* a REX prefix without effect */
		{ "\x67\xa1\x01\x02\x03\x04", 6 }, /* addr32 movabs */
		{ "\xc8\x10\x00\x01", 4 },         /* enter */
		{ "\xc5\xf8\x77", 3 },             /* vzeroupper */
		{ "\x62\xf5\x7c\x48\x58\xc1", 6 }, /* vaddph, map 5 */
		{ "\x06", 0 },                     /* push %es */
		{ "\x0f\x04", 0 },                 /* not defined */
		{ "\x48", 0 },                     /* only a prefix */
		{ "\xe8\x01\x02\x03", 0 },         /* cut off */
		{ "\x0f\x20", 0 },                 /* mov from a control register, cut off */
	};

	for (size_t k = 0; k < COUNT_OF(known); k++) {
		size_t given = known[k].size ? known[k].size : strlen(known[k].code);
		uint8_t *code = copy_exact(known[k].code, given);

		ck_assert_uint_eq(x86_length(code, given), known[k].size);
		free(code);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_length");
	TCase *t = tcase_create("decode_length");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, lengths_of_compiled_code);
	tcase_add_test(t, lengths_of_random_code);
	tcase_add_test(t, lengths_by_the_manual);
	suite_add_tcase(s, t);
	return run_suite(s);
}
