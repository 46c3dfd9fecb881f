/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the import from end to end: the tests write recordings, import them, and check the
 * databases with SQL queries. */
#include "base/count.h"
#include "import_fixture.h"

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
			 "[mappings outside blocks] 16");
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
	/* The chain has two frames: the sample's ip, and its caller (return address - 1).
	 * 0xdead0000 is not in a code mapping. */
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

/* Returns the call path of the samples, from its innermost frame outward. All samples have the same
 * path. */
static const char *ask_path(void)
{
	return ask("with recursive p(id, told) as (select call_path_id, '' from samples union all "
		   "select c.parent_id, told || c.kind || ' ' || coalesce(printf('%x', l.offset), "
		   "'') || ',' from p join call_paths c on c.id = p.id left join locations l on "
		   "l.id = c.location_id) select told from p where id is null");
}

/* Writes a sample with two different stacks: a call chain by frame pointers, which has one caller,
 * and the CPU's branch stack (LBR), which has three calls. */
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
	/* The sample's ip comes first, then the calls of the branch stack. Its fourth branch is
	 * empty. */
	ck_assert_str_eq(ask_path(), _i & 2 ? "kernel ffffffff81000010,user 10,user 100,user "
					      "200,user 300,truncated 0,"
					    : "user 10,user 100,user 200,user 300,truncated 0,");
}
END_TEST

/* Imports a recording that another user made with perf. Machine and events are described only in
 * its header. */
START_TEST(the_file_tells_machine_and_groups)
{
	struct perf_event_attr attr = pebs;
	struct pd_bytes o = { 0 };
	struct pd_build b;

	attr.sample_type |= PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_IDENTIFIER;
	pd_build_init(&b, _i, false);
	for (uint64_t id = 1; id <= 3; id++)
		pd_build_event(&b, &attr, &id, 1);
	pd_bytes_u32(&b, &o, 4); /* NRCPUS: the numbers of available and online CPUs */
	pd_bytes_u32(&b, &o, 4);
	pd_build_feature(&b, 7, o.p, o.len);
	o.len = 0;
	pd_bytes_u32(&b, &o, 2); /* NUMA_TOPOLOGY: two nodes with two CPUs each */
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

/* perf was killed, so it did not complete the header. All records are in the file. */
START_TEST(an_unfinished_recording_is_marked)
{
	const uint64_t zero = 0;
	struct import_result r;
	FILE *f;

	timer_recording(2, 0);
	f = fopen(data, "r+");
	ck_assert_ptr_nonnull(f);
	fseek(f, 48, SEEK_SET); /* the position of the data's size in the header */
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
	/* the file that was the input and the output is still there, so it can be imported */
	ck_assert_int_eq(import(NULL, NULL), 0);
}
END_TEST

/* The user names a file of the capture as the output, either by its own name or by another name
 * of the same file. The import refuses both. */
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
	for (size_t i = 0; i < COUNT_OF(files); i++) {
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

/* The output would get a name under which the next import reads a part of the recording. The import
 * refuses it, even if a database has this name already. */
START_TEST(no_database_becomes_a_part_of_the_capture)
{
	static const char *const files[] = { "follow.log", "faults.data", "data.7",
					     "track/1-1-1.log", "jit/perf-1.map" };
	static const char *const folders[] = { "track", "jit" };
	char path[256], kept[256];
	struct import_options o = { .input = dir, .output = path };

	snprintf(data, sizeof(data), "%s/perf.data", dir);
	timer_recording(1, 0);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, folders[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	snprintf(kept, sizeof(kept), "%s/data.db", dir);
	o.output = kept;
	ck_assert_int_eq(import_run(&o, NULL, NULL), 0);
	o.output = path;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct md_err err = { 0 };

		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		ck_assert_int_eq(import_run(&o, NULL, &err), MD_EUSAGE);
		ck_assert_ptr_nonnull(strstr(err.msg, "the next import would read it"));
		ck_assert_int_ne(access(path, F_OK), 0);
		ck_assert_int_eq(link(kept, path), 0);
		ck_assert_int_eq(import_run(&o, NULL, NULL), MD_EUSAGE);
		ck_assert_int_eq(unlink(path), 0);
	}
	ck_assert_int_eq(unlink(kept), 0);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, folders[i]);
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

int main(void)
{
	Suite *s = suite_create("import");
	TCase *t = tcase_create("import");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_loop_test(t, hardware_samples_keep_latency_and_source, 0, 2);
	tcase_add_test(t, a_chain_that_went_astray_is_cut_and_marked);
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
	tcase_add_test(t, no_database_becomes_a_part_of_the_capture);
	tcase_add_test(t, no_log_of_a_recording_made_by_hand_is_overwritten);
	suite_add_tcase(s, t);
	return run_suite(s);
}
