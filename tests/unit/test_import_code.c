/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests imports of code that changes during a recording, of call chains, and of captures whose
 * import is interrupted or refused. */
#include "import_fixture.h"

#include "base/count.h"
#include "decode/perf_regs.h"
#include "own_image.h"
#include "track_format.h"

START_TEST(a_database_in_the_capture_is_replaced)
{
	char path[256];
	struct import_options o = { .input = dir, .output = path };

	snprintf(data, sizeof(data), "%s/perf.data", dir);
	timer_recording(1, 0);
	snprintf(path, sizeof(path), "%s/run.db", dir);
	ck_assert_int_eq(import_run(&o, NULL, NULL), 0);
	ck_assert_int_eq(import_run(&o, NULL, NULL), 0);
	o.input = path; /* refused: the file in the capture is the input itself */
	check_input_kept(&o);
}
END_TEST

START_TEST(a_recording_of_another_user_is_refused)
{
	struct import_options o = { .input = data, .output = output, .track_dir = dir };
	struct md_err err = { 0 };
	char log[256];

	if (geteuid())
		return;
	timer_recording(1, 0);
	snprintf(log, sizeof(log), "%s/1-1-1.log", dir);
	put_file(log, "");
	for (int i = 0; i < 3; i++) {
		const char *const owned[] = { data, dir, log };

		ck_assert_int_eq(chown(owned[i], 12345, 12345), 0);
		ck_assert_int_eq(import_run(&o, NULL, &err), MD_EIO);
		ck_assert_ptr_nonnull(strstr(err.msg, "it belongs to user 12345"));
		ck_assert_ptr_nonnull(freopen(data, "r", stdin));
		o.input = "-";
		ck_assert_int_eq(import_run(&o, NULL, &err), MD_EIO);
		ck_assert_ptr_nonnull(strstr(err.msg, "it belongs to user 12345"));
		o.input = data;
		o.force = true;
		ck_assert_int_eq(import_run(&o, NULL, &err), 0);
		o.force = false;
		o.own = true;
		ck_assert_int_eq(import_run(&o, NULL, &err), 0);
		o.own = false;
		setenv("SUDO_UID", "12345", 1);
		setenv("SUDO_GID", "12345", 1);
		ck_assert_int_eq(import_run(&o, NULL, &err), 0);
		unsetenv("SUDO_UID");
		ck_assert_int_eq(chown(owned[i], 0, 0), 0);
	}
	ck_assert_int_eq(unlink(log), 0);
	/* the importer does not read a file with this name, so its owner does not matter */
	snprintf(log, sizeof(log), "%s/notes", dir);
	put_file(log, "");
	ck_assert_int_eq(chown(log, 12345, 12345), 0);
	ck_assert_int_eq(import_run(&o, NULL, &err), 0);
	ck_assert_int_eq(unlink(log), 0);
}
END_TEST

START_TEST(a_directory_of_perf_is_a_recording)
{
	struct import_options o = { .input = dir, .output = output };
	struct import_result r;
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	side_band(&b, &timer);
	sample(&b, &timer, 200, 0, 0, 0);
	/* such files are in the directory that perf record --threads makes */
	snprintf(data, sizeof(data), "%s/data", dir);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import_run(&o, &r, NULL), 0);
	ck_assert_uint_eq(r.samples, 1);
}
END_TEST

START_TEST(an_interrupt_leaves_no_file)
{
	int stop = 1;
	struct import_options o = { .input = data, .output = output, .stop = &stop };

	timer_recording(1, 0);
	ck_assert_int_eq(import_run(&o, NULL, NULL), MD_EINTR);
	ck_assert_int_ne(access(output, F_OK), 0);
}
END_TEST

START_TEST(samples_are_imported_where_clocks_differ_and_the_join_is_refused)
{
	struct import_options o = { .input = data, .output = output, .track_dir = dir };
	struct import_result r;

	timer_recording(1, 0);
	ck_assert_int_eq(import_run(&o, &r, NULL), 0);
	ck_assert_uint_eq(r.samples, 1);
	ck_assert_str_eq(ask("select what from losses where source = 'import'"), "joins refused");
	ck_assert_str_eq(ask("select clock from runs"), "perf");
}
END_TEST

