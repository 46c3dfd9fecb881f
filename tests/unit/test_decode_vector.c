/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is decoded of gathers and scatters, and of AVX-512 instructions that Capstone 4 does
 * not know. The bytes are those of GNU as. */
#include "base/count.h"
#include "decoder_fixture.h"
#include "decode/insn.h"
#include "decode/perf_regs.h"

#define VECTOR(n) (INSN_VECTOR + (n))
#define BIT(n)    (UINT64_C(1) << (n))

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
	int mask; /* the register that says which elements, and becomes 0 */
} gathers[] = {
	{ "vpgatherqq (%rdi,%ymm1,8),%ymm5{%k2}", "\x62\xf2\xfd\x2a\x91\x2c\xcf", 7, false, 4, 8,
	  REG_X86_DI, VECTOR(1), 8, 0, 5, INSN_MASK + 2 },
	{ "vgatherdps %ymm2,(%rdi,%ymm1,4),%ymm0", "\xc4\xe2\x6d\x92\x04\x8f", 6, false, 8, 4,
	  REG_X86_DI, VECTOR(1), 4, 0, 0, VECTOR(2) },
	{ "vgatherqps %xmm2,8(%rdi,%ymm1,4),%xmm0", "\xc4\xe2\x6d\x93\x44\x8f\x08", 7, false, 4, 4,
	  REG_X86_DI, VECTOR(1), 4, 8, 0, VECTOR(2) },
	{ "vscatterqpd %zmm9,64(%r12,%zmm17,8){%k1}", "\x62\x52\xfd\x41\xa3\x4c\xcc\x08", 8, true,
	  8, 8, REG_X86_R12, VECTOR(17), 8, 64, 9, INSN_MASK + 1 },
	{ "vgatherdpd 0x12345(,%xmm31,2),%ymm20{%k3}",
	  "\x62\xa2\xfd\x23\x92\x24\x7d\x45\x23\x01\x00", 11, false, 4, 8, -1, VECTOR(31), 2,
	  0x12345, 20, INSN_MASK + 3 },
	{ "vpgatherdd -4(%rsp,%xmm1,4),%xmm20{%k3}", "\x62\xe2\x7d\x0b\x90\x64\x8c\xff", 8, false,
	  4, 4, REG_X86_SP, VECTOR(1), 4, -4, 20, INSN_MASK + 3 },
	{ "vgatherqps -256(%r13,%zmm5,8),%ymm9{%k1}", "\x62\x52\x7d\x49\x93\x4c\xed\xc0", 8, false,
	  8, 4, REG_X86_R13, VECTOR(5), 8, -256, 9, INSN_MASK + 1 },
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
	ck_assert_msg(!g->store || i.reads & BIT(VECTOR(g->data)), "%s", g->text);
	ck_assert_msg(i.writes == (BIT(g->mask) | (g->store ? 0 : BIT(VECTOR(g->data)))), "%s",
		      g->text);
	ck_assert_msg(i.reads & BIT(g->index) && (g->base < 0 || i.reads & BIT(g->base)), "%s",
		      g->text);
}
END_TEST

/* A gather whose code ends early, and one whose addresses a prefix makes unusual. */
START_TEST(odd_gathers_have_no_elements)
{
	struct insn i;

	for (size_t len = 1; len < gathers[4].size; len++) {
		uint8_t *code = copy_exact(gathers[4].code, len); /* so that a read beyond shows */

		ck_assert(!decoder_insn(decoder, code, len, &i) || !i.mem.elements);
		free(code);
	}
	i = decoded("\x67\xc4\xe2\x6d\x92\x04\x8f", 7);
	ck_assert_int_eq(i.mem.elements, 0);
	ck_assert_int_eq(i.access, ACCESS_VECTOR);
	i = decoded("\x64\xc4\xe2\x6d\x92\x04\x8f", 7);
	ck_assert_int_eq(i.mem.elements, 0);
	/* vgatherpf0dps -0x150(%rdi,%zmm7,4){%k1} only prefetches */
	i = decoded("\x62\xf2\x7d\x49\xc6\x4c\xbf\xac", 8);
	ck_assert(i.access == ACCESS_NONE && i.size == 8 && !i.conditional);
	/* with the bits of APX for registers above r15, which nobody here decodes */
	ck_assert(!decoder_insn(decoder, (const uint8_t *)"\x62\xfa\x7d\x49\x90\x0c\x8f", 7, &i) ||
		  !i.mem.elements);
}
END_TEST

