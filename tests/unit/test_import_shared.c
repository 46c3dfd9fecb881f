/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the homes (nodes) of memory that processes share, after an import. */
#include "import_homes_case.h"

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

/* Without the tracker, shared memory is identified by its file, not by its name. */
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
	m.pgoff = 0x7ffffffffffff000; /* no file is so large; a damaged recording may claim it */
	map(&m);
	load(OTHER, 1000, SHARED + 8, 0);
	load(PID, 1001, SHARED + PAGE + 8, 0);
	load(OTHER, 1002, 2 * SHARED + PAGE + 8, 0);
	load(OTHER, 1003, 3 * SHARED, 0);
	end_and_import("");
	ck_assert_str_eq(ask("SELECT o.id = first_value(o.id) OVER (ORDER BY s.id), object_offset, "
			     "size_bytes, o.name FROM samples s JOIN objects o ON o.id = object_id "
			     "ORDER BY s.id"),
			 "1 4104 1052672 memfd:buffer\n"
			 "1 4104 1052672 memfd:buffer\n"
			 "0 4104 1048576 memfd:buffer\n"
			 "0 0 1048576 memfd:buffer");
}
END_TEST

/* The page cache may contain pages of a file before the recording begins, so a fault does not show
 * who placed them. */
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

/* The recorder queries the nodes of one process's pages and finds one absent. The page may still be
 * in memory for another process. */
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

/* Pages of a shared file move. In one process, another mapping hides such a page; the memory at
 * that address has not moved. */
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

int main(void)
{
	Suite *s = suite_create("import_shared");
	TCase *t = tcase_create("import_shared");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_loop_test(t, shared_memory_has_one_home_for_all, 0, 4);
	tcase_add_test(t, a_file_of_a_disk_may_have_its_pages);
	tcase_add_test(t, untracked_shared_memory_is_one_object_for_each_file);
	tcase_add_test(t, looks_at_shared_memory_are_of_all_processes);
	tcase_add_test(t, what_hides_a_page_that_moved_has_not_moved);
	suite_add_tcase(s, t);
	return run_suite(s);
}
