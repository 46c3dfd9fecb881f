/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the NUMA costs of hardware samples on a machine with two nodes. The captures are made
 * here, imported, and checked through the views. One thread on node 1 makes twenty accesses.
 * According to the hardware, 6 accesses to pages of node 0 hit another node's memory (300 cycles
 * each), 3 accesses to pages of node 0 hit the first-level cache (5 cycles each), and 11
 * accesses to pages of node 1 hit local memory (100 cycles each).
 */
#include "import/import.h"

#include "import_case.h"

enum {
	PID = 10,
	PERIOD = 1000,
	/* values of perf_mem_data_src; this one is a load that hit remote RAM */
	REMOTE_RAM = 0x2042,
	FIRST_LEVEL = 0x142,
	LOCAL_RAM = 0x1042,
	NO_ACCESS = 1,
};

#define DATA UINT64_C(0x700000)

static const char follow_log[] = "memdb-follow\t1\n"
				 "page\t4096\n"
				 "node\t0\t0\t1000000\t500000\n"
				 "node\t1\t1\t1000000\t500000\n"
				 "distance\t0\t0\t10\ndistance\t0\t1\t20\n"
				 "distance\t1\t0\t20\ndistance\t1\t1\t10\n"
				 "cpu\t0\t0\t0\t0\ncpu\t1\t1\t0\t1\n"
				 "homes\t900\t10\t700000\t4096\t0x8,1x8\n";

static const struct perf_event_attr pebs = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.sample_period = PERIOD,
	.precise_ip = 2,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = 1, /* CLOCK_MONOTONIC */
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
};

static const struct perf_event_attr instructions = {
	.type = PERF_TYPE_HARDWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_HW_INSTRUCTIONS,
	.sample_period = 1000000,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = 1,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
};

static void side_band(struct pd_build *b)
{
	struct pd_sample_id id = { .pid = PID, .tid = PID, .time = 100, .id = 1 };

	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC | PERF_RECORD_MISC_USER);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_string(b, "app");
	pd_build_sample_id(b, &pebs, &id);
	pd_build_end(b);
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, DATA);
	pd_build_u64(b, 0x10000);
	pd_build_u64(b, 0);
	pd_build_string(b, "//anon");
	pd_build_sample_id(b, &pebs, &id);
	pd_build_end(b);
}

static void samples(struct pd_build *b, const struct perf_event_attr *attr, uint64_t id, unsigned n,
		    uint64_t address, uint64_t weight, uint64_t data_src)
{
	static uint64_t time = 1000;

	for (unsigned i = 0; i < n; i++) {
		struct pd_sample s = {
			.misc = PERF_RECORD_MISC_USER,
			.id = id,
			.ip = 0x400010,
			.pid = PID,
			.tid = PID,
			.time = time++,
			.addr = address ? address + 64 * i : 0,
			.cpu = 1,
			.period = attr->sample_period,
			.weight = weight,
			.data_src = data_src,
		};

		pd_build_sample(b, attr, &s);
	}
}

static void begin(struct pd_build *b)
{
	pd_build_init(b, false, false);
	pd_build_event(b, &pebs, &(uint64_t){ 1 }, 1);
	pd_build_event(b, &instructions, &(uint64_t){ 2 }, 1);
	side_band(b);
	samples(b, &pebs, 1, 6, DATA, 300, REMOTE_RAM);
	samples(b, &pebs, 1, 3, DATA + 0x1000, 5, FIRST_LEVEL);
	samples(b, &pebs, 1, 11, DATA + 0x8000, 100, LOCAL_RAM);
}

