/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what the importer learns from follow.log about a process without a tracker: the policies
 * of its mappings and of its main thread, and which of its pages are huge. A thread on node 0
 * causes the page faults, which have no physical addresses. */
#include "import/import.h"

#include "import_case.h"

enum { PID = 10, PAGE = 4096, HUGE = 2 << 20 };

#define HEAP  UINT64_C(0x10000000) /* anonymous mapping of two huge pages */
#define FILE_ UINT64_C(0x20000000) /* mapping of a file */
#define OTHER UINT64_C(0x30000000) /* mapping that numa_maps does not list */
#define STACK UINT64_C(0x7ff00000)

static const char machine[] = "memdb-follow\t1\n"
			      "page\t4096\n"
			      "node\t0\t0\t1000000\t500000\n"
			      "node\t1\t1\t1000000\t500000\n"
			      "cpu\t0\t0\t0\t0\ncpu\t1\t1\t0\t1\n"
			      "foreign\t1\t0\t0\t0\nforeign\t1\t1\t0\t0\n";

/* The end of follow.log: no node was full. */
static const char observed[] = "foreign\t2000\t0\t0\t0\nforeign\t2000\t1\t0\t0\n";

static const struct perf_event_attr faults = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_PAGE_FAULTS,
	.sample_period = 1,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = 1, /* CLOCK_MONOTONIC */
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU,
};

static void mapping(struct pd_build *b, uint64_t start, uint64_t bytes, const char *name)
{
	struct pd_sample_id id = { .pid = PID, .tid = PID, .time = 100, .id = 1 };

	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, start);
	pd_build_u64(b, bytes);
	pd_build_u64(b, 0);
	pd_build_string(b, name);
	pd_build_sample_id(b, &faults, &id);
	pd_build_end(b);
}

static void fault(struct pd_build *b, uint64_t time, uint64_t address)
{
	struct pd_sample s = { .misc = PERF_RECORD_MISC_USER,
			       .id = 1,
			       .ip = 0x400010,
			       .pid = PID,
			       .tid = PID,
			       .time = time,
			       .addr = address };

	pd_build_sample(b, &faults, &s);
}

/* Imports a recording with this follow.log and one page fault on the second page of each
 * mapping. */
static void import_with(const char *told)
{
	struct import_options o = { .input = dir, .output = output };
	struct md_err err = { 0 };
	struct import_result r;
	struct pd_build b;
	char log[1024];

	pd_build_init(&b, false, false);
	pd_build_event(&b, &faults, &(uint64_t){ 1 }, 1);
	mapping(&b, HEAP, 2 * HUGE, "//anon");
	mapping(&b, FILE_, HUGE, "/tmp/data");
	mapping(&b, OTHER, HUGE, "//anon");
	mapping(&b, STACK, 16 * PAGE, "[stack]");
	fault(&b, 1000, HEAP + PAGE);
	fault(&b, 1001, FILE_ + PAGE);
	fault(&b, 1002, OTHER + PAGE);
	fault(&b, 1003, HEAP + 3 * PAGE);
	save(&b, 0);
	pd_build_release(&b);
	snprintf(log, sizeof(log), "%s%s%s", machine, told, observed);
	save_follow(log);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

static const char homes[] =
	"select printf('%x', address), home_node_id, s.name, page_pinned, page_bytes, first "
	"from page_faults f left join home_sources s on s.id = f.home_source order by f.id";

START_TEST(without_a_policy_the_node_of_the_cpu_is_the_home)
{
	import_with("");
	ck_assert_str_eq(ask(homes), "10001000 0 first-touch - - 1\n"
				     "20001000 0 first-touch - - 1\n"
				     "30001000 0 first-touch - - 1\n"
				     "10003000 0 first-touch - - 1");
}
END_TEST

START_TEST(a_mapping_has_the_policy_that_numa_maps_says)
{
	import_with("numa_maps\t500\t10\t10000000\tbind:1\tanon=2 N1=2\n"
		    "numa_maps\t500\t10\t20000000\tbind:1\tfile=/tmp/data mapped=1\n"
		    /* no mapping at this address */
		    "numa_maps\t500\t10\t40000000\tbind:1\tanon=1\n"
		    /* process 99 is not in the recording */
		    "numa_maps\t500\t99\t30000000\tbind:1\tanon=1\n"
		    "numa_maps\t5000\t10\t30000000\tbind:1\tanon=1\n"
		    /* the time of the last line is after the faults */);
	ck_assert_str_eq(ask(homes), "10001000 1 first-touch 1 - 1\n"
				     "20001000 0 first-touch - - 1\n"
				     "30001000 0 first-touch - - 1\n"
				     "10003000 1 first-touch 1 - 1");
}
END_TEST

START_TEST(the_stacks_policy_is_the_main_threads)
{
	import_with("numa_maps\t500\t10\t7ff00000\tprefer:1\tstack anon=2\n");
	ck_assert_str_eq(ask(homes), "10001000 1 first-touch 1 - 1\n"
				     "20001000 1 first-touch 1 - 1\n"
				     "30001000 1 first-touch 1 - 1\n"
				     "10003000 1 first-touch 1 - 1");
}
END_TEST

START_TEST(pages_of_a_mapping_are_as_large_as_told)
{
	import_with("hugepage\t500\t10\t10000000\t10400000\t2097152\n"
		    "hugepage\t500\t99\t30000000\t30200000\t2097152\n");
	ck_assert_str_eq(ask(homes), "10001000 0 first-touch - 2097152 1\n"
				     "20001000 0 first-touch - - 1\n"
				     "30001000 0 first-touch - - 1\n"
				     "10003000 0 first-touch - 2097152 0");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_follow");
	TCase *t = tcase_create("import_follow");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_test(t, without_a_policy_the_node_of_the_cpu_is_the_home);
	tcase_add_test(t, a_mapping_has_the_policy_that_numa_maps_says);
	tcase_add_test(t, the_stacks_policy_is_the_main_threads);
	tcase_add_test(t, pages_of_a_mapping_are_as_large_as_told);
	suite_add_tcase(s, t);
	return run_suite(s);
}
