/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests when the importer accepts a file of this machine as the one that was recorded. The test
 * program itself is recorded, with hosts, kernels, machines and times that vary. `app` is a copy of
 * the program. */
#include "import/import.h"

#include "import_case.h"
#include "own_image.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

enum {
	PID = 10,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_CPUDESC = 8,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCK_DATA = 29
};
enum { MMAP_HAS_BUILD_ID = 1 << 14 }; /* PERF_RECORD_MISC_MMAP_BUILD_ID */

static char app[64];
static struct utsname here;

static void setup(void)
{
	char command[128];

	make_case();
	snprintf(app, sizeof(app), "%s/app", dir);
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), app);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(uname(&here), 0);
}

static void teardown(void)
{
	unlink(app);
	remove_case();
}

static const struct perf_event_attr timer = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000000,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER,
	.sample_regs_user = 1,
};

/* Where and when a recording was made. A text that is NULL is missing in the recording. */
struct made {
	const char *host, *kernel, *arch;
	/* The recording ended this many seconds after app was last written; a negative number means
	 * before. 0 is special: app was last written in 2001, but its inode has changed just now.
	 */
	int64_t after_s;
	const struct sym_build_id *build_id;
	bool trust;
	const char *cpu;
};

/* true if the recording has no CLOCK_DATA, so that it does not contain its date */
static bool timeless;

/* The code address of the sample. NULL means an address in import(). For other addresses, the
 * registers of the sample are 0. */
static const char *sampled;

static void feature(struct pd_build *b, uint32_t number, const char *text)
{
	struct pd_bytes o = { 0 };

	if (!text)
		return;
	pd_bytes_string(b, &o, text);
	pd_build_feature(b, number, o.p, o.len);
	free(o.p);
}

/* Writes the times of the first and the last sample, and both clocks at the first one. */
static void times(struct pd_build *b, int64_t seconds)
{
	struct pd_bytes o = { 0 };

	pd_bytes_u64(b, &o, 100);
	pd_bytes_u64(b, &o, 200);
	pd_build_feature(b, FEATURE_SAMPLE_TIME, o.p, o.len);
	free(o.p);
	o = (struct pd_bytes){ 0 };
	pd_bytes_u32(b, &o, 1);
	pd_bytes_u32(b, &o, CLOCK_MONOTONIC);
	pd_bytes_u64(b, &o, (uint64_t)seconds * 1000000000);
	pd_bytes_u64(b, &o, 100);
	pd_build_feature(b, FEATURE_CLOCK_DATA, o.p, o.len);
	free(o.p);
}

/* Writes the mapping of app's code. The record has a build-id or an inode number. */
static void map_app(struct pd_build *b, const struct mapping *m, const struct sym_build_id *id)
{
	struct pd_sample_id sample_id = { .pid = PID, .tid = PID, .time = 100 };

	pd_build_begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (id ? MMAP_HAS_BUILD_ID : 0));
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, m->start);
	pd_build_u64(b, m->end - m->start);
	pd_build_u64(b, m->pgoff);
	pd_build_u32(b, id ? id->size : 8);
	pd_build_bytes(b, id ? id->bytes : (const uint8_t[20]){ 1 }, 20);
	pd_build_u32(b, 5);
	pd_build_u32(b, 2);
	pd_build_string(b, app);
	pd_build_sample_id(b, &timer, &sample_id);
	pd_build_end(b);
}

