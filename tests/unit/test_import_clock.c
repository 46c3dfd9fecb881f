/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that samples find the blocks of their time in a tracker's log, with each clock that perf
 * supports. */
#include "import/import.h"

#include "import_case.h"
#include "tracklog_build.h"

#include <time.h>

#include "base/count.h"

static char logfile[64];

static void setup(void)
{
	make_case();
	snprintf(logfile, sizeof(logfile), "%s/100.1.0.log", dir);
}

static void teardown(void)
{
	unlink(logfile);
	remove_case();
}

/* The clocks of the machine that this test simulates. The time-stamp counter has two ticks per
 * ns. Boot time, wall clock and TAI differ from CLOCK_MONOTONIC by a constant. The scheduler's
 * clock and CLOCK_MONOTONIC_RAW run at different rates. */
enum { SHIFT = 20, MULT = (1 << 19) + 400, ZERO = 777 };

static const uint64_t wall = 1700000000000000000, slept = 5000000000000, leap = 37000000000;

static uint64_t ticks(uint64_t ns)
{
	return ns * 2;
}

static uint64_t raw(uint64_t ns)
{
	return 500000 + ns / 10000 * 9998 + ns % 10000;
}

enum { PERF_CLOCK = -1 };

static const int clocks[] = { PERF_CLOCK,     CLOCK_MONOTONIC_RAW, CLOCK_REALTIME,
			      CLOCK_BOOTTIME, CLOCK_TAI,           CLOCK_MONOTONIC };

static const char *const names[] = { "perf",     "monotonic_raw", "realtime",
				     "boottime", "tai",           "monotonic" };

/* Returns what another clock shows when CLOCK_MONOTONIC shows `ns`. `clock` is the id of this
 * clock, or PERF_CLOCK for the clock that perf uses by default. */
static uint64_t shown(int clock, uint64_t ns)
{
	switch (clock) {
	case PERF_CLOCK:
		return ZERO + ticks(ns) * (uint64_t)MULT / (1 << SHIFT);
	case CLOCK_MONOTONIC_RAW:
		return raw(ns);
	case CLOCK_REALTIME:
		return ns + wall;
	case CLOCK_TAI:
		return ns + wall + leap;
	case CLOCK_BOOTTIME:
		return ns + slept;
	default:
		return ns;
	}
}

static void moment(struct log_build *b, uint64_t ns, uint64_t set)
{
	struct track_moment m = { ticks(ns), ns, raw(ns), ns + slept, ns + wall + set };

	log_long(b, TRACK_PAIR, 0, (const uint64_t *)&m, 5);
}

static void at(struct log_build *b, uint64_t ns)
{
	log_time(b, ticks(ns));
}

/* Writes a log of two blocks at one address. The first lives from 1.2 to 1.25 s, the second from
 * 1.3 s on. Between them the wall clock is changed by `set` ns. */
static void make_log(uint64_t set)
{
	struct log_build *b = log_new();
	struct track_header *h = log_header(b);
	struct track_chunk *c;
	FILE *f = fopen(logfile, "w");

	h->clock = TRACK_CLOCK_TSC;
	h->pid = 10;
	h->start_ns = 1000000000;
	h->start_ticks_clock = ticks(h->start_ns);
	h->start_raw_ns = raw(h->start_ns);
	h->start_boottime_ns = h->start_ns + slept;
	h->start_realtime_ns = h->start_ns + wall;
	c = log_chunk(b, 0, 0, 10);
	c->ns = 1100000000;
	c->ticks = ticks(c->ns);
	at(b, 1200000000);
	log_malloc(b, 0, 0x700000, 4096);
	moment(b, 1210000000, 0);
	at(b, 1250000000);
	log_free(b, 0, 0x700000);
	moment(b, 1260000000, set);
	at(b, 1300000000);
	log_malloc(b, 0, 0x700000, 4096);
	moment(b, 2310000000, set);
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(b->words, 1, log_size(b), f), log_size(b));
	fclose(f);
	free(b);
}

static struct perf_event_attr event(int clock)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = 0x1cd,
		.precise_ip = 2,
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
		.use_clockid = clock != PERF_CLOCK,
		.clockid = clock != PERF_CLOCK ? clock : 0,
	};
}

static void sample(struct pd_build *b, const struct perf_event_attr *attr, uint64_t time)
{
	pd_build_sample(b, attr,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_USER,
					     .ip = 0x400010,
					     .pid = 10,
					     .tid = 10,
					     .time = time,
					     .addr = 0x700010,
					     .weight = 7 });
}

static void time_conv(struct pd_build *b)
{
	pd_build_begin(b, 79, 0);
	pd_build_u64(b, SHIFT);
	pd_build_u64(b, MULT);
	pd_build_u64(b, ZERO);
	pd_build_end(b);
}

