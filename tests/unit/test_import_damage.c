/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests captures that are damaged or incomplete. The table `losses`, runs.damaged and the messages
 * name what is missing. Each foreign key still finds the row to which it refers (import_case.h
 * checks this after each test). */
#include "import/import.h"

#include "import_case.h"
#include "tracklog_build.h"

#include <sys/stat.h>

#include "base/count.h"

enum { PID = 100 };

static char tracks[64], logfile[80], capture[64];
static struct import_result r;

static void setup(void)
{
	FILE *f;

	make_case();
	snprintf(tracks, sizeof(tracks), "%s/track", dir);
	snprintf(logfile, sizeof(logfile), "%s/100.1.0.log", tracks);
	snprintf(capture, sizeof(capture), "%s/capture.json", dir);
	f = fopen(capture, "w");
	ck_assert_ptr_nonnull(f);
	fputs("{\"format\":1}", f);
	fclose(f);
}

static void teardown(void)
{
	unlink(logfile);
	rmdir(tracks);
	unlink(capture);
	remove_case();
}

static const struct perf_event_attr hardware = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.precise_ip = 2,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = 1, /* CLOCK_MONOTONIC */
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_PHYS_ADDR,
};

/* Writes one sample on each of four CPUs. Their event is `id`; the file describes only the
 * events 1 and 2. */
static void save_samples(uint64_t id)
{
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &hardware, &(uint64_t){ 1 }, 1);
	pd_build_event(&b, &hardware, &(uint64_t){ 2 }, 1);
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		pd_build_sample(&b, &hardware,
				&(struct pd_sample){ .misc = PERF_RECORD_MISC_USER,
						     .id = id,
						     .ip = 0x400010,
						     .pid = PID,
						     .tid = PID,
						     .time = 5000 + cpu,
						     .cpu = cpu,
						     .phys_addr = 0x1000 * (cpu + 1),
						     .addr = 0x10010 + cpu * 0x1000 });
	save(&b, 0);
	pd_build_release(&b);
}

static void save_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *f;

	mkdir(tracks, 0700);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void save_log(struct log_build *b)
{
	save_bytes(logfile, b->words, log_size(b));
	free(b);
}

static struct log_build *new_log(void)
{
	struct log_build *b = log_new();

	log_chunk(b, 0, 0, PID);
	log_time(b, 2000);
	return b;
}

static void save_capture(const char *json)
{
	save_bytes(capture, json, strlen(json));
}

static void import(void)
{
	struct import_options o = { .input = dir, .output = output };
	struct md_err err = { 0 };

	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

static const char *lost(void)
{
	return ask("select source, what, count from losses where source <> 'symbols' order by id");
}

/* Lines of follow.log that mention two nodes, but do not describe them. Each string alone makes the
 * importer add both nodes. */
static const char *const lines[] = {
	"cpu\t0\t0\t0\t0\ncpu\t3\t1\t0\t0\n",
	"distance\t0\t1\t21\n",
	"memory\t0\t0\t2000\nmemory\t1\t2000\t9000\n",
	"homes\t3000\t100\t10000\t4096\t0x2,1x2\n",
};

START_TEST(nodes_that_nothing_describes_have_rows)
{
	char text[256];

	snprintf(text, sizeof(text), "memdb-follow\t1\npage\t4096\n%s", lines[_i]);
	save_follow(text);
	/* the model has homes only for processes; this log reports a process */
	save_log(new_log());
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select id, cpus, mem_total_bytes from nodes order by id"),
			 "0 - -\n1 - -");
	ck_assert_str_eq(lost(), "follower nodes without description 2");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, "follow.log"));
}
END_TEST

START_TEST(a_capture_without_its_description_is_damaged)
{
	save_follow("memdb-follow\t1\npage\t4096\nnode\t0\t0-3\t1000000\t500000\n");
	save_samples(1);
	unlink(capture);
	import();
	ck_assert_str_eq(lost(), "import missing capture.json 1");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
}
END_TEST

