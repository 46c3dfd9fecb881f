/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one recording from start to end. session_run() has the steps in order.
 *
 * Everything that the user can correct is checked before anything is written or started. After
 * that, a failure does not discard the recording, because an incomplete recording is better than
 * none. So most failures become warnings, which are printed at once and stored in capture.json.
 */
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "kallsyms_format.h"
#include "record/trim.h"

/* Opens /dev/null for each of the descriptors 0, 1 and 2 that the user closed. Otherwise a file or
 * pipe of memdb would get that number: output to stdout or stderr would be written into it, and
 * become_perf() would replace it in the child. */
static void fill_closed_stdio(const struct job *j)
{
	for (int i = 0; i < 3; i++)
		if (j->stdio[i] < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) > 2)
			return;
}

/* Raises a limit as far as this user is permitted to. */
static void lift_limit(__rlimit_resource_t what)
{
	struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };

	if (!setrlimit(what, &r) || getrlimit(what, &r))
		return;
	r.rlim_cur = r.rlim_max;
	setrlimit(what, &r);
}

/* Raises the limit on the stack to STACK_BYTES, or to the hard limit if that is lower. It must not
 * become infinite, because then perf's address space would get another layout. */
static void lift_stack_limit(void)
{
	enum { STACK_BYTES = 8 << 20 };
	struct rlimit r;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= STACK_BYTES)
		return;
	r.rlim_cur = r.rlim_max < STACK_BYTES ? r.rlim_max : STACK_BYTES;
	setrlimit(RLIMIT_STACK, &r);
}

/*
 * Lifts the limits on file sizes, open files and the stack for memdb and perf: captures are large,
 * each event needs a descriptor per CPU, and buffers are on the stack. exec-target restores the old
 * limits for the program.
 */
static void lift_limits(void)
{
	signal(SIGXFSZ, SIG_IGN);
	lift_limit(RLIMIT_FSIZE);
	lift_limit(RLIMIT_NOFILE);
	lift_stack_limit();
}

/* Must be called before anything is opened, because the job stores the state of this process. */
int session_init(struct session *s, const struct session_options *o, struct md_err *err)
{
	int ret;

	*s = (struct session){ .o = o, .capture = { .fd = -1 }, .faults_fd = -1 };
	ret = job_init(&s->job, err);
	if (ret)
		return ret;
	fill_closed_stdio(&s->job);
	lift_limits();
	s->counter = counter_read();
	s->job.wait_all = o->wait_all;
	machine_read(&s->machine, "");
	return 0;
}

void session_release(struct session *s)
{
	words_release(&s->command);
	words_release(&s->emulation);
	words_release(&s->warnings);
	job_release(&s->job);
	capture_close(&s->capture);
	jitmaps_release(&s->jitmaps);
	kernel_symbols_finish(s->symbols, NULL);
	if (s->follow_log)
		fclose(s->follow_log);
}

/* Reads CLOCK_MONOTONIC and CLOCK_REALTIME at the same moment, so that the import can convert times
 * to the time of day. */
void session_read_clocks(uint64_t ns[2])
{
	ns[0] = monotonic_ns();
	ns[1] = clock_ns(CLOCK_REALTIME);
}

/* Finds the program that takes the samples: perf or the emulator. */
static int find_recorder(struct session *s, struct md_err *err)
{
	int ret;

	switch (sampler_run(s->o->sampler)) {
	case RUN_PERF:
		return perf_tool_find(s->o->perf, &s->perf, err);
	case RUN_EMULATED:
		ret = exact_find(&s->exact, err);
		return ret ? ret : exact_check(&s->exact, &s->target, err);
	case RUN_INSTRUMENTED:
		break;
	}
	return 0;
}

/* Begins to read the kernel's symbols, as early as possible: perf waits for them. */
static void start_symbols(struct session *s)
{
	char library[PATH_MAX];
	bool has_library =
		!session_find_library(KALLSYMS_LIBRARY, NULL, library, sizeof(library), NULL);

	s->symbols = kernel_symbols_start(has_library ? library : NULL);
}

/* Checks all that can fail because of the user's options or the machine, before anything is written
 * or started. */
static int check_session(struct session *s, struct md_err *err)
{
	const struct session_options *o = s->o;
	int ret = sampler_check_options(o->sampler, &o->sampling, err);

	if (ret)
		return ret;
	ret = target_find(o->argv[0], &s->target, err);
	s->program_failed = ret != 0;
	if (ret)
		return ret;
	target_look_behind_loader(&s->target, o->argv);
	if (s->target.gains_rights && sampler_run(o->sampler) != RUN_EMULATED)
		s->target.untracked = TARGET_PRIVILEGED;
	if (o->output)
		ret = session_check_output(o->output, s->target.path, o->force, err);
	if (ret)
		return ret;
	start_symbols(s);
	ret = find_recorder(s, err);
	if (ret)
		return ret;
	session_check_preload(s);
	if (o->track && target_bears_preload(s->target.untracked)) {
		ret = session_find_tracker(o->library, s->library, sizeof(s->library), err);
		if (ret)
			return ret;
	}
	ret = sampler_choose(o->sampler, 0, &s->machine, &o->sampling, &s->plan, err);
	if (ret)
		return ret;
	if (o->call_graph == CALL_GRAPH_LBR && !sampler_kind(s->plan.sampler)->branches)
		return md_fail(
			err, MD_ENOTSUP,
			"--call-graph lbr: the sampler %s has no branch records, only pebs on "
			"Intel processors has: take fp or dwarf",
			sampler_name(s->plan.sampler));
	return 0;
}

