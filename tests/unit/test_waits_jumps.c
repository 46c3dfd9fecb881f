/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that samples after a jump are not charged to loads that take less time than a mispredicted
 * jump: samples do not show which of the two the thread waited for. */
#include "waits_fixture.h"

#include "random.h"
#include "waits/account.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static bool after_jump(const char *code, size_t len, size_t at)
{
	return plan_at(code, len, at)->jumps;
}

#define AFTER_JUMP(code, at) after_jump(code, sizeof(code) - 1, at)

/* Code: 0: cmp %ecx,(%rdi); 2: je 11; 4: add %eax,%edx; 6: add (%rsi),%edx; 8: xor %eax,%eax; 10:
 * ret; 11: nop; 12: ret. Samples right after the jump, where it does not jump and where it jumps,
 * may show a mispredicted jump. Samples after the next access show a wait for this access. */
START_TEST(a_jump_counts_up_to_the_next_access)
{
	static const char code[] = "\x39\x0f\x74\x07\x01\xc2\x03\x16\x31\xc0\xc3\x90\xc3";

	ck_assert(!AFTER_JUMP(code, 2));
	ck_assert(AFTER_JUMP(code, 4) && AFTER_JUMP(code, 6) && AFTER_JUMP(code, 11));
	ck_assert(!AFTER_JUMP(code, 8) && !AFTER_JUMP(code, 10));
}
END_TEST

/* Code: 0: je 13; 2 to 11: nop; 12: ret; 13: ret. The instructions right after the jump retire
 * together with it, those further away do not. */
START_TEST(a_jump_counts_for_a_few_instructions)
{
	static const char code[] = "\x74\x0b\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xc3\xc3";

	ck_assert(AFTER_JUMP(code, 3) && AFTER_JUMP(code, 9));
	ck_assert(!AFTER_JUMP(code, 10));
}
END_TEST

/* Code: 0: add (%rdi),%rax; 3: add $8,%rdi; 7: cmp %rdi,%rsi; 10: jne 0; 12: ret. The jump that
 * closes a loop is predicted. */
START_TEST(a_jump_that_closes_a_loop_does_not_count)
{
	static const char code[] = "\x48\x03\x07\x48\x83\xc7\x08\x48\x39\xfe\x75\xf4\xc3";

	ck_assert(!AFTER_JUMP(code, 3) && !AFTER_JUMP(code, 10));
}
END_TEST

/*
 * Counts the elements that two sorted lists have in common. Code:
 *   0: mov %rbp,%rsi; mov (%rbx,%r8,8),%rax
 *   7: mov (%rsi),%ecx; mov (%rax),%edx; cmp %edx,%ecx; jle 26
 *  15: mov 4(%rax),%edx; add $4,%rax; cmp %ecx,%edx; jl 15
 *  26: cmp %edx,%ecx; sete %dl; add $4,%rsi; cmp %rsi,%r9; jne 7
 *  40: add $1,%r8; cmp %r8,%r10; jne 0
 *  49: ret
 * Both addresses creep: rax goes on where the loop before has left it, and rsi comes back to the
 * same list. The jump at 24, which closes a loop of unknown length, is mispredicted where it ends;
 * the instruction that both jumps lead to comes right after a jump, and so does the next one.
 */
START_TEST(creeping_loads_before_a_jump_are_quick)
{
	static const char code[] =
		"\x48\x89\xee\x4a\x8b\x04\xc3\x8b\x0e\x8b\x10\x39\xd1\x7e\x0b\x8b\x50\x04\x48\x83"
		"\xc0\x04\x39\xca\x7c\xf5\x39\xd1\x0f\x94\xc2\x48\x83\xc6\x04\x49\x39\xf1\x75\xdf"
		"\x49\x83\xc0\x01\x4d\x39\xc2\x75\xcf\xc3";
	/* the same, but the second list begins anew for each element of the first: jne 3 at 38 */
	static const char anew[] =
		"\x48\x89\xee\x4a\x8b\x04\xc3\x8b\x0e\x8b\x10\x39\xd1\x7e\x0b\x8b\x50\x04\x48\x83"
		"\xc0\x04\x39\xca\x7c\xf5\x39\xd1\x0f\x94\xc2\x48\x83\xc6\x04\x49\x39\xf1\x75\xdb"
		"\x49\x83\xc0\x01\x4d\x39\xc2\x75\xcf\xc3";
	const struct wait_plan *p = plan_at(code, sizeof(code) - 1, 28);

	ck_assert(p->jumps);
	for (unsigned i = 0; i < p->n; i++)
		ck_assert_msg(p->candidates[i].creeps == (p->candidates[i].insn >= 7),
			      "candidate at %u", p->candidates[i].insn);
	p = plan_at(anew, sizeof(anew) - 1, 28);
	for (unsigned i = 0; i < p->n; i++)
		ck_assert_msg(p->candidates[i].creeps == false || p->candidates[i].insn == 7,
			      "candidate at %u", p->candidates[i].insn);
}
END_TEST

