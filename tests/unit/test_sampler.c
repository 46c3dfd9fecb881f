/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which events each sampler records, on fake /proc and /sys trees. */
#include <errno.h>

#include "base/count.h"
#include "record/pmu.h"
#include "record/sampler.h"

#include "check_main.h"
#include "fake_root.h"

#define PMU "/sys/bus/event_source/devices"

static struct fake_root root;

static void setup(void)
{
	fake_root_make(&root);
	fake_root_add(&root, "/proc/sys/kernel/perf_event_mlock_kb", "516");
	fake_root_add(&root, "/sys/devices/system/cpu/online", "0-3");
}

static void teardown(void)
{
	fake_root_remove(&root);
}

static void add_core(const char *pmu, bool aux)
{
	char path[256];
	static const char *const files[][2] = {
		{ "type", "4" },
		{ "format/event", "config:0-7" },
		{ "format/umask", "config:8-15" },
		{ "format/ldlat", "config1:0-15" },
		{ "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
		{ "events/mem-stores", "event=0xd0,umask=0x82" },
	};

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		snprintf(path, sizeof(path), PMU "/%s/%s", pmu, files[i][0]);
		fake_root_add(&root, path, files[i][1]);
	}
	snprintf(path, sizeof(path), PMU "/%s/events/mem-loads-aux", pmu);
	if (aux)
		fake_root_add(&root, path, "event=0x03,umask=0x82");
}

static void add_ibs(bool software_filter)
{
	fake_root_add(&root, PMU "/ibs_op/type", "11");
	fake_root_add(&root, PMU "/ibs_op/format/cnt_ctl", "config:19");
	if (software_filter)
		fake_root_add(&root, PMU "/ibs_op/format/swfilt", "config2:0");
}

static void add_spe(void)
{
	fake_root_add(&root, PMU "/arm_spe_0/type", "13");
	fake_root_add(&root, PMU "/arm_spe_0/format/ts_enable", "config:0");
	fake_root_add(&root, PMU "/arm_spe_0/format/load_filter", "config:33");
	fake_root_add(&root, PMU "/arm_spe_0/format/store_filter", "config:34");
	fake_root_add(&root, PMU "/arm_spe_0/format/min_latency", "config2:0-11");
}

/* Returns the arguments of -e that perf gets for this sampler on this machine, separated by blanks,
 * or the error message. */
static const char *events_of(enum sampler s, int paranoid, const struct sampling *o, int *ret)
{
	static char text[2048];
	struct sampler_plan plan;
	struct md_err err = { 0 };
	struct machine m;
	char event[512], level[16];
	unsigned i = 0;

	snprintf(level, sizeof(level), "%d", paranoid);
	fake_root_add(&root, "/proc/sys/kernel/perf_event_paranoid", level);
	fake_root_add(&root, "/proc/self/status", "CapEff:\t0000000000000000");
	machine_read(&m, root.dir);
	*ret = sampler_plan(s, &m, o, &plan, &err);
	if (*ret) {
		ck_assert_int_eq(err.code, *ret);
		snprintf(text, sizeof(text), "%s", err.msg);
		return text;
	}
	*text = 0;
	while (sampler_event_argument(&plan, &i, event, sizeof(event)))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *text ? " " : "",
			 event);
	return text;
}

