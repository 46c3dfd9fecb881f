/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the samples of a recording are distributed among the operands that they may have waited
 * for, and the sums of these samples. */
#include "account_fixture.h"

START_TEST(samples_are_dealt_by_what_was_seen)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), wait, same, other;
	struct dealt d;

	ck_assert(account_wishes(a, place, 0) & WISH_OBJECT);
	ck_assert_int_eq(account_wishes(a, place, 2), WISH_SERIES);
	for (int i = 0; i < 2000; i++) {
		account_saw(a, place, 0, &sample, next_random() % (16 * KIB), 7);
		account_saw(a, place, 1, &sample, next_random() % (256 * MIB), i % 100 ? 8 : 9);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 7, 9, 5 });
	same = account_wait(a, place, 1, (uint32_t[]){ 7, 9, 6 });
	other = account_wait(a, place, 1, (uint32_t[]){ 7, 0, 0 });
	ck_assert(wait && wait == same && other && other != wait);
	d = deal(a, wait, 1000);
	ck_assert_uint_ge(d.n[1], 990);
	ck_assert_uint_eq(d.n[0] + d.n[1], 1000);
	ck_assert_int_eq(d.last.level, WAIT_MISSES);
	/* No object is passed for this operand. Of its samples, 99 of 100 belonged to object 8, so
	 * object 8 is assumed. */
	ck_assert_int_eq(deal(a, other, 1).last.candidate, 1);
	ck_assert_uint_eq(account_object(a, place, 1), 8);
	account_close(a);
}
END_TEST

START_TEST(what_did_not_run_gets_nothing)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t one = account_wait(a, place, 1, (uint32_t[]){ 1, ACCOUNT_SKIPPED, 0 });
	uint32_t none =
		account_wait(a, place, 1, (uint32_t[]){ ACCOUNT_SKIPPED, ACCOUNT_SKIPPED, 0 });

	ck_assert(one && none && one != none);
	ck_assert_uint_eq(deal(a, one, 100).n[0], 100);
	ck_assert_uint_eq(deal(a, none, 100).n[0] + deal(a, none, 100).n[1], 0);
	account_close(a);
}
END_TEST

/* Sums that account_others() reports, indexed by object. */
struct others {
	double period[4], dealt[4];
};

static void add_other(void *arg, uint32_t object, double period, double dealt)
{
	struct others *others = arg;

	ck_assert_uint_lt(object, 4);
	others->period[object] += period;
	others->dealt[object] += dealt;
}

/* An atomic operation takes some time even if its operand hits (case 0) or is unknown (case 1);
 * this time is not a wait. For an operand that misses (case 2), the time is a wait, except for the
 * part that the operation itself takes. This part is not exactly known, so it may have been a wait,
 * too. */
