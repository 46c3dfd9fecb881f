/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the import of an AUX trace of Arm's SPE. The tests write the trace packet by packet, and
 * perf inject converts it to samples. */
#include "import/import.h"

#include "import_case.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

enum { SPE_TYPE = 44, TRACE_KIND_SPE = 4, TRACE_KIND_PT = 1 };

static char fake[64]; /* path of a script that replaces perf */

static void setup(void)
{
	make_case();
	snprintf(fake, sizeof(fake), "%s/perf", dir);
}

static void teardown(void)
{
	unlink(fake);
	remove_case();
}

/* Writes a packet: its header and a payload. The header determines the size of the payload. */
static void packet(struct pd_bytes *o, uint8_t header, uint64_t payload)
{
	pd_bytes_add(o, &header, 1);
	pd_bytes_add(o, &payload, (size_t)1 << (header >> 4 & 3));
}

/* Writes the packets with which SPE describes one sampled load or store. `pc` is its instruction,
 * `latency` its cycles. */
static void record(struct pd_bytes *o, uint64_t pc, uint64_t address, uint16_t latency, bool store,
		   uint16_t events, uint64_t time)
{
	packet(o, 0xb0, pc);
	packet(o, 0x64, 10); /* CONTEXT packet with the thread id */
	packet(o, 0x49, store);
	packet(o, 0x52, events);
	packet(o, 0x98, latency);
	packet(o, 0xb2, address);
	packet(o, 0x71, time);
}

static void trace(struct pd_build *b)
{
	enum { RETIRED = 2, L1_ACCESS = 4, L1_MISS = 8, LLC_ACCESS = 0x100, LLC_MISS = 0x200 };
	struct pd_bytes o = { 0 };

	record(&o, 0x400010, 0x700010, 77, false,
	       RETIRED | L1_ACCESS | L1_MISS | LLC_ACCESS | LLC_MISS, 200);
	record(&o, 0x400020, 0x700018, 11, true, RETIRED | L1_ACCESS, 300);
	while (o.len % 16)
		pd_bytes_add(&o, "", 1);
	pd_build_begin(b, 71, 0); /* PERF_RECORD_AUXTRACE */
	pd_build_u64(b, o.len);
	pd_build_u64(b, 0);
	pd_build_u64(b, 0);
	pd_build_u32(b, 0);
	pd_build_u32(b, UINT32_MAX);
	pd_build_u32(b, 1); /* number of the CPU */
	pd_build_u32(b, 0);
	pd_build_end(b);
	pd_build_bytes(b, o.p, o.len);
	free(o.p);
}

static void side_band(struct pd_build *b, const struct perf_event_attr *attr)
{
	struct pd_sample_id id = { .pid = 10, .tid = 10, .time = 100, .cpu = 1, .id = 2 };

	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_string(b, "app");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
	for (int i = 0; i < 2; i++) {
		pd_build_begin(b, PERF_RECORD_MMAP,
			       PERF_RECORD_MISC_USER | (i ? PERF_RECORD_MISC_MMAP_DATA : 0));
		pd_build_u32(b, 10);
		pd_build_u32(b, 10);
		pd_build_u64(b, i ? 0x700000 : 0x400000);
		pd_build_u64(b, 0x1000);
		pd_build_u64(b, 0);
		pd_build_string(b, i ? "//anon" : "/no/such/app");
		pd_build_sample_id(b, attr, &id);
		pd_build_end(b);
	}
}

/* Writes PERF_RECORD_TIME_CONV: one tick of the trace's counter is one ns. */
static void time_conv(struct pd_build *b)
{
	pd_build_begin(b, 79, 0);
	pd_build_u64(b, 10);
	pd_build_u64(b, 1024);
	pd_build_u64(b, 0);
	pd_build_u64(b, 0);
	pd_build_u64(b, UINT64_MAX);
	pd_build_u64(b, 1); /* the clock has a zero point */
	pd_build_end(b);
}

static void auxtrace_info(struct pd_build *b, uint32_t kind)
{
	pd_build_begin(b, 70, 0);
	pd_build_u32(b, kind);
	pd_build_u32(b, 0);
	pd_build_u64(b, SPE_TYPE);
	pd_build_u64(b, 1);
	pd_build_end(b);
}

