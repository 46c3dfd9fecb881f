/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uses perf as a program: finds it, reads its version, builds its command line and interprets its
 * messages. All code that depends on perf's version is in this file. */
#include "record/perf_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/count.h"
#include "perfdata/inject.h"
#include "record/target.h"

/* number of bytes of the user stack in a sample with --call-graph dwarf; perf's own default */
#define DWARF_STACK_BYTES 8192

static const char *const call_graphs[] = {
	[CALL_GRAPH_FP] = "fp",
	[CALL_GRAPH_DWARF] = "dwarf",
	[CALL_GRAPH_LBR] = "lbr",
	[CALL_GRAPH_NONE] = "none",
};
ASSERT_NAMES(call_graphs, CALL_GRAPH_NONE);

/* Returns -1 for an unknown name. */
int call_graph_by_name(const char *name)
{
	for (int i = 0; i < (int)COUNT_OF(call_graphs); i++)
		if (!strcmp(name, call_graphs[i]))
			return i;
	return -1;
}

const char *call_graph_name(enum call_graph g)
{
	return call_graphs[g];
}

/* Ignores words after the number, which distributions add. */
bool perf_tool_parse_version(const char *line, struct perf_tool *t)
{
	static const char prefix[] = "perf version ";

	t->major = t->minor = 0;
	t->version[0] = 0;
	if (strncmp(line, prefix, sizeof(prefix) - 1))
		return false;
	line += sizeof(prefix) - 1;
	snprintf(t->version, sizeof(t->version), "%.*s", (int)strcspn(line, " \t\r\n"), line);
	return sscanf(t->version, "%u.%u", &t->major, &t->minor) == 2;
}

unsigned perf_tool_version_seconds = 30;

