/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the homes (nodes) of private pages after an import: pages that the kernel only reads,
 * interleaving as the recorded kernel did it, nodes that fill up, and pages that a look (a query of
 * the recorder) finds on another node.
 */
#include "import_homes_case.h"
#include "perfdata/feature.h"
#include "tracklog_build.h"

#include <sys/stat.h>

/* If the kernel faults on a page, it may only read the page, which does not place the page. The
 * call chain would show what the kernel does, but here the kernel's functions have no symbols. */
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

static char tracks[64], logfile[80], capture[64];

static void save_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void save_capture(const char *json)
{
	snprintf(capture, sizeof(capture), "%s/capture.json", dir);
	save_file(capture, json, strlen(json));
}

/* The recording says that this kernel has no page of zeros: then a read places the page, too. */
START_TEST(without_a_page_of_zeros_a_read_is_a_first_touch)
{
	begin();
	map_private();
	sample(1, PID, 1000, PRIVATE, 1, 0, true);
	sample(1, PID, 1001, PRIVATE + PAGE, 1, 0x8000000, false);
	sample(1, PID, 1002, PRIVATE + 2 * PAGE, 1, 0, true);
	load(PID, 2000, PRIVATE, 0);
	save_capture("{\"format\": 1, \"zero_page\": false}");
	end_and_import("");
	unlink(capture);
	ck_assert_str_eq(ask(faults), "1000 1 first-touch 1\n"
				      "1001 2 physical 1\n"
				      "1002 1 first-touch 1");
	ck_assert_str_eq(ask(loads), "2000 1 first-touch");
}
END_TEST

/* Writes the header feature OSRELEASE, which contains the version of the recorded kernel. */
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

/* According to follow.log, the kernel placed a page of node 0 on another node between 2000 and
 * 4000. So each page that a thread on node 0 touches in this time may be on another node. The
 * second query of the counter lasts until 4100. After the third one, nothing is known of node 2. */
START_TEST(a_page_of_a_full_node_is_not_predicted)
{
	begin();
	map_private();
	fault(PID, 1000, PRIVATE, 0);
	fault(PID, 3000, PRIVATE + PAGE, 0);
	fault(PID, 3001, PRIVATE + 2 * PAGE, 1);
	fault(PID, 4099, PRIVATE + 4 * PAGE, 0);
	fault(PID, 4101, PRIVATE + 5 * PAGE, 0);
	load(PID, 8000, PRIVATE + PAGE, 0);
	fault(PID, 9000001, PRIVATE + 6 * PAGE, 2);
	end_and_import_full("foreign\t2000\t0\t0\t100\nforeign\t4000\t0\t1\t100\n"
			    "homes\t7500\t10\t10001000\t4096\t2\n",
			    1);
	ck_assert_str_eq(ask(faults), "1000 0 first-touch 1\n"
				      "3000 - unknown 1\n"
				      "3001 1 first-touch 1\n"
				      "4099 - unknown 1\n"
				      "4101 0 first-touch 1\n"
				      "9000001 - unknown 1");
	ck_assert_str_eq(ask(loads), "8000 2 page");
	ck_assert_str_eq(ask("select count, detail like '%full%' from losses "
			     "where what = 'page faults without a home' order by id"),
			 "2 1\n1 0");
}
END_TEST

/* Small pages may have become a huge page since the recorder last queried their nodes. A line of
 * follow.log reports this, for one process or for all (0). This line comes after the lines of the
 * next query. */
START_TEST(what_may_have_become_huge_since_the_look_before_has_no_home)
{
	const int of[] = { PID, 0 };
	char told[64];

	begin();
	map_private();
	fault(PID, 2500, PRIVATE, 0);
	fault(PID, 2501, PRIVATE + PAGE, 1);
	load(PID, 3000, PRIVATE, 0);
	snprintf(told, sizeof(told), "collapse\t4001\t%d\t2000\n", of[_i]);
	end_and_import(told);
	ck_assert_str_eq(ask(loads), "3000 - unknown");
}
END_TEST

/* The recorder finds a page on a different node than before. The time of the move is unknown. So
 * the page has no home between the last look (query) that found it on the old node and the look
 * that found it on the new node. */
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

/* Returns the beginning of a log of this process, whose time is 2000. */
static struct log_build *new_log(uint32_t pid)
{
	struct log_build *b = log_new();

	log_header(b)->pid = pid;
	log_chunk(b, 0, 0, pid);
	log_time(b, 2000);
	return b;
}

/* Writes a capture.json and this log, and frees the log. */
static void save_log(struct log_build *b)
{
	snprintf(tracks, sizeof(tracks), "%s/track", dir);
	snprintf(logfile, sizeof(logfile), "%s/%u.1.0.log", tracks, log_header(b)->pid);
	ck_assert_int_eq(mkdir(tracks, 0700), 0);
	save_file(logfile, b->words, log_size(b));
	save_capture("{}");
	free(b);
}

static void remove_log(void)
{
	unlink(logfile);
	rmdir(tracks);
	unlink(capture);
}

/* malloc does not return a page with a live block to the kernel. So a second fault on the page
 * means that the page was moved. */
