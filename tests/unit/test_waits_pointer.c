/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests where the pointer of an access comes from. */
#include "waits/pointer.h"

#include <string.h>

#include "decoder_fixture.h"

START_TEST(a_pointer_is_traced_through_sums_and_loads)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x4f, 0x10,       /*  0: mov 0x10(%rdi),%rcx */
		0x48, 0x89, 0xf0,             /*  4: mov %rsi,%rax */
		0x48, 0xc1, 0xe0, 0x06,       /*  7: shl $6,%rax */
		0x48, 0x01, 0xc8,             /* 11: add %rcx,%rax */
		0xf2, 0x0f, 0x10, 0x40, 0x18, /* 14: movsd 0x18(%rax),%xmm0 */
		0xc3,                         /* 19: ret */
	};
	struct pointer_trace t;
	bool loaded = false, index = false;

	ck_assert_int_eq(pointer_trace(decoder, code, sizeof(code), 14, &t), 0);
	ck_assert_int_eq(t.disp, 0x18);
	ck_assert_uint_ge(t.n, 3);
	ck_assert_int_eq(t.hops[0].reg, 0);
	ck_assert_uint_eq(t.hops[0].insn, 14);
	for (unsigned i = 0; i < t.n; i++) {
		loaded |= t.hops[i].reg == 5 && t.hops[i].insn == 0 && t.hops[i].depth == 1 &&
			  t.hops[i].loads[0] == 0x10;
		index |= t.hops[i].reg == 4 && t.hops[i].depth == 0;
	}
	ck_assert(loaded);
	ck_assert_msg(!index, "what is multiplied is no pointer");
}
END_TEST

START_TEST(no_pointer_no_trace)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x05, 0,    0, 0, 0, /*  0: mov 0(%rip),%rax */
		0x48, 0x8b, 0x04, 0x24,          /*  7: mov (%rsp),%rax */
		0x90,                            /* 11: nop */
	};
	struct pointer_trace t;

	for (size_t at = 0; at <= sizeof(code); at++) {
		ck_assert_int_eq(pointer_trace(decoder, code, sizeof(code), at, &t), 0);
		ck_assert_uint_eq(t.n, 0);
	}
}
END_TEST

/* Checks that the access at byte `at` is traced to a pointer in rdi at the function's start, with
 * this sum and step. */
static void check_step(const uint8_t *code, size_t len, size_t at, int64_t add, uint64_t step)
{
	struct pointer_trace t;
	bool found = false;

	ck_assert_int_eq(pointer_trace(decoder, code, len, at, &t), 0);
	for (unsigned i = 0; i < t.n; i++)
		found |= t.hops[i].reg == 5 && t.hops[i].insn == 0 && !t.hops[i].depth &&
			 t.hops[i].add == add && t.hops[i].step == step;
	ck_assert_msg(found, "access at %zu", at);
}

START_TEST(loops_and_indices_make_steps)
{
	uint8_t code[] = {
		0x48, 0x89, 0xf8,             /*  0: mov %rdi,%rax */
		0x48, 0x83, 0xc0, 0x10,       /*  3: add $0x10,%rax */
		0xf2, 0x0f, 0x10, 0x40, 0x08, /*  7: movsd 8(%rax),%xmm0 */
		0x48, 0x83, 0xc0, 0x40,       /* 12: add $0x40,%rax */
		0xf2, 0x0f, 0x10, 0x48, 0xe8, /* 16: movsd -0x18(%rax),%xmm1 */
		0x48, 0x39, 0xd0,             /* 21: cmp %rdx,%rax */
		0x75, 0xed,                   /* 24: jne 7 */
		0xf2, 0x0f, 0x10, 0x04, 0x8f, /* 26: movsd (%rdi,%rcx,4),%xmm0 */
		0xf2, 0x0f, 0x10, 0x47, 0x28, /* 31: movsd 0x28(%rdi),%xmm0 */
		0xc3,                         /* 36: ret */
	};

	check_step(code, sizeof(code), 7, 0x10, 0x40);
	check_step(code, sizeof(code), 16, 0x50, 0x40);
	check_step(code, sizeof(code), 26, 0, 4);
	check_step(code, sizeof(code), 31, 0, 0);
	code[14] = 0xc8; /* 12: or $0x40,%rax, whose result is unknown */
	check_step(code, sizeof(code), 7, 0x10, 1);
}
END_TEST

static size_t append(uint8_t *code, size_t n, const void *insn, size_t len)
{
	memcpy(code + n, insn, len);
	return n + len;
}

/* An unrolled loop of a large function: many words of the frame, a call, and many instructions lie
 * between the access and the parameter. */
