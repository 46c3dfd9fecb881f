/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the importer finds the role of an event ("access", "cycles", "instructions" or
 * "other"): from its PMU and config, from capture.json, or from its full name. */
#include "import/import.h"

#include "import_case.h"

#include <linux/perf_event.h>

#include "base/count.h"

static void setup(void)
{
	make_case();
}

static void teardown(void)
{
	remove_case();
}

enum {
	PLAIN = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
	MEMORY = PLAIN | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT,
	CPUID = 9,
	ARCH = 6,
	EVENT_DESC = 12,
	PMU_MAPPINGS = 16,
};

static const struct {
	const char *arch, *cpuid; /* header features of the file; NULL if it does not have them */
	/* name of the PMU with this type; NULL if the file has no PMU mappings */
	const char *pmu;
	uint32_t type;
	uint64_t config;
	unsigned precise;
	uint64_t sample_type;
	const char *name, *role;
} cases[] = {
	/* Intel PMUs. */
	{ "x86_64", "GenuineIntel,6,85,7", "cpu", 4, 0x1cd, 2, MEMORY, "cpu/mem-loads,ldlat=30/P",
	  "access" },
	{ "x86_64", "GenuineIntel,6,85,7", "cpu", 4, 0x1cd, 2, MEMORY, "r1cd", "access" },
	{ "x86_64", "GenuineIntel,6,85,7", "cpu", 4, 0x1cd, 0, PLAIN, "r1cd", "other" },
	{ "x86_64", "GenuineIntel,6,85,7", "cpu", 4, 0x82d0, 2, MEMORY, "cpu/mem-stores/P",
	  "access" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_core", 4, 0x8203, 2, MEMORY,
	  "cpu_core/mem-loads-aux/", "other" },
	{ "x86_64", NULL, NULL, 4, 0x8203, 2, MEMORY, "cpu/mem-loads-aux/", "other" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_core", 4, 0xc0, 0, MEMORY,
	  "cpu_core/instructions/", "instructions" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_atom", 10, 0xc0, 0, PLAIN,
	  "cpu_atom/instructions/", "instructions" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_core", 4, 0x3c, 0, PLAIN, "cpu_core/cpu-cycles/",
	  "cycles" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_core", 4, 0x10000c0, 0, PLAIN,
	  "cpu_core/event=0xc0,cmask=1/", "other" },
	{ "x86_64", "GenuineIntel,6,151,2", "cpu_atom", 10, 0x5d0, 2, MEMORY, "r5d0", "access" },
	{ "x86_64", "GenuineIntel,6,85,7", "uncore_imc_0", 18, 0x1cd, 0, PLAIN,
	  "uncore_imc_0/mem-loads/", "other" },
	/* An event without a period takes no samples. Another event of the same group reads the
	 * count. */
	{ "x86_64", "GenuineIntel,6,85,7", NULL, 0, PERF_COUNT_HW_INSTRUCTIONS, 0, MEMORY,
	  "instructions", "instructions" },
	/* AMD PMUs. */
	{ "x86_64", "AuthenticAMD,25,33,0", "ibs_op", 11, 0, 0, MEMORY, "my_event", "access" },
	{ "x86_64", "AuthenticAMD,25,33,0", "ibs_fetch", 10, 0, 0, PLAIN, "ibs_fetch//", "other" },
	{ "x86_64", "AuthenticAMD,25,33,0", "cpu", 4, 0x76, 0, PLAIN, "r76", "cycles" },
	{ "x86_64", "AuthenticAMD,25,33,0", "cpu", 4, 0x1cd, 0, PLAIN, "r1cd", "other" },
	/* Arm PMUs. Events that count speculated instructions are not SPE samples, although
	 * their names contain "spe". */
	{ "aarch64", NULL, "armv8_pmuv3_0", 8, 0x1b, 0, PLAIN, "armv8_pmuv3_0/inst_spec/",
	  "other" },
	{ "aarch64", NULL, "armv8_pmuv3_0", 8, 0x70, 0, PLAIN, "ld_spec", "other" },
	{ "aarch64", NULL, NULL, 8, 0x71, 0, PLAIN, "st_spec", "other" },
	{ "aarch64", NULL, NULL, 4, 0x1b, 0, PLAIN, "inst_spec", "other" },
	{ "aarch64", NULL, "armv8_pmuv3_0", 8, 0x8, 0, PLAIN, "inst_retired", "instructions" },
	{ "aarch64", NULL, "armv8_pmuv3_0", 8, 0x11, 0, PLAIN, "cpu_cycles", "cycles" },
	{ "aarch64", NULL, "arm_spe_0", 44, 1, 0, PLAIN, "arm_spe_0/load_filter=1/", "access" },
	/* Recordings that contain only the name of an event. */
	{ NULL, NULL, NULL, 44, 1, 0, PLAIN, "arm_spe_0/load_filter=1/", "access" },
	{ NULL, NULL, NULL, 12, 0, 0, PLAIN, "ibs_op//", "access" },
	{ NULL, NULL, NULL, 12, 0, 0, PLAIN, "my_ibs_op_counter", "other" },
	{ NULL, NULL, NULL, 4, 0x3cd, 2, PLAIN, "MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64",
	  "access" },
	{ NULL, NULL, NULL, 9, 0x77, 0, PLAIN, "cpu_core/instructions/u", "instructions" },
	{ NULL, NULL, NULL, 9, 0x77, 2, MEMORY, "not_known", "access" },
};