START_TEST(a_block_keeps_its_pages)
{
	struct log_build *b;

	begin();
	map_private();
	fault(PID, 3000, PRIVATE, 0);
	fault(PID, 4000, PRIVATE, 0);
	b = new_log(PID);
	log_malloc(b, 2, PRIVATE, PAGE);
	save_log(b);
	end_and_import("balancing\t0\n");
	remove_log();
	ck_assert_str_eq(ask("select time, first from page_faults order by id"), "3000 1\n4000 0");
}
END_TEST

/* Between two blocks, malloc may return a page to the kernel and get a new one. The fault of the
 * new page may be missing if page faults were not recorded for a while. */
START_TEST(pages_of_a_block_that_malloc_may_have_replaced_unseen_have_no_home)
{
	static const char *const storms[] = { "", ", \"begin_ns\": 2500, \"end_ns\": 2800",
					      ", \"begin_ns\": 3100, \"end_ns\": 3200",
					      ", \"begin_ns\": 4500, \"end_ns\": 4800" };
	static const char *const first[] = { "1 1", "- -", "- -", "1 1" };
	static const char *const second[] = { "1 1", "1 1", "- -", "1 1" };
	struct log_build *b;
	char storm[128], expected[128];

	begin();
	map_private();
	b = new_log(PID); /* begins at 2000 */
	log_malloc(b, 10, PRIVATE, 4 * PAGE);
	fault(PID, 2100, PRIVATE + PAGE, 1);
	log_free(b, 200, PRIVATE);
	log_malloc(b, 850, PRIVATE, 4 * PAGE);
	fault(PID, 2900, PRIVATE + 2 * PAGE, 1);
	log_free(b, 950, PRIVATE);
	log_malloc(b, 1000, PRIVATE, 4 * PAGE);
	fault(PID, 3300, PRIVATE + 3 * PAGE, 1);
	for (int i = 1; i <= 3; i++)
		load(PID, 4000, PRIVATE + i * PAGE, 0);
	save_log(b);
	snprintf(storm, sizeof(storm),
		 "{\"format\": 1, \"storm\": {\"ns\": 300, \"processes\": 9%s}}", storms[_i]);
	save_capture(storm);
	end_and_import("balancing\t0\n");
	remove_log();
	snprintf(expected, sizeof(expected), "%s\n%s\n1 0", first[_i], second[_i]);
	ck_assert_str_eq(ask("select home_node_id, reused from samples order by id"), expected);
}
END_TEST

/* OTHER moves a page of PID by a call that begins at time 2000. At 2200 the recorder finds the page
 * not yet moved. At 2400, after the call, the tracker of OTHER records where the page is. */
START_TEST(another_process_tells_where_it_moved_a_page)
{
	const int32_t node = 1;
	const uint64_t nodes = 2;
	struct track_event call = {
		.ticks = 2000, .address = PRIVATE, .size = PAGE, .subject = PID, .extra = 1
	};
	struct track_event homes = { .ticks = 2400,
				     .address = PRIVATE,
				     .size = PAGE,
				     .subject = PID,
				     .mode = PAGE,
				     .extra = 1 };
	struct log_build *b = new_log(OTHER);

	begin();
	map_private();
	fault(PID, 1000, PRIVATE, 0);
	load(PID, 1500, PRIVATE, 0);
	load(PID, 2300, PRIVATE, 0);
	load(PID, 2500, PRIVATE, 0);
	log_long_event(b, TL_POLICY, TL_FN_MOVE_PAGES, &call, &nodes, sizeof(nodes));
	log_long_event(b, TL_HOMES, TL_FN_NONE, &homes, &node, sizeof(node));
	save_log(b);
	end_and_import("homes\t2200\t10\t10000000\t4096\t0\t10\n");
	remove_log();
	ck_assert_str_eq(ask(loads), "1500 0 first-touch\n2300 - unknown\n2500 1 page");
	ck_assert_str_eq(
		ask("select p.pid, h.node_id, h.source from page_homes h join processes p on "
		    "p.id = h.process_id order by h.id"),
		"10 0 follower\n10 1 tracker");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("import_homes");
	TCase *t = tcase_create("import_homes");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_test(t, what_the_kernel_reads_first_is_no_first_touch);
	tcase_add_test(t, without_a_page_of_zeros_a_read_is_a_first_touch);
	tcase_add_loop_test(t, pages_are_interleaved_as_the_recordings_kernel_does_it, 0, 3);
	tcase_add_test(t, a_page_of_a_full_node_is_not_predicted);
	tcase_add_loop_test(t, what_may_have_become_huge_since_the_look_before_has_no_home, 0, 2);
	tcase_add_test(t, a_page_that_is_found_elsewhere_had_no_home_since_it_was_seen);
	tcase_add_test(t, another_page_at_the_address_has_not_moved);
	tcase_add_test(t, a_block_keeps_its_pages);
	tcase_add_loop_test(t, pages_of_a_block_that_malloc_may_have_replaced_unseen_have_no_home,
			    0, 4);
	tcase_add_test(t, another_process_tells_where_it_moved_a_page);
	suite_add_tcase(s, t);
	return run_suite(s);
}