START_TEST(a_spilled_pointer_is_found_far_away)
{
	static const uint8_t spill[] = { 0x48, 0x89, 0x7c, 0x24, 0x08 };  /* mov %rdi,0x8(%rsp) */
	static const uint8_t reload[] = { 0x48, 0x8b, 0x44, 0x24, 0x08 }; /* mov 0x8(%rsp),%rax */
	static const uint8_t call[] = { 0xe8, 0, 0, 0, 0 };
	static const uint8_t access[] = { 0xf2, 0x0f, 0x10, 0x00 };  /* movsd (%rax),%xmm0 */
	uint8_t code[1024], store[] = { 0x48, 0x89, 0x54, 0x24, 0 }; /* mov %rdx,N(%rsp) */
	size_t n = append(code, 0, spill, sizeof(spill)), at;

	for (int word = 3; word < 15; word++) {
		store[4] = (uint8_t)(8 * word);
		n = append(code, n, store, sizeof(store));
	}
	for (int word = -16; word < 0; word++) {
		store[4] = (uint8_t)(8 * word);
		n = append(code, n, store, sizeof(store));
		store[4] = (uint8_t)(8 * word + 4);
		n = append(code, n, store, sizeof(store));
	}
	n = append(code, n, call, sizeof(call));
	n = append(code, n, reload, sizeof(reload));
	memset(code + n, 0x90, 600); /* nop */
	n += 600;
	at = n;
	n = append(code, n, access, sizeof(access));
	check_step(code, n, at, 0, 0);
}
END_TEST

/* Code: 0: mov %rdi,%rax; 3: jmp 17; 5: movsd (%rax),%xmm0; 9: add $16,%rax; 13: cmp %rdx,%rax; 16:
 * nop; 17: test %esi,%esi; 19: jne 5; 21: ret. The loop is entered at its condition. */
START_TEST(a_loop_is_entered_from_below)
{
	static const uint8_t code[] = { 0x48, 0x89, 0xf8, 0xeb, 0x0c, 0xf2, 0x0f, 0x10,
					0x00, 0x48, 0x83, 0xc0, 0x10, 0x48, 0x39, 0xd0,
					0x90, 0x85, 0xf6, 0x75, 0xf0, 0xc3 };

	check_step(code, sizeof(code), 5, 0, 16);
}
END_TEST

START_TEST(words_of_the_frame_contain_pointers)
{
	static const uint8_t code[] = {
		0x55,                         /*  0: push %rbp */
		0x48, 0x89, 0xe5,             /*  1: mov %rsp,%rbp */
		0x48, 0x89, 0x7d, 0xf8,       /*  4: mov %rdi,-8(%rbp) */
		0x48, 0x8b, 0x45, 0xf8,       /*  8: mov -8(%rbp),%rax */
		0x48, 0x63, 0x4d, 0xe4,       /* 12: movslq -0x1c(%rbp),%rcx */
		0x48, 0x6b, 0xc9, 0x18,       /* 16: imul $0x18,%rcx,%rcx */
		0x48, 0x01, 0xc8,             /* 20: add %rcx,%rax */
		0xf2, 0x0f, 0x10, 0x40, 0x08, /* 23: movsd 8(%rax),%xmm0 */
		0x5d,                         /* 28: pop %rbp */
		0xc3,                         /* 29: ret */
	};
	struct pointer_trace t;
	bool found = false;

	ck_assert_int_eq(pointer_trace(decoder, code, sizeof(code), 23, &t), 0);
	for (unsigned i = 0; i < t.n; i++) {
		const struct pointer_hop *h = &t.hops[i];

		found |= h->in_slot && h->reg == 6 && h->slot == -8 && !h->depth && !h->add &&
			 h->step == 24;
		ck_assert_msg(h->in_slot || h->reg != 6, "the frame pointer is no pointer to data");
	}
	ck_assert(found);
}
END_TEST

/* Each of 1000 instructions is the head of a loop that contains nearly all of them: without a
 * limit, the trace would examine more than a million instructions. */
START_TEST(many_loops_are_limited_work)
{
	enum { LOOPS = 1000, JUMP = 6, AT = LOOPS + LOOPS * JUMP };
	static uint8_t code[AT + 4];
	struct pointer_trace t;

	memset(code, 0x90, LOOPS);
	for (int i = 0; i < LOOPS; i++) {
		uint8_t *p = code + LOOPS + i * JUMP;
		const int32_t back = i - (LOOPS + (i + 1) * JUMP);

		p[0] = 0x0f; /* jne to nop i */
		p[1] = 0x85;
		memcpy(p + 2, &back, sizeof(back));
	}
	memcpy(code + AT, "\x48\x8b\x07\xc3", 4); /* mov (%rdi),%rax; ret */
	ck_assert_int_eq(pointer_trace(decoder, code, sizeof(code), AT, &t), 0);
	ck_assert_uint_ge(t.n, 1);
	ck_assert_msg(t.work >= POINTER_WORK && t.work < POINTER_WORK + 16, "work: %u", t.work);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_pointer");
	TCase *t = tcase_create("waits_pointer");

	tcase_add_checked_fixture(t, open_decoder, close_decoder);
	tcase_add_test(t, a_pointer_is_traced_through_sums_and_loads);
	tcase_add_test(t, no_pointer_no_trace);
	tcase_add_test(t, loops_and_indices_make_steps);
	tcase_add_test(t, a_spilled_pointer_is_found_far_away);
	tcase_add_test(t, a_loop_is_entered_from_below);
	tcase_add_test(t, words_of_the_frame_contain_pointers);
	tcase_add_test(t, many_loops_are_limited_work);
	suite_add_tcase(s, t);
	return run_suite(s);
}
