/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What debug information does to its reader costs one file's lines, and is reported. */
#include "symbol/child.h"
#include "symbol/dwarf_link.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "dwarf_build.h"

static char scratch[] = "/tmp/memdb-test-child-XXXXXX";
static char path[256];

static struct sym_file *open_at(const char *name)
{
	struct sym_file *f = NULL;

	ck_assert_int_eq(sym_file_open(name, NULL, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	return f;
}

/* Offsets of code of the program "sample". */
static size_t sample_points(uint64_t *offsets, size_t max)
{
	FILE *answer = popen("'" SAMPLES "/sample'", "r");
	char text[512];
	size_t n = 0;

	ck_assert_ptr_nonnull(answer);
	while (n < max && fgets(text, sizeof(text), answer))
		n += sscanf(text, "point %lx", &offsets[n]) == 1;
	pclose(answer);
	ck_assert_uint_ge(n, 2);
	return n;
}

static unsigned count_lines(struct sym_file *f, uint64_t offset)
{
	struct sym_line lines[SYM_MAX_INLINE];

	return sym_lines_at(f, offset, lines, SYM_MAX_INLINE);
}

/* A sound file that is open beside the bad one. */
static void check_sample(struct sym_file *f)
{
	uint64_t at[16];
	size_t n = sample_points(at, 16);

	for (size_t i = 0; i < n; i++)
		ck_assert_uint_ge(count_lines(f, at[i]), 1);
	ck_assert_ptr_null(sym_file_problem(f));
}

static void check_problem(const struct sym_file *f, const char *words)
{
	const char *problem = sym_file_problem(f);

	ck_assert_ptr_nonnull(problem);
	ck_assert_msg(strstr(problem, path) && strstr(problem, words), "%s", problem);
}

/* The one child of this process, or 0. */
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

static void check_no_child_is_left(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

static const uint8_t rows_abbrev[] = {
	1, 0x11, 0, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0, 0, 0 /* low_pc, high_pc, stmt_list */
};
static const uint8_t rows_info[] = {
	28, 0, 0,    0, 4, 0, 0, 0, 0, 0, 8, /* the unit's header */
	1,  0, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t rows_start[] = {
	4, 0,   27,  0,   0,    0, 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, /**/
	0, 'a', '.', 'c', 0,    0, 0, 0, 0,          /* no folders; one file */
	0, 9,   2,   0,   0x10, 0, 0, 0, 0, 0,    0, /* set_address 0x1000 */
};

/* `units` units of one byte of code each, at vaddr 0x1000 and up, that share a line table: its
 * program sets the address, has `steps` times the opcode `step`, and the end. */
static void build_lines(size_t units, uint8_t step, uint32_t steps, const void *end, uint32_t n)
{
	const uint32_t len = (uint32_t)sizeof(rows_start) + steps + n;
	uint8_t *info = malloc(units * sizeof(rows_info)), *table = calloc(1, 4 + len);
	const struct dwarf_build_section s[] = {
		{ ".debug_abbrev", 0, rows_abbrev, sizeof(rows_abbrev) },
		{ ".debug_info", 0, info, units * sizeof(rows_info) },
		{ ".debug_line", 0, table, 4 + len },
	};

	ck_assert(info && table);
	for (size_t i = 0; i < units; i++) {
		uint8_t *unit = info + i * sizeof(rows_info);
		uint64_t low = 0x1000 + i;

		memcpy(unit, rows_info, sizeof(rows_info));
		memcpy(unit + 12, &low, 8);
	}
	memcpy(table, &len, 4);
	memcpy(table + 4, rows_start, sizeof(rows_start));
	memset(table + 4 + sizeof(rows_start), step, steps);
	memcpy(table + 4 + sizeof(rows_start) + steps, end, n);
	dwarf_build(path, s, 3);
	free(table);
	free(info);
}

START_TEST(a_damaged_line_table_is_told)
{
	struct sym_file *f;

	build_lines(1, 1, 1, "\0\x7f\2", 3); /* cut off */
	f = open_at(path);
	ck_assert_uint_eq(count_lines(f, 0), 0);
	check_problem(f, "line table");
	ck_assert(sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

/* libdw reads a damaged line table again for each unit: 4 MiB make some ms, 4096 units a minute. */
START_TEST(work_without_end_costs_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t offsets[4096];
	size_t n;

	for (uint64_t i = 0; i < 4096; i++)
		offsets[i] = i;
	dwarf_limits.cpu_seconds = 1;
	build_lines(4096, 6, 4 << 20, "\0\x7f\2", 3); /* negate_stmt; cut off */
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	sym_lines_prepare(bad, offsets, 4096);
	ck_assert_uint_eq(count_lines(bad, 4095), 0);
	check_problem(bad, "1 s of CPU time");
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, 1), 0);
	ck_assert_ptr_null(sym_variables(bad, &n));
	ck_assert_ptr_nonnull(sym_variables(good, &n));
	sym_file_close(bad);
	sym_file_close(good);
	check_no_child_is_left();
}
END_TEST

START_TEST(lines_without_end_cost_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;

	build_lines(1, 1, 2 << 20, "\2\x80\x20\0\1\1", 6); /* copy; advance_pc, end_sequence */
	bad = open_at(path);
	ck_assert_uint_eq(count_lines(bad, 0), 1);
	ck_assert_ptr_null(sym_file_problem(bad));
	sym_file_close(bad);
	check_no_child_is_left();

	dwarf_limits.memory = 32 << 20;
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert_uint_eq(count_lines(bad, 0), 0);
	check_problem(bad, SANITIZED ? "" : "took too much memory");
	check_sample(good);
	sym_file_close(good);
	sym_file_close(bad);
}
END_TEST

/* Asks one file, and then another while the first is open: both have an answer? */
static bool fits(unsigned files)
{
	struct sym_file *f[2] = { NULL, NULL };
	bool ok = true;

	for (unsigned i = 0; i < files; i++) {
		f[i] = open_at(path);
		ok &= count_lines(f[i], 0) == 1;
	}
	for (unsigned i = 0; i < files; i++)
		sym_file_close(f[i]);
	return ok;
}

START_TEST(a_file_does_not_pay_for_what_another_one_took)
{
	build_lines(1, 1, 1 << 19, "\2\x80\x20\0\1\1", 6);
	dwarf_limits.memory = 4 << 20;
	ck_assert(!fits(1));
	while (!fits(1) && dwarf_limits.memory < 1 << 30)
		dwarf_limits.memory += 4 << 20;
	ck_assert(fits(2)); /* in the memory of one */
	check_no_child_is_left();
}
END_TEST

START_TEST(a_section_that_claims_to_unpack_to_a_tebibyte_is_told)
{
	const struct {
		Elf64_Chdr h;
		uint8_t zlib[8];
	} bomb = { { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = (uint64_t)1 << 40, .ch_addralign = 1 },
		   { 0x78, 0x9c, 0x63, 0, 0, 0, 1, 0 } };
	const struct dwarf_build_section s[] = {
		{ ".debug_abbrev", 0, rows_abbrev, sizeof(rows_abbrev) },
		{ ".debug_info", SHF_COMPRESSED, &bomb, sizeof(bomb) },
	};
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;

	dwarf_build(path, s, 2);
	bad = open_at(path);
	ck_assert_uint_eq(count_lines(bad, 0), 0);
	ck_assert(!sym_file_has_lines(bad));
	check_problem(bad, "");
	check_sample(good);
	sym_file_close(bad);
	sym_file_close(good);
}
END_TEST

static void copy_sample(void)
{
	char command[512];

	snprintf(command, sizeof(command), "cp '" SAMPLES "/sample' '%s'", path);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(a_crash_costs_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t at[16];

	sample_points(at, 16);
	copy_sample();
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert_int_eq(truncate(path, 0), 0); /* its bytes are mapped: SIGBUS */
	ck_assert_uint_eq(count_lines(bad, at[0]), 0);
	check_problem(bad, SANITIZED ? "" : "crashed (Bus error)");
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, at[1]), 0);
	sym_file_close(good);
	sym_file_close(bad);
	check_no_child_is_left();
}
END_TEST

START_TEST(what_was_asked_in_advance_survives_another_files_crash)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t at[16], many[5000];
	size_t n = sample_points(at, 16);

	copy_sample();
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert(sym_file_has_lines(good));
	ck_assert_int_eq(truncate(path, 0), 0);
	for (size_t i = 0; i < 5000; i++)
		many[i] = at[0] + i;
	sym_lines_prepare(bad, many, 5000);
	sym_lines_prepare(good, at, n);
	sym_lines_prepare(good, at, 0);
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, many[4999]), 0);
	ck_assert_ptr_nonnull(sym_file_problem(bad));
	sym_file_close(bad);
	sym_file_close(good);
}
END_TEST

