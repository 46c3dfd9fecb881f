/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests perf's command line, version and log, and how the command line's words and buffer sizes
 * are chosen. */
#include "record/machine.h"
#include "record/perf_tool.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "check_main.h"
#include "fake_root.h"

START_TEST(versions)
{
	struct perf_tool t = { 0 };

	ck_assert(perf_tool_parse_version("perf version 6.1.192\n", &t));
	ck_assert_str_eq(t.version, "6.1.192");
	ck_assert_uint_eq(t.major, 6);
	ck_assert_uint_eq(t.minor, 1);
	ck_assert(perf_tool_parse_version("perf version 6.8-rc1.g0123456 extra", &t));
	ck_assert_str_eq(t.version, "6.8-rc1.g0123456");
	ck_assert(!perf_tool_parse_version("WARNING: perf not found for kernel 6.5", &t));
	ck_assert(!perf_tool_parse_version("perf version unknown", &t));
	ck_assert(!perf_tool_parse_version("", &t));
}
END_TEST

static void build(struct words *w, const char *version, unsigned kernel_minor, enum call_graph g,
		  bool hardware)
{
	struct perf_tool tool = { .path = "/usr/bin/perf" };
	struct machine m = { .kernel_major = 5, .kernel_minor = kernel_minor, .page_bytes = 4096 };
	struct sampler_plan plan = { .count = 1, .phys_data = hardware, .addresses = hardware };
	struct perf_command c = { .tool = &tool,
				  .machine = &m,
				  .plan = &plan,
				  .call_graph = g,
				  .buffer_pages = hardware ? 128 : 4096,
				  .output = "/a b/perf.data" };

	ck_assert(perf_tool_parse_version(version, &tool));
	strcpy(plan.events[0].perf, "cpu-clock/period=1000000/u");
	perf_command_build(&c, w);
	ck_assert(!w->failed);
}

static bool has(const struct words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->v[i], word))
			return true;
	return false;
}

START_TEST(the_published_command_with_what_it_lacks)
{
	static const char *const want[] = {
		"record", "-d", "-W", "-g", "--sample-cpu", "-k", "CLOCK_MONOTONIC", "-m4096"
	};
	struct words w = { 0 };

	build(&w, "perf version 6.1.1", 15, CALL_GRAPH_FP, false);
	for (size_t i = 0; i < COUNT_OF(want); i++)
		ck_assert_msg(has(&w, want[i]), "%s", want[i]);
	ck_assert_str_eq(w.v[0], "/usr/bin/perf");
	ck_assert_str_eq(w.v[w.n - 1], "--");
	ck_assert_str_eq(w.v[w.n - 2], "cpu-clock/period=1000000/u");
	ck_assert(has(&w, "--buildid-mmap"));
	ck_assert(!has(&w, "--phys-data"));
	words_release(&w);
}
END_TEST

START_TEST(hardware_samplers_ask_for_more)
{
	struct words w = { 0 };

	build(&w, "perf version 6.1.1", 15, CALL_GRAPH_LBR, true);
	ck_assert(has(&w, "--phys-data"));
	ck_assert(has(&w, "--data-page-size"));
	ck_assert(has(&w, "--call-graph=lbr"));
	words_release(&w);
}
END_TEST

START_TEST(old_perf_or_old_kernel_get_less)
{
	struct words w = { 0 };

	build(&w, "perf version 5.10.0", 15, CALL_GRAPH_NONE, true);
	ck_assert(!has(&w, "--buildid-mmap"));
	ck_assert(has(&w, "--no-buildid-cache"));
	ck_assert(!has(&w, "--data-page-size"));
	ck_assert(!has(&w, "-g"));
	words_release(&w);
	build(&w, "perf version 6.1.1", 10, CALL_GRAPH_NONE, true);
	ck_assert(!has(&w, "--buildid-mmap"));
	ck_assert(!has(&w, "--data-page-size"));
	words_release(&w);
}
END_TEST

