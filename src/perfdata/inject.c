/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/inject.h"

#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"

enum {
	/* perf is killed after this many seconds without output. The time in which perf reads the
	 * file is added, because perf writes nothing before it has read the file */
	IDLE_SECONDS = 30,
	SLOW_BYTES = 16 << 20, /* lowest speed at which perf reads the file, in bytes per second */
	/* maximum number of output bytes per input byte; at least 16 bytes of trace become one
	 * sample of 130 bytes */
	GROWTH = 16,
	GROWTH_SLACK = 64 << 20,
};

static uint64_t file_bytes(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* Gets the first line of perf's log (fd) at or after offset `at`. Returns false if there is no such
 * line. */
static bool first_line(int fd, off_t at, char *line, size_t size)
{
	ssize_t n = pread(fd, line, size - 1, at);
	char *p = line;

	line[n > 0 ? n : 0] = 0;
	while (isspace((unsigned char)*p))
		p++;
	p[strcspn(p, "\n")] = 0;
	memmove(line, p, strlen(p) + 1);
	return *line;
}

/* Stores in err why perf failed: that it exceeded the size limit of its output (SIGXFSZ), otherwise
 * its first message or, if there is none, how it ended. Returns MD_ECHILD. */
static int set_reason(const struct pd_inject *j, off_t log_at, int status, struct md_err *err)
{
	char line[200];

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return md_fail(err, MD_ECHILD, "it wrote far more than the recording can hold");
	if (first_line(j->log_fd, log_at, line, sizeof(line)))
		return md_fail(err, MD_ECHILD, "%s", line);
	if (WIFSIGNALED(status))
		return md_fail(err, MD_ECHILD, "it died of signal %d", WTERMSIG(status));
	return md_fail(err, MD_ECHILD, "it failed without a word");
}

int pd_inject(const struct pd_inject *j, struct md_err *err)
{
	const uint64_t bytes = file_bytes(j->from);
	const char *argv[] = { j->perf, "inject", "--itrace=M", "-i", j->from, "-o", j->to, NULL };
	struct command c = {
		.argv = argv,
		.log_fd = j->log_fd,
		.output = j->to,
		.idle_seconds = j->idle_seconds ? j->idle_seconds
						: IDLE_SECONDS + (unsigned)(bytes / SLOW_BYTES),
		.most_bytes = bytes * GROWTH + GROWTH_SLACK,
		.stop = j->stop,
	};
	const off_t log_at = lseek(j->log_fd, 0, SEEK_END);
	int status = 0, ret = command_run(&c, &status, err);

	if (!ret && status)
		ret = set_reason(j, log_at, status, err);
	return ret && ret != MD_EINTR ? md_wrap(err, "perf inject --itrace") : ret;
}