/* Writes the header feature CLOCK_DATA: the start of the recording on the recording's clock and on
 * the wall clock. */
static void clock_data(struct pd_build *b, int clock)
{
	struct pd_bytes o = { 0 };

	pd_bytes_u32(b, &o, 1);
	pd_bytes_u32(b, &o, (uint32_t)clock);
	pd_bytes_u64(b, &o, wall + 900000000);
	/* perf reads the recording's clock 400 ns later than the wall clock */
	pd_bytes_u64(b, &o, shown(clock, 900000400));
	pd_build_feature(b, 29, o.p, o.len);
	free(o.p);
}

static void make_recording_of(int clock, bool with_conv, uint64_t last)
{
	const uint64_t times[] = { 950000000, 1220000000, 1270000000, 1350000000, last };
	struct perf_event_attr attr = event(clock);
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	if (with_conv)
		time_conv(&b);
	if (clock != PERF_CLOCK)
		clock_data(&b, clock);
	for (size_t i = 0; i < COUNT_OF(times); i++)
		sample(&b, &attr, shown(clock, times[i]));
	save(&b, 0);
	pd_build_release(&b);
}

static void make_recording(int clock, bool with_conv)
{
	make_recording_of(clock, with_conv, 2400000000);
}

static void import(void)
{
	struct import_options o = { .input = data, .output = output, .track_dir = dir };
	struct md_err err = { 0 };

	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
}

START_TEST(samples_of_every_clock_meet_the_blocks_of_their_time)
{
	const bool converted = clocks[_i] != CLOCK_MONOTONIC;

	make_log(0);
	make_recording(clocks[_i], clocks[_i] == PERF_CLOCK);
	import();
	ck_assert_str_eq(ask("select clock from runs"), "monotonic");
	ck_assert_str_eq(ask("select recorded_clock from runs"), names[_i]);
	ck_assert_str_eq(ask("select count(*) from losses where what = 'joins refused'"), "0");
	ck_assert_str_eq(ask("select clock_conversion like 'by % readings of both clocks%' from "
			     "runs"),
			 converted ? "1" : "-");
	/* The query drops the last digit, which depends on rounding. */
	ck_assert_str_eq(ask("select group_concat(((s.time + 4) / 10) || ' ' || "
			     "coalesce((a.time / 1000000), '-'), ',') from samples s left join "
			     "allocations a on a.id = s.allocation_id"),
			 "95000000 -,122000000 1200,127000000 -,135000000 1300,240000000 1300");
	if (clocks[_i] != PERF_CLOCK)
		ck_assert_str_eq(ask("select abs(started_realtime_ns - 1700000000950000000) < 2000 "
				     "from runs"),
				 "1");
}
END_TEST

START_TEST(a_clock_without_a_way_is_refused)
{
	make_log(0);
	make_recording(PERF_CLOCK, false);
	import();
	ck_assert_str_eq(ask("select clock from runs"), "perf");
	ck_assert_str_eq(ask("select count(*) from samples"), "5");
	ck_assert_str_eq(ask("select count(*) from allocations"), "0");
	ck_assert_str_eq(ask("select detail like '%own clock%record with -k CLOCK_MONOTONIC' from "
			     "losses where what = 'joins refused'"),
			 "1");
	ck_assert_str_eq(ask("select count(*) from losses where what = 'missing logs'"), "0");
}
END_TEST

START_TEST(a_wall_clock_that_was_set)
{
	make_log((uint64_t)(_i ? 1 : -1) * 3600000000000);
	make_recording(CLOCK_REALTIME, false);
	import();
	if (_i)
		ck_assert_str_eq(ask("select clock_conversion like '%it was set%1 times' from "
				     "runs"),
				 "1");
	else
		ck_assert_str_eq(ask("select detail like '%set back%' from losses where what = "
				     "'joins refused'"),
				 "1");
}
END_TEST

/* A damaged file may have times that no clock can show. All its samples are imported. */
START_TEST(times_beyond_all_clocks)
{
	static const uint64_t times[] = { UINT64_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1,
					  (uint64_t)INT64_MAX + 2000000000, UINT64_MAX / 4 * 3 };

	make_log(0);
	make_recording_of(_i % 2 ? CLOCK_MONOTONIC_RAW : PERF_CLOCK, true, times[_i / 2]);
	import();
	ck_assert_str_eq(ask("select count(*) from samples"), "5");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_clock");
	TCase *t = tcase_create("clock");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, samples_of_every_clock_meet_the_blocks_of_their_time, 0, 6);
	tcase_add_test(t, a_clock_without_a_way_is_refused);
	tcase_add_loop_test(t, a_wall_clock_that_was_set, 0, 2);
	tcase_add_loop_test(t, times_beyond_all_clocks, 0, 10);
	suite_add_tcase(s, t);
	return run_suite(s);
}