START_TEST(words_are_quoted_for_a_shell)
{
	struct words w = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	words_add(&w, "plain/word=1");
	words_add(&w, "");
	words_add(&w, "a b");
	words_add(&w, "it's");
	words_print(&w, f);
	fclose(f);
	ck_assert_str_eq(text, "plain/word=1 '' 'a b' 'it'\\''s'");
	free(text);
	words_release(&w);
}
END_TEST

START_TEST(environments_are_changed_in_place)
{
	struct words w = { 0 };

	words_add(&w, "PATHS=x");
	words_add(&w, "PATH=a");
	words_set_env(&w, "PATH", "b");
	words_set_env(&w, "NEW", "");
	ck_assert_uint_eq(w.n, 3);
	ck_assert_str_eq(words_env(&w, "PATH"), "b");
	ck_assert_str_eq(words_env(&w, "PATHS"), "x");
	ck_assert_str_eq(words_env(&w, "NEW"), "");
	ck_assert_ptr_null(words_env(&w, "PAT"));
	words_release(&w);
}
END_TEST

START_TEST(logs_are_condensed)
{
	char out[200];

	perf_log_condense("[ perf record: Woken up 1 times to write data ]\n", out, sizeof(out));
	ck_assert_str_eq(out, "");
	perf_log_condense(
		"WARNING: Kernel address maps (/proc/{kallsyms,modules}) are restricted,\n"
		"Error:\n\n  No permission to enable cpu-clock event.\n"
		"  No permission to enable cpu-clock event.\n",
		out, sizeof(out));
	ck_assert_str_eq(out, "No permission to enable cpu-clock event");
	perf_log_condense("one\ntwo\nthree\nfour\n", out, sizeof(out));
	ck_assert_str_eq(out, "one; two; three");
	perf_log_condense("a line without an end that is much longer than the place for it", out,
			  20);
	ck_assert_uint_eq(strlen(out), 19);
	perf_log_condense("", out, sizeof(out));
	ck_assert_str_eq(out, "");
	ck_assert(perf_log_wants_smaller_buffers("x\nPermission error mapping pages.\n"));
	ck_assert(!perf_log_wants_smaller_buffers("No space left on device"));
}
END_TEST

/* The locked-memory limits of a machine, and the buffer size per CPU in KiB that memdb then
 * chooses. Several buffers share the limit: this one may use `thirds` thirds of the limit. */
static const struct {
	int paranoid, mlock_kb;
	bool ipc_lock;
	uint64_t memlock_kb;
	unsigned cpus, thirds, want_kb;
} limits[] = {
	{ 2, 516, true, 64, 2, 3, 16384 }, /* root has no limit */
	/* root has no limit, however many buffers share it */
	{ 2, 516, true, 64, 2, 1, 16384 },
	/* ulimit -l is 64 KiB; this buffer may take all of it */
	{ 2, 516, false, 64, 2, 3, 512 },
	/* this buffer may take two thirds of the limit */
	{ 2, 516, false, 64, 2, 2, 256 },
	/* this buffer may take one third of the limit */
	{ 2, 516, false, 64, 2, 1, 128 },
	{ 2, 516, false, 8192, 2, 3, 4096 },        /* ulimit -l is 8 MiB, the default of systemd */
	{ 2, 516, false, UINT64_MAX, 2, 3, 16384 }, /* ulimit -l is unlimited */
	/* perf_event_paranoid -1: no limit for anybody */
	{ -1, 516, false, 64, 2, 3, 16384 },
	{ 2, 516, false, 8192, 256, 3, 512 }, /* many CPUs share one limit */
	{ 2, 516, true, 64, 256, 3, 1024 },   /* many CPUs share the memory, too */
	/* nothing is allowed: perf itself reports the error */
	{ 2, 0, false, 0, 4, 3, 64 },
};

START_TEST(buffers_fit_the_limits)
{
	struct machine m = { .paranoid = limits[_i].paranoid,
			     .mlock_kb = limits[_i].mlock_kb,
			     .ipc_lock = limits[_i].ipc_lock,
			     .memlock_kb = limits[_i].memlock_kb,
			     .cpus = limits[_i].cpus,
			     .page_bytes = 4096 };

	ck_assert_uint_eq(machine_buffer_pages(&m, MACHINE_BUFFER_BYTES, limits[_i].thirds) * 4,
			  limits[_i].want_kb);
}
END_TEST

