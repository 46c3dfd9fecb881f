/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how signals stop memdb. */
#include "cmd/stop.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tempfile.h"
#include "check_main.h"

static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };

static char dir[] = "/tmp/memdb-stop-XXXXXX";

static void setup(void)
{
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(dir), 0); /* fails if the test left a file behind */
}

static void assert_ends_by(pid_t pid, int sig)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), sig);
}

START_TEST(the_first_signal_asks_the_second_ends)
{
	struct tempfile t;
	pid_t pid = fork();

	if (!pid) {
		const volatile int *stop;

		signal(sigs[_i], SIG_DFL);
		stop = stop_on_signals();
		if (tempfile_create("out", &t, NULL) || *stop || raise(sigs[_i]) || !*stop ||
		    access(t.path, F_OK))
			_exit(1);
		raise(sigs[_i]);
		_exit(2);
	}
	assert_ends_by(pid, sigs[_i]);
}
END_TEST

START_TEST(the_first_signal_ends_when_all_files_are_complete)
{
	pid_t pid = fork();

	if (!pid) {
		signal(sigs[_i], SIG_DFL);
		stop_on_signals();
		stop_at_once();
		raise(sigs[_i]);
		_exit(2);
	}
	assert_ends_by(pid, sigs[_i]);
}
END_TEST

START_TEST(ignored_signals_stay_ignored)
{
	const volatile int *stop;

	signal(sigs[_i], SIG_IGN); /* nohup starts programs with this signal ignored */
	stop = stop_on_signals();
	raise(sigs[_i]);
	stop_at_once();
	raise(sigs[_i]);
	raise(SIGPIPE);
	raise(SIGXFSZ);
	ck_assert_int_eq(*stop, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stop");
	TCase *t = tcase_create("stop");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_first_signal_asks_the_second_ends, 0, 4);
	tcase_add_loop_test(t, the_first_signal_ends_when_all_files_are_complete, 0, 4);
	tcase_add_loop_test(t, ignored_signals_stay_ignored, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