/* If capture.json has a format that memdb does not know, its members may have any meaning, so they
 * are not used. */
START_TEST(a_description_of_another_format_is_damaged)
{
	static const char *const texts[] = { "{}", "{\"format\":2,\"cwd\":\"/\"}",
					     "{\"format\":\"1\",\"cwd\":\"/\"}" };

	save_capture(texts[_i]);
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "import unreadable capture.json 1");
	ck_assert_str_eq(ask("select damaged, directory from runs"), "1 -");
}
END_TEST

START_TEST(a_node_that_no_machine_has_is_damage)
{
	save_follow("memdb-follow\t1\npage\t4096\nnode\t0\t0-3\t1000000\t500000\n"
		    "cpu\t1\t70000\t0\t0\ndistance\t0\t5000\t21\n"
		    "homes\t3000\t100\t10000\t4096\t0,5000\n");
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select id from nodes"), "0");
	ck_assert_str_eq(ask("select count(*) from page_homes"), "0");
	ck_assert_str_eq(lost(), "follower damaged lines 3");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
}
END_TEST

START_TEST(a_tracker_that_names_such_a_node)
{
	const int32_t nodes[] = { 0, 1 << 20 };
	struct track_event homes = { .ticks = 2001, .address = 0x10000, .mode = 4096, .extra = 2 };
	struct log_build *b = new_log();

	log_long_event(b, TL_HOMES, 0, &homes, nodes, sizeof(nodes));
	save_log(b);
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select count(*) from page_homes"), "0");
	ck_assert_str_eq(lost(),
			 "tracker damaged looks at pages 1\nimport nodes without description 1");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
}
END_TEST

/* Events with a function that cannot cause them, as in a damaged log: for example, a mapping made
 * by malloc. */
START_TEST(events_of_functions_that_cannot_make_them)
{
	struct track_event ev = { .ticks = 2001, .address = 0x20000, .size = 64 };
	struct log_build *b = new_log();

	log_short(b, TRACK_BIRTH, 1, 0x10000);
	log_birth_body(b, TL_FN_NONE, 0, 64, 1);
	log_short(b, TRACK_BIRTH, 1, 0x11000);
	log_birth_body(b, TL_FN_FREE, 0, 64, 1);
	log_long_event(b, TL_BIRTH, TL_FN_NONE, &ev, NULL, 0);
	log_long_event(b, TL_MAP, TL_FN_MALLOC, &ev, NULL, 0);
	log_long_event(b, TL_POLICY, TL_FN_MALLOC, &ev, NULL, 0);
	log_malloc(b, 2, 0x12000, 64);
	save_log(b);
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select f.name, count(*) from allocations a left join "
			     "allocation_functions f on f.id = a.function"),
			 "malloc 1");
	ck_assert_str_eq(ask("select count(*) from policy_calls"), "0");
	ck_assert_str_eq(
		ask("select what from losses where source = 'tracker' and what like 'dam%'"),
		"damaged bytes");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, "100.1.0.log"));
}
END_TEST

/* Without the list of files, a follow.log that ends after any of its lines looks complete. */
START_TEST(a_complete_capture_without_a_list_of_files_is_damaged)
{
	static const char *const texts[] = { "{\"format\":1,\"complete\":true}",
					     "{\"format\":1,\"complete\":true,\"files\":7}" };

	save_capture(texts[_i]);
	save_follow("memdb-follow\t1\n");
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "import missing list of files 1");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, "capture.json"));
}
END_TEST

START_TEST(the_logs_that_a_capture_promises_are_missing)
{
	save_capture("{\"format\":1,\"tracked\":true}");
	if (_i)
		/* The loop test runs twice: first with an empty folder of logs, then without the
		 * folder. */
		rmdir(tracks);
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "tracker missing logs 1");
	ck_assert_str_eq(ask("select tracked, damaged from runs"), _i ? "0 1" : "0 0");
	if (_i)
		ck_assert_ptr_nonnull(strstr(r.damage, "logs is missing"));
	else
		ck_assert_str_eq(r.missing, "1 missing logs (tracker)");
}
END_TEST