START_TEST(an_atomic_operation_takes_time_of_its_own)
{
	static const struct {
		/* number of bytes over which the operand's addresses are spread; 0 means that they
		 * are not known */
		uint64_t range;
		/* how many of the 600 samples must count as waits for the operand */
		unsigned least, most;
	} cases[] = { { 64, 0, 0 }, { 0, 0, 0 }, { 256 * MIB, 540, 599 } };
	const struct wait_candidate own = {
		.how = WAIT_OWN, .bytes = 8, .load = true, .store = true, .lock = true
	};
	const struct wait_plan locked = { .ways = 1, .n = 1, .candidates = &own };
	struct account *a = open_account();
	uint32_t place = account_place(a, &locked, 1, 4096), wait;
	struct account_deal d;
	unsigned waits = 0;
	struct others others = { 0 };

	for (int i = 0; cases[_i].range && i < 2000; i++)
		account_saw(a, place, 0, &sample, next_random() % cases[_i].range, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	for (int i = 0; i < 600; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert(d.atomic && !d.moved);
		ck_assert_int_eq(d.candidate, 0);
		ck_assert(d.level == WAIT_HITS || d.level == WAIT_MISSES);
		waits += d.level == WAIT_MISSES;
	}
	ck_assert_uint_ge(waits, cases[_i].least);
	ck_assert_uint_le(waits, cases[_i].most);
	account_others(a, add_other, &others);
	ck_assert_double_eq_tol(others.period[1], waits ? 1000.0 * (600 - waits) : 0, 1);
	account_close(a);
}
END_TEST

/* An instruction that may wait for two loads. The code moves the second load by 8 bytes in each
 * iteration (two_loads[0]), or does not show how it moves (two_loads[1]). */
#define LOADS(s)                                                                                \
	(const struct wait_candidate[])                                                         \
	{                                                                                       \
		{ .insn = 8, .how = WAIT_OWN, .bytes = 8, .load = true, .step = WAIT_NO_STEP }, \
			{ .insn = 4, .how = WAIT_FLOW, .bytes = 8, .load = true, .step = (s) }, \
	}
static const struct wait_plan two_loads[] = {
	{ .ways = 1, .n = 2, .candidates = LOADS(8) },
	{ .ways = 1, .n = 2, .candidates = LOADS(WAIT_NO_STEP) },
};

/* The address of the second operand is lost. If the code moves it by 8 bytes in each iteration
 * (case 0), it is prefetched, and the wait is for the first operand, which is scattered over fewer
 * bytes. If the code does not show how it moves (case 1), the second operand may be scattered, and
 * over more bytes. */
START_TEST(an_operand_whose_address_is_lost_may_be_in_order)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &two_loads[_i], 1, 4096);
	struct dealt d;

	for (int i = 0; i < 2000; i++)
		account_saw(a, place, 0, &sample, next_random() % (16 * MIB), 1);
	account_within(a, place, 1, 0x1000, 256 * MIB);
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 2 }), 1000);
	if (_i)
		ck_assert_uint_gt(d.n[1], d.n[0]);
	else
		ck_assert_uint_lt(4 * d.n[1], d.n[0]);
	account_close(a);
}
END_TEST

/* The second operand passes through 256 MiB in order, again and again. There are so few samples
 * that its addresses seem to be scattered, over more memory than those of the first operand. The
 * addresses tend upwards, however. This is enough evidence if the code also moves the operand by 8
 * bytes in each iteration (case 0). */
START_TEST(rare_samples_and_the_code_show_an_order)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &two_loads[_i], 1, 4096);
	uint64_t at = 0;
	struct dealt d;

	for (int i = 0; i < 60; i++) {
		at = (at + next_random() % (128 * MIB)) % (256 * MIB);
		account_saw(a, place, 0, &sample,
			    UINT64_C(64) * MIB * 64 + next_random() % (16 * MIB), 1);
		account_saw(a, place, 1, &sample, at, 2);
	}
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 2 }), 1000);
	if (_i)
		ck_assert_uint_gt(2 * d.n[1], d.n[0]);
	else
		ck_assert_uint_lt(4 * d.n[1], d.n[0]);
	account_close(a);
}
END_TEST

/* Two loads of one loop, each moved by 4 bytes per iteration: the first goes through rows in random
 * order, the second through rows one after the other. Most rows of the first are in one half of the
 * array, so its steps have a common direction on the circle of the array's size. But from sample to
 * sample, its addresses jump farther than the loop advances. So they are not in order, and the load
 * has nearly all of the wait. */
START_TEST(scattered_rows_are_not_in_order)
{
	const struct wait_candidate rows[] = {
		{ .insn = 4, .how = WAIT_OWN, .bytes = 4, .load = true, .step = 4 },
		{ .insn = 0, .how = WAIT_FLOW, .bytes = 4, .load = true, .step = 4 },
	};
	const struct wait_plan loop = {
		.ways = 1,
		.n = 2,
		.candidates = rows,
		.loop = { .n = 5, .accesses = 2, .end = 16, .least = 3, .likely = 4 }
	};
	struct account *a = open_account();
	uint32_t place = account_place(a, &loop, 1, 4096);
	struct account_sample s = { .thread = 1, .period = 500000 };
	struct dealt d;

	for (uint64_t i = 0; i < 600; i++, s.time += s.period) {
		account_saw(a, place, 0, &s,
			    (next_random() % 10 > 0) * 38 * MIB + next_random() % (38 * MIB), 1);
		account_saw(a, place, 1, &s, UINT64_C(1) << 32 | i * 16 * KIB, 2);
	}
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 2 }), 1000);
	ck_assert_uint_gt(d.n[0], 900);
	account_close(a);
}
END_TEST

