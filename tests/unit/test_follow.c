/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the reader of follow.log. */
#include "tracklog/follow.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "check_main.h"

static struct fl_log *open_text(const char *text)
{
	struct md_err err = { 0 };
	struct fl_log *l;

	ck_assert_msg(!fl_open_mem(text, strlen(text), &l, &err), "%s", err.msg);
	return l;
}

static struct fl_record next(struct fl_log *l)
{
	struct fl_record r;

	ck_assert_int_eq(fl_next(l, &r, NULL), 1);
	return r;
}

START_TEST(topology_is_read)
{
	struct fl_log *l = open_text("memdb-follow\t1\n"
				     "node\t1\t0-3,8\t1000\t500\n"
				     "node\t2\t\t1000\t1000\n"
				     "distance\t1\t2\t21\n"
				     "cpu\t8\t1\t4\t-1\n"
				     "memory\t1\t100000000\t180000000\n"
				     "policy\tinterleave:0-3\n"
				     "affinity\t0-3,8\n"
				     "balancing\t1\n"
				     "page\t4096\n");
	struct fl_record r = next(l);

	ck_assert_int_eq(r.kind, FL_NODE);
	ck_assert_uint_eq(r.node, 1);
	ck_assert_str_eq(r.more, "0-3,8");
	ck_assert_uint_eq(r.bytes, 1000);
	ck_assert_uint_eq(r.free_bytes, 500);
	ck_assert_str_eq(next(l).more, "");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_DISTANCE);
	ck_assert_uint_eq(r.to, 2);
	ck_assert_uint_eq(r.distance, 21);
	r = next(l);
	ck_assert_int_eq(r.kind, FL_CPU);
	ck_assert_uint_eq(r.cpu, 8);
	ck_assert_int_eq(r.core, 4);
	ck_assert_int_eq(r.socket, -1);
	r = next(l);
	ck_assert_int_eq(r.kind, FL_MEMORY);
	ck_assert_uint_eq(r.node, 1);
	ck_assert_uint_eq(r.address, 0x100000000);
	ck_assert_uint_eq(r.end, 0x180000000);
	r = next(l);
	ck_assert_int_eq(r.kind, FL_POLICY);
	ck_assert_str_eq(r.text, "interleave:0-3");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_AFFINITY);
	ck_assert_str_eq(r.more, "0-3,8");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_BALANCING);
	ck_assert_uint_eq(r.bytes, 1);
	ck_assert_uint_eq(next(l).bytes, 4096);
	ck_assert_int_eq(fl_next(l, &r, NULL), 0);
	ck_assert_uint_eq(fl_skipped(l), 0);
	fl_close(l);
}
END_TEST

START_TEST(processes_threads_and_homes_are_read)
{
	struct fl_log *l = open_text("memdb-follow\t1\n"
				     "process\t10\t7\t1234\t1\t/bin/a\\tb\\\\c\n"
				     "thread\t11\t7\t8\twork er\t0-1\n"
				     "homes\t12\t7\t7f0000\t4096\t0x3,-,1\n"
				     "numa_maps\t13\t7\t7f0000\tbind:1\tanon=3 N1=3\n"
				     "hugepage\t14\t7\t200000\t400000\t2097152");
	struct fl_record r = next(l);

	ck_assert_int_eq(r.kind, FL_PROCESS);
	ck_assert_uint_eq(r.time, 10);
	ck_assert_uint_eq(r.pid, 7);
	ck_assert_uint_eq(r.start_ticks, 1234);
	ck_assert_uint_eq(r.ppid, 1);
	ck_assert_str_eq(r.text, "/bin/a\tb\\c");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_THREAD);
	ck_assert_uint_eq(r.tid, 8);
	ck_assert_str_eq(r.text, "work er");
	ck_assert_str_eq(r.more, "0-1");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_HOMES);
	ck_assert_uint_eq(r.address, 0x7f0000);
	ck_assert_uint_eq(r.bytes, 4096);
	ck_assert_uint_eq(r.count, 5);
	ck_assert_int_eq(r.nodes[2], 0);
	ck_assert_int_eq(r.nodes[3], -1);
	ck_assert_int_eq(r.nodes[4], 1);
	r = next(l);
	ck_assert_str_eq(r.text, "bind:1");
	ck_assert_str_eq(r.more, "anon=3 N1=3");
	r = next(l);
	ck_assert_int_eq(r.kind, FL_HUGEPAGE);
	ck_assert_uint_eq(r.end, 0x400000);
	ck_assert_int_eq(fl_next(l, &r, NULL), 0);
	fl_close(l);
}
END_TEST

