/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests for which operands an instruction may wait: its own operands, and those from which its
 * inputs are computed. */
#include "waits_fixture.h"

/* Code: 0: mov (%rdi),%rax; 3: add %rax,%rcx; 6: ret. At 3, the wait is for the load before it
 * ("own"). At 6, the add waits for its input, which the load produced ("flow"). */
START_TEST(an_operand_of_its_own)
{
	static const char code[] = "\x48\x8b\x07\x48\x01\xc1\xc3";

	ck_assert_str_eq(AT(code, 3), "own di");
	ck_assert_str_eq(AT(code, 6), "flow di");
	ck_assert_str_eq(AT(code, 0), "");
}
END_TEST

/* Code: 0: movslq (%rdx),%rax; 3: movsd (%rsi,%rax,8),%xmm0; 8: mulsd (%rdi,%rcx,8),%xmm0; 13:
 * addsd %xmm0,%xmm1; 17: ret. The inputs of an instruction are followed back to the loads from
 * which they come. */
START_TEST(what_flows_into_it)
{
	static const char code[] =
		"\x48\x63\x02\xf2\x0f\x10\x04\xc6\xf2\x0f\x59\x04\xcf\xf2\x0f\x58"
		"\xc8\xc3";

	ck_assert_str_eq(AT(code, 13), "own di+cx*8, flow dx, flow si+ax*8");
	ck_assert_str_eq(AT(code, 17), "flow dx, flow si+ax*8, flow di+cx*8");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: add $8,%rdi; 7: inc %ecx; 9: mov 16(%rsi,%rcx,4),%edx; 13: lea
 * 8(%rsi),%rsi; 17: nop; 18: ret. If a register changed since the access by a known amount, the
 * address can still be computed. */
START_TEST(known_changes_are_taken_back)
{
	static const char code[] =
		"\x48\x8b\x07\x48\x83\xc7\x08\xff\xc1\x8b\x54\x8e\x10\x48\x8d\x76"
		"\x08\x90\xc3";

	ck_assert_str_eq(AT(code, 9), "window (di-8)");
	ck_assert_str_eq(AT(code, 18), "window (di-8), window (si-8)+cx*4+16");
}
END_TEST

/* Code: 0: mov (%rdx),%rsi; 3: addsd (%rsi),%xmm0; 7: add $8,%rsi; 11: dec %ecx; 13: jne 3; 15:
 * ret. In the first iteration, the address of the load at 3 comes from the load at 0. Whether a
 * sample is in the first iteration is unknown. */
START_TEST(a_loop_gets_its_first_address_from_a_load)
{
	static const char code[] =
		"\x48\x8b\x32\xf2\x0f\x58\x06\x48\x83\xc6\x08\xff\xc9\x75\xf4\xc3";

	ck_assert_str_eq(AT(code, 7), "own si, entry gone");
	/* the jump waits for the counter, not for the load */
	ck_assert_str_eq(AT(code, 15), "window (si-8)");
}
END_TEST

/* Code: 0: mov 8(%rax),%ecx; 3: addsd (%rsi,%rcx,8),%xmm0; 8: mov (%rax),%rax; 11: test
 * %rax,%rax; 14: jne 0; 16: ret. The payload's load at 3 also waits for the load of the node in
 * the previous iteration ("carried"). */
START_TEST(a_payload_waits_for_its_node)
{
	static const char code[] =
		"\x8b\x48\x08\xf2\x0f\x58\x04\xce\x48\x8b\x00\x48\x85\xc0\x75\xf0"
		"\xc3";

	ck_assert_str_eq(AT(code, 3), "own ax+8, carried next ax loop 5, window next si+cx*8");
	ck_assert_str_eq(AT(code, 8), "own si+cx*8, flow ax+8, carried next ax loop 5");
}
END_TEST

/* Code: 0: mov (%rsi,%rcx,4),%eax; 3: shl $9,%rax; 7: addsd (%rdi,%rax),%xmm0; 12: addsd
 * 8(%rdi,%rax),%xmm0; 18: addsd 64(%rdi,%rax),%xmm0; 24: addsd -120(%rdi,%rax),%xmm0; 30: addsd
 * (%r8,%rax),%xmm0; 36: inc %rcx; 39: cmp %rdx,%rcx; 42: jne 0; 44: ret. An iteration loads three
 * lines of one element, and one line of another. */
START_TEST(an_element_may_have_several_lines)
{
	static const char code[] =
		"\x8b\x04\x8e\x48\xc1\xe0\x09\xf2\x0f\x58\x04\x07\xf2\x0f\x58\x44\x07\x08\xf2"
		"\x0f\x58\x44\x07\x40\xf2\x0f\x58\x44\x07\x88\xf2\x41\x0f\x58\x04\x00\x48\xff"
		"\xc1\x48\x39\xd1\x75\xd4\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 36);
	unsigned seen = 0;

	for (unsigned i = 0; i < p->n; i++) {
		const struct wait_candidate *c = &p->candidates[i];

		seen |= 1u << c->insn % 32;
		ck_assert_uint_eq(c->lines, c->insn == 0 || c->insn == 30 ? 1 : 3);
	}
	ck_assert_uint_eq(seen & (1u << 30 | 1u << 24), 1u << 30 | 1u << 24);
}
END_TEST

/* Code: 0: vpmovzxdq (%rsi),%ymm1; 5: vpgatherqq (%rdi,%ymm1,8),%ymm5{%k2}; 12: vpmullq
 * %ymm9,%ymm1,%ymm1; 18: vpaddq %ymm5,%ymm4,%ymm4; 22: add $16,%rsi; 26: dec %ecx; 28: jne 0; 30:
 * ret. A sample has no vector registers, but the base points to the array. The gather depends on
 * its indices, and an iteration loads four lines of its array. */
START_TEST(elements_are_in_the_object_of_their_base)
{
	static const char code[] =
		"\xc4\xe2\x7d\x35\x0e\x62\xf2\xfd\x2a\x91\x2c\xcf\x62\xd2\xf5\x28\x40\xc9"
		"\xc5\xdd\xd4\xe5\x48\x83\xc6\x10\xff\xc9\x75\xe2\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 22);

	ck_assert_str_eq(text_of(p), "flow si, flow base di");
	ck_assert_uint_eq(p->candidates[0].elements, 1);
	ck_assert_uint_eq(p->candidates[1].elements, 4);
	ck_assert_uint_eq(p->candidates[1].lines, 4);
	ck_assert_int_eq(p->candidates[1].step, WAIT_NO_STEP);
	ck_assert_uint_eq(p->loop.accesses, 2);
}
END_TEST

/* Code: 0: mov %rax,%rdx; 3: mov 8(%rax),%rax; 7: nop; 8: ret. The old value of rax is still in
 * rdx. */
START_TEST(a_copied_base_is_recovered)
{
	static const char code[] = "\x48\x89\xc2\x48\x8b\x40\x08\x90\xc3";

	ck_assert_str_eq(AT(code, 7), "own copy dx+8");
}
END_TEST

/* Code: 0: mov %rax,%rdx; 3: xor %edx,%edx; 5: mov 8(%rax),%rax; 9: nop; 10: ret. The copy of
 * rax in rdx is overwritten. */
START_TEST(a_copy_that_is_gone_is_none)
{
	static const char code[] = "\x48\x89\xc2\x31\xd2\x48\x8b\x40\x08\x90\xc3";

	ck_assert_str_eq(AT(code, 9), "own gone");
}
END_TEST

/* Code: 0: mov (%rdi,%rax,8),%rax; 4: nop; 5: ret. The load overwrites its index, but not its
 * base. So the object is known, but not the address in it. */
START_TEST(a_base_tells_the_object)
{
	static const char code[] = "\x48\x8b\x04\xc7\x90\xc3";

	ck_assert_str_eq(AT(code, 4), "own base di");
}
END_TEST

/* Code: 0: mov 8(%rax,%rdx,8),%rax; 5: mov 4(%rax),%ecx; 8: ret. The first load overwrites its
 * base. The next load uses the new pointer. */
START_TEST(the_next_access_goes_through_the_new_pointer)
{
	static const char code[] = "\x48\x8b\x44\xd0\x08\x8b\x48\x04\xc3";

	ck_assert_str_eq(AT(code, 5), "own next ax+4 (its own: +4 + index)");
}
END_TEST

/* Returns the accesses of a plan as text, for example "0:ax+8 | 14:ax ": the offset of each
 * instruction and the formula of its address. "|" separates accesses before ip from accesses after
 * ip. */
static const char *accesses_of(const struct wait_plan *p)
{
	static char s[256];
	size_t n = 0;

	s[0] = 0;
	for (unsigned i = 0; i < p->before + p->ahead; i++) {
		const struct wait_access *a =
			i < p->before ? &p->earlier[i] : &p->accesses[i - p->before];

		n += snprintf(s + n, sizeof(s) - n, "%s%u:", i == p->before ? "| " : "", a->insn);
		n += address_text(s + n, sizeof(s) - n, &a->address);
		n += snprintf(s + n, sizeof(s) - n, " ");
	}
	return s;
}

/* Code: 0: mov 8(%rax),%ecx; 3: addl $1,16(%rax); 7: movl $0,24(%rax); 14: mov (%rax),%rax; 17:
 * test %rax,%rax; 20: jne 0; 22: ret. Each plan lists accesses to the same node, which use the same
 * value of rax: accesses before the instruction and after it. */
START_TEST(loads_of_one_node)
{
	static const char code[] = "\x8b\x48\x08\x83\x40\x10\x01\xc7\x40\x18\0\0\0\0\x48\x8b\0"
				   "\x48\x85\xc0\x75\xea\xc3";

	ck_assert_str_eq(accesses_of(plan_at(code, sizeof(code) - 1, 14)),
			 "0:ax+8 3:ax+16 | 14:ax ");
	ck_assert_str_eq(accesses_of(plan_at(code, sizeof(code) - 1, 17)),
			 "| 0:ax+8 3:ax+16 7:ax+24 14:ax ");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: call 12; 8: add (%rsi),%rax; 11: nop; 12: ret. What the called
 * function did before 8 is unknown. */
START_TEST(a_call_ends_the_search)
{
	static const char code[] = "\x48\x8b\x07\xe8\x04\x00\x00\x00\x48\x03\x06\x90\xc3";

	ck_assert_str_eq(AT(code, 8), "");
	ck_assert_str_eq(AT(code, 11), "own si");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: test %rcx,%rcx; 6: je 11; 8: mov (%rsi),%rax; 11: add $1,%rax;
 * 15: ret. Two paths lead to 11: with the second load and without it. */
START_TEST(each_way_has_its_own)
{
	static const char code[] =
		"\x48\x8b\x07\x48\x85\xc9\x74\x03\x48\x8b\x06\x48\x83\xc0\x01\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 11);

	ck_assert_int_eq(p->ways, 2);
	ck_assert_int_eq(p->last, 0);
	ck_assert_str_eq(text_of(p), "own si, window di | window di");
	ck_assert_str_eq(AT(code, 15), "flow di, flow si");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: xor %eax,%eax; 5: add %rax,%rcx; 8: nop; 9: ret. xor sets rax to
 * 0 without a wait for the load. */
START_TEST(a_zero_does_not_wait)
{
	static const char code[] = "\x48\x8b\x07\x31\xc0\x48\x01\xc1\x90\xc3";

	ck_assert_str_eq(AT(code, 8), "window di");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: mov %rax,8(%rsp); 8: xor %eax,%eax; 10: mov 8(%rsp),%rcx; 15:
 * add %rcx,%rdx; 18: nop; 19: ret. A value that is stored in the stack frame and loaded again
 * is followed to the load that produced it. */
START_TEST(a_word_of_the_frame_is_a_register)
{
	static const char code[] =
		"\x48\x8b\x07\x48\x89\x44\x24\x08\x31\xc0\x48\x8b\x4c\x24\x08\x48"
		"\x01\xca\x90\xc3";

	ck_assert_str_eq(AT(code, 18), "flow di");
}
END_TEST

/* Code: 0: cmp (%rdi),%eax; 2: jne 5; 4: nop; 5: ret. The jump needs the flags, so it waits for
 * the operand of the compare. */
START_TEST(a_branch_waits_for_its_flags)
{
	static const char code[] = "\x3b\x07\x75\x01\x90\xc3";

	ck_assert_str_eq(AT(code, 4), "flow di");
}
END_TEST

/* Code: 0: mov (%rdi),%rax; 3: mov (%rax),%rcx; 6: mov (%rcx),%rdx; 9: mov (%rdx),%rsi; 12: add
 * %rsi,%rbx; 15: nop; 16: ret. Each load needs the address from the previous load. The search
 * follows three of them. */
START_TEST(a_chain_is_followed_three_loads_deep)
{
	static const char code[] =
		"\x48\x8b\x07\x48\x8b\x08\x48\x8b\x11\x48\x8b\x32\x48\x01\xf3\x90"
		"\xc3";

	ck_assert_str_eq(AT(code, 15), "flow ax, flow cx, flow dx, window di");
}
END_TEST

/* Code: 0: mov 0x100(%rip),%rax; 7: nop; 8: ret. An address relative to rip is computed from
 * the ip of the sample. */
START_TEST(a_fixed_place_is_counted_from_ip)
{
	static const char code[] = "\x48\x8b\x05\x00\x01\x00\x00\x90\xc3";
	const struct wait_plan *p = plan_at(code, 9, 8);
	static const uint64_t regs[64];

	ck_assert_str_eq(text_of(p), "window ip+255");
	ck_assert_uint_eq(wait_address(&p->candidates[0].address, regs, 0x1008), 0x1107);
}
END_TEST

/* Code: 0: vmovupd (%rdi),%ymm1; 4: vmovupd (%rsi),%ymm2; 8: vfmadd231pd %ymm1,%ymm2,%ymm3; 13:
 * vmulpd %ymm1,%ymm2,%ymm1; 17: nop; 18: ret. The inputs of vector instructions are followed,
 * too. */
START_TEST(vectors_flow)
{
	static const char code[] =
		"\xc5\xfd\x10\x0f\xc5\xfd\x10\x16\xc4\xe2\xed\xb8\xd9\xc5\xed\x59"
		"\xc9\x90\xc3";
	const struct wait_plan *p = plan_at(code, 19, 13);

	ck_assert_str_eq(text_of(p), "flow di, flow si");
	ck_assert_int_eq(p->candidates[0].bytes, 32);
}
END_TEST

/* Code: 0: mov %rax,(%rdi); 3: lock incl (%rsi); 6: nop; 7: ret. The plan marks stores and
 * locked instructions. */
START_TEST(stores_and_locks_are_told_apart)
{
	static const char code[] = "\x48\x89\x07\xf0\xff\x06\x90\xc3";
	const struct wait_plan *p = plan_at(code, 8, 6);

	ck_assert_str_eq(text_of(p), "own si, window(store) di");
	ck_assert(p->candidates[0].lock && !p->candidates[1].lock);
}
END_TEST

/* Code: movsd (%rdi,%rcx,8),%xmm1; addsd %xmm0,%xmm1; [inc %rcx;] movsd %xmm1,(%rdi,%rcx,8);
 * mov (%rsi),%rax; ret. The second version has the inc. Then mov (%rdi,%rcx,8),%rax; test
 * %rax,%rax; je 13; add $1,%rdx; 13: mov %rdx,(%rdi,%rcx,8); mov (%rsi),%rax; ret. In the last
 * version the jump leads around the load. A store to the address of an earlier load counts as
 * loaded if the load is on all ways to it. */
START_TEST(a_store_of_what_was_loaded_is_told)
{
	static const struct {
		const char *code;
		size_t size;
		bool loaded;
	} cases[] = {
		{ "\xf2\x0f\x10\x0c\xcf\xf2\x0f\x58\xc8\xf2\x0f\x11\x0c\xcf\x48\x8b\x06\xc3", 18,
		  true },
		{ "\xf2\x0f\x10\x0c\xcf\xf2\x0f\x58\xc8\x48\xff\xc1\xf2\x0f\x11\x0c\xcf\x48\x8b\x06"
		  "\xc3",
		  21, false },
		{ "\x48\x8b\x04\xcf\x48\x85\xc0\x74\x04\x48\x83\xc2\x01\x48\x89\x14\xcf\x48\x8b\x06"
		  "\xc3",
		  21, true },
		{ "\x48\x85\xd2\x74\x04\x48\x8b\x04\xcf\x48\x89\x14\xcf\x48\x8b\x06\xc3", 17,
		  false },
	};
	const struct wait_plan *p = plan_at(cases[_i].code, cases[_i].size, cases[_i].size - 1);
	unsigned stores = 0;

	for (unsigned i = 0; i < p->n; i++) {
		stores += p->candidates[i].store;
		ck_assert(p->candidates[i].loaded == (p->candidates[i].store && cases[_i].loaded));
	}
	ck_assert_uint_eq(stores, 1);
}
END_TEST

START_TEST(an_address_wraps_where_its_parts_do)
{
	const struct wait_address a = { .base = { .reg = 0 },
					.index = { .reg = 1, .wraps32 = true, .add = -2 },
					.scale = 8,
					.disp = 16 };
	static const uint64_t regs[64] = { 0x1000, 1 };

	ck_assert_uint_eq(wait_address(&a, regs, 0), 0x1000 + 0xffffffffULL * 8 + 16);
	ck_assert_uint_eq(wait_registers(&a), 3);
}
END_TEST

START_TEST(there_is_no_plan_inside_an_instruction_or_outside)
{
	static const char code[] = "\x48\x8b\x07\x48\x01\xc1\xc3\x06\x90";

	ck_assert_int_eq(plan_at(code, 9, 2)->n, 0);
	ck_assert_int_eq(plan_at(code, 9, 8)->n,
			 0); /* 06 does not decode, so all code after it is unknown */
	ck_assert_int_eq(plan_at(code, 9, 9)->n, 0);
}
END_TEST

START_TEST(other_architectures_have_empty_plans)
{
	static const uint8_t code[8] = { 0 };
	const struct wait_plan *plan;
	struct decoder *d;
	struct waits *w;

	ck_assert_int_eq(decoder_open(DEC_AARCH64, &d, NULL), 0);
	ck_assert_int_eq(waits_open(d, DEC_AARCH64, &w, NULL), 0);
	ck_assert_int_eq(waits_plan(w, 1, code, 8, 4, &plan), 0);
	ck_assert(!plan->ways && !plan->n && !plan->ahead);
	waits_close(w);
	decoder_close(d);
}
END_TEST

/* A function of 100,000 loads and branches. Each branch has its own target, or all have the
 * same. The search for operands must end soon. */
START_TEST(a_hostile_function_costs_little)
{
	enum { N = 100000, SIZE = 5 }; /* each pair is mov (%rdi),%rax; jne back */
	uint8_t *code = malloc(N * SIZE);
	const struct wait_plan *plan;

	for (size_t i = 0; i < N; i++) {
		memcpy(code + i * SIZE, "\x48\x8b\x07\x75", 4);
		code[i * SIZE + 4] = (uint8_t)(_i ? -SIZE : -(int)(SIZE * (1 + i % 25)));
	}
	for (size_t i = 0; i < 200; i++) {
		size_t at = (N - 1 - i * 37) * SIZE + 3;

		ck_assert_int_eq(waits_plan(waits, 77 + _i, code, N * SIZE, at, &plan), 0);
		ck_assert_int_le(plan->n, WAIT_WAYS * WAIT_CANDIDATES);
	}
	free(code);
}
END_TEST

/* Returns whether the store in the plan is optional. */
static bool has_optional_store(const struct wait_plan *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->candidates[i].store)
			return p->candidates[i].optional;
	ck_abort_msg("the plan has no store: %s", text_of(p));
}

#define STORE_IS_OPTIONAL(code, at) has_optional_store(plan_at(code, sizeof(code) - 1, at))

/* Code 1: 0: test %rdx,%rdx; 3: jne 8; 5: mov %rax,(%rdi); 8: mov (%rsi),%rcx; 11: nop; 12: ret.
 * After the load, it is not known whether the store has run. At 8, the store has run on the way
 * that comes from the store. Code 2: 0: test %rdx,%rdx; 3: jne 9; 5: mov (%rsi),%rcx; 8: ret; 9:
 * mov %rax,(%rdi); 12: jmp 5. This is the same, but the compiler has moved the store to the end of
 * the function. */
START_TEST(a_store_that_a_jump_leads_around_is_optional)
{
	static const char code1[] = "\x48\x85\xd2\x75\x03\x48\x89\x07\x48\x8b\x0e\x90\xc3",
			  code2[] = "\x48\x85\xd2\x75\x04\x48\x8b\x0e\xc3\x48\x89\x07\xeb\xf7";

	ck_assert(STORE_IS_OPTIONAL(code1, 11) && !STORE_IS_OPTIONAL(code1, 8));
	ck_assert(STORE_IS_OPTIONAL(code2, 8) && !STORE_IS_OPTIONAL(code2, 12));
}
END_TEST

/* Code: 0: mov %rax,(%rdi); 3: mov (%rsi),%rcx; 6: dec %edx; 8: jne 0; 10: ret. Each iteration runs
 * the store, also the previous one before ip 3. */
START_TEST(a_store_in_each_iteration_is_not_optional)
{
	static const char code[] = "\x48\x89\x07\x48\x8b\x0e\xff\xca\x75\xf6\xc3";

	ck_assert(!STORE_IS_OPTIONAL(code, 3) && !STORE_IS_OPTIONAL(code, 6));
	ck_assert(!STORE_IS_OPTIONAL(code, 0) && !STORE_IS_OPTIONAL(code, 10));
}
END_TEST

/* Code 1: 0: test %rdx,%rdx; 3: je 9; 5: mov %rax,(%rdi,%rcx,8); 9: mov (%rsi,%rcx,8),%rax; 13: dec
 * %rcx; 16: jne 0; 18: ret. %rdx does not change, so if an iteration runs the store, all of them
 * do, also the previous one before ip 3. In code 2, the loop decrements %rdx, too, and has no
 * %rcx. */
START_TEST(a_store_under_a_fixed_condition_is_not_optional)
{
	static const char fixed[] = "\x48\x85\xd2\x74\x04\x48\x89\x04\xcf\x48\x8b\x04\xce"
				    "\x48\xff\xc9\x75\xee\xc3",
			  changes[] = "\x48\x85\xd2\x74\x04\x48\x89\x04\xcf\x48\x8b\x04\xce"
				      "\x48\xff\xca\x75\xee\xc3";

	ck_assert(!STORE_IS_OPTIONAL(fixed, 3) && !STORE_IS_OPTIONAL(fixed, 13));
	ck_assert(STORE_IS_OPTIONAL(changes, 3) && STORE_IS_OPTIONAL(changes, 13));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits");
	TCase *t = tcase_create("waits");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, an_operand_of_its_own);
	tcase_add_test(t, what_flows_into_it);
	tcase_add_test(t, known_changes_are_taken_back);
	tcase_add_test(t, a_loop_gets_its_first_address_from_a_load);
	tcase_add_test(t, a_payload_waits_for_its_node);
	tcase_add_test(t, an_element_may_have_several_lines);
	tcase_add_test(t, elements_are_in_the_object_of_their_base);
	tcase_add_test(t, a_copied_base_is_recovered);
	tcase_add_test(t, a_copy_that_is_gone_is_none);
	tcase_add_test(t, a_base_tells_the_object);
	tcase_add_test(t, the_next_access_goes_through_the_new_pointer);
	tcase_add_test(t, loads_of_one_node);
	tcase_add_test(t, a_call_ends_the_search);
	tcase_add_test(t, each_way_has_its_own);
	tcase_add_test(t, a_zero_does_not_wait);
	tcase_add_test(t, a_word_of_the_frame_is_a_register);
	tcase_add_test(t, a_branch_waits_for_its_flags);
	tcase_add_test(t, a_chain_is_followed_three_loads_deep);
	tcase_add_test(t, a_fixed_place_is_counted_from_ip);
	tcase_add_test(t, vectors_flow);
	tcase_add_test(t, stores_and_locks_are_told_apart);
	tcase_add_loop_test(t, a_store_of_what_was_loaded_is_told, 0, 4);
	tcase_add_test(t, a_store_that_a_jump_leads_around_is_optional);
	tcase_add_test(t, a_store_in_each_iteration_is_not_optional);
	tcase_add_test(t, a_store_under_a_fixed_condition_is_not_optional);
	tcase_add_test(t, an_address_wraps_where_its_parts_do);
	tcase_add_test(t, there_is_no_plan_inside_an_instruction_or_outside);
	tcase_add_test(t, other_architectures_have_empty_plans);
	tcase_add_loop_test(t, a_hostile_function_costs_little, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