START_TEST(answers_do_not_depend_on_being_asked_in_advance)
{
	struct sym_file *f = open_at(SAMPLES "/sample"), *g = open_at(SAMPLES "/sample");
	uint64_t offsets[3 * DWARF_MAX_BATCH];
	unsigned found = 0;

	for (uint64_t i = 0; i < 3 * DWARF_MAX_BATCH; i++)
		offsets[i] = 0x1000 + i;
	sym_lines_prepare(f, offsets, 3 * DWARF_MAX_BATCH);
	for (size_t i = 3 * DWARF_MAX_BATCH; i-- > 0;) {
		struct sym_line a[SYM_MAX_INLINE], b[SYM_MAX_INLINE];
		unsigned n = sym_lines_at(f, offsets[i], a, SYM_MAX_INLINE);

		ck_assert_uint_eq(n, sym_lines_at(g, offsets[i], b, SYM_MAX_INLINE));
		found += n > 0;
		for (unsigned k = 0; k < n; k++) {
			ck_assert_uint_eq(a[k].line, b[k].line);
			ck_assert_uint_eq(a[k].column, b[k].column);
			ck_assert_pstr_eq(a[k].function, b[k].function);
			ck_assert_pstr_eq(a[k].file, b[k].file);
		}
	}
	ck_assert_uint_ge(found, 100);
	sym_file_close(f); /* the second file's answers are in flight or ready */
	sym_lines_prepare(g, offsets, 1);
	sym_file_close(g);
	check_no_child_is_left();
}
END_TEST

