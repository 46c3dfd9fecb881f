/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the capture directory, and the check of program and output before a recording. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/owner.h"
#include "record/allocator.h"
#include "record/capture.h"
#include "record/kernel_symbols.h"
#include "record/session.h"
#include "record/target.h"

#include "check_main.h"
#include "fake_root.h"

static struct fake_root root;
static char place[128];

static const char *in_root(const char *name)
{
	snprintf(place, sizeof(place), "%s/%s", root.dir, name);
	return place;
}

static void setup(void)
{
	fake_root_make(&root);
}

static void teardown(void)
{
	fake_root_remove(&root);
}

START_TEST(a_capture_is_private)
{
	struct capture c;
	struct stat st;
	int fd;

	ck_assert_int_eq(capture_create(&c, in_root("c"), false, NULL), 0);
	ck_assert_int_eq(stat(c.dir, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	ck_assert_int_eq(fstatat(c.fd, "track", &st, 0), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	fd = capture_open(&c, "perf.log", O_WRONLY | O_EXCL);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	close(fd);
	ck_assert_int_eq(capture_remove(&c, NULL), 0);
	ck_assert_int_eq(access(in_root("c"), F_OK), -1);
}
END_TEST

START_TEST(planted_links_are_not_followed)
{
	struct capture c;

	fake_root_add(&root, "/victim", "mine");
	ck_assert_int_eq(symlink("victim", in_root("link")), 0);
	ck_assert_int_eq(capture_create(&c, in_root("link"), true, NULL), MD_EUSAGE);
	ck_assert_int_eq(capture_create(&c, in_root("c"), false, NULL), 0);
	ck_assert_int_eq(symlinkat("../victim", c.fd, "perf.log"), 0);
	ck_assert_int_eq(capture_open(&c, "perf.log", O_WRONLY | O_TRUNC), -1);
	capture_remove(&c, NULL);
	ck_assert_int_eq(access(in_root("victim"), F_OK), 0);
}
END_TEST

START_TEST(force_removes_captures_only)
{
	struct capture c;
	struct md_err err = { 0 };
	int fd;

	fake_root_add(&root, "/home/letter", "dear");
	ck_assert_int_eq(capture_create(&c, in_root("home"), true, &err), MD_EUSAGE);
	ck_assert_int_eq(access(in_root("home/letter"), F_OK), 0);
	ck_assert_int_eq(capture_create(&c, in_root("c"), false, NULL), 0);
	fd = capture_open(&c, "capture.json", O_WRONLY);
	close(fd);
	capture_close(&c);
	ck_assert_int_eq(capture_create(&c, in_root("c"), false, &err), MD_EUSAGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "--force"));
	ck_assert_int_eq(capture_create(&c, in_root("c"), true, NULL), 0);
	ck_assert_int_eq(faccessat(c.fd, "capture.json", F_OK, 0), -1);
	capture_remove(&c, NULL);
}
END_TEST

START_TEST(what_a_failed_import_left_stays)
{
	struct capture a, b;

	ck_assert_int_eq(capture_create_beside(&a, in_root("run.db"), NULL), 0);
	ck_assert_int_eq(capture_create_beside(&b, in_root("run.db"), NULL), 0);
	ck_assert_ptr_nonnull(strstr(a.dir, "/run.db.capture"));
	ck_assert_ptr_nonnull(strstr(b.dir, "/run.db.capture.2"));
	capture_remove(&a, NULL);
	capture_remove(&b, NULL);
	ck_assert_int_eq(capture_create_beside(&a, in_root("none/run.db"), NULL), MD_EIO);
}
END_TEST

START_TEST(the_vdso_is_copied)
{
	struct capture c;
	char magic[4] = "";
	struct stat st;
	int fd;

	ck_assert_int_eq(capture_create(&c, in_root("c"), false, NULL), 0);
	kernel_symbols_finish(kernel_symbols_start(NULL), &c);
	fd = openat(c.fd, "vdso.so", O_RDONLY);
	if (fd >= 0) { /* the copy of the vDSO is missing under valgrind and on a few kernels */
		ck_assert_int_eq(read(fd, magic, 4), 4);
		ck_assert_mem_eq(magic, "\177ELF", 4);
		ck_assert_int_eq(fstat(fd, &st), 0);
		ck_assert_int_gt(st.st_size, 1000);
		close(fd);
	}
	capture_remove(&c, NULL);
}
END_TEST

START_TEST(only_root_believes_sudo)
{
	unsigned uid = 0, gid = 0;

	setenv("SUDO_UID", "1234", 1);
	setenv("SUDO_GID", "x", 1);
	ck_assert(!owner_sudo_caller(&uid, &gid));
	setenv("SUDO_GID", "56", 1);
	ck_assert_int_eq(owner_sudo_caller(&uid, &gid), geteuid() == 0);
	setenv("SUDO_UID", "-1", 1);
	ck_assert(!owner_sudo_caller(&uid, &gid));
	unsetenv("SUDO_UID");
	ck_assert(!owner_sudo_caller(&uid, &gid));
}
END_TEST

START_TEST(outputs_are_checked_before)
{
	struct md_err err = { 0 };
	char program[256];

	snprintf(program, sizeof(program), "%s", in_root("app"));
	ck_assert_int_eq(session_check_output(in_root("new.db"), program, false, &err), 0);
	fake_root_add(&root, "/main.c", "int main;");
	ck_assert_int_eq(session_check_output(in_root("main.c"), program, false, &err), MD_EUSAGE);
	ck_assert_int_eq(session_check_output(in_root("main.c"), program, true, &err), 0);
	ck_assert_int_eq(session_check_output(root.dir, program, true, &err), MD_EUSAGE);
	ck_assert_int_eq(session_check_output(in_root("none/x.db"), program, true, &err),
			 MD_EUSAGE);
	ck_assert_int_eq(err.sys, ENOENT);
	ck_assert_int_eq(session_check_output("", program, true, &err), MD_EUSAGE);
}
END_TEST

START_TEST(the_program_is_not_overwritten)
{
	char program[256], name[256];
	struct md_err err = { 0 };

	fake_root_add(&root, "/app", "x");
	snprintf(program, sizeof(program), "%s", in_root("app"));
	snprintf(name, sizeof(name), "%s", in_root("run.db"));
	ck_assert_int_eq(link(program, name), 0);
	ck_assert_int_eq(session_check_output(name, program, true, &err), MD_EUSAGE);
	ck_assert_ptr_nonnull(strstr(err.msg, "it is the program"));
}
END_TEST

START_TEST(programs_are_found_as_a_shell_does)
{
	struct target t;
	struct md_err err = { 0 };
	char path[256];

	fake_root_add(&root, "/a/tool", "not executable");
	fake_root_add(&root, "/b/tool", "#! /bin/sh -e");
	chmod(in_root("b/tool"), 0700);
	snprintf(path, sizeof(path), "%s/none:%s/a:%s/b", root.dir, root.dir, root.dir);
	setenv("PATH", path, 1);
	ck_assert_int_eq(target_find("tool", &t, &err), 0);
	ck_assert_str_eq(t.path, in_root("b/tool"));
	ck_assert_str_eq(t.interpreter, "/bin/sh");
	ck_assert_int_eq(t.untracked, TARGET_TRACKED);
	ck_assert_int_eq(target_find("other", &t, &err), MD_ENOENT);
	ck_assert_int_eq(target_find("", &t, &err), MD_ENOENT);
	ck_assert_int_eq(target_find(in_root("a/tool"), &t, &err), MD_EIO);
	ck_assert_int_eq(err.sys, EACCES);
	ck_assert_int_eq(target_find(root.dir, &t, &err), MD_EIO);
	ck_assert_int_eq(err.sys, EISDIR);
	ck_assert_int_eq(target_find(in_root("a/tool/x"), &t, &err), MD_ENOENT);
	setenv("PATH", in_root("a"), 1);
	ck_assert_int_eq(target_find("tool", &t, &err), MD_EIO);
}
END_TEST

START_TEST(scripts_that_run_each_other_end)
{
	struct target t;
	char text[128];

	snprintf(text, sizeof(text), "#!%s/loop", root.dir);
	fake_root_add(&root, "/loop", text);
	chmod(in_root("loop"), 0700);
	ck_assert_int_eq(target_find(in_root("loop"), &t, NULL), 0);
}
END_TEST

START_TEST(own_program_is_tracked_and_has_no_malloc)
{
	struct target t;
	char name[64];

	ck_assert_int_eq(target_find("/proc/self/exe", &t, NULL), 0);
	ck_assert(t.is_elf);
	ck_assert_int_eq(t.untracked, TARGET_TRACKED);
#if !SANITIZED
	ck_assert_int_eq(allocator_of("/proc/self/exe", name, sizeof(name)), ALLOCATOR_LIBC);
#endif
	ck_assert_int_eq(allocator_of("/nonexistent", name, sizeof(name)), ALLOCATOR_LIBC);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("capture");
	TCase *t = tcase_create("capture");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_capture_is_private);
	tcase_add_test(t, planted_links_are_not_followed);
	tcase_add_test(t, force_removes_captures_only);
	tcase_add_test(t, what_a_failed_import_left_stays);
	tcase_add_test(t, the_vdso_is_copied);
	tcase_add_test(t, only_root_believes_sudo);
	tcase_add_test(t, outputs_are_checked_before);
	tcase_add_test(t, the_program_is_not_overwritten);
	tcase_add_test(t, programs_are_found_as_a_shell_does);
	tcase_add_test(t, scripts_that_run_each_other_end);
	tcase_add_test(t, own_program_is_tracked_and_has_no_malloc);
	suite_add_tcase(s, t);
	return run_suite(s);
}