/* A process with many mappings has many children. If each child had a copy of its parent's
 * mappings, the import would need more memory than this limit. */
START_TEST(many_children_of_a_process_with_many_mappings)
{
	enum { COUNT = 30000, LIMIT_MB = 400 };
	const struct rlimit limit = { (rlim_t)LIMIT_MB << 20, (rlim_t)LIMIT_MB << 20 };
	struct md_err err = { 0 };
	struct import_result r;
	struct pd_build b;
	uint64_t time = 1000;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	side_band(&b, &timer);
	for (uint32_t i = 0; i < COUNT; i++)
		mmap_record(&b, 10, 0x800000 + i * UINT64_C(0x2000), 0x1000, time++);
	for (uint32_t i = 0; i < COUNT; i++) {
		fork_record(&b, 100 + i, i % 2 ? 99 + i : 10, time++);
		mmap_record(&b, 100 + i, 0x801000, COUNT * UINT64_C(0x2000), time++);
	}
	sample(&b, &timer, time, 0, 0, 0);
	save(&b, 0);
	pd_build_release(&b);
	if (!SANITIZED)
		/* limits the address space of this test's process */
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_msg(!import(&r, &err), "%s", err.msg);
	ck_assert_str_eq(ask("select count(*) from processes"), "30001");
	ck_assert_str_eq(ask("select count(*) from mappings"), "60002");
}
END_TEST

/* Two BPF programs are loaded at one address, one after the other, with a pause between them. A
 * sample gets the name of the program that was loaded at its time, or no name. */
START_TEST(bpf_programs_have_the_names_of_their_time)
{
	struct md_err err = { 0 };
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	side_band(&b, &timer);
	ksymbol_record(&b, "bpf_prog_a", false, 1000);
	kernel_sample(&b, 1001);
	ksymbol_record(&b, "bpf_prog_a", true, 1002);
	kernel_sample(&b, 1003);
	ksymbol_record(&b, "bpf_prog_b", false, 1004);
	kernel_sample(&b, 1005);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import(NULL, &err), "%s", err.msg);
	ck_assert_str_eq(ask("select group_concat(coalesce(y.name, '-') || ' ' || d.kind) from "
			     "samples s left join symbols y on y.id = s.symbol_id join dsos d on "
			     "d.id = s.dso_id"),
			 "bpf_prog_a jit,- kernel,bpf_prog_b jit");
}
END_TEST

/* A call chain has the names of the code that was loaded at its time, although the importer
 * caches chains. */
START_TEST(chains_have_the_names_of_their_time)
{
	struct perf_event_attr attr = timer;
	struct md_err err = { 0 };
	struct pd_build b;

	pd_build_init(&b, false, false);
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	pd_build_event(&b, &attr, NULL, 0);
	side_band(&b, &attr);
	ksymbol_record(&b, "bpf_prog_a", false, 1000);
	kernel_chain(&b, &attr, 1001);
	kernel_chain(&b, &attr, 1002);
	ksymbol_record(&b, "bpf_prog_a", true, 1003);
	kernel_chain(&b, &attr, 1004);
	ksymbol_record(&b, "bpf_prog_b", false, 1005);
	kernel_chain(&b, &attr, 1006);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import(NULL, &err), "%s", err.msg);
	ck_assert_str_eq(ask("select group_concat(coalesce(y.name, '-')) from samples s join "
			     "call_paths c on c.id = s.call_path_id join locations l on l.id = "
			     "c.location_id left join symbols y on y.id = l.symbol_id"),
			 "bpf_prog_a,bpf_prog_a,-,bpf_prog_b");
}
END_TEST

/* AArch64 ignores the top byte of a data address. A program may store different tags in this byte,
 * and still access the same object. */