static void end_and_import(struct pd_build *b)
{
	struct import_options o = { .input = dir, .output = output };
	struct md_err err = { 0 };
	struct import_result r;

	save(b, 0);
	save_follow(follow_log);
	pd_build_release(b);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

static const char lpi[] =
	"select remote_by, equation, remote, cast(instructions as integer), round(value, 5), "
	"round(low, 5), round(high, 5), low > threshold from numa_verdicts where scope = 'run' "
	"order by 1 desc";

START_TEST(homes_and_hardware_are_counted_apart)
{
	struct pd_build b;

	begin(&b);
	end_and_import(&b);
	/* The expected bounds are Wilson intervals of 9 of 20 and of 6 of 20, computed with
	 * statsmodels: proportion_confint(9, 20, method="wilson"). */
	ck_assert_str_eq(
		ask("select local, remote, unknown, remote_pct, round(remote_low_pct, 2), "
		    "round(remote_high_pct, 2), home_pct, hw_local, hw_remote, hw_remote_pct, "
		    "round(hw_remote_low_pct, 2), round(hw_remote_high_pct, 2), hw_pct "
		    "from run_costs"),
		"11 9 0 45.0 25.82 65.79 100.0 14 6 30.0 14.55 51.9 100.0");
	ck_assert_str_eq(ask("select cpu_node_id, home_node_id, distance, samples "
			     "from access_matrix where scope = 'run' order by 1, 2"),
			 "1 0 20 9\n1 1 10 11");
	/* Expected delta by access: 9 remote samples * distance 10 / (20 samples * Q 20). Delta
	 * by cache line is the same, because the 20 lines are different. */
	ck_assert_str_eq(
		ask("select delta, cache_lines, delta_cache_lines from numa_distance where scope = "
		    "'run'"),
		"0.225 20 0.225");
	ck_assert_str_eq(ask("select home_node_id, sum(samples) from access_matrix "
			     "where scope = 'run' group by 1 order by 1"),
			 "0 9\n1 11");
}
END_TEST

START_TEST(pebs_divides_by_counted_instructions)
{
	struct pd_build b;

	begin(&b);
	samples(&b, &instructions, 2, 4, 0, 0, 0);
	/* This sample is neither a memory access nor an instruction count, so it must change no
	 * result. */
	samples(&b, &pebs, 1, 5, 0, 0, NO_ACCESS);
	end_and_import(&b);
	/*
	 * Expected lpi by equation 3: (6 * 300 + 3 * 5) / 9 * 9 * 1000 / 4,000,000. Expected lpi
	 * by hardware: 300 * 6000 / 4,000,000.
	 *
	 * Expected intervals: each sample weighs (6 * 300^2 + 3 * 5^2 + 11 * 100^2) / 2915 = 223
	 * cycles. So 1815 cycles are 8.14 samples and 1800 cycles are 8.07 samples. The interval
	 * is the score interval of a Poisson count of this size.
	 */
	ck_assert_str_eq(ask(lpi), "home 3 9 4000000 0.45375 0.20923 0.98405 1\n"
				   "hardware 3 6 4000000 0.45 0.20624 0.98188 1");
}
END_TEST

START_TEST(ibs_divides_by_sampled_operations)
{
	struct pd_build b;

	begin(&b);
	samples(&b, &pebs, 1, 19980, 0, 0, NO_ACCESS);
	end_and_import(&b);
	/* Expected lpi by equation 2: 1815 / 20,000 by home and 1800 / 20,000 by hardware. Both
	 * are below the threshold of 0.1. Each sample represents 1000 operations. */
	ck_assert_str_eq(ask(lpi), "home 2 9 20000000 0.09075 0.04185 0.19681 0\n"
				   "hardware 2 6 20000000 0.09 0.04125 0.19638 0");
	ck_assert_str_eq(ask("select count(*), (select sum(samples) from operation_cells) "
			     "from samples"),
			 "20 19980");
}
END_TEST

START_TEST(without_instructions_nothing_is_divided)
{
	struct pd_build b;

	begin(&b);
	end_and_import(&b);
	ck_assert_str_eq(ask("select distinct verdict from numa_verdicts"),
			 "cannot tell, because no instructions were counted");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_numa");
	TCase *t = tcase_create("import_numa");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_set_timeout(t, 240);
	tcase_add_test(t, homes_and_hardware_are_counted_apart);
	tcase_add_test(t, pebs_divides_by_counted_instructions);
	tcase_add_test(t, ibs_divides_by_sampled_operations);
	tcase_add_test(t, without_instructions_nothing_is_divided);
	suite_add_tcase(s, t);
	return run_suite(s);
}
