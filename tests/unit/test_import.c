/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole import on recordings made here, asked through SQL. */
#include "import/import.h"

#include "import_case.h"
#include "tracklog_build.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static const struct perf_event_attr pebs = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.sample_period = 1000,
	.precise_ip = 2,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
};

static const struct perf_event_attr timer = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000000,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR,
};

/* A COMM with exec, a mapping of code and one of data, of process 10. */
static void side_band(struct pd_build *b, const struct perf_event_attr *attr)
{
	struct pd_sample_id id = { .pid = 10, .tid = 10, .time = 100 };

	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC | PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_string(b, "app");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
	for (unsigned i = 0; i < 2; i++) {
		pd_build_begin(b, PERF_RECORD_MMAP,
			       PERF_RECORD_MISC_USER | (i ? PERF_RECORD_MISC_MMAP_DATA : 0));
		pd_build_u32(b, 10);
		pd_build_u32(b, 10);
		pd_build_u64(b, i ? 0x700000 : 0x400000);
		pd_build_u64(b, 0x1000);
		pd_build_u64(b, 0);
		pd_build_string(b, i ? "//anon" : "/no/such/app");
		id.time++;
		pd_build_sample_id(b, attr, &id);
		pd_build_end(b);
	}
}

static void sample(struct pd_build *b, const struct perf_event_attr *attr, uint64_t time,
		   uint64_t addr, uint64_t weight, uint64_t data_src)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, 0x400010, 0x400020, 0xdead0000 };
	struct pd_sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.ip = 0x400010,
		.pid = 10,
		.tid = 10,
		.time = time,
		.addr = addr,
		.cpu = 1,
		.period = 1000,
		.callchain = (const uint8_t *)chain,
		.ncallchain = 4,
		.weight = weight,
		.data_src = data_src,
	};

	pd_build_sample(b, attr, &s);
}

static int import(struct import_result *r, struct md_err *err)
{
	struct import_options o = { .input = data, .output = output };

	return import_run(&o, r, err);
}

/* A recording of one process with samples of the timer, without the last `cut` bytes. */
static void timer_recording(unsigned samples, size_t cut)
{
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	side_band(&b, &timer);
	for (unsigned i = 0; i < samples; i++)
		sample(&b, &timer, 200 + 100 * i, 0, 0, 0);
	save(&b, cut);
	pd_build_release(&b);
}

START_TEST(hardware_samples_keep_latency_and_source)
{
	uint64_t l3 = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3);
	struct import_result r;
	struct md_err err = { 0 };
	struct pd_build b;

	pd_build_init(&b, false, _i);
	pd_build_event(&b, &pebs, NULL, 0);
	side_band(&b, &pebs);
	sample(&b, &pebs, 200, 0x700010, 70, l3);
	sample(&b, &pebs, 300, 0x700018, 90, l3);
	sample(&b, &pebs, 400, 0x990000, 50, 0);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import(&r, &err), "%s", err.msg);
	ck_assert_uint_eq(r.samples, 3);
	ck_assert_uint_eq(r.with_address, 3);
	ck_assert_uint_eq(r.with_object, 2);
	ck_assert_str_eq(ask("select group_concat(time || ' ' || cpu || ' ' || weight || ' ' || "
			     "period, ',') from samples"),
			 "200 1 70 1000,300 1 90 1000,400 1 50 1000");
	ck_assert_str_eq(ask("select group_concat(distinct m.name) from samples s join "
			     "memory_levels m on m.id = s.memory_level"),
			 "L3");
	ck_assert_str_eq(ask("select name || ' ' || object_offset from samples s join objects o on "
			     "o.id = object_id limit 1"),
			 "[anonymous] 16");
	ck_assert_str_eq(
		ask("select name from samples s join object_reasons r on r.id = s.object_reason"),
		"unmapped");
	ck_assert_str_eq(ask("select short_name || ' ' || state from dsos where kind = 'file'"),
			 "app missing");
}
END_TEST

