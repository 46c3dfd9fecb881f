/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how perf gets a copy of the kernel's symbols. Here, cat takes the place of perf. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kallsyms_format.h"
#include "record/capture.h"
#include "record/kernel_symbols.h"

#include "check_main.h"
#include "fake_root.h"

enum { ROOM = 64 << 20 };

static char shown[ROOM], kept[ROOM];
static struct fake_root root;

static void setup(void)
{
	fake_root_make(&root);
}

static void teardown(void)
{
	fake_root_remove(&root);
}

/* Reads a file into `text`, up to its end, and closes it. */
static void read_all(int fd, char *text)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, text + len, ROOM - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = 0;
	close(fd);
}

/* Starts `cat PATH` and returns its pid. *out is a pipe with its output. The child calls share().
 */
static pid_t start_cat(const char *path, void share(const void *), const void *what, int *out)
{
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		share(what);
		dup2(fds[1], 1);
		execlp("cat", "cat", path, NULL);
		_exit(127);
	}
	close(fds[1]);
	*out = fds[0];
	return pid;
}

/* Reads the output of cat into `shown` until its end. */
static void read_output(pid_t pid, int out)
{
	int status;

	read_all(out, shown);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

/* What a child inherits: the copy and the pipe of KALLSYMS_ENV. */
struct inherited {
	int copy, ready;
};

static void inherit(const void *what)
{
	const struct inherited *i = what;
	char value[32];

	snprintf(value, sizeof(value), "%d,%d", i->copy, i->ready);
	fcntl(i->copy, F_SETFD, 0);
	fcntl(i->ready, F_SETFD, 0);
	setenv(KALLSYMS_ENV, value, 1);
	setenv("LD_PRELOAD", KALLSYMS_BUILT, 1);
}

/* cat is started before there is anything in the copy. */
START_TEST(the_program_waits_for_the_copy)
{
	struct inherited i = { .copy = memfd_create("copy", MFD_CLOEXEC) };
	int ready[2], out;
	pid_t pid;

	ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
	i.ready = ready[0];
	pid = start_cat(KALLSYMS_PATH, inherit, &i, &out);
	ck_assert_int_eq(write(i.copy, "one\ntwo\n", 8), 8);
	close(ready[1]);
	read_output(pid, out);
	ck_assert_str_eq(shown, "one\ntwo\n");
	/* a second program begins at the start again */
	pid = start_cat(KALLSYMS_PATH, inherit, &i, &out);
	read_output(pid, out);
	ck_assert_str_eq(shown, "one\ntwo\n");
	close(i.copy);
	close(ready[0]);
}
END_TEST

START_TEST(without_a_copy_the_program_reads_the_kernels_file)
{
	struct inherited i = { .copy = memfd_create("copy", MFD_CLOEXEC) };
	int ready[2], out;
	pid_t pid;

	ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
	close(ready[1]);
	i.ready = ready[0];
	pid = start_cat(KALLSYMS_PATH, inherit, &i, &out);
	read_output(pid, out);
	ck_assert_ptr_nonnull(strstr(shown, " T "));
	/* descriptors that do not exist */
	close(i.copy);
	i = (struct inherited){ 9999, 9998 };
	pid = start_cat(KALLSYMS_PATH, inherit, &i, &out);
	read_output(pid, out);
	ck_assert_ptr_nonnull(strstr(shown, " T "));
	close(ready[0]);
}
END_TEST

START_TEST(other_files_are_what_they_are)
{
	struct inherited i = { .copy = memfd_create("copy", MFD_CLOEXEC) };
	int ready[2], out;
	pid_t pid;

	ck_assert_int_eq(pipe2(ready, O_CLOEXEC), 0);
	i.ready = ready[0];
	/* The pipe has no end yet, so this would wait for ever if it waited. */
	pid = start_cat("/proc/sys/kernel/ostype", inherit, &i, &out);
	read_output(pid, out);
	ck_assert_str_eq(shown, "Linux\n");
	close(i.copy);
	close(ready[0]);
	close(ready[1]);
}
END_TEST

static void share(const void *symbols)
{
	kernel_symbols_share(symbols);
}

/* Returns the address of a symbol in a text like that of kallsyms; 0 if it is not there. */
static uint64_t address_of(const char *text, const char *symbol)
{
	char name[64];
	const char *at;

	snprintf(name, sizeof(name), " %s\n", symbol);
	at = strstr(text, name);
	while (at && at > text && at[-1] != '\n')
		at--;
	return at ? strtoull(at, NULL, 16) : 0;
}

START_TEST(perf_gets_the_borders_of_the_kernel)
{
	struct kernel_symbols *k = kernel_symbols_start(KALLSYMS_BUILT);
	struct capture c;
	char dir[256];
	pid_t pid;
	int out, fd;

	ck_assert_ptr_nonnull(k);
	pid = start_cat(KALLSYMS_PATH, share, k, &out);
	read_output(pid, out);
	snprintf(dir, sizeof(dir), "%s/c", root.dir);
	ck_assert_int_eq(capture_create(&c, dir, false, NULL), 0);
	kernel_symbols_finish(k, &c);
	fd = openat(c.fd, "kallsyms", O_RDONLY);
	ck_assert_int_eq(fd >= 0, kernel_symbols_are_shown());
	if (fd >= 0) {
		read_all(fd, kept);
		ck_assert_uint_ne(address_of(shown, "_text"), 0);
		ck_assert_uint_eq(address_of(shown, "_text"), address_of(kept, "_text"));
		ck_assert_uint_eq(address_of(shown, "_stext"), address_of(kept, "_stext"));
		ck_assert_uint_eq(address_of(shown, "_etext"), address_of(kept, "_etext"));
		ck_assert_uint_eq(address_of(shown, "_edata"), address_of(kept, "_edata"));
		ck_assert_uint_ne(address_of(kept, "vfs_read"), 0);
		ck_assert_uint_eq(address_of(shown, "vfs_read"), 0);
	}
	capture_remove(&c, NULL);
}
END_TEST

START_TEST(nothing_is_shared_without_a_library)
{
	struct kernel_symbols *k = kernel_symbols_start(NULL);
	struct kernel_symbols *blank = kernel_symbols_start("/a b/" KALLSYMS_LIBRARY);

	kernel_symbols_share(NULL);
	kernel_symbols_share(k);
	kernel_symbols_share(blank);
	ck_assert_ptr_null(getenv(KALLSYMS_ENV));
	ck_assert_ptr_null(getenv("LD_PRELOAD"));
	kernel_symbols_finish(k, NULL);
	kernel_symbols_finish(blank, NULL);
	kernel_symbols_finish(NULL, NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kernel_symbols");
	TCase *t = tcase_create("kernel_symbols");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_program_waits_for_the_copy);
	tcase_add_test(t, without_a_copy_the_program_reads_the_kernels_file);
	tcase_add_test(t, other_files_are_what_they_are);
	tcase_add_test(t, perf_gets_the_borders_of_the_kernel);
	tcase_add_test(t, nothing_is_shared_without_a_library);
	suite_add_tcase(s, t);
	return run_suite(s);
}