/* For each machine, sampler and kernel.perf_event_paranoid: the events that are recorded. */
static const struct {
	/* one letter per set of files: c Intel core, x core with an aux event, h hybrid, i AMD
	 * IBS, f IBS with swfilt, s Arm SPE */
	const char *machine;
	enum sampler sampler;
	int paranoid;
	uint64_t period, frequency;
	const char *events;
} cases[] = {
	{ "", SAMPLER_TIMER, 1, 0, 0, "cpu-clock/period=1000000/" },
	{ "", SAMPLER_TIMER, 2, 0, 0, "cpu-clock/period=1000000/u" },
	{ "", SAMPLER_TIMER, 1, 0, 4000, "cpu-clock/period=250000/" },
	{ "", SAMPLER_TIMER, 1, 12345, 0, "cpu-clock/period=12345/" },
	{ "c", SAMPLER_PEBS, 1, 0, 0,
	  "cpu/mem-loads,ldlat=30,freq=1000/pp cpu/mem-stores,freq=1000/pp "
	  "instructions/period=10000000/u" },
	{ "c", SAMPLER_PEBS, 2, 5000, 0,
	  "cpu/mem-loads,ldlat=30,period=5000/ppu cpu/mem-stores,period=5000/ppu "
	  "instructions/period=10000000/u" },
	{ "x", SAMPLER_PEBS, 1, 0, 0,
	  "{cpu/mem-loads-aux,period=2000000003/pp,cpu/mem-loads,ldlat=30,freq=1000/pp} "
	  "cpu/mem-stores,freq=1000/pp instructions/period=10000000/u" },
	{ "h", SAMPLER_PEBS, 1, 0, 0,
	  "{cpu_core/mem-loads-aux,period=2000000003/pp,cpu_core/mem-loads,ldlat=30,freq=1000/pp} "
	  "cpu_core/mem-stores,freq=1000/pp cpu_core/instructions,period=10000000/u "
	  "cpu_atom/mem-loads,ldlat=30,freq=1000/pp cpu_atom/mem-stores,freq=1000/pp "
	  "cpu_atom/instructions,period=10000000/u" },
	{ "i", SAMPLER_IBS, 1, 0, 0, "ibs_op/cnt_ctl=1,period=500000/" },
	{ "i", SAMPLER_IBS, 1, 0, 999, "ibs_op/cnt_ctl=1,freq=999/" },
	{ "f", SAMPLER_IBS, 2, 0, 0, "ibs_op/cnt_ctl=1,swfilt=1,period=500000/u" },
	{ "s", SAMPLER_SPE, 1, 0, 0,
	  "arm_spe_0/"
	  "ts_enable=1,load_filter=1,store_filter=1,min_latency=30,period=10000/" },
};

static void add_machine(const char *files)
{
	for (; *files; files++) {
		if (*files == 'c' || *files == 'x')
			add_core("cpu", *files == 'x');
		if (*files == 'h') {
			add_core("cpu_core", true);
			add_core("cpu_atom", false);
		}
		if (*files == 'i' || *files == 'f')
			add_ibs(*files == 'f');
		if (*files == 's')
			add_spe();
	}
}

