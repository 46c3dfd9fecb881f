/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which instruction the decoder considers to be the last one that ran before an address in
 * the code. */
#include "base/count.h"
#include "decode_fixture.h"

static const char *x86_at(const char *bytes, size_t len, size_t at)
{
	struct dec_recipe r = recipe_at(x86, bytes, len, at);

	return text_of(&r, false);
}

/* A case: the code before ip, whether the thread at ip waited for a load in that code, and the
 * operand at ip. */
struct wait_case {
	const char *text;
	bool arm;
	size_t at, len;
	const char *bytes;
	bool waited;
	const char *known;
};

/* clang-format off */
static const struct wait_case wait_cases[] = {
	{ "mov (%rax),%rax; ret: the word that it pops is next", false, 3, 4, "\x48\x8b\x00\xc3", true, "L8 sp" },
	{ "mov (%rax),%rax; jmp", false, 3, 5, "\x48\x8b\x00\xeb\x00", true, "-clobbered" },
	{ "mov (%r9,%rax,4),%eax; mov (%rsi),%rdx", false, 4, 7, "\x41\x8b\x04\x81\x48\x8b\x16", true, "L8 si" },
	{ "mov (%rax),%rax; mov (%rax),%rax: the node behind", false, 3, 6, "\x48\x8b\x00\x48\x8b\x00", true, "L8 ax" },
	{ "the target of a jump is not certain", false, 3, 5, "\x48\x8b\x00\xeb\xfe", false, "-no-operand" },
	{ "mov %fs:(%rax),%rdx; jmp", false, 4, 6, "\x64\x48\x8b\x10\xeb\x00", true, "L8 ax (fs)" },
	{ "mov %gs:(%rax),%rdx; jmp", false, 4, 6, "\x65\x48\x8b\x10\xeb\x00", true, "-fs-relative" },
	{ "bt %rdx,(%rax); jmp", false, 4, 6, "\x48\x0f\xa3\x10\xeb\x00", true, "-opaque" },
	{ "vpgatherdd %ymm2,(%rax,%ymm1,4),%ymm0; jmp", false, 6, 8, "\xc4\xe2\x6d\x90\x04\x88\xeb\x00", true, "-vector" },
	{ "mov (%rax),%rdx: known", false, 3, 5, "\x48\x8b\x10\xeb\x00", true, "L8 ax" },
	{ "lea (%rax),%rax; jmp", false, 3, 5, "\x48\x8d\x00\xeb\x00", false, "-no-operand" },
	{ "prefetcht0 (%rax); jmp", false, 3, 5, "\x0f\x18\x08\xeb\x00", false, "-no-operand" },
	{ "nopl (%rax); jmp", false, 3, 5, "\x0f\x1f\x00\xeb\x00", false, "-no-operand" },
	{ "add %rcx,%rax; jmp", false, 3, 5, "\x48\x01\xc8\xeb\x00", false, "-no-operand" },
	{ "rep movsb may have run zero times; jmp", false, 2, 4, "\xf3\xa4\xeb\x00", false, "-no-operand" },
	{ "call *(%rax); jmp", false, 2, 4, "\xff\x10\xeb\x00", false, "-no-operand" },
	{ "ldr x0,[x0]; b", true, 4, 8, "\x00\x00\x40\xf9\x01\x00\x00\x14", true, "-clobbered" },
	{ "ldr x0,[x0,x1]; ldr x2,[x3]", true, 4, 8, "\x00\x68\x61\xf8\x62\x00\x40\xf9", true, "L8 x3" },
	{ "ldr x1,[x0]: known", true, 4, 8, "\x01\x00\x40\xf9\x01\x00\x00\x14", true, "L8 x0" },
	{ "ldraa x0,[x0]; b", true, 4, 8, "\x00\x04\x20\xf8\x01\x00\x00\x14", true, "-opaque" },
	{ "prfm pldl1keep,[x0]; b", true, 4, 8, "\x00\x00\x80\xf9\x01\x00\x00\x14", false, "-no-operand" },
	{ "add x0,x0,x1; b", true, 4, 8, "\x00\x00\x01\x8b\x01\x00\x00\x14", false, "-no-operand" },
	{ "cpyfp [x0]!,[x1]!,x2!; b: a copy of nothing", true, 4, 8, "\x40\x04\x01\x19\x01\x00\x00\x14", false, "-no-operand" },
	{ "bl; ldr x0,[x0]", true, 4, 8, "\x02\x00\x00\x94\x00\x00\x40\xf9", false, "L8 x0" },
};
/* clang-format on */

