/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proves that a remembered instruction is what decoding it again returns: for random bytes, bytes
 * of which only the last ones differ, and bytes that end within an instruction. */
#include <string.h>

#include "check_main.h"
#include "decode/remembered.h"
#include "random.h"

enum { BYTES = 24, TRIES = 100000 };

static struct x86 x86;
static uint64_t state;

static uint32_t random_below(uint32_t n)
{
	random_next(&state);
	return (uint32_t)(state >> 33) % n;
}

/* Fills code[] with the bytes of a few instructions or with any bytes. So many are equal, and the
 * bytes after an instruction differ. */
static void fill(uint8_t *code)
{
	static const struct {
		uint8_t bytes[8], size;
	} known[] = {
		{ { 0x48, 0x8b, 0x43, 0x08 }, 4 },             /* mov 8(%rbx),%rax */
		{ { 0x48, 0x8b, 0x04, 0xcb }, 4 },             /* mov (%rbx,%rcx,8),%rax */
		{ { 0xe8, 0x10, 0x00, 0x00, 0x00 }, 5 },       /* call */
		{ { 0xc5, 0xfb, 0x10, 0x04, 0xc7 }, 5 },       /* vmovsd (%rdi,%rax,8),%xmm0 */
		{ { 0xf0, 0x0f, 0xb1, 0x0f }, 4 },             /* lock cmpxchg %ecx,(%rdi) */
		{ { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x07 }, 6 }, /* vmovups (%rdi),%zmm0 */
	};
	const uint32_t which = random_below(12);

	for (int i = 0; i < BYTES; i++)
		code[i] = (uint8_t)random_below(256);
	if (which >= sizeof(known) / sizeof(known[0]))
		return;
	memcpy(code, known[which].bytes, known[which].size);
	if (!random_below(4))
		code[known[which].size - 1] ^= (uint8_t)(1 + random_below(3));
}

START_TEST(it_is_what_decoding_returns)
{
	struct remembered r = { 0 };
	uint8_t code[BYTES];

	state = 1 + (unsigned)_i;
	ck_assert_int_eq(x86_open(&x86, NULL), 0);
	for (int i = 0; i < TRIES; i++) {
		struct insn want, have;
		size_t len = random_below(3) ? BYTES : random_below(10);
		bool ok;

		fill(code);
		memset(&want, 0, sizeof(want));
		memset(&have, 0, sizeof(have));
		ok = x86_decode(&x86, code, len, &want);
		ck_assert_int_eq(remembered_decode(&r, &x86, code, len, &have), ok);
		if (ok)
			ck_assert_mem_eq(&have, &want, sizeof(want));
	}
	remembered_release(&r);
	x86_close(&x86);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_remembered");
	TCase *t = tcase_create("decode_remembered");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, it_is_what_decoding_returns, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