/* How an operand moves through memory, by sampled address. */
enum movement { NEAR, SECOND_LEVEL, FAR, SLOW_STREAM, FAST_STREAM, NOTHING_KNOWN };

static uint64_t address_of(enum movement how, uint64_t i)
{
	static uint64_t state = 1;
	uint64_t mixed;

	random_next(&state);
	mixed = state >> 20;
	switch (how) {
	case NEAR:
		return mixed % (4 * KIB);
	case SECOND_LEVEL:
		return mixed % (400 * KIB);
	case FAR:
		return mixed % (512 * MIB);
	case SLOW_STREAM:
		return i * 50000;
	default:
		return i * 400000;
	}
}

/* Deals 100 samples that were taken after a load, one every 100,000 ns. Half of them cost nothing
 * if it is unclear whether they are waits or arithmetic. `jumps` is set if a jump follows the load
 * (wait_plan.jumps). Returns the deal, which is the same for all samples. */
static struct account_deal deal_after(enum movement how, uint8_t jumps)
{
	const struct wait_candidate load = { .how = WAIT_OWN, .bytes = 8, .load = true };
	const struct wait_plan plan = { .ways = 1, .n = 1, .jumps = jumps, .candidates = &load };
	struct account_sample s = { .thread = 1, .period = 100000 };
	struct account_deal d, first;
	struct account *a;
	uint32_t place, wait;
	unsigned costless;

	ck_assert_int_eq(account_open(&wait_caches_default, &a, NULL), 0);
	place = account_place(a, &plan, 1, 4096);
	for (uint64_t i = 0; i < 2000 && how != NOTHING_KNOWN; i++, s.time += s.period)
		account_saw(a, place, 0, &s, address_of(how, i), 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	account_deal(a, wait, s.period, &first);
	costless = first.costless;
	for (int i = 1; i < 100; i++) {
		account_deal(a, wait, s.period, &d);
		ck_assert(d.candidate == first.candidate && d.level == first.level &&
			  d.jumped == first.jumped);
		costless += d.costless;
	}
	ck_assert_uint_eq(costless, first.level == WAIT_UNCLEAR && !first.jumped ? 50 : 0);
	account_close(a);
	return first;
}

/* It is unclear whether the samples waited for the operand or for the jump. They stay with the
 * operand, so that the upper bound of its cost includes them. A load that hits the first level was
 * not waited for in any case. Whether one that hits the second level, or a slow stream, was waited
 * for is not known without a jump either, because the code is in no loop. */
START_TEST(a_quick_load_before_a_jump_is_unclear)
{
	static const struct {
		enum movement how;
		enum wait_level level; /* without a jump */
		bool quick;
	} cases[] = { { NEAR, WAIT_HITS, false },           { SECOND_LEVEL, WAIT_UNCLEAR, true },
		      { FAR, WAIT_MISSES, false },          { SLOW_STREAM, WAIT_UNCLEAR, true },
		      { FAST_STREAM, WAIT_STREAMS, false }, { NOTHING_KNOWN, WAIT_MISSES, false } };
	const struct account_deal without = deal_after(cases[_i].how, 0),
				  with = deal_after(cases[_i].how, 1);

	ck_assert_int_eq(without.candidate, 0);
	ck_assert_int_eq(with.candidate, 0);
	ck_assert_int_eq(without.level, cases[_i].level);
	ck_assert(!without.jumped);
	ck_assert_int_eq(with.jumped, cases[_i].quick);
	ck_assert_int_eq(with.level, cases[_i].quick ? WAIT_UNCLEAR : cases[_i].level);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_jumps");
	TCase *t = tcase_create("jumps");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_test(t, a_jump_counts_up_to_the_next_access);
	tcase_add_test(t, a_jump_counts_for_a_few_instructions);
	tcase_add_test(t, a_jump_that_closes_a_loop_does_not_count);
	tcase_add_test(t, creeping_loads_before_a_jump_are_quick);
	tcase_add_loop_test(t, a_quick_load_before_a_jump_is_unclear, 0, 6);
	suite_add_tcase(s, t);
	return run_suite(s);
}