static void set_time(const char *path, int64_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void import(const struct made *made)
{
	struct import_options o = { .input = data, .output = output, .trust_files = made->trust };
	const int64_t when = time(NULL) + (made->after_s ? made->after_s : -1000);
	const uint64_t reg = sampled ? 0 : 0x1000;
	struct md_err err = { 0 };
	struct mapping m = own_image();
	struct import_result r;
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	feature(&b, FEATURE_HOSTNAME, made->host);
	feature(&b, FEATURE_OSRELEASE, made->kernel);
	feature(&b, FEATURE_ARCH, made->arch);
	feature(&b, FEATURE_CPUDESC, made->cpu);
	if (!timeless)
		times(&b, when);
	map_app(&b, &m, made->build_id);
	pd_build_sample(&b, &timer,
			&(struct pd_sample){
				.misc = PERF_RECORD_MISC_USER,
				.ip = (uintptr_t)(sampled ? sampled : (const char *)import),
				.pid = PID,
				.tid = PID,
				.time = 200,
				.user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
				.user_regs = (const uint8_t *)&reg });
	save(&b, 0);
	pd_build_release(&b);
	/* A recording that is copied gets the time of the copy. So the time of the file counts only
	 * if the recording does not contain its date. */
	set_time(data, timeless ? when : time(NULL) + 2000);
	if (!made->after_s)
		set_time(app, 1000000000);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

/* Returns the state of app, the losses that name app, the symbol that the sample got from app, and
 * whether app's code was decoded. */
static const char *app_answer(void)
{
	return ask(
		"select d.state, (select group_concat(replace(l.detail, d.long_name || ': ', '')) "
		"from losses l where l.source = 'symbols' and l.what = 'unverified files'), "
		"(select group_concat(replace(l.detail, d.long_name || ': ', '')) from losses l "
		"where l.source = 'symbols' and l.what = 'unverified files left out'), "
		"(select s.name from symbols s where s.dso_id = d.id), "
		"(select r.name is not 'no-code' from samples left join addr_reasons r on r.id = "
		"addr_reason) from dsos d where d.kind = 'file'");
}

static const char used[] = "import 1", unused[] = "- 0";

/* Imports a recording with the properties `made` and checks what app_answer() returns. */
static void expect(const struct made *made, const char *state, const char *doubt, bool is_used)
{
	char want[256];

	import(made);
	snprintf(want, sizeof(want), is_used ? "%s %s - %s" : "%s - %s %s", state, doubt,
		 is_used ? used : unused);
	ck_assert_str_eq(app_answer(), want);
	ck_assert_str_eq(ask("select count(build_id) from dsos where kind = 'file'"),
			 made->build_id ? "1" : "0");
}

START_TEST(the_file_of_this_host_that_is_older_is_right)
{
	expect(&(struct made){ here.nodename, here.release, here.machine, 1000, NULL, _i, NULL },
	       "ok", "-", true);
}
END_TEST

START_TEST(a_file_that_changed_after_the_recording)
{
	expect(&(struct made){ here.nodename, here.release, here.machine, -1000, NULL, _i, NULL },
	       "unverified", "changed after the recording", _i);
}
END_TEST

/* The bytes of app are old, but its inode changed after the recording, for example by a rename. */
START_TEST(a_file_whose_inode_changed_since)
{
	expect(&(struct made){ here.nodename, here.release, here.machine, 0, NULL, _i, NULL },
	       "unverified", "changed since the recording began", true);
}
END_TEST

/* If a recording does not contain its time, only the date of its file is known: when the recording,
 * or a copy of it, was written. A program file that is newer than this date has certainly changed
 * since the recording. */
START_TEST(when_a_recording_does_not_say_when_it_was_made)
{
	struct made made = { here.nodename, here.release, here.machine, 1000, NULL, _i, NULL };

	timeless = true;
	expect(&made, "unverified", "the recording does not say when it was made", true);
	made.after_s = -1000;
	expect(&made, "unverified", "changed after the recording", _i);
}
END_TEST

START_TEST(a_file_of_another_host)
{
	expect(&(struct made){ "elsewhere", here.release, here.machine, 1000, NULL, _i, NULL },
	       "unverified", "recorded on another machine", _i);
}
END_TEST

START_TEST(a_host_that_is_not_known)
{
	expect(&(struct made){ NULL, here.release, here.machine, 1000, NULL, _i, NULL },
	       "unverified", "the recording does not say on which machine it was made", true);
}
END_TEST

START_TEST(another_kernel)
{
	expect(&(struct made){ here.nodename, "2.6.32", here.machine, 1000, NULL, _i, NULL },
	       "unverified", "recorded with another kernel", true);
}
END_TEST

/* The code of another architecture is not decoded, not even with --trust-files. */
START_TEST(another_type_of_machine)
{
	static const char *const others[] = { "armv7l", "ppc64le", "s390x", "riscv64" };
	const int i = _i / 2;

	expect(&(struct made){ here.nodename, here.release, others[i], 1000, NULL, _i & 1, NULL },
	       "unverified", "for another type of machine", false);
	expect(&(struct made){ NULL, NULL, others[i], 1000, NULL, _i & 1, NULL }, "unverified",
	       "for another type of machine", false);
}
END_TEST

static struct sym_build_id own_build_id(void)
{
	struct sym_build_id id;
	struct sym_file *f;

	ck_assert_int_eq(sym_file_open(app, NULL, NULL, &f, NULL), 0);
	id = sym_file_build_id(f);
	sym_file_close(f);
	return id;
}

START_TEST(a_build_id_goes_before_hosts_and_times)
{
	struct sym_build_id id = own_build_id();
	struct made made = { "elsewhere", "2.6.32", here.machine, -1000, &id, false, NULL };

	if (!id.size)
		return; /* nothing to test: this linker writes no build-id */
	expect(&made, "ok", "-", true);
	id.bytes[0] ^= 1;
	import(&made);
	ck_assert_str_eq(app_answer(), "replaced - - - 0");
}
END_TEST

/* An emulator delivers the timer's signal only where a block of translated code begins. So a
 * sample's address shows nothing about what the program waited for. */
START_TEST(an_emulated_cpu_waits_for_nothing)
{
	struct made made = { here.nodename,
			     here.release,
			     here.machine,
			     1000,
			     NULL,
			     false,
			     _i ? "QEMU TCG CPU version 2.5+" : "Xeon" };

	import(&made);
	ck_assert_str_eq(ask("select waited is null, addr_source = 2 from samples"),
			 _i ? "1 0" : "0 0");
	ck_assert_str_eq(ask("select cpudesc from runs"), made.cpu);
}
END_TEST

#ifdef __x86_64__
__asm__(".pushsection .text\n"
	".type load, @function\n"
	"load: mov (%rax),%rcx\n"
	"behind_load: add %rcx,%rdx\n"
	"ret\n"
	".size load, . - load\n"
	".popsection\n");
extern const char behind_load[];

/* According to the registers, a load accessed address 0. Such an access would have ended the
 * program, so a jump must have skipped the load. */
START_TEST(a_load_of_address_0_gives_no_address)
{
	struct made made = { here.nodename, here.release, here.machine, 1000, NULL, false, NULL };

	sampled = behind_load;
	import(&made);
	ck_assert_str_eq(ask("select s.address, r.name from samples s left join addr_reasons r "
			     "on r.id = addr_reason"),
			 "- no-operand");
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("import_origin");
	TCase *t = tcase_create("origin");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_file_of_this_host_that_is_older_is_right, 0, 2);
	tcase_add_loop_test(t, a_file_that_changed_after_the_recording, 0, 2);
	tcase_add_loop_test(t, a_file_whose_inode_changed_since, 0, 2);
	tcase_add_loop_test(t, when_a_recording_does_not_say_when_it_was_made, 0, 2);
	tcase_add_loop_test(t, a_file_of_another_host, 0, 2);
	tcase_add_loop_test(t, a_host_that_is_not_known, 0, 2);
	tcase_add_loop_test(t, another_kernel, 0, 2);
	tcase_add_loop_test(t, another_type_of_machine, 0, 8);
	tcase_add_test(t, a_build_id_goes_before_hosts_and_times);
	tcase_add_loop_test(t, an_emulated_cpu_waits_for_nothing, 0, 2);
#ifdef __x86_64__
	tcase_add_test(t, a_load_of_address_0_gives_no_address);
#endif
	suite_add_tcase(s, t);
	return run_suite(s);
}