START_TEST(a_machine_is_read_from_its_files)
{
	struct fake_root root;
	struct machine m;

	fake_root_make(&root);
	fake_root_add(&root, "/proc/sys/kernel/perf_event_paranoid", "-1");
	fake_root_add(&root, "/proc/sys/kernel/kptr_restrict", "words");
	fake_root_add(&root, "/proc/self/status", "Name:\tx\nCapEff:\t0000004000004000");
	fake_root_add(&root, "/sys/devices/system/cpu/online", "0-3,8-11");
	fake_root_add(&root, "/sys/devices/system/node/has_memory", "0,2");
	machine_read(&m, root.dir);
	ck_assert_int_eq(m.paranoid, -1);
	ck_assert_int_eq(m.kptr_restrict, MACHINE_UNKNOWN);
	ck_assert_int_eq(m.ptrace_scope, MACHINE_UNKNOWN);
	ck_assert(m.perfmon && m.ipc_lock && !m.sys_admin);
	ck_assert_uint_eq(m.cpus, 8);
	ck_assert_uint_eq(m.nodes, 2);
	fake_root_remove(&root);
}
END_TEST

START_TEST(a_missing_perf_names_the_package)
{
	struct perf_tool t;
	struct md_err err = { 0 };

	setenv("PATH", "/nonexistent", 1);
	ck_assert_int_eq(perf_tool_find(NULL, &t, &err), MD_ENOENT);
	ck_assert_ptr_nonnull(strstr(err.msg, "linux-perf"));
	ck_assert_int_eq(perf_tool_find("/bin/true", &t, &err), MD_ECHILD);
}
END_TEST

/* Writes a script that never ends, to be run in place of perf. Returns its path. */
static char *hanging_perf(const char *dir)
{
	static char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/perf", dir);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs("#!/bin/sh\nwhile :; do :; done\n", f);
	fclose(f);
	ck_assert_int_eq(chmod(path, 0700), 0);
	return path;
}

START_TEST(a_perf_that_hangs)
{
	char dir[] = "/tmp/memdb-test-perf-XXXXXX";
	char *perf, recording[64];
	struct perf_tool t = { 0 };
	struct md_err err = { 0 };
	FILE *log = tmpfile();
	sigset_t set;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	perf = hanging_perf(dir);
	perf_tool_version_seconds = 1;
	ck_assert_int_eq(perf_tool_find(perf, &t, &err), MD_ECHILD);
	/* The user pressed Ctrl-C during the recording, so SIGINT is blocked and pending. */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGINT);
	snprintf(t.path, sizeof(t.path), "%s", perf);
	snprintf(recording, sizeof(recording), "%s/perf.data", dir);
	fclose(fopen(recording, "w"));
	ck_assert_int_eq(perf_tool_inject(&t, dir, fileno(log), &err), MD_EINTR);
	signal(SIGINT, SIG_IGN);
	fclose(log);
	/* perf_tool_inject() must not have removed the recording */
	ck_assert_int_eq(unlink(recording), 0);
	ck_assert_int_eq(unlink(perf), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perf_tool");
	TCase *t = tcase_create("perf_tool");

	tcase_add_test(t, versions);
	tcase_add_test(t, the_published_command_with_what_it_lacks);
	tcase_add_test(t, hardware_samplers_ask_for_more);
	tcase_add_test(t, old_perf_or_old_kernel_get_less);
	tcase_add_test(t, words_are_quoted_for_a_shell);
	tcase_add_test(t, environments_are_changed_in_place);
	tcase_add_test(t, logs_are_condensed);
	tcase_add_loop_test(t, buffers_fit_the_limits, 0, COUNT_OF(limits));
	tcase_add_test(t, a_machine_is_read_from_its_files);
	tcase_add_test(t, a_missing_perf_names_the_package);
	tcase_add_test(t, a_perf_that_hangs);
	suite_add_tcase(s, t);
	return run_suite(s);
}