START_TEST(a_chain_that_went_astray_is_cut_and_marked)
{
	struct import_result r;
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &pebs, NULL, 0);
	side_band(&b, &pebs);
	sample(&b, &pebs, 200, 0x700010, 70, 0);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import(&r, NULL), 0);
	/* 0x400010 called from 0x400020 - 1; 0xdead0000 is no code */
	ck_assert_str_eq(
		ask("with recursive p(id, told) as (select call_path_id, '' from samples union all "
		    "select c.parent_id, told || c.kind || ' ' || coalesce(l.offset, '') || ',' "
		    "from p "
		    "join call_paths c on c.id = p.id left join locations l on l.id = "
		    "c.location_id) "
		    "select told from p where id is null"),
		"user 16,user 31,truncated ,");
}
END_TEST

/* The only call path of the samples, from its innermost frame outward. */
static const char *ask_path(void)
{
	return ask("with recursive p(id, told) as (select call_path_id, '' from samples union all "
		   "select c.parent_id, told || c.kind || ' ' || coalesce(printf('%x', l.offset), "
		   "'') || ',' from p join call_paths c on c.id = p.id left join locations l on "
		   "l.id = c.location_id) select told from p where id is null");
}

/* The kernel's walk by frame pointers, which finds two callers, and the CPU's stack of calls. */
static void lbr_sample(bool index, bool kernel)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000010, PERF_CONTEXT_USER,
				   0x400010, 0x400321 };
	const uint64_t branches[] = { 0x400100, 0x400008, 0, 0x400200, 0x4000f0, 0,
				      0x400300, 0x4001f0, 0, 0,        0,        0 };
	struct perf_event_attr attr = timer;
	struct pd_build b;

	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
				  (index ? PERF_SAMPLE_BRANCH_HW_INDEX : 0);
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	side_band(&b, &attr);
	pd_build_sample(&b, &attr,
			&(struct pd_sample){
				.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
				.ip = kernel ? chain[1] : chain[3],
				.pid = 10,
				.tid = 10,
				.time = 200,
				.callchain = (const uint8_t *)(chain + (kernel ? 0 : 2)),
				.ncallchain = kernel ? 5 : 3,
				.branches = (const uint8_t *)branches,
				.nbranches = 4,
			});
	save(&b, 0);
	pd_build_release(&b);
}

START_TEST(branch_stacks_are_call_chains)
{
	lbr_sample(_i & 1, _i & 2);
	ck_assert_int_eq(import(NULL, NULL), 0);
	/* where it stood, then the calls; the fourth was not filled */
	ck_assert_str_eq(ask_path(), _i & 2 ? "kernel ffffffff81000010,user 10,user 100,user "
					      "200,user 300,truncated 0,"
					    : "user 10,user 100,user 200,user 300,truncated 0,");
}
END_TEST

/* Somebody else's recording: what its header says of the machine and the events. */
START_TEST(the_file_tells_machine_and_groups)
{
	struct perf_event_attr attr = pebs;
	struct pd_bytes o = { 0 };
	struct pd_build b;

	attr.sample_type |= PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_IDENTIFIER;
	pd_build_init(&b, _i, false);
	for (uint64_t id = 1; id <= 3; id++)
		pd_build_event(&b, &attr, &id, 1);
	pd_bytes_u32(&b, &o, 4); /* CPUs, available and online */
	pd_bytes_u32(&b, &o, 4);
	pd_build_feature(&b, 7, o.p, o.len);
	o.len = 0;
	pd_bytes_u32(&b, &o, 2); /* nodes of two CPUs */
	for (uint32_t n = 0; n < 2; n++) {
		pd_bytes_u32(&b, &o, n);
		pd_bytes_u64(&b, &o, 1 << 20);
		pd_bytes_u64(&b, &o, 1 << 19);
		pd_bytes_string(&b, &o, n ? "1,3" : "0,2");
	}
	pd_build_feature(&b, 14, o.p, o.len);
	o.len = 0;
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 4);
	pd_bytes_string(&b, &o, "cpu");
	pd_build_feature(&b, 16, o.p, o.len);
	o.len = 0;
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_string(&b, &o, "{anon_group}");
	pd_bytes_u32(&b, &o, 0);
	pd_bytes_u32(&b, &o, 2);
	pd_build_feature(&b, 17, o.p, o.len);
	o.len = 0;
	pd_bytes_u64(&b, &o, 1);
	pd_bytes_u64(&b, &o, 1 << 27);
	pd_bytes_u64(&b, &o, 2);
	for (uint64_t n = 0; n < 2; n++) {
		pd_bytes_u64(&b, &o, n);
		pd_bytes_u64(&b, &o, 8);
		pd_bytes_u64(&b, &o, 8);
		pd_bytes_u64(&b, &o, n ? 0xf0 : 0x0f);
	}
	pd_build_feature(&b, 22, o.p, o.len);
	free(o.p);
	for (uint64_t i = 0; i < 3; i++)
		pd_build_sample(&b, &attr,
				&(struct pd_sample){ .misc = PERF_RECORD_MISC_USER,
						     .id = 1,
						     .pid = 10,
						     .tid = 10,
						     .time = 200 + i,
						     .addr = 0x700010,
						     .cpu = 1,
						     .phys_addr = (i + 3) * (1 << 27) + 64 });
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import(NULL, NULL), 0);
	ck_assert_str_eq(ask("select group_concat(id || ':' || cpus, ' ') from nodes"),
			 "0:0,2 1:1,3");
	ck_assert_str_eq(ask("select group_concat(cpu_node_id || ' ' || home_node_id || ' ' || "
			     "h.name, ',') from samples s join home_sources h on h.id = "
			     "s.home_source"),
			 "1 0 physical,1 1 physical,1 1 physical");
	ck_assert_str_eq(ask("select group_concat(pmu || ' ' || coalesce(leader_id, '-'), ',') "
			     "from selected_events"),
			 "cpu 1,cpu 1,cpu -");
	ck_assert_str_eq(ask("select group_concat(type || ' ' || name) from pmus"), "4 cpu");
}
END_TEST

