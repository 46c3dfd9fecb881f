/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the decoder on short pieces of code: for an address in the code, it must find the memory
 * operand of the instruction at that address, and the operand of the instruction before. */
#include "decode_fixture.h"
#include "decode/perf_regs.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/count.h"
#include "random.h"

static void check_case(struct decoder *d, const struct decode_case *c, const char *nop,
		       size_t nop_len)
{
	struct dec_recipe r = recipe_at(d, c->bytes, c->len, 0);
	char code[32];
	const char *retired;

	ck_assert_str_eq(text_of(&r, d == arm64), c->next);
	if (r.source == ADDR_NEXT)
		ck_assert_int_eq(r.insn_offset, 0);
	memcpy(code, c->bytes, c->len);
	memcpy(code + c->len, nop, nop_len);
	r = recipe_at(d, code, c->len + nop_len, c->len);
	retired = r.source == ADDR_NONE ? "-" : text_of(&r, d == arm64);
	ck_assert_msg(strcmp(retired, c->retired) == 0, "%s: behind it %s, not %s", c->text,
		      retired, c->retired);
	if (r.source == ADDR_RETIRED) {
		ck_assert_int_eq(r.insn_offset, -(int)c->len);
		ck_assert(r.waited);
	}
}

START_TEST(an_x86_operand_before_and_after)
{
	check_case(x86, &x86_cases[_i], "\x90", 1);
}
END_TEST

START_TEST(an_arm64_operand_before_and_after)
{
	check_case(arm64, &arm64_cases[_i], "\x1f\x20\x03\xd5", 4);
}
END_TEST

START_TEST(addresses)
{
	struct dec_recipe r = { .base = 1, .index = 2, .scale = 8, .disp = -16 };
	uint64_t regs[64] = { 0x10, 0x7f0000001000, UINT64_C(0xffffffff00000002) };

	ck_assert_uint_eq(dec_address(&r, regs, 0), UINT64_C(0x7ef800001000));
	r.extend = DEC_UXTW;
	ck_assert_uint_eq(dec_address(&r, regs, 0), 0x7f0000001000);
	regs[2] = 0xfffffffe;
	r.extend = DEC_SXTW;
	ck_assert_uint_eq(dec_address(&r, regs, 0), 0x7f0000000fe0);
	r = (struct dec_recipe){ .base = -1, .index = -1, .disp = -5, .ip_relative = true };
	ck_assert_uint_eq(dec_address(&r, regs, 0x401000), 0x400ffb);
	r = (struct dec_recipe){ .base = 0, .index = -1, .disp = -32, .wraps32 = true };
	ck_assert_uint_eq(dec_address(&r, regs, 0), 0xfffffff0);
}
END_TEST

/* A sample at a string instruction with rep was taken while this instruction ran. */
START_TEST(repetitions)
{
	static const struct {
		const char *bytes;
		size_t len;
		bool repeats, moves;
	} cases[] = {
		{ "\xf3\xaa", 2, true, false },
		{ "\xf3\x48\xab", 3, true, false },
		{ "\xf3\xa4", 2, true, true },
		{ "\xf3\x48\xa5", 3, true, true },
		{ "\xf3\xa5", 2, true, true },
		{ "\xf2\xae", 2, true, false },
		{ "\xaa", 1, false, false },
		{ "\xa4", 1, false, false },
		{ "\xf2\x0f\x10\x07", 4, false, false }, /* movsd (%rdi),%xmm0 */
	};
	struct dec_recipe r = recipe_at(x86, cases[_i].bytes, cases[_i].len, 0);

	ck_assert_int_eq(r.repeats, cases[_i].repeats);
	ck_assert_int_eq(r.moves, cases[_i].moves);
}
END_TEST

START_TEST(needed_registers)
{
	struct dec_recipe r = { .base = 31, .index = 2 };

	ck_assert_uint_eq(dec_registers(&r), UINT64_C(0x80000004));
	r.base = r.index = -1;
	ck_assert_uint_eq(dec_registers(&r), 0);
}
END_TEST