static void make_recording(uint32_t kind)
{
	struct perf_event_attr spe = {
		.type = SPE_TYPE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = 1,
		.sample_period = 1000,
		.read_format = PERF_FORMAT_ID,
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
	};
	struct perf_event_attr dummy = spe;
	struct pd_build b;

	dummy.type = PERF_TYPE_SOFTWARE;
	dummy.config = PERF_COUNT_SW_DUMMY;
	dummy.mmap = dummy.comm = dummy.task = 1;
	pd_build_init(&b, false, false);
	b.attr_bytes = PERF_ATTR_SIZE_VER7;
	pd_build_event(&b, &spe, (uint64_t[]){ 1 }, 1);
	pd_build_event(&b, &dummy, (uint64_t[]){ 2 }, 1);
	/* AUXTRACE: an index of the trace without entries */
	pd_build_feature(&b, 18, "\0\0\0\0\0\0\0", 8);
	time_conv(&b);
	auxtrace_info(&b, kind);
	side_band(&b, &dummy);
	trace(&b);
	pd_build_begin(&b, 68, 0);
	pd_build_end(&b);
	save(&b, 0);
	pd_build_release(&b);
}

static void import(void)
{
	struct import_options o = { .input = data, .output = output };
	struct md_err err = { 0 };

	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
}

/* Returns the detail of the row in the table `losses` about the AUX trace; "" if there is no such
 * row. */
static const char *told(void)
{
	return ask("select what || ': ' || detail from losses where what like '% trace'");
}

START_TEST(memory_samples_come_out_of_the_trace)
{
	make_recording(TRACE_KIND_SPE);
	import();
	/* If perf is not installed, the row contains this as the reason. */
	if (system("perf --version >/dev/null 2>&1")) {
		ck_assert_ptr_nonnull(strstr(told(), "perf inject"));
		return;
	}
	ck_assert_str_eq(told(), "");
	ck_assert_str_eq(ask("select group_concat(printf('%x %x %d %d ', s.ip, s.address, s.cpu, "
			     "s.weight) || p.name || ' ' || e.role, ',') from samples s join "
			     "memory_opcodes p on p.id = memory_opcode join selected_events e on "
			     "e.id = evsel_id"),
			 "400010 700010 1 77 Load access,400020 700018 1 11 Store access");
	ck_assert_str_eq(ask("select count(*) from samples where object_id is not null"), "2");
}
END_TEST

/* Writes the script that the importer finds instead of perf. */
static void pretend(const char *script)
{
	FILE *f = fopen(fake, "w");

	ck_assert_ptr_nonnull(f);
	fprintf(f, "#!/bin/sh\n%s", script);
	fclose(f);
	ck_assert_int_eq(chmod(fake, 0700), 0);
	setenv("PATH", dir, 1);
}

/* If perf fails, everything else in the file is imported. */
START_TEST(without_perf_the_rest_is_imported)
{
	pretend("echo\necho 'no such decoder' >&2\nexit 3\n");
	make_recording(TRACE_KIND_SPE);
	import();
	ck_assert_str_eq(told(), "AUX trace: Arm SPE: perf inject --itrace: no such decoder");
	ck_assert_str_eq(ask("select comm from threads where tid = 10"), "app");
	ck_assert_str_eq(ask("select count(*) from samples"), "0");
}
END_TEST

/* START is script text that starts a child and writes the child's pid and its own pid into files
 * next to the script. HANG is script text that never ends. */
#define START "/bin/sleep 100000 & echo $! >${0%/*}/child; echo $$ >${0%/*}/own\n"
#define HANG  "while :; do :; done\n"

/* Waits until the process whose pid is in this file of `dir` has ended, and removes the file. */
static void assert_ended(const char *name)
{
	char path[96], state[64] = "";
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	ck_assert_msg(f && fscanf(f, "%d", &pid) == 1, "%s", path);
	fclose(f);
	unlink(path);
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	/* A signal takes some time. An orphan whose parent does not wait for it stays a zombie. */
	do {
		f = fopen(path, "r");
		if (f && fscanf(f, "%*d (%*[^)]) %1s", state) != 1)
			*state = 0;
		if (f)
			fclose(f);
	} while (f && *state && *state != 'Z'); /* If the process never ends, the test times out. */
}