START_TEST(a_killed_child_is_replaced_once)
{
	struct sym_file *f = open_at(SAMPLES "/sample");
	uint64_t at[16];
	size_t n = sample_points(at, 16);
	struct sigaction pipe_before, pipe_after;

	sigaction(SIGPIPE, NULL, &pipe_before);
	snprintf(path, sizeof(path), SAMPLES "/sample");
	ck_assert_int_eq(child_pid(), 0); /* nothing was asked yet */
	ck_assert_uint_ge(count_lines(f, at[0]), 1);
	ck_assert_int_eq(kill(child_pid(), SIGKILL), 0);
	ck_assert_uint_ge(count_lines(f, at[1]), 1);
	ck_assert_ptr_null(sym_file_problem(f));
	ck_assert_uint_ge(n, 3);
	ck_assert_int_eq(kill(child_pid(), SIGKILL), 0);
	ck_assert_uint_eq(count_lines(f, at[2]), 0);
	check_problem(f, "killed");
	ck_assert_uint_ge(count_lines(f, at[0]), 1); /* what is known stays */
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

	dwarf_limits.wait_seconds = 5; /* a busy machine may need one for an answer */
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

/* What a child finds that it may do. */
struct freedom {
	bool descriptors, core, creates, connects, forks, runs, traces, allocates, handles;
	int death;
	uint64_t cpu_seconds;
};

static void try_everything(int fd, void *arg)
{
	const char *args[] = { "true", NULL };
	struct freedom x = { 0 };
	void *volatile block; /* a compiler may leave out a malloc() that nobody looks at */
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

/* An answer to a request for two places: a string and two places, one inlined. */
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
	p[7 + 2] = 2; /* a string that was not sent */
	ck_assert_ptr_nonnull(take(DWARF_LINES, p, n));
	p[n] = DWARF_PLACE; /* more places than were asked for */
	p[n + 1] = 0;
	ck_assert_ptr_nonnull(take(DWARF_LINES, p, n + 2));
}
END_TEST

static void make_scratch(void)
{
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	snprintf(path, sizeof(path), "%s/program", scratch);
}

static void remove_scratch(void)
{
	snprintf(path, sizeof(path), "%s/program", scratch);
	unlink(path);
	ck_assert_int_eq(rmdir(scratch), 0);
}

int main(void)
{
	Suite *s = suite_create("symbol_child");
	TCase *tc = tcase_create("child");

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, make_scratch, remove_scratch);
	tcase_add_test(tc, work_without_end_costs_one_files_lines);
	tcase_add_test(tc, a_damaged_line_table_is_told);
	tcase_add_test(tc, lines_without_end_cost_one_files_lines);
	tcase_add_test(tc, a_section_that_claims_to_unpack_to_a_tebibyte_is_told);
	tcase_add_test(tc, a_crash_costs_one_files_lines);
	tcase_add_test(tc, what_was_asked_in_advance_survives_another_files_crash);
	tcase_add_test(tc, answers_do_not_depend_on_being_asked_in_advance);
	tcase_add_test(tc, a_killed_child_is_replaced_once);
	tcase_add_test(tc, a_child_that_sleeps_is_not_waited_for_for_ever);
	tcase_add_test(tc, a_forked_process_has_a_child_of_its_own);
	if (!SANITIZED) { /* whose memory is another, and whose calls are not confined */
		tcase_add_test(tc, a_file_does_not_pay_for_what_another_one_took);
		tcase_add_test(tc, a_child_has_limits);
	}
	tcase_add_test(tc, answers_are_not_believed);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
