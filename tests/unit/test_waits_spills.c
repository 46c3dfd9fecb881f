/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests nested loops whose counters and pointers the compiler keeps in the stack frame or in vector
 * registers, because it has too few general registers. */
#include "base/count.h"
#include "decode/perf_regs.h"
#include "waits/nest.h"
#include "waits_fixture.h"

/* Code: 0: xor %ecx,%ecx; 2: mov %rcx,-8(%rsp); 7: mov -8(%rsp),%rax; 12: lea (%rdi,%rax,8),%rdx;
 * 16: xor %eax,%eax; 18: addsd (%rdx,%rax,8),%xmm0; 23: add $1,%rax; 27: cmp $40,%rax; 31: jne 18;
 * 33: mov -8(%rsp),%rax; 38: add $40,%rax; 42: mov %rax,-8(%rsp); 47: cmp %r10,%rax; 50: jne 7; 52:
 * ret. Where the outer loop ends, rax has its counter, but in the inner loop it has another one. */
START_TEST(a_register_counts_only_where_it_keeps_its_value)
{
	static const char code[] =
		"\x31\xc9\x48\x89\x4c\x24\xf8\x48\x8b\x44\x24\xf8\x48\x8d\x14\xc7\x31\xc0\xf2\x0f"
		"\x58\x04\xc2\x48\x83\xc0\x01\x48\x83\xf8\x28\x75\xf1\x48\x8b\x44\x24\xf8\x48\x83"
		"\xc0\x28\x48\x89\x44\x24\xf8\x4c\x39\xd0\x75\xd3\xc3";
	const struct nest *n = plan_at(code, sizeof(code) - 1, 23)->nest;

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert_uint_eq(n->loops[0].turns.reg, REG_X86_AX);
	ck_assert_int_eq(n->loops[0].turns.adds, 1);
	ck_assert_int_eq(n->accesses[0].steps[0], 8);
	ck_assert(!n->loops[1].turns.adds || n->loops[1].turns.reg != REG_X86_AX);
}
END_TEST

/* Code: 0: vmovq %rsi,%xmm16; 6: vmovq %xmm16,%rdx; 12: mov $20,%eax; 17: addsd (%rdx),%xmm0; 21:
 * add $8,%rdx; 25: dec %rax; 28: jne 17; 30: sub $1,%rcx; 34: jne 6; 36: ret. Each run of the inner
 * loop comes back to the same array. */
START_TEST(a_vector_register_keeps_a_pointer)
{
	static const char code[] =
		"\x62\xe1\xfd\x08\x6e\xc6\x62\xe1\xfd\x08\x7e\xc2\xb8\x14\x00\x00\x00\xf2\x0f\x58"
		"\x02\x48\x83\xc2\x08\x48\xff\xc8\x75\xf3\x48\x83\xe9\x01\x75\xe2\xc3";
	const struct nest *n = plan_at(code, sizeof(code) - 1, 21)->nest;

	ck_assert_ptr_nonnull(n);
	ck_assert_uint_eq(n->n, 2);
	ck_assert_int_eq(n->accesses[0].steps[0], 8);
	ck_assert_int_eq(n->accesses[0].steps[1], 0);
}
END_TEST

/* Code: 0: vmovq %rax,%xmm5; 5: mov (%rax),%rax; 8: vmovq %xmm5,%rdx; 13: ret. Before ip, which is
 * 13, a vector register had the address that the load has overwritten, and now rdx has it. */
START_TEST(a_copy_in_a_vector_register_recovers_an_address)
{
	static const char code[] = "\xc4\xe1\xf9\x6e\xe8\x48\x8b\x00\xc4\xe1\xf9\x7e\xea\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 13);

	ck_assert_uint_eq(p->n, 1);
	ck_assert_uint_eq(p->candidates[0].insn, 5);
	ck_assert_int_eq(p->candidates[0].by, WAIT_BY_COPY);
	ck_assert_int_eq(p->candidates[0].address.base.reg, REG_X86_DX);
}
END_TEST

/* An instruction X between the two copies of a_copy_in_a_vector_register_recovers_an_address()
 * overwrites the vector register; Capstone 4 does not list that. */
static const struct {
	const char *text, *bytes;
} overwriting[] = {
	{ "vcompresspd %zmm1,%zmm5", "\x62\xf2\xfd\x48\x8a\xcd" },
	{ "vzeroall", "\xc5\xfc\x77" },
	{ "vpmovm2q %k6,%zmm5", "\x62\xf2\xfe\x48\x38\xee" },
	{ "fxrstor (%rsi)", "\x0f\xae\x0e" },
};

START_TEST(a_copy_in_a_vector_register_may_be_overwritten)
{
	char code[32] = "\xc4\xe1\xf9\x6e\xe8\x48\x8b\x00";
	const size_t n = strlen(overwriting[_i].bytes);
	const struct wait_plan *p;

	memcpy(code + 8, overwriting[_i].bytes, n);
	memcpy(code + 8 + n, "\xc4\xe1\xf9\x7e\xea\xc3", 6);
	p = plan_at(code, 14 + n, 13 + n);
	for (unsigned i = 0; i < p->n; i++)
		ck_assert_msg(p->candidates[i].insn != 5 || p->candidates[i].by != WAIT_BY_COPY,
			      "%s", overwriting[_i].text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_spills");
	TCase *t = tcase_create("waits_spills");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, a_register_counts_only_where_it_keeps_its_value);
	tcase_add_test(t, a_vector_register_keeps_a_pointer);
	tcase_add_test(t, a_copy_in_a_vector_register_recovers_an_address);
	tcase_add_loop_test(t, a_copy_in_a_vector_register_may_be_overwritten, 0,
			    (int)COUNT_OF(overwriting));
	suite_add_tcase(s, t);
	return run_suite(s);
}