/* Plans the tracepoints of the groups that the user asked for. Prints a warning for each group with
 * a tracepoint that is not available. */
static void choose_tracepoints(struct session *s)
{
	struct md_err err;

	for (unsigned g = 0; g < TRACE_GROUPS; g++)
		if (s->o->trace >> g & 1 &&
		    trace_plan_add(&s->trace, (enum trace_group)g, &s->machine, &err))
			session_warn(s, "%s", err.msg);
}

/* Creates the capture and its first files. On failure nothing remains on disk. */
static int prepare_capture(struct session *s, struct md_err *err)
{
	int fd, ret;

	ret = s->o->raw ? capture_create(&s->capture, s->o->raw, s->o->force, err)
			: capture_create_beside(&s->capture, s->o->output, err);
	ret = session_output_result(ret, err);
	if (ret)
		return ret;
	if (strpbrk(s->capture.dir, "\n")) {
		ret = md_fail(err, MD_EUSAGE, "the capture's name has a newline");
		goto fail;
	}
	fd = capture_open(&s->capture, "follow.log", O_WRONLY | O_EXCL);
	s->follow_log = fd < 0 ? NULL : fdopen(fd, "w");
	if (!s->follow_log) {
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s/follow.log'", s->capture.dir);
		goto fail;
	}
	follow_write_head(s->follow_log, "", s->machine.page_bytes);
	return 0;
fail:
	capture_remove(&s->capture, NULL);
	return ret;
}

/* Prepares the sampler exact or soft. Both write perf.data themselves. */
static int prepare_accesses(struct session *s, struct md_err *err)
{
	struct exact_run r = {
		.x = &s->exact,
		.target = &s->target,
		.sampling = &s->o->sampling,
		.argv = s->o->argv,
		.tracker = s->library,
		.capture_dir = s->capture.dir,
	};
	int ret = exact_write_head(&s->capture, &s->o->sampling, &s->head_bytes, err);

	if (ret)
		return ret;
	r.head_bytes = s->head_bytes;
	return sampler_run(s->plan.sampler) == RUN_INSTRUMENTED
		       ? soft_environment(&r, &s->job, err)
		       : exact_command(&r, &s->job, &s->emulation, err);
}

/*
 * Reports why the program could not be executed. The file was found, so ENOENT means that its
 * loader or interpreter is missing.
 */
static int exec_failed(struct session *s, struct md_err *err)
{
	int sys = s->result.exec_errno;

	s->program_failed = true;
	errno = sys;
	md_fail_errno(err, MD_EIO, "cannot execute '%s'", s->o->argv[0]);
	if (sys == ENOENT)
		return md_fail(err, MD_EIO,
			       "cannot execute '%s': its interpreter or loader is missing",
			       s->o->argv[0]);
	return MD_EIO;
}

/* Completes the capture when the program has ended, even if the program or perf failed. */
static void finish_capture(struct session *s, const char *log)
{
	struct md_err err;

	session_read_clocks(s->end);
	session_keep_symbols(s);
	if (jitmaps_copy(&s->jitmaps, "/tmp", s->start[1], &s->capture))
		session_warn(s, "names of code made at run time are missing: the disk is full");
	session_warn_after(s, log);
	trim_logs(s->capture.dir);
	fflush(s->follow_log); /* capture.json contains the final sizes of all files */
	s->complete = true;
	if (session_write_json(s, &err))
		session_warn(s, "%s", err.msg);
	capture_give_to_caller(&s->capture);
	if (s->o->verbosity > 0)
		fprintf(stderr,
			"memdb record: followed with %u looks, %.1f ms of CPU, %" PRIu64 " pages\n",
			s->follow_stats.looks, (double)s->follow_stats.cpu_ns / 1e6,
			s->follow_stats.pages);
}

/* Runs the program and records it into the capture, which must already have been created. `log` has
 * room for SESSION_LOG bytes of perf's messages. */
static int record_program(struct session *s, char *log, struct md_err *err)
{
	int ret = session_environment(s, err);

	if (ret)
		return ret;
	if (sampler_run(s->plan.sampler) != RUN_PERF) {
		ret = prepare_accesses(s, err);
		if (ret)
			return ret;
	}
	ret = session_write_json(s, err);
	if (ret)
		return ret;
	ret = session_perf(s, log, err);
	if (ret)
		return ret;
	return s->result.exec_errno ? exec_failed(s, err) : 0;
}

int session_run(struct session *s, struct md_err *err)
{
	char *log = malloc(SESSION_LOG);
	int ret = log ? check_session(s, err) : md_nomem(err);

	if (ret)
		goto out;
	ret = prepare_capture(s, err);
	if (ret)
		goto out;
	session_warn_before(s);
	choose_tracepoints(s);
	session_read_clocks(s->start);
	if (s->library[0])
		capture_open_logs(&s->capture, s->start[0]);
	ret = record_program(s, log, err);
	if (ret)
		capture_remove(&s->capture, NULL);
	else
		finish_capture(s, log);
out:
	free(log);
	return ret;
}
