/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb record: records a program and makes a database from the recording. record_options.h has the
 * options; record/session.h makes the recording.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/owner.h"
#include "cmd/cmd.h"
#include "cmd/record_options.h"
#include "cmd/stop.h"
#include "import/import.h"
#include "report/report.h"

static int exit_code_of_failure(const struct session *s, const struct md_err *err)
{
	cmd_report_error(&cmd_record, err);
	if (s->program_failed)
		return err->code == MD_ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	return err->code == MD_EUSAGE ? EXIT_BAD_USAGE : EXIT_RECORD_FAILED;
}

/* Returns the program's own exit code; 125 if memdb did not see how it ended. */
static int exit_code_of_program(const struct session *s)
{
	return s->result.ended ? launch_exit_code(s->result.end.code) : EXIT_RECORD_FAILED;
}

/*
 * Imports the capture of this session into the database. Returns 0, or EXIT_RECORD_FAILED: then the
 * capture is kept and its path printed.
 */
static int import_capture(const struct record_arguments *a, struct session *s)
{
	struct import_options o = {
		.input = s->capture.dir,
		.output = a->output,
		.progress = a->o.verbosity >= 0,
		.timing = a->o.verbosity > 0,
		.force = a->o.force,
		.no_source = a->no_source,
		.wrappers = a->wrappers.v,
		.own = true,
		.keep_bytes = a->all_blocks ? 0 : IMPORT_KEEP_BYTES,
		.keep_most = a->all_blocks ? 0 : IMPORT_KEEP_MOST,
		/* stop_on_signals() also unblocks its signals, which were blocked during the
		 * recording */
		.stop = stop_on_signals(),
	};
	struct import_result r = { 0 };
	struct md_err err = { 0 };
	unsigned uid, gid;

	if (import_run(&o, &r, &err)) {
		cmd_report_error(&cmd_record, &err);
		fputs("memdb record: what was captured is kept: memdb import -o ", stderr);
		escape_shell(a->output, stderr);
		putc(' ', stderr);
		escape_shell(s->capture.dir, stderr);
		putc('\n', stderr);
		return EXIT_RECORD_FAILED;
	}
	if (owner_sudo_caller(&uid, &gid) && lchown(a->output, uid, gid))
		session_warn(s, "cannot give '%s' to user %u: %s", a->output, uid, strerror(errno));
	if (!a->keep && capture_remove(&s->capture, &err))
		session_warn(s, "%s", err.msg);
	stop_at_once();
	if (a->keep && a->o.verbosity >= 0)
		escape_say("memdb record: the capture is kept in '%s'", s->capture.dir);
	if (a->o.verbosity < 0)
		/* with -q no summary is printed, so the losses are printed alone */
		cmd_report_losses(&r);
	else if (report_summary(a->output, NULL, NULL, stderr, &err))
		session_warn(s, "no summary: %s", err.msg);
	return 0;
}

static const struct argp argp = {
	.options = record_options,
	.parser = record_parse,
	.args_doc = "[--] PROGRAM [ARG...]",
	.doc = "Records a program's memory accesses, allocations and page homes, "
	       "and makes a database of them.\vThe exit code is the program's, or "
	       "128 + N for signal N; 125: recording failed, 126: the program "
	       "cannot be executed, 127: there is no such program.\n\nCtrl-C is "
	       "passed to the program; what was recorded until its end is "
	       "imported.",
};

static int run(int argc, char **argv)
{
	struct record_arguments a = {
		.output = "run.db",
		.o = { .sampler = SAMPLER_AUTO,
		       .sampling = SAMPLING_DEFAULT,
		       .track = true,
		       .follow_interval_ns = 1000000000 },
	};
	static struct session s; /* static, because the stack's limit may be below 100 KiB */
	struct md_err err;
	int ret;

	cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &a);
	a.o.output = a.o.raw ? NULL : a.output;
	ret = a.wrappers.failed ? md_nomem(&err) : session_init(&s, &a.o, &err);
	if (!ret)
		ret = session_run(&s, &err);
	if (ret) {
		ret = exit_code_of_failure(&s, &err);
		goto out;
	}
	if (a.o.raw && a.o.verbosity >= 0)
		escape_say("memdb record: captured into '%s'", a.o.raw);
	if (!a.o.raw)
		ret = import_capture(&a, &s);
	if (!ret)
		ret = exit_code_of_program(&s);
out:
	session_release(&s);
	words_release(&a.wrappers);
	return ret;
}

const struct cmd cmd_record = {
	.name = "record",
	.summary = "run a program and record its memory accesses into a database",
	.argp = &argp,
	.run = run,
};