START_TEST(each_machine_gets_its_events)
{
	struct sampling o = SAMPLING_DEFAULT;
	const char *got;
	int ret;

	add_machine(cases[_i].machine);
	o.period = cases[_i].period;
	o.frequency = cases[_i].frequency;
	got = events_of(cases[_i].sampler, cases[_i].paranoid, &o, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(got, cases[_i].events);
}
END_TEST

START_TEST(a_missing_pmu_is_named)
{
	struct sampling o = SAMPLING_DEFAULT;
	int ret;

	ck_assert_ptr_nonnull(strstr(events_of(SAMPLER_PEBS, 1, &o, &ret), "mem-loads"));
	ck_assert_int_eq(ret, MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(events_of(SAMPLER_IBS, 1, &o, &ret), "ibs_op"));
	ck_assert_int_eq(ret, MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(events_of(SAMPLER_SPE, 1, &o, &ret), "arm_spe_0"));
	ck_assert_int_eq(ret, MD_ENOTSUP);
}
END_TEST

START_TEST(ibs_without_filter_needs_the_kernel)
{
	struct sampling o = SAMPLING_DEFAULT;
	int ret;

	add_ibs(false);
	ck_assert_ptr_nonnull(strstr(events_of(SAMPLER_IBS, 2, &o, &ret), "paranoid is 2"));
	ck_assert_int_eq(ret, MD_ENOTSUP);
}
END_TEST

START_TEST(rates_that_make_no_sense_are_refused)
{
	struct sampling o = SAMPLING_DEFAULT;
	int ret;

	o.frequency = 100001;
	events_of(SAMPLER_TIMER, 1, &o, &ret);
	ck_assert_int_eq(ret, MD_EUSAGE);
	o.frequency = 100000;
	events_of(SAMPLER_TIMER, 1, &o, &ret);
	ck_assert_int_eq(ret, 0);
	add_spe();
	events_of(SAMPLER_SPE, 1, &o, &ret);
	ck_assert_int_eq(ret, MD_EUSAGE);
	o.frequency = 0;
	o.latency = 4095;
	events_of(SAMPLER_SPE, 1, &o, &ret);
	ck_assert_int_eq(ret, 0);
	o.latency = 4096; /* does not fit into the field that the PMU describes */
	ck_assert_ptr_nonnull(strstr(events_of(SAMPLER_SPE, 1, &o, &ret),
				     "takes no min_latency as large as 4096"));
	ck_assert_int_eq(ret, MD_EUSAGE);
}
END_TEST

START_TEST(ibs_takes_multiples_of_16)
{
	static const struct {
		uint64_t period;
		int ret;
	} periods[] = { { 144, 0 }, { 128, MD_EUSAGE }, { 100001, MD_EUSAGE }, { 100000, 0 } };
	struct sampling o = SAMPLING_DEFAULT;
	int ret;

	add_ibs(true);
	for (size_t i = 0; i < COUNT_OF(periods); i++) {
		o.period = periods[i].period;
		events_of(SAMPLER_IBS, 1, &o, &ret);
		ck_assert_int_eq(ret, periods[i].ret);
	}
}
END_TEST

START_TEST(without_faults_and_kernel)
{
	struct sampling o = SAMPLING_DEFAULT;
	int ret;

	o.faults = o.kernel = false;
	ck_assert_str_eq(events_of(SAMPLER_TIMER, 0, &o, &ret), "cpu-clock/period=1000000/u");
}
END_TEST

START_TEST(terms_are_encoded_as_sysfs_says)
{
	struct perf_event_attr attr = { 0 };

	add_core("cpu", true);
	add_spe();
	ck_assert_int_eq(pmu_encode(root.dir, "cpu", "mem-loads,ldlat=30", &attr, NULL), 0);
	ck_assert_uint_eq(attr.type, 4);
	ck_assert_uint_eq(attr.config, 0x1cd);
	ck_assert_uint_eq(attr.config1, 30);
	memset(&attr, 0, sizeof(attr));
	ck_assert_int_eq(pmu_encode(root.dir, "arm_spe_0",
				    "ts_enable=1,load_filter,min_latency=0x7f", &attr, NULL),
			 0);
	ck_assert_uint_eq(attr.config, 1ull << 33 | 1);
	ck_assert_uint_eq(attr.config2, 0x7f);
}
END_TEST

START_TEST(a_field_in_two_parts)
{
	struct perf_event_attr attr = { 0 };

	fake_root_add(&root, PMU "/p/type", "7");
	fake_root_add(&root, PMU "/p/format/event", "config:0-7,32-35");
	fake_root_add(&root, PMU "/p/format/all", "config1:0-63");
	ck_assert_int_eq(pmu_encode(root.dir, "p", "event=0xabc,all=0xffffffffffffffff", &attr,
				    NULL),
			 0);
	ck_assert_uint_eq(attr.config, 0xa000000bc);
	ck_assert_uint_eq(attr.config1, UINT64_MAX);
}
END_TEST

START_TEST(damaged_descriptions_are_errors)
{
	static const char *const formats[] = { "config:",   "config:8-0", "config:0-64",
					       "config3:0", "nonsense",   "config:1;2" };
	struct perf_event_attr attr = { 0 };
	struct md_err err;

	fake_root_add(&root, PMU "/p/type", "7");
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		fake_root_add(&root, PMU "/p/format/f", formats[i]);
		ck_assert_msg(pmu_encode(root.dir, "p", "f=1", &attr, &err) == MD_EFORMAT, "%s",
			      formats[i]);
	}
	fake_root_add(&root, PMU "/p/events/loop", "loop");
	ck_assert_int_eq(pmu_encode(root.dir, "p", "loop", &attr, &err), MD_ENOENT);
	ck_assert_int_eq(pmu_encode(root.dir, "none", "", &attr, &err), MD_ENOENT);
	ck_assert_int_eq(pmu_encode(root.dir, "p", "nothing=1", &attr, &err), MD_ENOENT);
}
END_TEST