START_TEST(timer_samples_without_registers_say_so)
{
	struct import_result r;

	timer_recording(1, 0);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_uint_eq(r.with_address, 0);
	ck_assert_str_eq(ask("select name || ' ' || period from samples join addr_reasons r on "
			     "r.id = addr_reason"),
			 "no-registers 1000000");
}
END_TEST

START_TEST(what_is_sound_of_a_cut_file_is_there)
{
	struct import_result r;

	timer_recording(2, 8);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_uint_eq(r.samples, 1);
	ck_assert_str_eq(ask("select count(*) > 0 from losses where source = 'perf' and what = "
			     "'unread bytes'"),
			 "1");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, "cut short"));
}
END_TEST

/* perf was killed: the header was not written to its end, all the records are there. */
START_TEST(an_unfinished_recording_is_marked)
{
	const uint64_t zero = 0;
	struct import_result r;
	FILE *f;

	timer_recording(2, 0);
	f = fopen(data, "r+");
	ck_assert_ptr_nonnull(f);
	fseek(f, 48, SEEK_SET); /* the size of the data */
	ck_assert_uint_eq(fwrite(&zero, sizeof(zero), 1, f), 1);
	fclose(f);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_uint_eq(r.samples, 2);
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_str_eq(ask("select detail like '%not finished%' from losses where source = "
			     "'perf'"),
			 "1");
}
END_TEST

START_TEST(a_whole_recording_is_not_marked)
{
	struct import_result r;

	timer_recording(2, 0);
	ck_assert_int_eq(import(&r, NULL), 0);
	ck_assert_str_eq(ask("select damaged from runs"), "0");
	ck_assert_str_eq(r.damage, "");
}
END_TEST

START_TEST(what_is_no_recording_leaves_no_file)
{
	struct md_err err = { 0 };
	FILE *f = fopen(data, "w");

	ck_assert_ptr_nonnull(f);
	fputs("no recording at all, but long enough to hold a header of a perf.data file, "
	      "which has 104 bytes and then the attributes",
	      f);
	fclose(f);
	ck_assert_int_eq(import(NULL, &err), MD_EFORMAT);
	ck_assert_str_ne(err.msg, "");
	ck_assert_int_ne(access(output, F_OK), 0);
}
END_TEST

START_TEST(a_missing_recording_is_named)
{
	struct md_err err = { 0 };

	ck_assert_int_eq(import(NULL, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, data));
	ck_assert_int_ne(access(output, F_OK), 0);
}
END_TEST

START_TEST(a_recording_is_not_overwritten)
{
	struct import_options o = { .input = data, .output = data };
	struct md_err err = { 0 };
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	sample(&b, &timer, 200, 0, 0, 0);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_int_eq(import_run(&o, NULL, &err), MD_EUSAGE);
	ck_assert_ptr_nonnull(strstr(err.msg, data));
	ck_assert_int_eq(import(NULL, NULL), 0); /* it is still there */
}
END_TEST

