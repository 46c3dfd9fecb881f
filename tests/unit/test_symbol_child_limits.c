/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the child process that reads DWARF: what happens when the child dies, when it reaches a
 * limit, and when it sends invalid answers. */
#include "symbol_child_fixture.h"

/* Returns the pid of this process's only child, or 0. */
static pid_t child_pid(void)
{
	char name[64];
	FILE *f;
	int pid = 0;

	snprintf(name, sizeof(name), "/proc/self/task/%d/children", getpid());
	f = fopen(name, "r");
	ck_assert_ptr_nonnull(f);
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

START_TEST(a_killed_child_is_replaced_once)
{
	struct sym_file *f = open_at(SAMPLES "/sample");
	uint64_t at[16];
	size_t n = sample_points(at, 16);
	struct sigaction pipe_before, pipe_after;

	sigaction(SIGPIPE, NULL, &pipe_before);
	snprintf(path, sizeof(path), SAMPLES "/sample");
	ck_assert_int_eq(child_pid(), 0); /* the child starts with the first question */
	ck_assert_uint_ge(count_lines(f, at[0]), 1);
	ck_assert_int_eq(kill(child_pid(), SIGKILL), 0);
	ck_assert_uint_ge(count_lines(f, at[1]), 1);
	ck_assert_ptr_null(sym_file_problem(f));
	ck_assert_uint_ge(n, 3);
	ck_assert_int_eq(kill(child_pid(), SIGKILL), 0);
	ck_assert_uint_eq(count_lines(f, at[2]), 0);
	check_problem(f, "killed");
	ck_assert_uint_ge(count_lines(f, at[0]), 1); /* lines that were answered before remain */
	sigaction(SIGPIPE, NULL, &pipe_after);
	ck_assert_ptr_eq(pipe_before.sa_handler, pipe_after.sa_handler);
	sym_file_close(f);
	check_no_child_is_left();
}
END_TEST

START_TEST(a_child_that_sleeps_is_not_waited_for_for_ever)
{
	struct sym_file *f;
	uint64_t at[16];

	dwarf_limits.wait_seconds = 5; /* on a loaded machine an answer may take a second */
	f = open_at(SAMPLES "/sample");
	snprintf(path, sizeof(path), SAMPLES "/sample");
	sample_points(at, 16);
	ck_assert(sym_file_has_lines(f));
	ck_assert_int_eq(kill(child_pid(), SIGSTOP), 0);
	ck_assert_uint_eq(count_lines(f, at[0]), 0);
	check_problem(f, "no answer in time");
	sym_file_close(f);
	check_no_child_is_left();
}
END_TEST

START_TEST(a_forked_process_has_a_child_of_its_own)
{
	struct sym_file *f = open_at(SAMPLES "/sample");
	uint64_t at[16];
	pid_t pid;
	int status;

	sample_points(at, 16);
	ck_assert_uint_ge(count_lines(f, at[0]), 1);
	pid = fork();
	if (!pid) {
		bool ok = count_lines(f, at[0]) && count_lines(f, at[1]);

		sym_file_close(f);
		_exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_ge(count_lines(f, at[1]), 1);
	ck_assert_ptr_null(sym_file_problem(f));
	sym_file_close(f);
	check_no_child_is_left();
}
END_TEST

/* What the sandboxed child is able to do. */
struct freedom {
	bool descriptors, core, creates, connects, forks, runs, traces, allocates, handles;
	int death;
	uint64_t cpu_seconds;
};

static void try_everything(int fd, void *arg)
{
	const char *args[] = { "true", NULL };
	struct freedom x = { 0 };
	/* volatile, because a compiler may remove a malloc() whose result is unused */
	void *volatile block;
	struct rlimit r;
	struct sigaction sa;

	for (int i = fd + 1; i < 1000; i++)
		x.descriptors |= fcntl(i, F_GETFD) >= 0;
	getrlimit(RLIMIT_CORE, &r);
	x.core = r.rlim_cur != 0 || prctl(PR_GET_DUMPABLE);
	x.creates = open(arg, O_WRONLY | O_CREAT, 0600) >= 0;
	x.connects = socket(AF_INET, SOCK_STREAM, 0) >= 0;
	x.forks = fork() >= 0;
	x.runs = execv("/bin/true", (char **)(uintptr_t)args) == 0 || errno != EPERM;
	block = malloc(64 << 20);
	x.allocates = block != NULL;
	free(block);
	sigaction(SIGUSR1, NULL, &sa);
	x.handles = sa.sa_handler != SIG_DFL;
	prctl(PR_GET_PDEATHSIG, &x.death);
	child_limit_cpu(7);
	getrlimit(RLIMIT_CPU, &r);
	x.cpu_seconds = r.rlim_cur;
	child_write(fd, &x, sizeof(x));
}

static void on_signal(int sig)
{
}

START_TEST(a_child_has_limits)
{
	const struct child_limits l = { .memory = 32 << 20, .seconds = 100 };
	struct child c = { 0 };
	struct freedom x;
	int other = open("/dev/null", O_RDONLY);

	signal(SIGUSR1, on_signal);
	ck_assert_int_ge(other, 0);
	ck_assert_int_eq(child_start(&c, &l, try_everything, path), 0);
	ck_assert(child_read(c.fd, &x, sizeof(x)));
	child_end(&c);
	ck_assert(!x.descriptors && !x.core && !x.creates && !x.connects);
	ck_assert(!x.forks && !x.runs && !x.allocates && !x.handles);
	ck_assert_int_eq(x.death, SIGKILL);
	ck_assert_uint_le(x.cpu_seconds, 9);
	close(other);
	check_no_child_is_left();
}
END_TEST

/* Builds an answer to a request for two addresses: one string and two source places (DWARF_PLACE),
 * of which one is inlined. */
static size_t build_answer(uint8_t *p)
{
	static const uint8_t text[] = { DWARF_TEXT, 2, 0, 0, 0, 'f', 'n' };
	static const uint8_t one[] = { DWARF_PLACE, 1, 1, 0, 0, 0, 0, 0, 0,
				       0,           7, 0, 0, 0, 1, 0, 0, 0 };
	static const uint8_t two[] = { DWARF_PLACE, 0 };

	memcpy(p, text, sizeof(text));
	memcpy(p + sizeof(text), one, sizeof(one));
	memcpy(p + sizeof(text) + sizeof(one), two, sizeof(two));
	return sizeof(text) + sizeof(one) + sizeof(two);
}

static const char *take(enum dwarf_verb verb, const uint8_t *p, size_t n)
{
	struct dwarf d = { .path = "x", .sent = 2 };
	struct dwarf_flight f = { &d, verb, 2 };
	struct dwarf_answer answers[2] = { 0 };
	uint8_t *exact = copy_exact(p, n);
	const char *wrong;

	d.answers.at = answers;
	d.answers.n = 2;
	wrong = dwarf_take(&f, cursor_make(exact, n, false), true);
	ck_assert_uint_le(d.answered, 2);
	for (uint32_t i = 0; i < d.answered; i++)
		ck_assert_uint_le(answers[i].first + answers[i].n, d.frames.n);
	for (uint32_t i = 0; i < d.frames.n; i++)
		ck_assert_uint_le(d.frames.at[i].function, d.strings.n);
	free(d.frames.at);
	free(d.texts.at);
	free(d.variables.at);
	strings_release(&d.strings);
	free(exact);
	return wrong;
}

START_TEST(answers_are_not_believed)
{
	uint8_t whole[64], p[64];
	size_t n = build_answer(whole);

	ck_assert_ptr_null(take(DWARF_LINES, whole, n));
	for (size_t len = 0; len < n; len++)
		ck_assert_ptr_nonnull(take(DWARF_LINES, whole, len));
	for (enum dwarf_verb verb = DWARF_OPEN; verb <= DWARF_VARIABLES; verb++) {
		for (size_t i = 0; i < n * 256; i++) {
			memcpy(p, whole, n);
			p[i / 256] = (uint8_t)i;
			take(verb, p, n);
		}
	}
	ck_assert_ptr_nonnull(take(DWARF_OPEN, whole, n));
	ck_assert_ptr_nonnull(take(DWARF_VARIABLES, whole, n));
	memcpy(p, whole, n);
	p[7 + 2] = 2; /* refers to a string that does not exist */
	ck_assert_ptr_nonnull(take(DWARF_LINES, p, n));
	p[n] = DWARF_PLACE; /* answers with more places than were requested */
	p[n + 1] = 0;
	ck_assert_ptr_nonnull(take(DWARF_LINES, p, n + 2));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_child_limits");
	TCase *tc = tcase_create("child");

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, make_scratch, remove_scratch);
	tcase_add_test(tc, a_killed_child_is_replaced_once);
	tcase_add_test(tc, a_child_that_sleeps_is_not_waited_for_for_ever);
	tcase_add_test(tc, a_forked_process_has_a_child_of_its_own);
	/* Sanitizers need more memory and make system calls that the child forbids. */
	if (!SANITIZED) {
		tcase_add_test(tc, a_child_has_limits);
	}
	tcase_add_test(tc, answers_are_not_believed);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