START_TEST(tags_are_no_part_of_an_address)
{
	char folder[64], path[128];
	struct import_options o = { .input = data, .output = output, .track_dir = folder };
	const uint64_t tag = (uint64_t)0xb4 << 56, other = (uint64_t)0x35 << 56;
	/* below, the event gets the clock of the tracker's log, so that its samples find the log's
	 * block */
	struct perf_event_attr attr = pebs;
	struct md_err err = { 0 };
	struct pd_build b;

	snprintf(folder, sizeof(folder), "%s/track", dir);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	log_block(folder, tag | 0x700100);
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	feature_text(&b, 6, _i ? "x86_64" : "aarch64");
	side_band(&b, &attr);
	sample(&b, &attr, 200, tag | 0x700010, 70, 0);
	sample(&b, &attr, 300, other | 0x700108, 70, 0);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	ck_assert_str_eq(ask("select group_concat(printf('%x %s %d', s.address, coalesce(o.kind, "
			     "'-'), s.object_offset)) from samples s left join objects o on o.id "
			     "= s.object_id"),
			 _i ? "b400000000700010 - 0,3500000000700108 - 0"
			    : "700010 mapping 16,700108 heap 8");
	snprintf(path, sizeof(path), "%s/1.log", folder);
	unlink(path);
	rmdir(folder);
}
END_TEST

/* The importer caches a limited number of chains. A chain that was evicted and comes again still
 * gets the same call path. */
START_TEST(chains_that_were_forgotten_are_the_same_again)
{
	enum { CHAINS = 40000, FRAMES = 24 };
	uint64_t chain[FRAMES] = { PERF_CONTEXT_USER };
	struct pd_sample s = { .misc = PERF_RECORD_MISC_USER,
			       .ip = 0x400010,
			       .pid = 10,
			       .tid = 10,
			       .addr = 0x700010,
			       .period = 1,
			       .callchain = (const uint8_t *)chain,
			       .ncallchain = FRAMES };
	struct import_result r;
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &pebs, NULL, 0);
	side_band(&b, &pebs);
	for (uint64_t i = 0; i < 2 * CHAINS; i++) {
		for (unsigned k = 1; k < FRAMES; k++)
			chain[k] = 0x400100 + (i % CHAINS >> k % 15 & 3);
		s.time = 1000 + i;
		pd_build_sample(&b, &pebs, &s);
	}
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_str_eq(ask("select count(*) from samples a join samples b on b.id = a.id + 40000 "
			     "where a.call_path_id is b.call_path_id"),
			 "40000");
	ck_assert_str_eq(ask("select count(distinct call_path_id) > 30000 from samples"), "1");
}
END_TEST

/* While the importer remembers a call chain, another file is mapped at its addresses. When the
 * chain comes again, it gets the names of the new file. */
START_TEST(a_chain_means_the_code_that_is_there_now)
{
	struct import_result r;
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &pebs, NULL, 0);
	side_band(&b, &pebs);
	sample(&b, &pebs, 200, 0x700010, 70, 0);
	sample(&b, &pebs, 201, 0x700010, 70, 0);
	pd_build_begin(&b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(&b, 10);
	pd_build_u32(&b, 10);
	pd_build_u64(&b, 0x400000);
	pd_build_u64(&b, 0x1000);
	pd_build_u64(&b, 0x5000);
	pd_build_string(&b, "/no/such/plugin");
	pd_build_sample_id(&b, &pebs, &(struct pd_sample_id){ .pid = 10, .tid = 10, .time = 300 });
	pd_build_end(&b);
	sample(&b, &pebs, 400, 0x700010, 70, 0);
	sample(&b, &pebs, 401, 0x700010, 70, 0);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_str_eq(ask("select group_concat(d.short_name || ' ' || printf('%x', l.offset)) "
			     "from samples s join call_paths c on c.id = s.call_path_id "
			     "join locations l on l.id = c.location_id join dsos d on d.id = "
			     "l.dso_id"),
			 "app 10,app 10,plugin 5010,plugin 5010");
}
END_TEST

#ifdef __aarch64__
enum { OWN_IP_REGISTER = REG_ARM64_PC };
#else
enum { OWN_IP_REGISTER = REG_X86_IP };
#endif

/* Stands for the tracker's function TRACK_PROGRAM_CALL: the recordings below map this test program
 * as the tracker's library. */
long program_call(void) __asm__(TRACK_PROGRAM_CALL);
long program_call(void)
{
	return 1;
}