/* Gets the beginning of the output of `perf --version`. Returns the exit status of perf, or -1. */
static int read_version(const char *path, char *text, size_t len)
{
	const char *argv[] = { path, "--version", NULL };
	struct command c = {
		.argv = argv,
		.log_fd = memfd_create("perf-version", MFD_CLOEXEC),
		.idle_seconds = perf_tool_version_seconds,
	};
	int status = -1, ret;
	ssize_t n;

	ret = command_run(&c, &status, NULL);
	n = pread(c.log_fd, text, len - 1, 0);
	text[n > 0 ? n : 0] = 0;
	close(c.log_fd);
	return !ret && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Some distributions install a wrapper that only prints "not found for this kernel". Such a wrapper
 * is refused, because it prints no version. */
int perf_tool_find(const char *wanted, struct perf_tool *t, struct md_err *err)
{
	struct target found;
	char line[256];
	int ret;

	memset(t, 0, sizeof(*t));
	ret = target_find(wanted ? wanted : "perf", &found, err);
	if (ret && wanted)
		return ret;
	if (ret)
		return md_fail(err, MD_ENOENT,
			       "perf is not installed (Debian: apt install linux-perf; Ubuntu: "
			       "linux-tools-generic; elsewhere: perf)");
	snprintf(t->path, sizeof(t->path), "%s", found.path);
	ret = read_version(t->path, line, sizeof(line));
	if (!ret && perf_tool_parse_version(line, t))
		return 0;
	line[strcspn(line, "\n")] = 0;
	return md_fail(err, MD_ECHILD,
		       "'%s --version' gives no version: perf for this kernel is not installed, "
		       "this is another program, or a limit (ulimit) is too low; it says: %s",
		       t->path, *line ? line : "nothing");
}

static bool at_least(unsigned major, unsigned minor, unsigned want_major, unsigned want_minor)
{
	return major > want_major || (major == want_major && minor >= want_minor);
}

/* Adds options for build-ids. With --buildid-mmap, each mapping record contains a build-id. Without
 * it, perf reads the recording again at the end to find build-ids. Then --no-buildid-cache at least
 * prevents perf from copying each binary into its cache. */
static void add_build_ids(const struct perf_command *c, struct words *out)
{
	if (at_least(c->tool->major, c->tool->minor, 5, 12) &&
	    at_least(c->machine->kernel_major, c->machine->kernel_minor, 5, 12))
		words_add(out, "--buildid-mmap");
	else
		words_add(out, "--no-buildid-cache");
	if (at_least(c->tool->major, c->tool->minor, 5, 1))
		words_add(out, "--no-bpf-event");
}

/* Adds the options for call graphs. -g alone means frame pointers. */
static void add_call_graph(const struct perf_command *c, struct words *out)
{
	if (c->call_graph == CALL_GRAPH_NONE)
		return;
	words_add(out, "-g");
	if (c->call_graph == CALL_GRAPH_DWARF)
		words_addf(out, "--call-graph=dwarf,%d", DWARF_STACK_BYTES);
	else if (c->call_graph == CALL_GRAPH_LBR)
		words_add(out, "--call-graph=lbr");
}

/* With --call-graph dwarf, each sample contains a copy of the stack, so the buffers must be larger.
 */
uint64_t perf_command_buffer_bytes(enum call_graph g)
{
	return g == CALL_GRAPH_DWARF ? 32 << 20 : 2 << 20;
}

/* Leaves out options that this perf or this kernel does not know. */
void perf_command_build(const struct perf_command *c, struct words *out)
{
	char event[512];
	unsigned i = 0;

	words_add(out, c->tool->path);
	words_add(out, "record");
	words_add(out, "-o");
	words_add(out, c->output);
	words_add(out, "-d");
	words_add(out, "-W");
	add_call_graph(c, out);
	words_add(out, "--sample-cpu");
	words_add(out, "-k");
	words_add(out, "CLOCK_MONOTONIC");
	words_add(out, "--user-regs=" USER_REGISTERS);
	words_addf(out, "-m%u", c->buffer_pages);
	if (c->plan->addresses && c->plan->phys_data)
		words_add(out, "--phys-data");
	if (c->plan->addresses && at_least(c->tool->major, c->tool->minor, 5, 11) &&
	    at_least(c->machine->kernel_major, c->machine->kernel_minor, 5, 11))
		words_add(out, "--data-page-size");
	add_build_ids(c, out);
	while (sampler_event_argument(c->plan, &i, event, sizeof(event))) {
		words_add(out, "-e");
		words_add(out, event);
	}
	for (i = 0; c->trace && i < c->trace->count; i++) {
		words_add(out, "-e");
		words_add(out, c->trace->events[i]);
	}
	words_add(out, "--");
}

/* Replaces perf.data only when the new file is complete. */
int perf_tool_inject(const struct perf_tool *t, const char *dir, int log_fd, struct md_err *err)
{
	char from[PATH_MAX + 16], to[PATH_MAX + 32];
	struct pd_inject j = { .perf = t->path, .from = from, .to = to, .log_fd = log_fd };
	int ret;

	snprintf(from, sizeof(from), "%s/perf.data", dir);
	snprintf(to, sizeof(to), "%s/perf.data.inject", dir);
	ret = pd_inject(&j, err);
	if (!ret && rename(to, from))
		ret = md_fail_errno(err, MD_EIO, "cannot replace '%s'", from);
	if (ret)
		unlink(to);
	return ret;
}

/* The message differs between versions of perf, so any of several texts counts. */
bool perf_log_wants_smaller_buffers(const char *log)
{
	return strstr(log, "Permission error mapping pages") ||
	       strstr(log, "failed to mmap with 12") || strstr(log, "failed to mmap: Cannot alloc");
}

/* Is this line useless for finding out what is wrong? perf prints most such lines even after a
 * success. */
static bool is_chatter(const char *line)
{
	static const char *const chatter[] = { "[ perf record: Woken up",
					       "[ perf record: Captured",
					       "WARNING: Kernel address maps",
					       "check /proc/sys/",
					       "Samples in kernel functions",
					       "file is not found",
					       "Samples in kernel modules",
					       "Error:",
					       "Usage:",
					       "Couldn't record kernel reference",
					       "Symbol resolution may be skewed",
					       "Couldn't synthesize" };

	for (size_t i = 0; i < COUNT_OF(chatter); i++)
		if (!strncmp(line, chatter[i], strlen(chatter[i])))
			return true;
	return !*line;
}

/* Writes the first three different lines that is_chatter() does not exclude, because these usually
 * contain the reason. */
void perf_log_condense(const char *log, char *out, size_t len)
{
	size_t used = 0;
	char line[400];

	*out = 0;
	for (int lines = 0; *log && lines < 3; log += *log == '\n') {
		size_t n = strcspn(log, "\n");
		size_t skip = strspn(log, " \t");

		snprintf(line, sizeof(line), "%.*s", (int)(n > skip ? n - skip : 0), log + skip);
		if (!is_chatter(line) && !strstr(out, line)) {
			int w = snprintf(out + used, len - used, "%s%s", lines ? "; " : "", line);

			used += (size_t)w < len - used ? (size_t)w : len - used - 1;
			lines++;
		}
		log += n;
	}
	while (used && (out[used - 1] == '.' || out[used - 1] == ' '))
		out[--used] = 0;
}