/* Capstone 4 knows none of these instructions. */
static const struct vector {
	const char *text, *code;
	uint8_t size;
	uint64_t writes; /* among others; but of the general registers, none else */
	/* of the operand in memory; scale 0 means that there is none, bytes 0 that a mask says
	 * which it loads */
	int8_t base, index;
	uint8_t scale, bytes;
	int64_t disp;
} vectors[] = {
	{ "vpmullq %ymm9,%ymm1,%ymm1", "\x62\xd2\xf5\x28\x40\xc9", 6, BIT(VECTOR(1)), -1, -1, 0, 0,
	  0 },
	{ "vpmovqd %zmm3,%ymm17", "\x62\xb2\x7e\x48\x35\xd9", 6, BIT(VECTOR(17)), -1, -1, 0, 0, 0 },
	{ "kmovq %k1,%r10", "\xc4\x61\xfb\x93\xd1", 5, BIT(REG_X86_R10), -1, -1, 0, 0, 0 },
	{ "kortestq %k1,%k2", "\xc4\xe1\xf8\x98\xd1", 5, BIT(REG_X86_FLAGS), -1, -1, 0, 0, 0 },
	{ "kunpckdq %k1,%k2,%k3", "\xc4\xe1\xec\x4b\xd9", 5, BIT(INSN_MASK + 3), -1, -1, 0, 0, 0 },
	{ "kmovq %rax,%k1", "\xc4\xe1\xfb\x92\xc8", 5, BIT(INSN_MASK + 1), -1, -1, 0, 0, 0 },
	{ "vpcmpequb 32(%rsi),%ymm16,%k1", "\x62\xf3\x7d\x20\x3e\x4e\x01\x00", 8,
	  BIT(INSN_MASK + 1), REG_X86_SI, -1, 1, 32, 32 },
	{ "vpcmpnequb (%rax,%rcx,2),%zmm18,%k2", "\x62\xf3\x6d\x40\x3e\x14\x48\x04", 8,
	  BIT(INSN_MASK + 2), REG_X86_AX, REG_X86_CX, 2, 64, 0 },
	{ "vpcmpequb (%rsi),%ymm17,%k1{%k2}", "\x62\xf3\x75\x22\x3f\x0e\x00", 7, BIT(INSN_MASK + 1),
	  REG_X86_SI, -1, 1, 0, 0 },
	{ "vpternlogd $222,16(%rax){1to8},%ymm17,%ymm19", "\x62\xe3\x75\x30\x25\x58\x04\xde", 8,
	  BIT(VECTOR(19)), REG_X86_AX, -1, 1, 4, 16 },
	{ "vpcmpltud 16(%rip),%ymm16,%k1", "\x62\xf3\x7d\x20\x1e\x0d\x10\x00\x00\x00\x01", 11,
	  BIT(INSN_MASK + 1), -1, -1, 1, 32, 16 + 11 },
};

START_TEST(unknown_vector_instructions_keep_general_registers)
{
	const struct vector *v = &vectors[_i];
	const struct insn i = decoded(v->code, v->size);

	ck_assert_msg(i.size == v->size && !i.conditional && i.flow == FLOW_ON, "%s", v->text);
	ck_assert_msg((i.writes & v->writes) == v->writes, "%s", v->text);
	ck_assert_msg(!(i.writes & (BIT(INSN_MASK) - 1) & ~v->writes), "%s", v->text);
	ck_assert_msg(i.access == (v->scale ? ACCESS_ADDRESS : ACCESS_NONE), "%s", v->text);
	if (!v->scale)
		return;
	ck_assert_msg(i.mem.load && !i.mem.store && i.mem.bytes == v->bytes, "%s", v->text);
	ck_assert_msg(i.mem.base == v->base && i.mem.index == v->index && i.mem.scale == v->scale,
		      "%s: %d %d %d", v->text, i.mem.base, i.mem.index, i.mem.scale);
	ck_assert_msg(i.mem.disp == v->disp && i.mem.ip_relative == (v->base < 0), "%s: %d",
		      v->text, (int)i.mem.disp);
}
END_TEST

START_TEST(vector_instructions_may_write_general_registers)
{
	const struct insn i = decoded("\x62\xe3\xfd\x08\x16\xc8\x01", 7); /* vpextrq to %rax */

	ck_assert(i.writes & BIT(REG_X86_AX));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_vector");
	TCase *t = tcase_create("decode_vector");

	tcase_add_checked_fixture(t, open_decoder, close_decoder);
	tcase_add_loop_test(t, gathers_have_a_base_and_a_vector_of_indices, 0,
			    (int)COUNT_OF(gathers));
	tcase_add_test(t, odd_gathers_have_no_elements);
	tcase_add_loop_test(t, unknown_vector_instructions_keep_general_registers, 0,
			    (int)COUNT_OF(vectors));
	tcase_add_test(t, vector_instructions_may_write_general_registers);
	suite_add_tcase(s, t);
	return run_suite(s);
}