/* Two loads of a loop with a branch pass through 256 MiB in order. The hardware prefetches steps of
 * 8 bytes (case 0). It does not prefetch steps of 4096 bytes, which are known from the code (case
 * 1) or from the registers of samples (case 2). Without prefetching, the misses of both loads are
 * in flight together, and each load gets half of the wait. */
START_TEST(walks_of_a_loop_share_their_waits)
{
	static const int32_t steps[] = { 8, 4096, WAIT_SOME_STEP };
	const struct wait_candidate walks[] = {
		{ .insn = 8, .how = WAIT_OWN, .bytes = 8, .load = true, .step = steps[_i] },
		{ .insn = 0, .how = WAIT_BESIDE, .bytes = 8, .load = true, .step = steps[_i] },
	};
	const struct wait_plan loop = {
		.ways = 1,
		.n = 2,
		.candidates = walks,
		.loop = { .n = 9,
			  .accesses = 2,
			  .end = 32,
			  .least = 1,
			  .likely = 2,
			  .branches = true },
	};
	struct account *a = open_account();
	uint32_t place = account_place(a, &loop, 1, 4096);
	struct dealt d;

	for (unsigned i = 0; i < 2000; i++)
		for (unsigned k = 0; k < 2; k++) {
			if (steps[_i] == WAIT_SOME_STEP)
				account_steps(a, place, k, 4096);
			account_saw(a, place, k, &sample,
				    (uint64_t)k << 32 | (uint64_t)i * 40 * 4096 % (256 * MIB),
				    k + 1);
		}
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 0 }), 1000);
	if (_i)
		ck_assert_msg(d.n[0] > 450 && d.n[1] > 450, "%u and %u", d.n[0], d.n[1]);
	else
		ck_assert_uint_eq(d.n[1], 0);
	account_close(a);
}
END_TEST

/* Two operands look alike at first, so each gets half of the samples. When one turns out to be in
 * the cache, later samples go to the other, until each operand has its right share of all
 * samples. */
START_TEST(what_was_dealt_wrongly_is_made_up_for)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 0 });
	struct dealt first = deal(a, wait, 100), all = { 0 };

	ck_assert_uint_eq(first.n[0], 50);
	ck_assert_uint_eq(first.n[1], 50);
	for (int i = 0; i < 5000; i++) {
		struct dealt d;

		account_saw(a, place, 0, &sample, next_random() % (16 * KIB), 1);
		account_saw(a, place, 1, &sample, next_random() % (256 * MIB), 2);
		d = deal(a, wait, 1);
		all.n[0] += d.n[0];
		all.n[1] += d.n[1];
	}
	ck_assert_uint_le(first.n[0] + all.n[0], 60);
	ck_assert_uint_eq(all.n[0] + all.n[1], 5000);
	account_close(a);
}
END_TEST

/* The code is movslq (i),%rax; mov (%rcx,%rax,8),%rax. The second load overwrites its own index, so
 * only the array is known, and not the address in the array. This operand must not count as cached
 * just because its addresses are unknown. */
START_TEST(an_operand_known_by_its_object_alone_goes_anywhere_there)
{
	static const struct {
		uint64_t bytes;
		unsigned least, most;
	} cases[] = { { 256 * MIB, 900, 1000 }, { 8 * MIB, 700, 990 }, { 4 * KIB, 0, 120 } };
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), wait;
	struct dealt d;

	for (uint64_t i = 0; i < 2000; i++) {
		account_within(a, place, 0, 0x1000, cases[_i].bytes);
		account_saw(a, place, 1, &sample, i * 64 * KIB, 2);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 0 });
	d = deal(a, wait, 1000);
	ck_assert_msg(d.n[0] >= cases[_i].least && d.n[0] <= cases[_i].most, "%u", d.n[0]);
	ck_assert_uint_eq(d.n[0] + d.n[1], 1000);
	/* once addresses of the operand are known, they count instead of the size of its object */
	for (int i = 0; i < 100; i++)
		account_saw(a, place, 0, &sample, 64, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 3, 0 });
	ck_assert_uint_le(deal(a, wait, 1000).n[0], 120);
	account_close(a);
}
END_TEST

/* A constant bounds the index to 4 KiB. If the base does not move, the operand stays in the cache,
 * however large the array is. */
