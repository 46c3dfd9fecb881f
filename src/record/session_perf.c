/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts perf, again if necessary, until it records. An attempt may fail before the program starts:
 * memory for buffers is missing, or an event does not open after all. Then the next attempt uses
 * smaller buffers or the next sampler. When the program has started, there is no further attempt,
 * because the program must not run twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/session.h"

/* STACK_BYTES*: number of bytes of the user stack in the record of a page fault. */
enum {
	/* enough to find the callers of memset, read, fread and the like */
	STACK_BYTES = 256,
	STACK_BYTES_LEAST = 64,   /* enough to find the callers of memset and read */
	STACK_BYTES_DWARF = 2048, /* less than in a sample, because there are more faults */
	/* bytes; if a buffer for page faults is smaller, its records contain less of the stack */
	SMALL_BUFFER = 1 << 20,
};

/* Builds perf's command line. With -v, also prints it. */
static int build_command(struct session *s, struct md_err *err)
{
	char output[PATH_MAX + 16];
	struct perf_command c = {
		.tool = &s->perf,
		.machine = &s->machine,
		.plan = &s->plan,
		.trace = &s->trace,
		.call_graph = s->o->call_graph,
		.buffer_pages = s->buffer_pages,
		.output = output,
	};

	snprintf(output, sizeof(output), "%s/perf.data", s->capture.dir);
	words_release(&s->command);
	if (sampler_run(s->plan.sampler) == RUN_PERF)
		perf_command_build(&c, &s->command);
	if (s->command.failed)
		return md_nomem(err);
	if (s->o->verbosity > 0) {
		const struct words program = { .v = (char **)s->o->argv, .n = 1 };

		fputs("memdb record: ", stderr);
		words_print(&s->command, stderr);
		fputs(" memdb exec-target -- ", stderr);
		words_print(&program, stderr);
		fputs(s->o->argv[1] ? " ...\n" : "\n", stderr);
	}
	return 0;
}

/* Are page faults recorded? Only if perf takes the samples: in an emulator, many page faults are
 * those of the emulator itself. */
static bool records_faults(const struct session *s)
{
	return s->o->sampling.faults && sampler_run(s->plan.sampler) == RUN_PERF;
}

/* Returns the number of thirds of the lockable memory that perf's buffers get; the buffers for page
 * faults get the rest. With --call-graph dwarf, perf's samples are large, so its buffers get two
 * thirds. */
static unsigned perf_thirds(const struct session *s)
{
	if (!records_faults(s))
		return 3;
	return s->o->call_graph == CALL_GRAPH_DWARF ? 2 : 1;
}

/* Returns how many bytes of the stack the kernel copies at each page fault. Most faults happen in
 * functions of libc, and only a copy of the stack shows the callers of these functions. */
static unsigned fault_stack_bytes(const struct session *s, unsigned buffer_pages)
{
	if (s->o->call_graph == CALL_GRAPH_NONE)
		return 0;
	if (s->o->call_graph == CALL_GRAPH_DWARF)
		return STACK_BYTES_DWARF;
	return (uint64_t)buffer_pages * s->machine.page_bytes < SMALL_BUFFER ? STACK_BYTES_LEAST
									     : STACK_BYTES;
}

/* Begins the recording of page faults. Called just before the program is executed. */
static void on_ready(void *arg, const struct job_status *st)
{
	struct session *s = arg;
	const unsigned pages =
		machine_buffer_pages(&s->machine, MACHINE_BUFFER_BYTES, 3 - perf_thirds(s));
	const struct faults_options o = {
		.buffer_pages = pages,
		.stack_bytes = fault_stack_bytes(s, pages),
		.kernel = s->plan.kernel,
		.phys_data = s->plan.phys_data,
	};
	struct md_err err;

	s->faults_fd = capture_open(&s->capture, FAULTS_FILE, O_WRONLY | O_TRUNC);
	if (s->faults_fd < 0)
		md_fail_errno(&err, MD_EIO, "cannot write '%s/" FAULTS_FILE "'", s->capture.dir);
	if (s->faults_fd < 0 || faults_start(&o, st->pid, s->faults_fd, &s->faults, &err))
		session_warn(s, "page faults are not recorded: %s", err.msg);
}

void session_keep_symbols(struct session *s)
{
	kernel_symbols_finish(s->symbols, &s->capture);
	s->symbols = NULL;
}

/* Begins to follow the program, which has just started, and to show the progress. Writes the
 * program's pid to capture.json: the import needs the pid to recognize the program's process, even
 * if memdb is killed. */