/* memdb terminates a perf that hangs, and its children. The other records of the file are
 * imported. */
START_TEST(a_perf_that_hangs_is_ended)
{
	struct import_options o = { .input = data, .output = output, .inject_idle_seconds = 1 };
	struct md_err err = { 0 };

	pretend(START HANG);
	make_recording(TRACE_KIND_SPE);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	ck_assert_str_eq(told(), "AUX trace: Arm SPE: perf inject --itrace: it made no progress "
				 "for 1 s");
	ck_assert_str_eq(ask("select comm from threads where tid = 10"), "app");
	assert_ended("own");
	assert_ended("child");
}
END_TEST

/* The time limit is for time without progress, so a perf that keeps writing may run longer. */
START_TEST(a_perf_that_writes_may_take_long)
{
	struct import_options o = { .input = data, .output = output, .inject_idle_seconds = 4 };
	struct md_err err = { 0 };

	pretend("while [ $# -gt 1 ]; do out=$2; shift; done\n"
		"for i in 0 1 2 3 4 5 6 7 8 9; do /bin/sleep 0.5; echo >>$out; done\n");
	make_recording(TRACE_KIND_SPE);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(strstr(told(), "what perf inject made"));
}
END_TEST

/* If memdb is stopped, for example together with its virtual machine, perf is stopped too. The time
 * of the stop does not count as time without progress. */
START_TEST(time_in_which_memdb_stood_still_does_not_count)
{
	struct import_options o = { .input = data, .output = output, .inject_idle_seconds = 1 };
	struct md_err err = { 0 };

	pretend("while [ $# -gt 1 ]; do out=$2; shift; done\n"
		"kill -STOP $PPID; /bin/sleep 1.5; kill -CONT $PPID; /bin/sleep 0.2; echo "
		">>$out\n");
	make_recording(TRACE_KIND_SPE);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(strstr(told(), "what perf inject made"));
}
END_TEST

START_TEST(a_perf_that_runs_away_is_ended)
{
	pretend("while [ $# -gt 1 ]; do out=$2; shift; done\n"
		"exec /bin/cat /dev/zero >>$out\n");
	make_recording(TRACE_KIND_SPE);
	import();
	ck_assert_str_eq(told(), "AUX trace: Arm SPE: perf inject --itrace: it wrote far more than "
				 "the recording can hold");
}
END_TEST

static volatile int stop;

static void on_signal(int sig)
{
	stop = sig;
}

/* The user interrupts memdb while perf hangs. Neither a process nor a file remains. */
START_TEST(a_signal_ends_a_perf_that_hangs)
{
	struct import_options o = { .input = data, .output = output, .stop = &stop };
	struct md_err err = { 0 };

	signal(SIGTERM, on_signal);
	pretend(START "kill -TERM $PPID\n" HANG);
	make_recording(TRACE_KIND_SPE);
	stop = 0;
	ck_assert_int_eq(import_run(&o, NULL, &err), MD_EINTR);
	ck_assert_int_eq(access(output, F_OK), -1);
	assert_ended("own");
	assert_ended("child");
}
END_TEST

START_TEST(other_traces_are_named)
{
	make_recording(TRACE_KIND_PT);
	import();
	ck_assert_str_eq(told(), "AUX trace: Intel PT: it holds no memory samples");
	ck_assert_str_eq(ask("select comm from threads where tid = 10"), "app");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_spe");
	TCase *t = tcase_create("spe");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 240);
	tcase_add_test(t, memory_samples_come_out_of_the_trace);
	tcase_add_test(t, without_perf_the_rest_is_imported);
	tcase_add_test(t, a_perf_that_hangs_is_ended);
	tcase_add_test(t, a_perf_that_writes_may_take_long);
	tcase_add_test(t, time_in_which_memdb_stood_still_does_not_count);
	tcase_add_test(t, a_perf_that_runs_away_is_ended);
	tcase_add_test(t, a_signal_ends_a_perf_that_hangs);
	tcase_add_test(t, other_traces_are_named);
	suite_add_tcase(s, t);
	return run_suite(s);
}