START_TEST(a_bounded_index_stays_near_its_base)
{
	struct wait_candidate bounded[] = { three[0], three[1], three[2] };
	const struct wait_plan p = { .ways = 1, .n = 3, .candidates = bounded };
	struct account *a = open_account();
	uint32_t place = account_place(a, &p, 1, 4096), wait;

	bounded[0].span = 4 * KIB;
	for (uint64_t i = 0; i < 2000; i++) {
		account_within(a, place, 0, 0x1000 + (_i ? i * 64 * KIB : 0), 256 * MIB);
		account_saw(a, place, 1, &sample, i * 64 * KIB, 2);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 0 });
	if (_i)
		ck_assert_uint_ge(deal(a, wait, 1000).n[0], 400);
	else
		ck_assert_uint_le(deal(a, wait, 1000).n[0], 120);
	account_close(a);
}
END_TEST

START_TEST(an_operand_whose_objects_vary_is_not_guessed)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);

	for (int i = 0; i < 100; i++) /* some samples belong to a second object */
		account_saw(a, place, 0, &sample, next_random() % (256 * MIB),
			    _i ? 1 + (i > 20) : 1 + i % 5 / 4);
	ck_assert_uint_eq(account_object(a, place, 0), 0);
	account_close(a);
}
END_TEST

/* The object of an operand may change until some of its addresses are known, or until the caller
 * has declared that it does not wait for more of them. */
START_TEST(an_object_is_learned_from_some_addresses)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);

	for (int i = 0; i < 1000; i++)
		account_saw(a, place, 1, &sample, 64, 8);
	ck_assert(account_may_learn(a, place, 0));
	ck_assert(!account_may_learn(a, place, 1));
	account_saw(a, place, 0, &sample, 64, 9);
	ck_assert_uint_eq(account_object(a, place, 0), 9);
	ck_assert(account_may_learn(a, place, 0));
	account_learns_no_more(a, place, 0);
	ck_assert(!account_may_learn(a, place, 0));
	account_close(a);
}
END_TEST

/* A candidate may have cost at most its own share and all samples that went to other candidates. */
START_TEST(others_may_have_been_waited_for)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t one = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 3 });
	uint32_t both = account_wait(a, place, 1, (uint32_t[]){ 2, 2, 3 });
	struct dealt d = deal(a, one, 100);
	struct others others = { 0 };

	deal(a, both, 50);
	account_others(a, add_other, &others);
	ck_assert(others.period[1] == 1000.0 * d.n[1]);
	ck_assert(others.period[2] == 1000.0 * d.n[0]);
	ck_assert(others.dealt[1] == others.period[1] && others.dealt[2] == others.period[2]);
	/* The operand that is only near gets nothing, because the instruction depends on the
	 * others. */
	ck_assert(others.period[3] == 0);
	account_close(a);
}
END_TEST

/* While a thread waits for a scattered load, the streams of its code use memory, too: at 1.6 bytes
 * per ns, a fifth of the time of slow memory, and twice as much if they are also written. */