static void check_input_kept(const struct import_options *o)
{
	struct import_options forced = *o;
	struct md_err err = { 0 };

	forced.force = true;
	ck_assert_int_eq(import_run(o, NULL, &err), MD_EUSAGE);
	ck_assert_int_eq(import_run(&forced, NULL, &err), MD_EUSAGE);
	ck_assert_msg(strstr(err.msg, "it is a part of the recording"), "%s", err.msg);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Under their own names, and under others that lead to them. */
START_TEST(no_file_of_the_capture_is_overwritten)
{
	static const char *const files[] = { "capture.json", "perf.log", "kallsyms",
					     "track/1-1-1.log", "jit/perf-1.map" };
	char path[256], other[256];
	struct import_options o = { .input = dir, .output = path };

	snprintf(data, sizeof(data), "%s/perf.data", dir);
	timer_recording(1, 0);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, i ? "jit" : "track");
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		put_file(path, "");
		check_input_kept(&o);
		snprintf(other, sizeof(other), "%s/other", dir);
		ck_assert_int_eq(rename(path, other), 0);
		ck_assert_int_eq(i % 2 ? link(other, path) : symlink(other, path), 0);
		check_input_kept(&o);
		ck_assert_int_eq(unlink(path), 0);
		ck_assert_int_eq(unlink(other), 0);
	}
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, i ? "jit" : "track");
		ck_assert_int_eq(rmdir(path), 0);
	}
}
END_TEST

START_TEST(no_log_of_a_recording_made_by_hand_is_overwritten)
{
	char path[256];
	struct import_options o = { .input = data, .output = path, .track_dir = dir };

	timer_recording(1, 0);
	snprintf(path, sizeof(path), "%s/1-1-1.log", dir);
	put_file(path, "");
	check_input_kept(&o);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(a_database_in_the_capture_is_replaced)
{
	char path[256];
	struct import_options o = { .input = dir, .output = path };

	snprintf(data, sizeof(data), "%s/perf.data", dir);
	timer_recording(1, 0);
	snprintf(path, sizeof(path), "%s/run.db", dir);
	ck_assert_int_eq(import_run(&o, NULL, NULL), 0);
	ck_assert_int_eq(import_run(&o, NULL, NULL), 0);
	o.input = path; /* not where it is the input itself */
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
	snprintf(log, sizeof(log), "%s/notes", dir); /* is not read */
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
	snprintf(data, sizeof(data), "%s/data", dir); /* as perf record --threads names it */
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

/* A record of a process's one thread, as `what` has it; with its sample_id. */
static void end_record(struct pd_build *b, uint32_t pid, uint64_t time)
{
	pd_build_sample_id(b, &timer,
			   &(struct pd_sample_id){ .pid = pid, .tid = pid, .time = time });
	pd_build_end(b);
}

static void mmap_record(struct pd_build *b, uint32_t pid, uint64_t start, uint64_t len,
			uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(b, pid);
	pd_build_u32(b, pid);
	pd_build_u64(b, start);
	pd_build_u64(b, len);
	pd_build_u64(b, 0);
	pd_build_string(b, "//anon");
	end_record(b, pid, time);
}

static void fork_record(struct pd_build *b, uint32_t pid, uint32_t ppid, uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_FORK, 0);
	pd_build_u32(b, pid);
	pd_build_u32(b, ppid);
	pd_build_u32(b, pid);
	pd_build_u32(b, ppid);
	pd_build_u64(b, time);
	end_record(b, pid, time);
}

/* A child that had copies of its parent's mappings would take all memory and time there is; the
 * limit is some times the file's size. */
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
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0); /* of this test's process */
	ck_assert_msg(!import(&r, &err), "%s", err.msg);
	ck_assert_str_eq(ask("select count(*) from processes"), "30001");
	ck_assert_str_eq(ask("select count(*) from mappings"), "60002");
}
END_TEST

static void ksymbol_record(struct pd_build *b, const char *name, bool gone, uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_KSYMBOL, 0);
	pd_build_u64(b, 0xffffffffc0000000);
	pd_build_u32(b, 64);
	pd_build_u16(b, 1); /* BPF */
	pd_build_u16(b, gone);
	pd_build_string(b, name);
	end_record(b, 10, time);
}