static void on_start(void *arg, const struct job_status *st)
{
	struct session *s = arg;
	char dir[PATH_MAX + 8];
	struct follow_options o = {
		.out = s->follow_log,
		.root = st->pid,
		.interval_ns = s->o->follow_interval_ns,
		.homes = s->machine.nodes > 1,
		.page_bytes = s->machine.page_bytes,
		.track_dir = dir,
		.jitmaps = &s->jitmaps,
	};
	struct md_err err;

	session_keep_symbols(s);
	snprintf(dir, sizeof(dir), "%s/track", s->capture.dir);
	if (follow_start(&o, &s->follow, &err))
		session_warn(s, "the program is not followed: %s", err.msg);
	if (session_write_json(s, &err))
		session_warn(s, "%s", err.msg);
	if (s->o->verbosity >= 0)
		s->ticker = ticker_start(s->capture.fd);
}

static void read_log(int fd, char *text)
{
	ssize_t n = pread(fd, text, SESSION_LOG - 1, 0);

	text[n > 0 ? n : 0] = 0;
}

/* Writes perf's messages to the file perf.log of the capture. */
static void keep_log(struct session *s, const char *log)
{
	int fd = capture_open(&s->capture, "perf.log", O_WRONLY | O_TRUNC);

	if (fd < 0)
		return;
	if (write(fd, log, strlen(log)) < 0)
		unlinkat(s->capture.fd, "perf.log", 0);
	close(fd);
}

/* Starts the recording once. If perf fails before it starts the program, session_perf() tries
 * again. `log` gets perf's messages. */
static int run_once(struct session *s, char *log, struct md_err *err)
{
	struct launch l = {
		.perf = &s->command,
		.argv = s->emulation.n ? s->emulation.v : s->o->argv,
		.job = &s->job,
		.symbols = s->symbols,
		.quiet = s->o->verbosity < 0,
		.ready = records_faults(s) ? on_ready : NULL,
		.started = on_start,
		.ended = session_end_follower,
		.is_full = s->o->max_bytes ? session_is_full : NULL,
		.arg = s,
	};
	int ret;

	/* perf's log goes to memory first: on a full disk, perf could not write the message that
	 * the disk is full */
	l.log_fd = memfd_create("memdb-perf-log", MFD_CLOEXEC);
	if (l.log_fd < 0)
		return md_fail_errno(err, MD_ESYS, "cannot make a memory file");
	fcntl(l.log_fd, F_SETFL, O_APPEND);
	ret = build_command(s, err);
	if (!ret)
		ret = launch_run(&l, &s->result, err);
	/* if launch_run() saw the end of the program, it has called this function already; a second
	 * call does nothing */
	session_end_follower(s);
	session_end_faults(s);
	session_end_thinning(s);
	if (!ret && s->plan.inject && s->result.started &&
	    perf_tool_inject(&s->perf, s->capture.dir, l.log_fd, err))
		session_warn(s, "%s", err->msg);
	read_log(l.log_fd, log);
	keep_log(s, log);
	close(l.log_fd);
	return ret;
}

/* Writes why perf has failed if it has said nothing: it may have had too little room for its stack.
 */
static void guess_reason(char *to, size_t cap)
{
	enum { ENOUGH = 256 << 10 };
	struct rlimit r;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= ENOUGH)
		snprintf(to, cap, "it gave no reason");
	else
		snprintf(to, cap,
			 "it gave no reason; the limit of the stack is only %" PRIu64
			 " KiB (ulimit -s), raise it",
			 (uint64_t)r.rlim_cur >> 10);
}

/*
 * Prepares the next attempt, after perf failed before it started the program. Returns 0, MD_ECHILD
 * if nothing is left to try, or MD_EINTR if the user interrupted memdb.
 */
static int next_attempt(struct session *s, const char *log, struct md_err *err)
{
	enum sampler failed = s->plan.sampler;
	char said[600];

	if (s->result.interrupted)
		return md_fail(err, MD_EINTR, "interrupted before the program ran");
	if (perf_log_wants_smaller_buffers(log) && s->buffer_pages > 1) {
		s->buffer_pages /= 2;
		return 0;
	}
	perf_log_condense(log, said, sizeof(said));
	if (!*said)
		guess_reason(said, sizeof(said));
	md_fail(err, MD_ECHILD, "perf could not record: %s", said);
	if (s->o->sampler != SAMPLER_AUTO ||
	    sampler_choose(SAMPLER_AUTO, failed + 1, &s->machine, &s->o->sampling, &s->plan, NULL))
		return MD_ECHILD;
	session_warn(s, "perf cannot use the sampler %s here, %s is next", sampler_name(failed),
		     sampler_name(s->plan.sampler));
	return 0;
}

int session_perf(struct session *s, char *log, struct md_err *err)
{
	int ret;

	s->buffer_pages =
		machine_buffer_pages(&s->machine, perf_command_buffer_bytes(s->o->call_graph),
				     perf_thirds(s));
	do {
		ret = run_once(s, log, err);
		if (!ret && !s->result.started && !s->result.exec_errno)
			ret = next_attempt(s, log, err);
	} while (!ret && !s->result.started && !s->result.exec_errno);
	return ret;
}
