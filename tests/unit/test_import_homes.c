/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the homes of pages in complete imports: memory that processes share, pages that the
 * kernel only reads, interleaving as the recorded kernel did it, nodes that fill up, and pages
 * that a look finds on another node. Each node has one CPU with the same number. There are no
 * page faults except those that a test writes.
 */
#include "import/import.h"

#include "import_case.h"
#include "perfdata/feature.h"
#include "tracklog_build.h"

#include <sys/mman.h>
#include <sys/stat.h>

enum { PID = 10, OTHER = 11, PAGE = 4096 };

#define PRIVATE UINT64_C(0x10000000)
#define SHARED  UINT64_C(0x20000000)
#define KERNEL  UINT64_C(0xffffffff81000000)

static const char machine[] = "memdb-follow\t1\n"
			      "page\t4096\n"
			      "node\t0\t0\t100000000\t90000000\t0\n"
			      "node\t1\t1\t100000000\t90000000\t0\n"
			      "node\t2\t2\t100000000\t90000000\t0\n"
			      "cpu\t0\t0\t0\t0\ncpu\t1\t1\t0\t1\ncpu\t2\t2\t0\t2\n"
			      "memory\t2\t8000000\t10000000\n";

/* Returns the attribute of an event: 1 is minor faults, 2 major faults, 3 hardware samples with
 * addresses. */
static struct perf_event_attr attr_of(int event)
{
	struct perf_event_attr a = {
		.type = event == 3 ? PERF_TYPE_RAW : PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = event == 3   ? 0x1cd
			  : event == 2 ? PERF_COUNT_SW_PAGE_FAULTS_MAJ
				       : PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = 1, /* CLOCK_MONOTONIC */
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			       (event == 3 ? 0 : PERF_SAMPLE_PHYS_ADDR),
	};

	return a;
}

static struct pd_build image;

static void begin(void)
{
	pd_build_init(&image, false, false);
	for (int event = 1; event <= 3; event++) {
		struct perf_event_attr a = attr_of(event);
		uint64_t id = (uint64_t)event;

		pd_build_event(&image, &a, &id, 1);
	}
}

struct map {
	uint32_t pid;
	uint64_t start, bytes, pgoff;
	uint64_t inode;
	uint32_t minor; /* minor number of the file's device */
	uint64_t time;  /* when the mapping is made; 0 means time 100 */
	bool shared;
	const char *path;
};