START_TEST(streams_may_have_delayed_a_miss)
{
	const struct wait_candidate gather = {
		.insn = 4, .how = WAIT_OWN, .bytes = 8, .load = true, .step = WAIT_NO_STEP
	};
	const struct wait_access stream = {
		.insn = 8, .bytes = 8, .load = true, .store = _i, .step = WAIT_NO_STEP
	};
	const struct wait_plan code = {
		.ways = 1, .n = 1, .ahead = 1, .candidates = &gather, .accesses = &stream
	};
	struct account *a = open_account();
	uint32_t place = account_place(a, &code, 1, 4096), wait;
	struct account_sample s = { .thread = 1, .period = 100000 };
	struct others others = { 0 };

	for (uint64_t i = 0; i < 800; i++, s.time += s.period) {
		account_saw(a, place, 0, &s, next_random() % (512 * MIB), 1);
		account_saw(a, place, 1, &s, i * 160000, 2);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	deal(a, wait, 100);
	account_others(a, add_other, &others);
	ck_assert(others.period[1] == 0);
	ck_assert_double_eq_tol(others.period[2], 1000.0 * 100 * (_i ? 0.4 : 0.2), 500);
	account_close(a);
}
END_TEST

/* A loop reads an array of 256 MB in order, 8 bytes in 2.5 ns, which are 10 cycles of a fast clock.
 * Its arithmetic takes 3 of these cycles on the fastest CPU. On a usual one it takes 5 cycles of a
 * slower clock, as long as 6.25 of the fast one, so an iteration takes 2.5 cycles less than twice
 * as long: for so many cycles, it is unclear what takes them. Half of these are a cost. */
START_TEST(arithmetic_takes_a_part_of_the_time)
{
	const struct wait_candidate stream = {
		.insn = 4, .how = WAIT_OWN, .bytes = 8, .load = true, .step = 8
	};
	const struct wait_plan loop = {
		.ways = 1,
		.n = 1,
		.candidates = &stream,
		.loop = { .n = 5, .accesses = 1, .end = 16, .least = 3, .likely = 5 }
	};
	struct account *a = open_account();
	uint32_t place = account_place(a, &loop, 1, 4096), wait;
	struct account_sample s = { .thread = 1, .period = 100000 };
	struct account_deal d;
	unsigned waits = 0, unclear = 0, costless = 0;
	struct others others = { 0 };

	for (uint64_t i = 0; i < 800; i++, s.time += s.period)
		account_saw(a, place, 0, &s, i * 320000, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	for (int i = 0; i < 500; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert_int_eq(d.candidate, 0);
		waits += d.level == WAIT_MISSES;
		unclear += d.level == WAIT_UNCLEAR;
		costless += d.costless;
		ck_assert(!d.costless || d.level == WAIT_UNCLEAR);
	}
	ck_assert_uint_ge(waits, 224);
	ck_assert_uint_le(waits, 226);
	ck_assert_uint_ge(unclear, 124);
	ck_assert_uint_le(unclear, 126);
	ck_assert_uint_eq(costless, unclear / 2);
	account_others(a, add_other, &others);
	ck_assert_double_eq_tol(others.period[1], 1000.0 * (500 - waits - unclear), 1);
	account_close(a);
}
END_TEST

START_TEST(many_threads_and_places_are_bounded)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), last = 0;
	unsigned wished = 0;

	for (uint32_t t = 1; t <= 1000; t++)
		account_saw(a, place, 0, &(struct account_sample){ .thread = t }, t * 64, 1);
	for (int i = 0; i < 100000; i++)
		wished += (account_wishes(a, place, 2) & WISH_SERIES) != 0;
	ck_assert_uint_lt(wished, 20000);
	for (uint32_t i = 1; i <= ACCOUNT_WAITS + 10; i++)
		last = account_wait(a, place, 1, (uint32_t[]){ i, 0, 0 });
	ck_assert_uint_eq(last, 0);
	ck_assert_uint_eq(account_wait(a, place, 1, (uint32_t[]){ 1, 0, 0 }), 1);
	ck_assert(!account_nomem(a));
	account_close(a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_account");
	TCase *t = tcase_create("waits_account");

	tcase_add_test(t, arithmetic_takes_a_part_of_the_time);
	tcase_add_test(t, what_did_not_run_gets_nothing);
	tcase_add_test(t, samples_are_dealt_by_what_was_seen);
	tcase_add_loop_test(t, an_atomic_operation_takes_time_of_its_own, 0, 3);
	tcase_add_loop_test(t, an_operand_whose_address_is_lost_may_be_in_order, 0, 2);
	tcase_add_loop_test(t, rare_samples_and_the_code_show_an_order, 0, 2);
	tcase_add_test(t, scattered_rows_are_not_in_order);
	tcase_add_loop_test(t, walks_of_a_loop_share_their_waits, 0, 3);
	tcase_add_test(t, what_was_dealt_wrongly_is_made_up_for);
	tcase_add_loop_test(t, an_operand_known_by_its_object_alone_goes_anywhere_there, 0, 3);
	tcase_add_loop_test(t, a_bounded_index_stays_near_its_base, 0, 2);
	tcase_add_loop_test(t, an_operand_whose_objects_vary_is_not_guessed, 0, 2);
	tcase_add_test(t, an_object_is_learned_from_some_addresses);
	tcase_add_test(t, others_may_have_been_waited_for);
	tcase_add_loop_test(t, streams_may_have_delayed_a_miss, 0, 2);
	tcase_add_test(t, many_threads_and_places_are_bounded);
	suite_add_tcase(s, t);
	return run_suite(s);
}