/* The decoder caches functions by a key. The results are the same with and without the cache, even
 * if a function changes its length or other functions evict it from the cache. */
START_TEST(the_cache_changes_no_answer)
{
	/* Code: 0: ldr x0,[x1]; 4: ldr x2,[x3]; 8: b.ne 4. */
	static const char loop[] = "\x20\x00\x40\xf9\x62\x00\x40\xf9\xe1\xff\xff\x54";
	enum { LEN = 1 << 16 };
	uint8_t *code = calloc(1, LEN);
	struct dec_recipe r;

	memcpy(code, loop, 12);
	for (int k = 0; k < 1500; k++) {
		decoder_recipe(arm64, 1 + k % 700, code, LEN, 4, true, &r);
		ck_assert_int_eq(r.source, ADDR_NEXT);
		if (k % 2)
			continue;
		decoder_recipe(arm64, 1 + k % 700, code, 8, 4, true, &r);
		ck_assert_int_eq(r.source, ADDR_RETIRED);
	}
	free(code);
}
END_TEST

START_TEST(a_huge_function_has_only_next)
{
	enum { LEN = (2 << 20) + 1 };
	uint8_t *code = malloc(LEN);
	struct dec_recipe r;

	memset(code, 0x90, LEN);
	memcpy(code, "\x48\x8b\x07\x48\x8b\x06", 6);
	decoder_recipe(x86, 7, code, LEN - 1, 3, true, &r);
	ck_assert_int_eq(r.source, ADDR_RETIRED);
	decoder_recipe(x86, 8, code, LEN, 3, true, &r);
	ck_assert_int_eq(r.source, ADDR_NEXT);
	free(code);
}
END_TEST

/* Decodes random bytes as code. The sanitizers report an invalid read of the decoder. */
START_TEST(random_bytes)
{
	uint64_t s = 0x9e3779b97f4a7c15 + _i;
	uint8_t bytes[64];
	uint64_t regs[64] = { 0 };
	struct dec_recipe r;

	for (int n = 0; n < 20000; n++) {
		size_t len = n % 64 + 1;

		for (size_t k = 0; k < sizeof(bytes); k++) {
			random_next(&s);
			bytes[k] = s >> 56;
		}
		r = recipe_at(_i ? arm64 : x86, bytes, len, (s >> 20) % len);
		ck_assert_int_lt(r.reason, ADDR_REASONS);
		ck_assert_int_eq(r.source == ADDR_NONE, r.reason != ADDR_OK);
		ck_assert_int_lt(r.base, 32);
		ck_assert_int_lt(r.index, 32);
		dec_address(&r, regs, 0);
	}
}
END_TEST

START_TEST(names)
{
	for (int k = 0; k < ADDR_REASONS; k++)
		ck_assert_str_ne(addr_reason_name(k), "unknown");
	ck_assert_str_eq(addr_reason_name(ADDR_REASONS), "unknown");
	ck_assert_str_eq(addr_reason_name(ADDR_NO_OPERAND), "no-operand");
	ck_assert_str_eq(addr_source_name(ADDR_RETIRED), "retired");
	ck_assert_ptr_null(addr_source_name(ADDR_SOURCES));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode");
	TCase *t = tcase_create("decode");

	tcase_add_checked_fixture(t, open_decoders, close_decoders);
	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, an_x86_operand_before_and_after, 0, COUNT_OF(x86_cases));
	tcase_add_loop_test(t, an_arm64_operand_before_and_after, 0, COUNT_OF(arm64_cases));
	tcase_add_test(t, addresses);
	tcase_add_loop_test(t, repetitions, 0, 9);
	tcase_add_test(t, needed_registers);
	tcase_add_test(t, the_cache_changes_no_answer);
	tcase_add_test(t, a_huge_function_has_only_next);
	tcase_add_loop_test(t, random_bytes, 0, 2);
	tcase_add_test(t, names);
	suite_add_tcase(s, t);
	return run_suite(s);
}
