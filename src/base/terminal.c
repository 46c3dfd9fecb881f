/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "base/escape.h"

enum {
	MOST_COLUMNS = 10000, /* larger values of COLUMNS are ignored */
	LEAST_INDENT = 4,     /* columns before a line that continues a sentence */
};

static enum terminal_colours colours;
static volatile sig_atomic_t pager; /* pid of the pager; 0 means that there is none */
static int paged_columns;           /* width of the terminal on which the pager prints */

void terminal_set_colours(enum terminal_colours c)
{
	colours = c;
}

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

static int columns_of(int fd)
{
	struct winsize size;

	return fd >= 0 && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Returns the number in the environment variable COLUMNS; 0 if the variable is not set or not a
 * plausible width. */
static int wanted_columns(void)
{
	const char *s = getenv("COLUMNS");
	char *end = NULL;
	const long n = s ? strtol(s, &end, 10) : 0;

	return s && end != s && !*end && n > 0 && n <= MOST_COLUMNS ? (int)n : 0;
}

int terminal_columns(FILE *out)
{
	const int n =
		pager && fileno(out) == STDOUT_FILENO ? paged_columns : columns_of(fileno(out));

	return n ? n : wanted_columns();
}

/* Prints the words of s, which it changes, in lines of at most `columns` columns. `at` is the
 * column of the first word. Further lines begin below it, unless that is at the margin or takes too
 * much of a narrow terminal. */
static void print_wrapped(char *s, int at, int columns, FILE *out)
{
	const int indent = at > LEAST_INDENT && at <= columns / 4 ? at : LEAST_INDENT;
	bool first = true;

	for (char *word = s, *end; word; word = end) {
		int width;

		end = strchr(word, ' ');
		if (end)
			*end++ = '\0';
		width = escape_width(word);
		if (!first && at + 1 + width > columns) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (!first) {
			putc(' ', out);
			at++;
		}
		escape_text(word, out);
		at += width;
		first = false;
	}
}

void terminal_sentence(const char *head, const char *s, FILE *out)
{
	const int columns = terminal_columns(out), at = escape_width(head);
	char *words = columns && at + escape_width(s) > columns ? strdup(s) : NULL;

	fputs(head, out);
	if (words)
		print_wrapped(words, at, columns, out);
	else
		escape_text(s, out);
	free(words);
}

static bool has_colours(FILE *out)
{
	const char *no = getenv("NO_COLOR");

	if (colours != TERMINAL_AUTO)
		return colours == TERMINAL_ALWAYS;
	if ((no && *no) || is_dumb())
		return false;
	return (pager && fileno(out) == STDOUT_FILENO) || (fileno(out) >= 0 && isatty(fileno(out)));
}

void terminal_mark(FILE *out, enum terminal_mark mark)
{
	static const char *const codes[] = {
		[TERMINAL_PLAIN] = "\033[m",
		[TERMINAL_ANSWER] = "\033[1m",
		[TERMINAL_HEAD] = "\033[2m",
		[TERMINAL_HINT] = "\033[33m",
	};
	ASSERT_NAMES(codes, TERMINAL_HINT);

	if (has_colours(out))
		fputs(codes[mark], out);
}

/* Closes the pager's input and waits until the pager has ended. Otherwise the shell would print its
 * prompt while the pager still shows text. */
static void wait_for_pager(void)
{
	int status;

	if (!pager)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}

static void flush_and_wait(void)
{
	if (!pager)
		return;
	fflush(stdout);
	fflush(stderr);
	wait_for_pager();
}

/* Signal handler: waits for the pager, then lets the signal end the process. SIGPIPE means that the
 * user has left the pager before the end of the text, which is no error. (Ctrl-C reaches the pager,
 * too, but does not end it.) */
static void on_signal(int signo)
{
	wait_for_pager();
	if (signo == SIGPIPE)
		_exit(0);
	signal(signo, SIG_DFL);
	raise(signo);
}

/* Returns the command of the pager; NULL if the user wants none. */
static const char *pager_command(void)
{
	static const char *const names[] = { "MEMDB_PAGER", "PAGER" };
	const char *command = "less";

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (getenv(names[i])) {
			command = getenv(names[i]);
			break;
		}
	return *command && strcmp(command, "cat") ? command : NULL;
}

/* Called in the child: executes the pager with /bin/sh. If that fails, executes cat, which prints
 * the text. */
static void become_pager(const char *command, int input)
{
	dup2(input, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	execlp("cat", "cat", (char *)NULL);
	_exit(127);
}

static bool is_there(const char *command)
{
	const char *path = getenv("PATH");
	size_t len = strcspn(command, " \t;|&<>()$`'\"");
	char file[4096];

	if (len < strlen(command)) /* a command with arguments or shell syntax is not checked */
		return true;
	if (strchr(command, '/')) /* a path: PATH is not searched */
		return !access(command, X_OK);
	while (path && *path) {
		size_t n = strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%s", (int)n, path, command);
		if (!access(file, X_OK))
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

void terminal_page(void)
{
	static const int deadly[] = { SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE };
	const char *command = pager_command();
	int ends[2], columns = columns_of(STDOUT_FILENO);
	pid_t pid;

	if (!isatty(STDOUT_FILENO) || is_dumb() || !command || !is_there(command) ||
	    pipe2(ends, O_CLOEXEC))
		return;
	fflush(NULL);
	pid = fork();
	if (!pid)
		become_pager(command, ends[0]);
	if (pid > 0) {
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		pager = pid;
		paged_columns = columns;
		atexit(flush_and_wait);
		for (size_t i = 0; i < COUNT_OF(deadly); i++)
			signal(deadly[i], on_signal);
	}
	close(ends[0]);
	close(ends[1]);
}