START_TEST(the_folder_that_was_named_has_no_logs)
{
	struct import_options o = { .input = data, .output = output, .track_dir = dir };

	save_samples(1);
	ck_assert_int_eq(import_run(&o, &r, NULL), 0);
	ck_assert_str_eq(lost(), "tracker missing logs 1");
	ck_assert_str_eq(r.missing, "1 missing logs (tracker)");
}
END_TEST

START_TEST(a_capture_without_a_tracker_lacks_no_logs)
{
	save_capture("{\"format\":1,\"tracked\":false}");
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "");
	ck_assert_str_eq(ask("select tracked, damaged from runs"), "0 0");
	ck_assert_str_eq(r.damage, "");
}
END_TEST

START_TEST(a_capture_names_the_emulator_of_its_cpu)
{
	save_capture("{\"format\":1,\"emulator\":\"QEMU TCG\"}");
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select cpudesc from runs"), "CPU, emulated by QEMU TCG");
}
END_TEST

/* Costs are estimated from cache sizes. The database shows whether the recording contains these
 * sizes or they are assumed. */
START_TEST(caches_are_recorded_or_assumed)
{
	static const char *const said[] = { "[32768, 524288, 0]", "[0, 524288, 0]", "\"none\"",
					    "[-1]" };
	char json[100];

	snprintf(json, sizeof(json), "{\"format\":1,\"cache_bytes\":%s}", said[_i]);
	save_capture(json);
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select l1_bytes, l2_bytes, l3_bytes, caches from runs"),
			 _i ? "49152 1048576 33554432 assumed" : "32768 524288 524288 cpu");
}
END_TEST

START_TEST(inputs_of_random_bytes)
{
	static const char noise[] = "\x93\x07 noise that is none of our formats \xff\x80";

	save_bytes(_i == 0 ? logfile : _i == 1 ? follow : capture, noise, sizeof(noise));
	save_samples(1);
	import();
	ck_assert_str_eq(ask("select count(*) from losses where what like 'unreadable %'"), "1");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, "cannot read"));
	ck_assert_str_eq(ask("select count(*) from samples"), "4");
}
END_TEST

/* The end of the file that logs share is missing. The import reports this, even if capture.json
 * lists no sizes. */
START_TEST(the_shared_log_is_cut_short)
{
	struct track_shared s = { .magic = TRACK_SHARED_MAGIC,
				  .bytes = TRACK_SHARED_BYTES,
				  .next = TRACK_CHUNK + 3 * TRACK_SLOT };
	static char bytes[TRACK_CHUNK + TRACK_SLOT];

	memcpy(bytes, &s, sizeof(s));
	snprintf(logfile, sizeof(logfile), "%s/" TRACK_SHARED, tracks);
	save_bytes(logfile, bytes, sizeof(bytes));
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "tracker missing bytes 16384");
	ck_assert_str_eq(ask("select damaged from runs"), "1");
	ck_assert_ptr_nonnull(strstr(r.damage, TRACK_SHARED));
}
END_TEST

/* Process 100 loads the tracker, and then maps logs: the first one is in the folder, the others are
 * not. Another process maps a file with the name of a log, but without the tracker. */
static void save_mappings(void)
{
	static const struct {
		uint32_t pid;
		const char *path;
	} maps[] = {
		{ PID, "/usr/lib/" TRACK_LIBRARY },  { PID, "/x/track/100-1-0.log" },
		{ PID, "/x/track/" TRACK_SHARED },   { PID, "/x/track/100-2-0.log" },
		{ PID, "/x/track/100-2-0.log" },     { PID, "/x/100-2.log" },
		{ PID + 1, "/x/track/100-3-0.log" },
	};
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &hardware, &(uint64_t){ 1 }, 1);
	for (uint32_t i = 0; i < COUNT_OF(maps); i++) {
		pd_build_begin(&b, PERF_RECORD_MMAP,
			       PERF_RECORD_MISC_USER | (i ? PERF_RECORD_MISC_MMAP_DATA : 0));
		pd_build_u32(&b, maps[i].pid);
		pd_build_u32(&b, maps[i].pid);
		pd_build_u64(&b, 0x10000 * (i + 1));
		pd_build_u64(&b, 0x1000);
		pd_build_u64(&b, 0);
		pd_build_string(&b, maps[i].path);
		pd_build_sample_id(&b, &hardware,
				   &(struct pd_sample_id){ .id = 1,
							   .pid = maps[i].pid,
							   .tid = maps[i].pid,
							   .time = 100 + i });
		pd_build_end(&b);
	}
	save(&b, 0);
	pd_build_release(&b);
}