START_TEST(errnos_name_the_fix)
{
	struct machine m = { .paranoid = 3 };
	char text[512];

	sampler_explain_errno(EACCES, &m, false, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "kernel.perf_event_paranoid=2"));
	m.paranoid = 2;
	sampler_explain_errno(EACCES, &m, true, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "kernel.perf_event_paranoid=1"));
	sampler_explain_errno(EACCES, &m, false, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "seccomp"));
	m.perfmon = true;
	sampler_explain_errno(EPERM, &m, true, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "seccomp"));
	sampler_explain_errno(EOPNOTSUPP, &m, true, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "virtual machine"));
}
END_TEST

START_TEST(an_event_that_does_not_open_is_refused_with_its_errno)
{
	struct sampler_plan plan = { .count = 2 };
	struct machine m = { .paranoid = 2 };
	struct md_err err = { 0 };

	for (int i = 0; i < 2; i++) {
		plan.events[i].attr.size = sizeof(plan.events[i].attr);
		plan.events[i].attr.type = PERF_TYPE_SOFTWARE;
		/* config number of a software event that does not exist */
		plan.events[i].attr.config = 0xfff;
		strcpy(plan.events[i].perf, "nothing");
	}
	plan.events[0].optional = true;
	ck_assert_int_eq(sampler_probe(&plan, &m, &err), MD_ENOTSUP);
	ck_assert_uint_eq(plan.count, 1);
	ck_assert_int_ne(err.sys, 0);
	ck_assert_ptr_nonnull(strstr(err.msg, "nothing"));
}
END_TEST

START_TEST(every_sampler_can_be_planned_and_opened)
{
	for (enum sampler s = 0; s < SAMPLERS; s++) {
		ck_assert_msg(sampler_kind(s)->plan, "%s", sampler_name(s));
		ck_assert_msg(sampler_kind(s)->open, "%s", sampler_name(s));
		ck_assert_msg(sampler_run(s) == RUN_PERF || sampler_kind(s)->on_demand, "%s",
			      sampler_name(s));
	}
	ck_assert_ptr_null(sampler_kind(SAMPLER_AUTO)->plan);
	ck_assert_ptr_null(sampler_kind(SAMPLERS)->plan);
}
END_TEST

START_TEST(pmus_are_compared_as_a_whole)
{
	ck_assert(sampler_has_pmu("ibs_op", 6));
	ck_assert(sampler_has_pmu("arm_spe_12", 10));
	ck_assert(!sampler_has_pmu("ibs_op_2", 8));
	ck_assert(!sampler_has_pmu("ibs_o", 5));
	ck_assert(!sampler_has_pmu("cpu", 3));
	ck_assert(!sampler_has_pmu("", 0));
}
END_TEST

START_TEST(names_and_numbers_agree)
{
	for (int i = 0; i < SAMPLERS; i++)
		ck_assert_int_eq(sampler_by_name(sampler_name((enum sampler)i)), i);
	ck_assert_int_eq(sampler_by_name("auto"), SAMPLER_AUTO);
	ck_assert_int_eq(sampler_by_name("Timer"), SAMPLERS);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sampler");
	TCase *t = tcase_create("sampler");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, each_machine_gets_its_events, 0, COUNT_OF(cases));
	tcase_add_test(t, a_missing_pmu_is_named);
	tcase_add_test(t, ibs_without_filter_needs_the_kernel);
	tcase_add_test(t, rates_that_make_no_sense_are_refused);
	tcase_add_test(t, ibs_takes_multiples_of_16);
	tcase_add_test(t, without_faults_and_kernel);
	tcase_add_test(t, terms_are_encoded_as_sysfs_says);
	tcase_add_test(t, a_field_in_two_parts);
	tcase_add_test(t, damaged_descriptions_are_errors);
	tcase_add_test(t, errnos_name_the_fix);
	tcase_add_test(t, an_event_that_does_not_open_is_refused_with_its_errno);
	tcase_add_test(t, every_sampler_can_be_planned_and_opened);
	tcase_add_test(t, pmus_are_compared_as_a_whole);
	tcase_add_test(t, names_and_numbers_agree);
	suite_add_tcase(s, t);
	return run_suite(s);
}
