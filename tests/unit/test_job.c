/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the messages that memdb passes through perf to exec-target, which becomes the recorded
 * program. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "record/job.h"

#include "check_main.h"

static void make_job(struct job *j)
{
	ck_assert_int_eq(job_init(j, NULL), 0);
	words_set_env(&j->env, "MEMDB_TEST", "two\nlines");
	words_add(&j->path, "/bin/sh");
}

START_TEST(a_job_arrives_as_it_was_sent)
{
	struct job a, b;
	int extra = dup(0), fd;

	make_job(&a);
	a.wait_all = true;
	sigaddset(&a.ignored, SIGUSR1);
	fd = job_send(&a, NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(job_receive(fd, &b, NULL), 0);
	ck_assert_uint_eq(a.env.n, b.env.n);
	for (size_t i = 0; i < a.env.n; i++)
		ck_assert_str_eq(a.env.v[i], b.env.v[i]);
	ck_assert_str_eq(b.path.v[0], "/bin/sh");
	ck_assert(b.wait_all);
	ck_assert_int_eq(sigismember(&b.ignored, SIGUSR1), 1);
	ck_assert_uint_eq(a.nkeep, b.nkeep);
	ck_assert(b.keep[extra / 64] >> extra % 64 & 1);
	ck_assert_mem_eq(a.limits, b.limits, sizeof(a.limits));
	close(fd);
	close(extra);
	job_release(&a);
	job_release(&b);
}
END_TEST

START_TEST(every_truncation_is_an_error)
{
	struct job a, b;
	off_t size;
	int fd;

	make_job(&a);
	fd = job_send(&a, NULL);
	size = lseek(fd, 0, SEEK_END);
	for (off_t n = size - 1; n >= 0; n--) {
		ck_assert_int_eq(ftruncate(fd, n), 0);
		ck_assert_int_eq(job_receive(fd, &b, NULL), MD_EFORMAT);
		job_release(&b);
	}
	close(fd);
	ck_assert_int_eq(job_receive(fd, &b, NULL), MD_EFORMAT);
	job_release(&a);
}
END_TEST

/* Runs argv in a child as exec-target does. Stores the status messages in st[]. Returns the
 * child's exit code. */
static int run(struct job *j, char **argv, struct job_status st[2])
{
	int fds[2], status, n = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	j->status_fd = fds[1];
	pid = fork();
	if (!pid)
		_exit(job_run(j, argv));
	close(fds[1]);
	while (n < 2 && read(fds[0], &st[n], sizeof(st[n])) == sizeof(st[n]))
		n++;
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(st[0].waiter, pid);
	return WEXITSTATUS(status);
}

/* A shell command, and the exit code or signal with which it ends. */
static const struct {
	const char *command;
	int code, signal;
} ends[] = {
	{ "exit 0", 0, 0 },
	{ "exit 3", 3, 0 },
	{ "exit 255", 255, 0 },
	{ "kill -SEGV $$", 0, SIGSEGV },
	{ "kill -KILL $$", 0, SIGKILL },
	{ "kill -ABRT $$", 0, SIGABRT },
	{ "kill -TERM $$", 0, SIGTERM },
};

START_TEST(the_end_is_reported)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)ends[_i].command, NULL };
	struct job_status st[2] = { 0 };
	struct rlimit none = { 0, 0 };
	struct job j;
	int code;

	make_job(&j);
	j.limits[RLIMIT_CORE] = none;
	code = run(&j, argv, st);
	ck_assert_uint_eq(st[0].event, JOB_STARTED);
	ck_assert_uint_gt(st[0].start_ticks, 0);
	ck_assert_uint_eq(st[1].event, JOB_ENDED);
	ck_assert_int_eq(st[1].pid, st[0].pid);
	if (ends[_i].signal) {
		ck_assert(WIFSIGNALED(st[1].code));
		ck_assert_int_eq(WTERMSIG(st[1].code), ends[_i].signal);
		ck_assert_int_eq(code, 128 + ends[_i].signal);
	} else {
		ck_assert(WIFEXITED(st[1].code));
		ck_assert_int_eq(WEXITSTATUS(st[1].code), ends[_i].code);
		ck_assert_int_eq(code, ends[_i].code);
	}
	job_release(&j);
}
END_TEST

START_TEST(what_cannot_be_executed_says_why)
{
	char *argv[] = { (char *)"x", NULL };
	struct job_status st[2] = { 0 };
	struct job j;

	make_job(&j);
	words_release(&j.path);
	words_add(&j.path, "/nonexistent");
	ck_assert_int_eq(run(&j, argv, st), 127);
	ck_assert_uint_eq(st[0].event, JOB_FAILED);
	ck_assert_int_eq(st[0].code, ENOENT);
	words_release(&j.path);
	words_add(&j.path, "/etc");
	ck_assert_int_eq(run(&j, argv, st), 126);
	ck_assert_int_eq(st[0].code, EACCES);
	job_release(&j);
}
END_TEST

/* perf changes signals, limits and the umask for its children. exec-target restores those of the
 * user. */
START_TEST(the_state_is_brought_back)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
			 (char *)"test \"$MEMDB_TEST\" = 'two\nlines' || exit 1; "
				 "test \"$(umask)\" = 0027 || exit 2; "
				 "test \"$(ulimit -n)\" = 77 || exit 3; "
				 "grep -q '^SigIgn:.*0000$' /proc/self/status || exit 4; "
				 "grep -q '^SigBlk:.*0000$' /proc/self/status || exit 5; "
				 "test -e /proc/self/fd/9 && exit 6; "
				 "exit 0",
			 NULL };
	struct job_status st[2] = { 0 };
	sigset_t set;
	struct job j;

	/* resets the signals that a shell ignores in background jobs */
	for (int s = 1; s <= SIGTERM; s++)
		signal(s, SIG_DFL);
	make_job(&j);
	j.umask = 027;
	j.limits[RLIMIT_NOFILE].rlim_cur = 77;
	signal(SIGUSR2, SIG_IGN);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	dup2(0, 9);
	ck_assert_int_eq(run(&j, argv, st), 0);
	close(9);
	job_release(&j);
}
END_TEST

START_TEST(background_processes_are_awaited_where_asked)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"(sleep 0.2; echo x >&8) & exit 5",
			 NULL };
	int fds[2];
	struct job_status st[2] = { 0 };
	struct job j;
	char c = 0;

	ck_assert_int_eq(pipe(fds), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	dup2(fds[1], 8);
	make_job(&j);
	j.wait_all = true;
	ck_assert_int_eq(run(&j, argv, st), 5);
	ck_assert_int_eq(read(fds[0], &c, 1), 1);
	ck_assert_int_eq(c, 'x');
	job_release(&j);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("job");
	TCase *t = tcase_create("job");

	tcase_add_test(t, a_job_arrives_as_it_was_sent);
	tcase_add_test(t, every_truncation_is_an_error);
	tcase_add_loop_test(t, the_end_is_reported, 0, COUNT_OF(ends));
	tcase_add_test(t, what_cannot_be_executed_says_why);
	tcase_add_test(t, the_state_is_brought_back);
	tcase_add_test(t, background_processes_are_awaited_where_asked);
	tcase_set_timeout(t, 240);
	suite_add_tcase(s, t);
	return run_suite(s);
}