START_TEST(a_wait_is_known_where_its_address_is_gone)
{
	const struct wait_case *c = &wait_cases[_i];
	struct dec_recipe r = recipe_at(c->arm ? arm64 : x86, c->bytes, c->len, c->at);

	ck_assert_msg(r.waited == c->waited, "%s: waited %d", c->text, r.waited);
	ck_assert_msg(!strcmp(text_of(&r, c->arm), c->known), "%s: %s", c->text,
		      text_of(&r, c->arm));
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: add $1,%rcx; 7: jne to 3 or to 0; 9: ret. A thread at a jump target
 * may have come from the jump. So the instruction before the target need not be the one that ran
 * last. */
START_TEST(a_jump_target_is_not_retired)
{
	static const char to_3[] = "\x48\x8b\x07\x48\x83\xc1\x01\x75\xfa\xc3";
	static const char to_0[] = "\x48\x8b\x07\x48\x83\xc1\x01\x75\xf7\xc3";

	ck_assert_str_eq(x86_at(to_3, 10, 3), "-no-operand");
	ck_assert_str_eq(x86_at(to_0, 10, 3), "L8 di");
}
END_TEST

/* The same code, but the jump has a displacement of four bytes. In `away`, the jump leaves the
 * function, so it does not count. */
START_TEST(far_jumps_count_and_jumps_elsewhere_do_not)
{
	static const char to_3[] = "\x48\x8b\x07\x48\x83\xc1\x01\x0f\x85\xf6\xff\xff\xff\xc3";
	static const char away[] = "\x48\x8b\x07\x48\x83\xc1\x01\x0f\x85\xf6\xff\xff\x7f\xc3";

	ck_assert_str_eq(x86_at(to_3, 14, 3), "-no-operand");
	ck_assert_str_eq(x86_at(away, 14, 3), "L8 di");
}
END_TEST

/* Code: call *(%rdi); mov (%rsi),%rax. At the mov, the instruction that ran last is the return
 * of the called function, not the call. */
START_TEST(behind_a_call_only_next)
{
	static const char code[] = "\xff\x17\x48\x8b\x06";
	struct dec_recipe r = recipe_at(x86, code, 5, 2);

	ck_assert_int_eq(r.source, ADDR_NEXT);
	ck_assert_str_eq(text_of(&r, false), "L8 si");
	ck_assert(!r.waited);
}
END_TEST

START_TEST(the_first_instruction_is_only_next)
{
	struct dec_recipe r = recipe_at(x86, "\x48\x8b\x06\xc3", 4, 0);

	ck_assert_int_eq(r.source, ADDR_NEXT);
	ck_assert_int_eq(r.insn_offset, 0);
}
END_TEST

/* If the start of the function is unknown, the instruction before ip is unknown too:
 * instructions have different lengths. */
START_TEST(without_the_start_only_next)
{
	static const uint8_t code[] = "\x48\x8b\x07\x48\x8b\x06\xc3";
	struct dec_recipe r;

	decoder_recipe(x86, 0, code, 7, 3, false, &r);
	ck_assert_int_eq(r.source, ADDR_NEXT);
	ck_assert(!r.waited);
	ck_assert_str_eq(text_of(&r, false), "L8 si");
	decoder_recipe(x86, 0, code, 7, 3, true, &r);
	ck_assert_int_eq(r.source, ADDR_RETIRED);
	ck_assert_str_eq(text_of(&r, false), "L8 di");
}
END_TEST

START_TEST(next_stops_at_jumps_calls_and_returns)
{
	/* Code: xor %eax,%eax; je +0; mov (%rsi),%rax. */
	ck_assert_str_eq(x86_at("\x31\xc0\x74\x00\x48\x8b\x06", 7, 0), "-no-operand");
	/* Code: xor %eax,%eax; call. The next access is the store of the return address. */
	ck_assert_str_eq(x86_at("\x31\xc0\xe8\x00\x00\x00\x00\x48\x8b\x06", 10, 0), "S8 sp-8");
	ck_assert_str_eq(x86_at("\x31\xc0\xc3\x48\x8b\x06", 6, 0), "L8 sp");
}
END_TEST

START_TEST(next_skips_what_is_clobbered)
{
	/* Code: mov %ecx,%esi; mov (%rsi),%rax; mov (%rdi),%rdx. */
	ck_assert_str_eq(x86_at("\x89\xce\x48\x8b\x06\x48\x8b\x17", 8, 0), "L8 di");
	/* Code: mov %ecx,%esi; mov (%rsi),%rax; jmp. */
	ck_assert_str_eq(x86_at("\x89\xce\x48\x8b\x06\xeb\x00", 7, 0), "-clobbered");
	/* Code: cpuid; mov (%rbx),%rdx; jmp. */
	ck_assert_str_eq(x86_at("\x0f\xa2\x48\x8b\x13\xeb\x00", 7, 0), "-clobbered");
}
END_TEST

START_TEST(next_follows_known_changes)
{
	/* Code: add $16,%rdi; mov (%rdi,%rcx,2),%rax. */
	ck_assert_str_eq(x86_at("\x48\x83\xc7\x10\x48\x8b\x04\x4f", 8, 0), "L8 di+cx*2+16");
	/* Code: inc %rcx; mov (%rdi,%rcx,8),%rax. */
	ck_assert_str_eq(x86_at("\x48\xff\xc1\x48\x8b\x04\xcf", 7, 0), "L8 di+cx*8+8");
	/* Code: mov %rsi,%rdi; lea 8(%rdi),%rdx; dec %rdx; mov (%rdx),%rax. */
	ck_assert_str_eq(x86_at("\x48\x89\xf7\x48\x8d\x57\x08\x48\xff\xca\x48\x8b\x02", 13, 0),
			 "L8 si+7");
	/* Code: sub $24,%rsp; mov %rdi,8(%rsp). */
	ck_assert_str_eq(x86_at("\x48\x83\xec\x18\x48\x89\x7c\x24\x08", 9, 0), "S8 sp-16");
	/* Code: add $1,%edi, which clears the upper half of rdi; mov (%rdi),%rax; jmp. */
	ck_assert_str_eq(x86_at("\x83\xc7\x01\x48\x8b\x07\xeb\x00", 8, 0), "-clobbered");
}
END_TEST

/* Code: add x1,x2,#8; mov x3,x1; ldr x0,[x3,#8]. The decoder knows the value of x3 relative to x2.
 * In `bad`, add x3,xzr,x1 replaces the mov; the decoder cannot follow a value through this
 * instruction. */
START_TEST(next_follows_known_changes_on_arm64)
{
	static const char good[] = "\x41\x20\x00\x91\xe3\x03\x01\xaa\x60\x04\x40\xf9";
	static const char bad[] = "\x41\x20\x00\x91\xe3\x03\x01\x8b\x60\x04\x40\xf9";
	struct dec_recipe r = recipe_at(arm64, good, 12, 0);

	ck_assert_str_eq(text_of(&r, true), "L8 x2+16");
	ck_assert_int_eq(r.insn_offset, 8);
	r = recipe_at(arm64, bad, 12, 0);
	ck_assert_str_eq(text_of(&r, true), "-clobbered");
}
END_TEST

/* Code: ldr x0,[x1]; nop; then b.ne, cbz, tbz or b, which jumps to the nop or to the start. */
START_TEST(arm64_jumps)
{
	static const char *const jumps[] = { "\xe1\xff\xff\x54", "\xe0\xff\xff\xb4",
					     "\xe0\xff\x07\x36", "\xff\xff\xff\x17" };
	char code[12] = "\x20\x00\x40\xf9\x1f\x20\x03\xd5";
	struct dec_recipe r;

	memcpy(code + 8, jumps[_i], 4);
	r = recipe_at(arm64, code, 12, 4);
	ck_assert_str_eq(text_of(&r, true), "-no-operand");
	/* the jump now goes to the ldr, one instruction before the nop */
	code[8] = _i < 3 ? 0xc0 | (code[8] & 0x1f) : 0xfe;
	r = recipe_at(arm64, code, 12, 4);
	ck_assert_str_eq(text_of(&r, true), "L8 x1");
}
END_TEST

/* jmp *%rdx may be a switch, and may lead to any instruction of the function except one that uses
 * the result of the instruction before it. */
START_TEST(behind_an_indirect_jump_only_what_depends)
{
	/* Code: 0: mov (%rdi),%rax; 3: nop; 4: cmp (%rsi),%rax; 7: je +0; 9: jmp *%rdx. */
	static const char code[] = "\x48\x8b\x07\x90\x48\x3b\x06\x74\x00\xff\xe2";

	ck_assert_str_eq(x86_at(code, 9, 3), "L8 di");
	ck_assert_str_eq(x86_at(code, 11, 3), "L8 si");
	ck_assert_str_eq(x86_at(code, 11, 7), "L8 si");
}
END_TEST

/* jmp *8(%rip) jumps through the global offset table. It is a tail call, so it cannot jump into
 * this function as a switch does. */
START_TEST(a_tail_call_by_table_is_no_switch)
{
	static const char code[] = "\x48\x8b\x07\x90\xff\x25\x08\x00\x00\x00";

	ck_assert_str_eq(x86_at(code, 10, 3), "L8 di");
}
END_TEST

START_TEST(inside_an_instruction_is_bad_code)
{
	/* Code: movabs $…,%rax. The bytes of its immediate decode as mov (%rdi),%rax. */
	static const char code[] = "\x48\xb8\x48\x8b\x07\x90\x90\x90\x90\x90\xc3";

	ck_assert_str_eq(x86_at(code, 11, 2), "-bad-code");
	ck_assert_str_eq(x86_at(code, 11, 10), "L8 sp");
}
END_TEST

/* Old mutexes jump over a lock prefix: je 1f; lock; 1: cmpxchg %ecx,(%rdi). So a jump into the
 * middle of an instruction is valid. */
START_TEST(a_jump_into_an_instruction_is_believed)
{
	static const char code[] = "\x74\x01\xf0\x0f\xb1\x0f\xc3";

	ck_assert_str_eq(x86_at(code, 7, 2), "LS4! di");
	ck_assert_str_eq(x86_at(code, 7, 3), "LS4 di");
}
END_TEST

/* Code: mov (%rdi),%rax; an invalid byte; mov (%rsi),%rdx; nop. */
START_TEST(behind_what_does_not_decode_nothing_is_retired)
{
	static const char code[] = "\x48\x8b\x07\x06\x48\x8b\x16\x90";

	ck_assert_str_eq(x86_at(code, 8, 3), "L8 di");
	ck_assert_str_eq(x86_at(code, 8, 4), "L8 si");
	ck_assert_str_eq(x86_at(code, 8, 7), "-no-operand");
}
END_TEST

/* The decoder does not know these instructions. But it finds their length from the encoding (EVEX,
 * VEX, three-byte opcode), so it can decode the instruction after them. */
START_TEST(unknown_extensions_do_not_lose_the_place)
{
	static const char *const unknown[] = {
		"\x62\xf2\x75\x48\x50\x57\x01", /* vpdpbusd 64(%rdi),%zmm1,%zmm2 */
		/* an unknown VEX instruction with the operand 8(%rdi); nop */
		"\xc4\xe2\xf9\xff\x47\x08\x90",
		/* an unknown opcode with the operand 1(%rdi,%rcx,4) */
		"\x66\x0f\x38\xfe\x44\x8f\x01",
	};
	char code[16];

	memcpy(code, unknown[_i], 7);
	memcpy(code + 7, "\x48\x8b\x06\x90", 4);
	ck_assert_str_eq(x86_at(code, 11, 10), "L8 si");
	ck_assert_int_eq(recipe_at(x86, code, 11, 0).source == ADDR_NONE ||
				 recipe_at(x86, code, 11, 0).insn_offset == 0,
			 1);
}
END_TEST

START_TEST(what_is_cut_off_is_bad_code)
{
	static const char mov[] = "\x48\x8b\x84\x8f\x00\x01\x00\x00";
	struct dec_recipe r;

	for (size_t n = 1; n < 8; n++)
		ck_assert_str_eq(x86_at(mov, n, 0), "-bad-code");
	ck_assert_str_eq(x86_at(mov, 8, 0), "L8 di+cx*4+256");
	ck_assert_str_eq(x86_at(mov, 8, 8), "-bad-code");
	r = recipe_at(arm64, "\x20\x00\x40", 3, 0);
	ck_assert_str_eq(text_of(&r, true), "-bad-code");
}
END_TEST

/* The bytes before an address, and whether a call may end with them. */
static const struct {
	bool arm, call;
	size_t len;
	const char *bytes;
} ends[] = {
	{ false, true, 6, "\x90\xe8\x00\x00\x00\x00" },     /* call */
	{ false, true, 2, "\xff\xd0" },                     /* call *%rax */
	{ false, true, 3, "\x41\xff\xd4" },                 /* call *%r12 */
	{ false, true, 3, "\xff\x50\x18" },                 /* call *24(%rax) */
	{ false, true, 4, "\xff\x54\x24\x08" },             /* call *8(%rsp) */
	{ false, true, 3, "\xff\x14\xc8" },                 /* call *(%rax,%rcx,8) */
	{ false, true, 6, "\xff\x15\x00\x01\x00\x00" },     /* call *256(%rip) */
	{ false, true, 7, "\xff\x94\xc8\x00\x01\x00\x00" }, /* call *256(%rax,%rcx,8) */
	{ false, true, 7, "\xff\x14\xc5\x00\x01\x00\x00" }, /* call *256(,%rax,8) */
	{ false, false, 2, "\xff\xe0" },                    /* jmp *%rax */
	{ false, false, 3, "\xff\xd0\x90" },                /* call *%rax; nop */
	{ false, false, 4, "\xe8\x00\x00\x00" },            /* a part of a call */
	{ false, false, 5, "\xe9\x00\x00\x00\x00" },        /* jmp */
	{ false, false, 0, "" },
	{ true, true, 4, "\x02\x00\x00\x94" },  /* bl */
	{ true, true, 4, "\x20\x00\x3f\xd6" },  /* blr x1 */
	{ true, true, 4, "\x3f\x08\x3f\xd6" },  /* blraaz x1 */
	{ true, true, 4, "\x22\x0c\x3f\xd7" },  /* blrab x1, x2 */
	{ true, false, 4, "\x20\x00\x1f\xd6" }, /* br x1 */
	{ true, false, 4, "\xc0\x03\x5f\xd6" }, /* ret */
	{ true, false, 3, "\x00\x00\x94" },
};

START_TEST(calls_are_known_by_the_bytes_before_their_return_address)
{
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		ck_assert_msg(decoder_ends_in_call(ends[i].arm ? arm64 : x86,
						   (const uint8_t *)ends[i].bytes,
						   ends[i].len) == ends[i].call,
			      "case %zu", i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_before");
	TCase *t = tcase_create("decode_before");

	tcase_add_test(t, calls_are_known_by_the_bytes_before_their_return_address);
	tcase_add_checked_fixture(t, open_decoders, close_decoders);
	tcase_add_loop_test(t, a_wait_is_known_where_its_address_is_gone, 0, COUNT_OF(wait_cases));
	tcase_add_test(t, a_jump_target_is_not_retired);
	tcase_add_test(t, far_jumps_count_and_jumps_elsewhere_do_not);
	tcase_add_test(t, behind_a_call_only_next);
	tcase_add_test(t, the_first_instruction_is_only_next);
	tcase_add_test(t, without_the_start_only_next);
	tcase_add_test(t, next_stops_at_jumps_calls_and_returns);
	tcase_add_test(t, next_skips_what_is_clobbered);
	tcase_add_test(t, next_follows_known_changes);
	tcase_add_test(t, next_follows_known_changes_on_arm64);
	tcase_add_loop_test(t, arm64_jumps, 0, 4);
	tcase_add_test(t, behind_an_indirect_jump_only_what_depends);
	tcase_add_test(t, a_tail_call_by_table_is_no_switch);
	tcase_add_test(t, inside_an_instruction_is_bad_code);
	tcase_add_test(t, a_jump_into_an_instruction_is_believed);
	tcase_add_test(t, behind_what_does_not_decode_nothing_is_retired);
	tcase_add_loop_test(t, unknown_extensions_do_not_lose_the_place, 0, 3);
	tcase_add_test(t, what_is_cut_off_is_bad_code);
	suite_add_tcase(s, t);
	return run_suite(s);
}