static void map_file(struct pd_build *b, const struct perf_event_attr *attr,
		     const struct mapping *m, const char *path)
{
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_u64(b, m->start);
	pd_build_u64(b, m->end - m->start);
	pd_build_u64(b, m->pgoff);
	pd_build_string(b, path);
	pd_build_sample_id(b, attr, &(struct pd_sample_id){ .pid = 10, .tid = 10, .time = 150 });
	pd_build_end(b);
}

/* Writes a sample in the kernel. `ip` is the address at which the thread entered the kernel: the
 * only user register that the sample has; 0 means that it has no registers. `chain` contains the
 * user part of the call chain and ends with a 0. */
static void kernel_entered(struct pd_build *b, const struct perf_event_attr *attr, uint64_t time,
			   uint64_t ip, const uint64_t *chain)
{
	uint64_t ips[8] = { PERF_CONTEXT_KERNEL, 0xffffffffc0000020 };
	struct pd_sample s = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.ip = 0xffffffffc0000020,
		.pid = 10,
		.tid = 10,
		.time = time,
		.callchain = (const uint8_t *)ips,
		.ncallchain = 2,
		.user_regs_abi = ip ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE,
		.user_regs = (const uint8_t *)&ip,
	};

	if (chain[0])
		ips[s.ncallchain++] = PERF_CONTEXT_USER;
	for (unsigned i = 0; chain[i]; i++)
		ips[s.ncallchain++] = chain[i];
	pd_build_sample(b, attr, &s);
}

/* The time of a system call belongs to the tracker if the tracker made the call for itself. It
 * belongs to the program in all other cases: if the program made the call, if the tracker only
 * called the program's function that makes it, and if the tracker made the call in the program's
 * place (program_call()). */
START_TEST(the_trackers_system_calls_are_its_own_time)
{
	const struct mapping self = own_image();
	const uint64_t tracker = self.start, other = (uintptr_t)program_call + 1;
	const uint64_t app = 0x400010;
	const struct {
		uint64_t ip, chain[4];
		bool is_program;
	} cases[] = {
		{ tracker, { 0 }, false },      { tracker, { tracker, app }, false },
		{ 0, { tracker, app }, false }, { app, { app, tracker }, true },
		{ 0, { app, tracker }, true },  { 0, { 0 }, true },
		{ other, { 0 }, true },         { other, { other, tracker, app }, true },
	};
	struct import_options o = { .input = data, .output = output, .trust_files = true };
	struct perf_event_attr attr = timer;
	char path[64], command[128];
	struct md_err err = { 0 };
	struct import_result r;
	unsigned program = 0;
	struct pd_build b;

	snprintf(path, sizeof(path), "%s/" TRACK_LIBRARY, dir);
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), path);
	ck_assert_int_eq(system(command), 0);
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = UINT64_C(1) << OWN_IP_REGISTER;
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	side_band(&b, &attr);
	map_file(&b, &attr, &self, path);
	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		kernel_entered(&b, &attr, 200 + i, cases[i].ip, cases[i].chain);
		program += cases[i].is_program;
	}
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
	unlink(path);
	ck_assert_uint_eq(r.samples, program);
	ck_assert_str_eq(
		ask("select group_concat(time) from (select time from samples order by 1)"),
		"203,204,205,206,207");
	ck_assert_str_eq(ask("select count from losses where what = 'samples in the tracker'"),
			 "3");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_code");
	TCase *t = tcase_create("import");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_test(t, a_chain_means_the_code_that_is_there_now);
	tcase_add_test(t, many_children_of_a_process_with_many_mappings);
	tcase_add_test(t, chains_that_were_forgotten_are_the_same_again);
	tcase_add_test(t, a_database_in_the_capture_is_replaced);
	tcase_add_test(t, a_recording_of_another_user_is_refused);
	tcase_add_test(t, a_directory_of_perf_is_a_recording);
	tcase_add_test(t, an_interrupt_leaves_no_file);
	tcase_add_test(t, samples_are_imported_where_clocks_differ_and_the_join_is_refused);
	tcase_add_test(t, bpf_programs_have_the_names_of_their_time);
	tcase_add_test(t, chains_have_the_names_of_their_time);
	tcase_add_test(t, the_trackers_system_calls_are_its_own_time);
	tcase_add_loop_test(t, tags_are_no_part_of_an_address, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
