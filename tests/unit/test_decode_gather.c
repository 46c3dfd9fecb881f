/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is decoded of gathers and scatters, and of AVX-512 instructions that Capstone 4 does
 * not know. The bytes are those of GNU as. */
#include "base/count.h"
#include "check_main.h"
#include "decode/insn.h"
#include "decode/perf_regs.h"

#define VECTOR(n) (INSN_VECTOR + (n))
#define BIT(n)    (UINT64_C(1) << (n))

static struct decoder *decoder;

static void open_decoder(void)
{
	struct md_err err = { 0 };

	ck_assert_msg(decoder_open(DEC_X86_64, &decoder, &err) == 0, "%s", err.msg);
}

static void close_decoder(void)
{
	decoder_close(decoder);
}

static struct insn decoded(const char *code, size_t len)
{
	struct insn i;

	ck_assert(decoder_insn(decoder, (const uint8_t *)code, len, &i));
	return i;
}

static const struct gather {
	const char *text, *code;
	uint8_t size;
	bool store;
	uint8_t elements, bytes;
	int8_t base, index;
	uint8_t scale;
	int64_t disp;
	int data; /* the vector register that it loads or stores */
} gathers[] = {
	{ "vpgatherqq (%rdi,%ymm1,8),%ymm5{%k2}", "\x62\xf2\xfd\x2a\x91\x2c\xcf", 7, false, 4, 8,
	  REG_X86_DI, VECTOR(1), 8, 0, 5 },
	{ "vgatherdps %ymm2,(%rdi,%ymm1,4),%ymm0", "\xc4\xe2\x6d\x92\x04\x8f", 6, false, 8, 4,
	  REG_X86_DI, VECTOR(1), 4, 0, 0 },
	{ "vgatherqps %xmm2,8(%rdi,%ymm1,4),%xmm0", "\xc4\xe2\x6d\x93\x44\x8f\x08", 7, false, 4, 4,
	  REG_X86_DI, VECTOR(1), 4, 8, 0 },
	{ "vscatterqpd %zmm9,64(%r12,%zmm17,8){%k1}", "\x62\x52\xfd\x41\xa3\x4c\xcc\x08", 8, true,
	  8, 8, REG_X86_R12, VECTOR(17), 8, 64, 9 },
	{ "vgatherdpd 0x12345(,%xmm31,2),%ymm20{%k3}",
	  "\x62\xa2\xfd\x23\x92\x24\x7d\x45\x23\x01\x00", 11, false, 4, 8, -1, VECTOR(31), 2,
	  0x12345, 20 },
	{ "vpgatherdd -4(%rsp,%xmm1,4),%xmm20{%k3}", "\x62\xe2\x7d\x0b\x90\x64\x8c\xff", 8, false,
	  4, 4, REG_X86_SP, VECTOR(1), 4, -4, 20 },
	{ "vgatherqps -256(%r13,%zmm5,8),%ymm9{%k1}", "\x62\x52\x7d\x49\x93\x4c\xed\xc0", 8, false,
	  8, 4, REG_X86_R13, VECTOR(5), 8, -256, 9 },
};

START_TEST(gathers_have_a_base_and_a_vector_of_indices)
{
	const struct gather *g = &gathers[_i];
	const struct insn i = decoded(g->code, g->size);

	ck_assert_msg(i.size == g->size && i.access == ACCESS_VECTOR && !i.conditional, "%s",
		      g->text);
	ck_assert_msg(i.mem.store == g->store && i.mem.load == !g->store, "%s", g->text);
	ck_assert_msg(i.mem.elements == g->elements && i.mem.bytes == g->bytes, "%s: %d of %d",
		      g->text, i.mem.elements, i.mem.bytes);
	ck_assert_msg(i.mem.base == g->base && i.mem.index == g->index && i.mem.scale == g->scale,
		      "%s: %d %d %d", g->text, i.mem.base, i.mem.index, i.mem.scale);
	ck_assert_msg(i.mem.disp == g->disp, "%s: %d", g->text, (int)i.mem.disp);
	ck_assert_msg((g->store ? i.reads : i.writes) & BIT(VECTOR(g->data)), "%s", g->text);
	ck_assert_msg(i.reads & BIT(g->index) && (g->base < 0 || i.reads & BIT(g->base)), "%s",
		      g->text);
	ck_assert_msg(!(i.writes & (BIT(INSN_MASK) - 1)), "%s writes a general register", g->text);
}
END_TEST

/* A gather whose code ends early, and one whose addresses a prefix makes unusual. */
START_TEST(odd_gathers_have_no_elements)
{
	struct insn i;

	for (size_t len = 1; len < gathers[4].size; len++)
		ck_assert(!decoder_insn(decoder, (const uint8_t *)gathers[4].code, len, &i) ||
			  !i.mem.elements);
	i = decoded("\x67\xc4\xe2\x6d\x92\x04\x8f", 7);
	ck_assert_int_eq(i.mem.elements, 0);
	ck_assert_int_eq(i.access, ACCESS_VECTOR);
	i = decoded("\x64\xc4\xe2\x6d\x92\x04\x8f", 7);
	ck_assert_int_eq(i.mem.elements, 0);
}
END_TEST

START_TEST(unknown_vector_instructions_keep_general_registers)
{
	static const struct {
		const char *text, *code;
		bool keeps;
		uint64_t writes;
	} insns[] = {
		{ "vpmullq %ymm9,%ymm1,%ymm1", "\x62\xd2\xf5\x28\x40\xc9", true, BIT(VECTOR(1)) },
		{ "vpmovqd %zmm3,%ymm17", "\x62\xb2\x7e\x48\x35\xd9", true, BIT(VECTOR(17)) },
		{ "vpextrq $1,%xmm17,%rax", "\x62\xe3\xfd\x08\x16\xc8\x01", false,
		  BIT(REG_X86_AX) },
	};

	for (size_t k = 0; k < COUNT_OF(insns); k++) {
		const struct insn i = decoded(insns[k].code, k == 2 ? 7 : 6);

		ck_assert_msg((i.writes & insns[k].writes) == insns[k].writes, "%s", insns[k].text);
		if (insns[k].keeps)
			ck_assert_msg(!(i.writes & (BIT(INSN_MASK) - 1)) && i.access == ACCESS_NONE,
				      "%s", insns[k].text);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_gather");
	TCase *t = tcase_create("decode_gather");

	tcase_add_checked_fixture(t, open_decoder, close_decoder);
	tcase_add_loop_test(t, gathers_have_a_base_and_a_vector_of_indices, 0,
			    (int)COUNT_OF(gathers));
	tcase_add_test(t, odd_gathers_have_no_elements);
	tcase_add_test(t, unknown_vector_instructions_keep_general_registers);
	suite_add_tcase(s, t);
	return run_suite(s);
}