static void text_feature(struct pd_build *b, uint32_t feature, const char *text)
{
	struct pd_bytes o = { 0 };

	if (!text)
		return;
	pd_bytes_string(b, &o, text);
	pd_build_feature(b, feature, o.p, o.len);
	free(o.p);
}

static void features(struct pd_build *b, int i, const struct perf_event_attr *attr)
{
	struct pd_bytes o = { 0 };

	text_feature(b, ARCH, cases[i].arch);
	text_feature(b, CPUID, cases[i].cpuid);
	pd_bytes_u32(b, &o, 1);
	pd_bytes_u32(b, &o, sizeof(*attr));
	pd_bytes_add(&o, attr, sizeof(*attr));
	pd_bytes_u32(b, &o, 1);
	pd_bytes_string(b, &o, cases[i].name);
	pd_bytes_u64(b, &o, 1);
	pd_build_feature(b, EVENT_DESC, o.p, o.len);
	o.len = 0;
	if (cases[i].pmu) {
		pd_bytes_u32(b, &o, 1);
		pd_bytes_u32(b, &o, cases[i].type);
		pd_bytes_string(b, &o, cases[i].pmu);
		pd_build_feature(b, PMU_MAPPINGS, o.p, o.len);
	}
	free(o.p);
}

static void make_recording(int i)
{
	struct perf_event_attr attr = {
		.type = cases[i].type,
		.size = sizeof(attr),
		.config = cases[i].config,
		.precise_ip = cases[i].precise & 3,
		.sample_period = cases[i].type ? 1000 : 0,
		.sample_type = cases[i].sample_type,
	};
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, (uint64_t[]){ 1 }, 1);
	features(&b, i, &attr);
	/* a record of type 68 (FINISHED_ROUND), because the importer calls a file without data
	 * unfinished */
	pd_build_begin(&b, 68, 0);
	pd_build_end(&b);
	save(&b, 0);
	pd_build_release(&b);
}

static const char *role_of(const char *input)
{
	struct import_options o = { .input = input, .output = output };
	struct md_err err = { 0 };

	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	return ask("select name || ' ' || role from selected_events");
}

START_TEST(roles)
{
	char want[200];

	make_recording(_i);
	snprintf(want, sizeof(want), "%s %s", cases[_i].name, cases[_i].role);
	ck_assert_str_eq(role_of(data), want);
}
END_TEST

/* capture.json stores the role that memdb requested for each event. The importer uses it, so the
 * role is known even if the CPU is newer than this importer. */
START_TEST(a_capture_says_it)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/capture.json", dir);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs("{ \"format\": 1, \"event_roles\": [ { \"type\": 4, \"config\": 461, "
	      "\"role\": \"other\" }, { \"type\": 4, \"role\": \"fault\" } ] }",
	      f);
	fclose(f);
	make_recording(0);
	ck_assert_str_eq(role_of(dir), "cpu/mem-loads,ldlat=30/P other");
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_events");
	TCase *t = tcase_create("events");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, roles, 0, COUNT_OF(cases));
	tcase_add_test(t, a_capture_says_it);
	suite_add_tcase(s, t);
	return run_suite(s);
}