START_TEST(logs_that_a_program_mapped_are_missing)
{
	snprintf(logfile, sizeof(logfile), "%s/100-1-0.log", tracks);
	save_log(new_log());
	save_mappings();
	import();
	ck_assert_str_eq(lost(), "tracker missing logs 2");
	ck_assert_str_eq(r.missing, "2 missing logs (tracker)");
	ck_assert_str_eq(ask("select detail like 'shared.log and 1 more: %' from losses where what "
			     "= 'missing logs'"),
			 "1");
}
END_TEST

START_TEST(forks_without_a_log_are_told)
{
	struct log_build *b = new_log();

	log_header(b)->lost_children = 3;
	save_log(b);
	save_samples(1);
	import();
	ck_assert_str_eq(lost(), "tracker forked children not tracked 3");
	ck_assert_str_eq(r.missing, "3 forked children not tracked (tracker)");
	ck_assert_str_eq(ask("select damaged from runs"), "0");
}
END_TEST

START_TEST(samples_of_no_known_event_are_told)
{
	save_samples(77);
	import();
	ck_assert_str_eq(lost(), "import samples of unknown events 4");
	ck_assert_str_eq(r.missing, "4 samples of unknown events (import)");
	ck_assert_uint_eq(r.samples, 0);
}
END_TEST

START_TEST(records_of_unknown_types_are_told)
{
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &hardware, &(uint64_t){ 1 }, 1);
	for (unsigned i = 0; i < 5; i++) {
		pd_build_begin(&b, 60, 0);
		pd_build_u64(&b, i);
		pd_build_end(&b);
	}
	save(&b, 0);
	pd_build_release(&b);
	import();
	ck_assert_str_eq(r.missing, "5 unknown records (perf)");
	ck_assert_str_eq(lost(), "perf unknown records 5");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_damage");
	TCase *t = tcase_create("damage");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, nodes_that_nothing_describes_have_rows, 0, COUNT_OF(lines));
	tcase_add_test(t, a_capture_without_its_description_is_damaged);
	tcase_add_loop_test(t, a_description_of_another_format_is_damaged, 0, 3);
	tcase_add_test(t, a_node_that_no_machine_has_is_damage);
	tcase_add_test(t, a_tracker_that_names_such_a_node);
	tcase_add_test(t, events_of_functions_that_cannot_make_them);
	tcase_add_loop_test(t, a_complete_capture_without_a_list_of_files_is_damaged, 0, 2);
	tcase_add_loop_test(t, the_logs_that_a_capture_promises_are_missing, 0, 2);
	tcase_add_test(t, the_folder_that_was_named_has_no_logs);
	tcase_add_test(t, a_capture_without_a_tracker_lacks_no_logs);
	tcase_add_test(t, a_capture_names_the_emulator_of_its_cpu);
	tcase_add_loop_test(t, caches_are_recorded_or_assumed, 0, 4);
	tcase_add_loop_test(t, inputs_of_random_bytes, 0, 3);
	tcase_add_test(t, the_shared_log_is_cut_short);
	tcase_add_test(t, logs_that_a_program_mapped_are_missing);
	tcase_add_test(t, forks_without_a_log_are_told);
	tcase_add_test(t, samples_of_no_known_event_are_told);
	tcase_add_test(t, records_of_unknown_types_are_told);
	suite_add_tcase(s, t);
	return run_suite(s);
}