/* With a chain that goes on in the program; attr is the timer's with chains. */
static void kernel_chain(struct pd_build *b, const struct perf_event_attr *attr, uint64_t time)
{
	uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffffc0000020, PERF_CONTEXT_USER, 0x400010 };

	pd_build_sample(b, attr,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_KERNEL,
					     .ip = 0xffffffffc0000020,
					     .pid = 10,
					     .tid = 10,
					     .time = time,
					     .callchain = (const uint8_t *)chain,
					     .ncallchain = 4 });
}

static void kernel_sample(struct pd_build *b, uint64_t time)
{
	pd_build_sample(b, &timer,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_KERNEL,
					     .ip = 0xffffffffc0000020,
					     .pid = 10,
					     .tid = 10,
					     .time = time });
}

/* One place in memory, three times. */
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

/* The same in a chain, which is remembered. */
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

static void feature_text(struct pd_build *b, uint32_t feature, const char *text)
{
	struct pd_bytes o = { 0 };

	pd_bytes_string(b, &o, text);
	pd_build_feature(b, feature, o.p, o.len);
	free(o.p);
}

/* A block of the heap as the tracker logs it, from the time 150 on. */
static void log_block(const char *folder, uint64_t address)
{
	struct log_build *b = log_new();
	struct track_event birth = { .ticks = 150, .address = address, .size = 64 };
	char path[128];
	FILE *f;

	log_header(b)->pid = 10;
	log_header(b)->start_ns = 120;
	log_chunk(b, 0, 0, 10)->ns = 120;
	log_long_event(b, TL_BIRTH, TL_FN_MALLOC, &birth, NULL, 0);
	snprintf(path, sizeof(path), "%s/1.log", folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(b->words, 1, log_size(b), f), log_size(b));
	fclose(f);
	free(b);
}

/* AArch64 ignores the top byte of an address; each pointer may have another tag in it. */
START_TEST(tags_are_no_part_of_an_address)
{
	char folder[64], path[128];
	struct import_options o = { .input = data, .output = output, .track_dir = folder };
	const uint64_t tag = (uint64_t)0xb4 << 56, other = (uint64_t)0x35 << 56;
	struct perf_event_attr attr = pebs; /* by the clock of the log */
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

/* More chains than are remembered: one that comes again has the same call path. */
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

/* A thread that comes again by the same addresses, after another file was mapped there. */
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

int main(void)
{
	Suite *s = suite_create("import");
	TCase *t = tcase_create("import");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_loop_test(t, hardware_samples_keep_latency_and_source, 0, 2);
	tcase_add_test(t, a_chain_that_went_astray_is_cut_and_marked);
	tcase_add_test(t, a_chain_means_the_code_that_is_there_now);
	tcase_add_test(t, many_children_of_a_process_with_many_mappings);
	tcase_add_test(t, chains_that_were_forgotten_are_the_same_again);
	tcase_add_loop_test(t, branch_stacks_are_call_chains, 0, 4);
	tcase_add_loop_test(t, the_file_tells_machine_and_groups, 0, 2);
	tcase_add_test(t, timer_samples_without_registers_say_so);
	tcase_add_test(t, what_is_sound_of_a_cut_file_is_there);
	tcase_add_test(t, an_unfinished_recording_is_marked);
	tcase_add_test(t, a_whole_recording_is_not_marked);
	tcase_add_test(t, what_is_no_recording_leaves_no_file);
	tcase_add_test(t, a_missing_recording_is_named);
	tcase_add_test(t, a_recording_is_not_overwritten);
	tcase_add_test(t, no_file_of_the_capture_is_overwritten);
	tcase_add_test(t, no_log_of_a_recording_made_by_hand_is_overwritten);
	tcase_add_test(t, a_database_in_the_capture_is_replaced);
	tcase_add_test(t, a_recording_of_another_user_is_refused);
	tcase_add_test(t, a_directory_of_perf_is_a_recording);
	tcase_add_test(t, an_interrupt_leaves_no_file);
	tcase_add_test(t, samples_are_imported_where_clocks_differ_and_the_join_is_refused);
	tcase_add_test(t, bpf_programs_have_the_names_of_their_time);
	tcase_add_test(t, chains_have_the_names_of_their_time);
	tcase_add_loop_test(t, tags_are_no_part_of_an_address, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