START_TEST(what_is_left_is_known)
{
	struct fl_log *l = open_text("memdb-follow\t1\n"
				     "page\t4096\n"
				     "balancing\t1\n");
	struct fl_record r;

	ck_assert_uint_eq(fl_left(l), strlen("page\t4096\nbalancing\t1\n"));
	next(l);
	ck_assert_uint_eq(fl_left(l), strlen("balancing\t1\n"));
	next(l);
	ck_assert_int_eq(fl_next(l, &r, NULL), 0);
	ck_assert_uint_eq(fl_left(l), 0);
	fl_close(l);
}
END_TEST

START_TEST(other_files_are_refused)
{
	static const struct {
		const char *text;
		int code;
	} cases[] = { { "", MD_EFORMAT },
		      { "node\t1\t\t1\t1\n", MD_EFORMAT },
		      { "memdb-follow\n", MD_EFORMAT },
		      { "memdb-follow\t1\t2\n", MD_EFORMAT },
		      { "memdb-follow\t2\n", MD_ENOTSUP } };

	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		struct md_err err = { 0 };
		struct fl_log *l;

		ck_assert_int_eq(fl_open_mem(cases[i].text, strlen(cases[i].text), &l, &err),
				 cases[i].code);
		ck_assert_ptr_null(l);
		ck_assert_str_ne(err.msg, "");
	}
}
END_TEST

START_TEST(lines_without_sense_are_skipped_and_counted)
{
	static const char text[] = "memdb-follow\t1\n"
				   "unknown\t1\n"
				   "\n"
				   "page\t-1\n"
				   "page\t99999999999999999999\n"
				   "cpu\t1\t2\n"
				   "homes\t1\t2\t1000\t4096\t0x99999999999\n"
				   "homes\t1\t2\t1000\t4096\t0xx,1\n"
				   "homes\t1\t2\t1000\t4096\tq\n"
				   "page\t8192\n"
				   "page\t4\0 6\n"
				   "thread\t1\t2\t3\tcut sho";
	struct fl_record r;
	struct fl_log *l;

	ck_assert_int_eq(fl_open_mem(text, sizeof(text) - 1, &l, NULL), 0);
	ck_assert_uint_eq(next(l).bytes, 8192);
	ck_assert_int_eq(fl_next(l, &r, NULL), 0);
	ck_assert_uint_eq(fl_skipped(l), 10);
	fl_close(l);
}
END_TEST

START_TEST(every_truncation_is_read_or_refused)
{
	static const char text[] = "memdb-follow\t1\nhomes\t12\t7\t7f0000\t4096\t0x3,-,1\n"
				   "process\t10\t7\t1234\t1\t/bin/a\\tb\\\\c\n";

	for (size_t n = 0; n < sizeof(text); n++) {
		char *img = copy_exact(text, n);
		struct md_err err = { 0 };
		struct fl_record r;
		struct fl_log *l;

		if (!fl_open_mem(img, n, &l, &err)) {
			while (fl_next(l, &r, &err) == 1)
				;
			fl_close(l);
		} else {
			ck_assert_uint_lt(n, 14);
			ck_assert_str_ne(err.msg, "");
		}
		free(img);
	}
}
END_TEST

START_TEST(files_are_opened_or_named_in_the_error)
{
	char path[] = "/tmp/memdb-test-XXXXXX";
	struct md_err err = { 0 };
	struct fl_log *l;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fl_open_path(path, &l, &err), MD_EFORMAT);
	ck_assert_int_eq(write(fd, "memdb-follow\t1\npage\t1\n", 22), 22);
	ck_assert_msg(!fl_open_path(path, &l, &err), "%s", err.msg);
	ck_assert_uint_eq(next(l).bytes, 1);
	fl_close(l);
	close(fd);
	unlink(path);
	ck_assert_int_eq(fl_open_path(path, &l, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	/* opening a FIFO that nobody writes into must not block */
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(fl_open_path(path, &l, &err), MD_EFORMAT);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("follow");
	TCase *t = tcase_create("follow");

	tcase_add_test(t, topology_is_read);
	tcase_add_test(t, processes_threads_and_homes_are_read);
	tcase_add_test(t, what_is_left_is_known);
	tcase_add_test(t, other_files_are_refused);
	tcase_add_test(t, lines_without_sense_are_skipped_and_counted);
	tcase_add_test(t, every_truncation_is_read_or_refused);
	tcase_add_test(t, files_are_opened_or_named_in_the_error);
	suite_add_tcase(s, t);
	return run_suite(s);
}
