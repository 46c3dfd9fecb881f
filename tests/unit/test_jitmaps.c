/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which perf-PID.map files are copied into a capture. These files name code that is generated
 * at run time. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/jitmaps.h"

#include "check_main.h"
#include "fake_root.h"

static struct fake_root root;
static struct capture capture;
static char tmp[128];

static void setup(void)
{
	char path[128];

	fake_root_make(&root);
	snprintf(tmp, sizeof(tmp), "%s/tmp", root.dir);
	mkdir(tmp, 0700);
	snprintf(path, sizeof(path), "%s/capture", root.dir);
	ck_assert_int_eq(capture_create(&capture, path, false, NULL), 0);
}

static void teardown(void)
{
	capture_close(&capture);
	fake_root_remove(&root);
}

/* Returns the first word of the copy of perf-PID.map in the capture, or "" if there is no copy. */
static const char *copied(unsigned pid)
{
	static char word[64];
	char path[PATH_MAX + 64];
	FILE *f;

	word[0] = 0;
	snprintf(path, sizeof(path), "%s/jit/perf-%u.map", capture.dir, pid);
	f = fopen(path, "r");
	if (!f)
		return word;
	if (fscanf(f, "%63s", word) != 1)
		word[0] = 0;
	fclose(f);
	return word;
}

static void set_time(const char *name, time_t when)
{
	struct timespec t[2] = { { .tv_sec = when }, { .tv_sec = when } };
	char path[256];

	snprintf(path, sizeof(path), "%s%s", root.dir, name);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, t, 0), 0);
}

START_TEST(maps_written_since_then_are_copied)
{
	struct jitmaps none = { 0 };

	fake_root_add(&root, "/tmp/perf-17.map", "new");
	fake_root_add(&root, "/tmp/perf-18.map", "old");
	fake_root_add(&root, "/tmp/perf-19.map.bak", "other");
	fake_root_add(&root, "/tmp/perf-020.map", "other");
	fake_root_add(&root, "/tmp/perf-0.map", "other");
	set_time("/tmp/perf-17.map", 2000);
	set_time("/tmp/perf-18.map", 1000);
	ck_assert_uint_eq(jitmaps_copy(&none, tmp, 1500ull * 1000000000u, &capture), 0);
	ck_assert_str_eq(copied(17), "new");
	ck_assert_str_eq(copied(18), "");
	ck_assert_str_eq(copied(19), "");
	ck_assert_str_eq(copied(20), "");
	ck_assert_str_eq(copied(0), "");
}
END_TEST

START_TEST(what_somebody_planted_is_not_copied)
{
	struct jitmaps none = { 0 };
	char path[256];

	fake_root_add(&root, "/secret", "secret");
	snprintf(path, sizeof(path), "%s/secret", root.dir);
	ck_assert_int_eq(chdir(tmp), 0);
	ck_assert_int_eq(symlink(path, "perf-21.map"), 0);
	ck_assert_int_eq(link(path, "perf-22.map"), 0);
	/* opening a FIFO that nobody writes into must not block */
	ck_assert_int_eq(mkfifo("perf-23.map", 0600), 0);
	ck_assert_int_eq(mkdir("perf-24.map", 0700), 0);
	fake_root_add(&root, "/tmp/perf-25.map", "foreign");
	if (!geteuid())
		ck_assert_int_eq(chown("perf-25.map", 12345, 12345), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_uint_eq(jitmaps_copy(&none, tmp, 0, &capture), 0);
	for (unsigned pid = 21; pid <= 24; pid++)
		ck_assert_str_eq(copied(pid), "");
	ck_assert_str_eq(copied(25), geteuid() ? "foreign" : "");
}
END_TEST

/* A process in a mount namespace with its own /tmp writes its map there and ends. */
START_TEST(the_tmp_of_a_container_is_found_when_it_has_ended)
{
	struct jitmaps j = { 0 };
	int ready[2], go[2];
	char byte = 0;
	pid_t child;

	ck_assert(pipe(ready) == 0 && pipe(go) == 0);
	child = fork();
	if (!child) {
		FILE *f;
		char name[64];

		if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("none", "/tmp", "tmpfs", 0, NULL) || write(ready[1], &byte, 1) != 1 ||
		    read(go[0], &byte, 1) != 1)
			_exit(1);
		snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
		f = fopen(name, "w");
		fputs("contained\n", f);
		fclose(f);
		_exit(0);
	}
	close(ready[1]);
	/* nothing to test if this machine does not permit the child to make a mount namespace */
	if (read(ready[0], &byte, 1) != 1) {
		waitpid(child, NULL, 0);
		return;
	}
	/* this process has the same /tmp as the capture, so it needs no entry */
	jitmaps_see(&j, (uint32_t)getpid());
	ck_assert_uint_eq(j.n, 0);
	jitmaps_see(&j, (uint32_t)child);
	jitmaps_see(&j, (uint32_t)child);
	ck_assert_uint_eq(j.n, 1);
	ck_assert_int_eq(write(go[1], &byte, 1), 1);
	waitpid(child, NULL, 0);
	jitmaps_see(&j, (uint32_t)child); /* the process has ended */
	ck_assert_uint_eq(jitmaps_copy(&j, tmp, 0, &capture), 0);
	ck_assert_str_eq(copied((unsigned)child), "contained");
	jitmaps_release(&j);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("jitmaps");
	TCase *tc = tcase_create("jitmaps");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, maps_written_since_then_are_copied);
	tcase_add_test(tc, what_somebody_planted_is_not_copied);
	tcase_add_test(tc, the_tmp_of_a_container_is_found_when_it_has_ended);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