static void map(const struct map *m)
{
	struct pd_sample_id id = {
		.pid = m->pid, .tid = m->pid, .time = m->time ? m->time : 100, .id = 1
	};
	struct perf_event_attr a = attr_of(1);

	pd_build_begin(&image, PERF_RECORD_MMAP2,
		       PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	pd_build_u32(&image, m->pid);
	pd_build_u32(&image, m->pid);
	pd_build_u64(&image, m->start);
	pd_build_u64(&image, m->bytes);
	pd_build_u64(&image, m->pgoff);
	pd_build_u32(&image, 0);
	pd_build_u32(&image, m->minor);
	pd_build_u64(&image, m->inode);
	pd_build_u64(&image, 0);
	pd_build_u32(&image, PROT_READ | PROT_WRITE);
	pd_build_u32(&image, m->shared ? MAP_SHARED : MAP_PRIVATE);
	pd_build_string(&image, m->path);
	pd_build_sample_id(&image, &a, &id);
	pd_build_end(&image);
}

static void map_private(void)
{
	map(&(struct map){ .pid = PID,
			   .start = PRIVATE,
			   .bytes = 1 << 20,
			   .pgoff = PRIVATE,
			   .path = "//anon" });
}

/* Maps one file in two processes. The mapping of the second process begins at the file's second
 * page. */
static void map_shared(const char *path, uint64_t inode)
{
	struct map m = { .start = SHARED,
			 .bytes = 1 << 20,
			 .inode = inode,
			 .minor = 1,
			 .shared = true,
			 .path = path };

	m.pid = PID;
	map(&m);
	m.pid = OTHER;
	m.pgoff = PAGE;
	map(&m);
}

static void sample(int event, uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu,
		   uint64_t physical, bool kernel)
{
	struct perf_event_attr a = attr_of(event);
	struct pd_sample s = {
		.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = (uint64_t)event,
		.ip = kernel ? KERNEL : 0x400010,
		.pid = pid,
		.tid = pid,
		.time = time,
		.addr = address,
		.cpu = cpu,
		.phys_addr = physical,
	};

	pd_build_sample(&image, &a, &s);
}

static void fault(uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu)
{
	sample(1, pid, time, address, cpu, 0, false);
}

static void load(uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu)
{
	sample(3, pid, time, address, cpu, 0, false);
}

static void end_and_import(const char *told)
{
	struct import_options o = { .input = dir, .output = output };
	struct md_err err = { 0 };
	struct import_result r;
	char log[2048];

	save(&image, 0);
	pd_build_release(&image);
	snprintf(log, sizeof(log), "%s%s", machine, told);
	save_follow(log);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

static const char faults[] = "select f.time, f.home_node_id, s.name, f.first from page_faults f "
			     "left join home_sources s on s.id = f.home_source order by f.id";
static const char loads[] = "select f.time, f.home_node_id, s.name from samples f "
			    "left join home_sources s on s.id = f.home_source order by f.id";

/* Two processes share memory that is mapped at different addresses. The second process counts as
 * the first to touch a page only if the first process did not touch it. */
START_TEST(shared_memory_has_one_home_for_all)
{
	static const char *const paths[] = { "/dev/zero (deleted)", "/memfd:x (deleted)",
					     "/SYSV00000000 (deleted)", "/dev/shm/x" };

	begin();
	/* inode numbers of System V segments count from 0 */
	map_shared(paths[_i], _i == 2 ? 0 : 77);
	fault(PID, 1000, SHARED + PAGE, 1);
	fault(OTHER, 5000000, SHARED, 2);
	fault(OTHER, 5000001, SHARED + PAGE, 2);
	load(OTHER, 5000002, SHARED, 2);
	load(PID, 5000003, SHARED + 2 * PAGE, 0);
	load(PID, 5000004, SHARED + 5 * PAGE, 0);
	end_and_import("");
	ck_assert_str_eq(ask(faults), "1000 1 first-touch 1\n"
				      "5000000 1 first-touch 0\n"
				      "5000001 2 first-touch 1");
	ck_assert_str_eq(ask(loads), "5000002 1 first-touch\n"
				     "5000003 2 first-touch\n"
				     "5000004 - unknown");
}
END_TEST

/* Without the tracker, shared memory is told apart by its file, not by its name. */
START_TEST(untracked_shared_memory_is_one_object_for_each_file)
{
	struct map m = {
		.bytes = 1 << 20, .minor = 1, .shared = true, .path = "/memfd:buffer (deleted)"
	};

	begin();
	map_shared(m.path, 77); /* PID maps it from its start, OTHER from its second page on */
	m.pid = OTHER;
	m.start = 2 * SHARED;
	m.inode = 78;
	map(&m);
	m.start = 3 * SHARED;
	m.inode = 79;
	m.pgoff = 0x7ffffffffffff000; /* no file is so large; a damaged recording may say it */
	map(&m);
	load(OTHER, 1000, SHARED + 8, 0);
	load(PID, 1001, SHARED + PAGE + 8, 0);
	load(OTHER, 1002, 2 * SHARED + PAGE + 8, 0);
	load(OTHER, 1003, 3 * SHARED, 0);
	end_and_import("");
	ck_assert_str_eq(ask("SELECT o.id = first_value(o.id) OVER (ORDER BY s.id), object_offset, "
			     "size_bytes, o.name FROM samples s JOIN objects o ON o.id = object_id "
			     "ORDER BY s.id"),
			 "1 4104 1052672 /memfd:buffer (deleted)\n"
			 "1 4104 1052672 /memfd:buffer (deleted)\n"
			 "0 4104 1048576 /memfd:buffer (deleted)\n"
			 "0 0 1048576 /memfd:buffer (deleted)");
}
END_TEST

/* The page cache may contain pages of a file before the recording begins, so a fault does not
 * say who placed them. */
START_TEST(a_file_of_a_disk_may_have_its_pages)
{
	begin();
	map_shared("/data/matrix", 77);
	fault(PID, 1000, SHARED, 1);
	sample(2, PID, 1001, SHARED + PAGE, 1, 0, false);
	sample(1, PID, 1002, SHARED + 2 * PAGE, 1, 0x8000000, false);
	load(OTHER, 2000, SHARED, 2);
	load(OTHER, 2001, SHARED + PAGE, 2);
	end_and_import("");
	ck_assert_str_eq(ask(faults), "1000 - unknown 0\n"
				      "1001 1 first-touch 1\n"
				      "1002 2 physical 0");
	ck_assert_str_eq(ask(loads), "2000 1 first-touch\n2001 2 first-touch");
}
END_TEST

/* The recorder asks for the nodes of one process's pages and finds one absent. The page may still
 * be in memory for another process. */
START_TEST(looks_at_shared_memory_are_of_all_processes)
{
	begin();
	map_shared("/dev/zero (deleted)", 77);
	load(PID, 2000, SHARED + PAGE, 1);
	load(PID, 4000, SHARED + PAGE, 1);
	load(PID, 4001, SHARED + 2 * PAGE, 1);
	end_and_import("homes\t1000\t11\t20000000\t4096\t2,0\n"
		       "homes\t3000\t10\t20000000\t4096\t-x2,1\n");
	ck_assert_str_eq(ask(loads), "2000 2 page\n4000 2 page\n4001 1 page");
}
END_TEST

/* Pages of a shared file move. Another mapping hides one of them in a process: memory at its
 * address has not moved. */
START_TEST(what_hides_a_page_that_moved_has_not_moved)
{
	begin();
	map_shared("/dev/zero (deleted)", 77);
	map(&(struct map){ .pid = PID,
			   .start = SHARED + PAGE,
			   .bytes = PAGE,
			   .pgoff = SHARED + PAGE,
			   .time = 1200,
			   .path = "//anon" });
	fault(PID, 1300, SHARED + PAGE, 0);
	load(PID, 2500, SHARED + PAGE, 0);
	load(PID, 2501, SHARED + 2 * PAGE, 0);
	end_and_import("homes\t2000\t11\t20000000\t4096\t0,0\n"
		       "homes\t3000\t11\t20000000\t4096\t1,1\n");
	ck_assert_str_eq(ask(loads), "2500 0 first-touch\n2501 - unknown");
}
END_TEST

/* A fault inside the kernel may be only a read, which does not place the page. The call chain
 * would say whether it was, but here the kernel's functions have no symbols. */
START_TEST(what_the_kernel_reads_first_is_no_first_touch)
{
	begin();
	map_private();
	/* this fault may be only a read, which does not place the page */
	sample(1, PID, 1000, PRIVATE, 1, 0, true);
	sample(1, PID, 1001, PRIVATE + PAGE, 1, 0x8000000, true);
	/* this fault, too, may be only a read, so the next fault is the first touch */
	sample(1, PID, 1002, PRIVATE + 2 * PAGE, 1, 0, true);
	sample(1, PID, 1003, PRIVATE + 2 * PAGE, 0, 0x8001000, false);
	load(PID, 2000, PRIVATE, 1);
	load(PID, 2001, PRIVATE + 2 * PAGE, 1);
	end_and_import("");
	ck_assert_str_eq(ask(faults), "1000 - unknown 1\n"
				      "1001 2 physical 1\n"
				      "1002 - unknown 0\n"
				      "1003 2 physical 1");
	ck_assert_str_eq(ask(loads), "2000 - unknown\n2001 2 first-touch");
}
END_TEST

/* Writes the header feature OSRELEASE, which says the version of the recorded kernel. */
static void recorded_by(const char *release)
{
	struct pd_bytes o = { 0 };

	pd_bytes_string(&image, &o, release);
	pd_build_feature(&image, 4, o.p, o.len);
	free(o.p);
}

/* Mappings at 0x7f…, interleaved over three nodes. Kernels differ in whether the upper bits of
 * the page number decide the node. */
START_TEST(pages_are_interleaved_as_the_recordings_kernel_does_it)
{
	static const char *const kernels[] = { "6.1.0-50-cloud-amd64", "6.12.1", "?" };
	const uint64_t start = UINT64_C(0x7f0000000000), number = (start + PAGE) / PAGE;
	char expected[200];

	begin();
	recorded_by(kernels[_i]);
	map(&(struct map){ .pid = PID,
			   .start = start,
			   .bytes = 1 << 20,
			   /* mremap() has moved this mapping, so its offset is not its address */
			   .pgoff = start + PAGE,
			   .path = "//anon" });
	map(&(struct map){ /* an offset of 0 is unknown, so the node of its pages is unknown */
			   .pid = PID,
			   .start = PRIVATE,
			   .bytes = 1 << 20,
			   .path = "//anon" });
	map_shared("/dev/zero (deleted)", UINT64_C(0x100000001));
	fault(PID, 1000, start, 0);
	fault(PID, 1001, SHARED + 3 * PAGE, 0);
	fault(PID, 1002, PRIVATE, 0);
	end_and_import("policy\tinterleave:0-2\n");
	ck_assert_uint_ne(number % 3, (uint32_t)number % 3);
	if (_i == 2)
		snprintf(expected, sizeof(expected),
			 "1000 - unknown 1\n1001 - unknown 1\n1002 - unknown 1");
	else
		snprintf(expected, sizeof(expected),
			 "1000 %d first-touch 1\n1001 %d first-touch 1\n1002 - unknown 1",
			 (int)((_i ? number : (uint32_t)number) % 3),
			 (int)((_i ? UINT64_C(0x100000004) : 4) % 3));
	ck_assert_str_eq(ask(faults), expected);
}
END_TEST

/* According to follow.log, node 0 has room for one more page at time 2000, and is full at 6000. A
 * page that a thread on node 0 touches then may be on another node. */
START_TEST(a_node_that_is_nearly_full_is_not_predicted)
{
	begin();
	map_private();
	fault(PID, 1000, PRIVATE, 0);
	fault(PID, 3000, PRIVATE + PAGE, 0);
	fault(PID, 3001, PRIVATE + 2 * PAGE, 0);
	fault(PID, 3002, PRIVATE + 3 * PAGE, 1);
	fault(PID, 5000, PRIVATE + 4 * PAGE, 0);
	fault(PID, 7000, PRIVATE + 5 * PAGE, 0);
	load(PID, 8000, PRIVATE + 2 * PAGE, 0);
	end_and_import("free\t2000\t0\t3129196\nfree\t2000\t1\t90000000\n"
		       "free\t4000\t0\t90000000\nfree\t6000\t0\t0\n"
		       "homes\t7500\t10\t10002000\t4096\t2\n");
	ck_assert_str_eq(ask(faults), "1000 0 first-touch 1\n"
				      "3000 0 first-touch 1\n"
				      "3001 - unknown 1\n"
				      "3002 1 first-touch 1\n"
				      "5000 - unknown 1\n"
				      "7000 - unknown 1");
	ck_assert_str_eq(ask(loads), "8000 2 page");
}
END_TEST

/* Small pages may have become a huge page since the recorder last asked for their nodes. follow.log
 * reports this only after the lines of the next answer. */
START_TEST(what_may_have_become_huge_since_the_look_before_has_no_home)
{
	begin();
	map_private();
	fault(PID, 2500, PRIVATE, 0);
	fault(PID, 2501, PRIVATE + PAGE, 1);
	load(PID, 3000, PRIVATE, 0);
	end_and_import("free\t2000\t0\t90000000\n"
		       "free\t4000\t0\t90000000\ncollapse\t4001\t10\t2000\n");
	ck_assert_str_eq(ask(loads), "3000 - unknown");
}
END_TEST

/* The recorder finds a page on another node than before. When it moved is unknown, so it has no
 * home from the last time it was seen on the old node until then. */
START_TEST(a_page_that_is_found_elsewhere_had_no_home_since_it_was_seen)
{
	begin();
	map_private();
	fault(PID, 1000, PRIVATE, 0);
	fault(PID, 1001, PRIVATE + PAGE, 0);
	sample(1, PID, 1002, PRIVATE + 2 * PAGE, 0, 0x8000000, false);
	load(PID, 1500, PRIVATE, 0);
	load(PID, 1501, PRIVATE + PAGE, 0);
	load(PID, 1502, PRIVATE + 2 * PAGE, 0);
	load(PID, 2500, PRIVATE, 0);
	load(PID, 2501, PRIVATE + PAGE, 0);
	load(PID, 3050, PRIVATE + PAGE, 0);
	load(PID, 3500, PRIVATE, 0);
	load(PID, 3501, PRIVATE + PAGE, 0);
	end_and_import("homes\t2000\t10\t10000000\t4096\t0x3\t10\n"
		       "homes\t3000\t10\t10000000\t4096\t0,1,1\t100\n");
	ck_assert_str_eq(ask(faults), "1000 0 first-touch 1\n"
				      "1001 0 first-touch 1\n"
				      "1002 2 physical 1");
	ck_assert_str_eq(ask(loads), "1500 0 first-touch\n"
				     "1501 0 first-touch\n"
				     "1502 - unknown\n"
				     "2500 0 page\n"
				     "2501 - unknown\n"
				     "3050 - unknown\n"
				     "3500 0 page\n"
				     "3501 1 page");
	ck_assert_str_eq(
		ask("select home_node_id, sum(samples) from sample_cells c join access_kinds k "
		    "on k.id = c.kind_id group by 1 order by 1"),
		"- 3\n0 4\n1 1");
}
END_TEST

/* The second mapping replaces the first, so the page that the recorder finds is not the page that
 * faulted before. Nothing has moved. */
START_TEST(another_page_at_the_address_has_not_moved)
{
	struct map m = {
		.pid = PID, .start = PRIVATE, .bytes = 1 << 20, .pgoff = PRIVATE, .path = "//anon"
	};

	begin();
	map(&m);
	fault(PID, 1000, PRIVATE, 0);
	load(PID, 1500, PRIVATE, 0);
	m.time = 1700;
	map(&m);
	load(PID, 2500, PRIVATE, 0);
	end_and_import("homes\t2000\t10\t10000000\t4096\t1\t10\n");
	ck_assert_str_eq(ask(loads), "1500 0 first-touch\n2500 1 page");
}
END_TEST

static char tracks[64], logfile[80], capture[64];

static void save_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* Writes a capture.json and a tracker's log in which PID has one block of malloc, from time 2002
 * on. */
static void save_block(uint64_t address, uint64_t bytes)
{
	struct log_build *b = log_new();

	log_header(b)->pid = PID;
	log_chunk(b, 0, 0, PID);
	log_time(b, 2000);
	log_malloc(b, 2, address, bytes);
	snprintf(tracks, sizeof(tracks), "%s/track", dir);
	snprintf(logfile, sizeof(logfile), "%s/%d.1.0.log", tracks, PID);
	snprintf(capture, sizeof(capture), "%s/capture.json", dir);
	ck_assert_int_eq(mkdir(tracks, 0700), 0);
	save_file(logfile, b->words, log_size(b));
	save_file(capture, "{}", 2);
	free(b);
}

static void remove_block(void)
{
	unlink(logfile);
	rmdir(tracks);
	unlink(capture);
}

/* malloc does not return a page with a live block to the kernel. So a second fault on the page
 * means that the page was moved. */
START_TEST(a_block_keeps_its_pages)
{
	begin();
	map_private();
	fault(PID, 3000, PRIVATE, 0);
	fault(PID, 4000, PRIVATE, 0);
	save_block(PRIVATE, PAGE);
	end_and_import("balancing\t0\n");
	remove_block();
	ck_assert_str_eq(ask("select time, first from page_faults order by id"), "3000 1\n4000 0");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_homes");
	TCase *t = tcase_create("import_homes");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_loop_test(t, shared_memory_has_one_home_for_all, 0, 4);
	tcase_add_test(t, a_file_of_a_disk_may_have_its_pages);
	tcase_add_test(t, untracked_shared_memory_is_one_object_for_each_file);
	tcase_add_test(t, looks_at_shared_memory_are_of_all_processes);
	tcase_add_test(t, what_hides_a_page_that_moved_has_not_moved);
	tcase_add_test(t, what_the_kernel_reads_first_is_no_first_touch);
	tcase_add_loop_test(t, pages_are_interleaved_as_the_recordings_kernel_does_it, 0, 3);
	tcase_add_test(t, a_node_that_is_nearly_full_is_not_predicted);
	tcase_add_test(t, what_may_have_become_huge_since_the_look_before_has_no_home);
	tcase_add_test(t, a_page_that_is_found_elsewhere_had_no_home_since_it_was_seen);
	tcase_add_test(t, another_page_at_the_address_has_not_moved);
	tcase_add_test(t, a_block_keeps_its_pages);
	suite_add_tcase(s, t);
	return run_suite(s);
}
