/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes one recording, from checking the program to the complete capture directory. */
#ifndef MEMDB_RECORD_SESSION_H
#define MEMDB_RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "record/capture.h"
#include "record/counter.h"
#include "record/exact.h"
#include "record/faults.h"
#include "record/follow.h"
#include "record/jitmaps.h"
#include "record/job.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/perf_tool.h"
#include "record/sampler.h"
#include "record/target.h"
#include "record/ticker.h"
#include "record/trace.h"

struct session_options {
	char *const *argv;  /* the program's words, ends in NULL */
	const char *output; /* the database to make from the capture, or NULL */
	const char *raw;    /* the capture directory to make; NULL means next to the output */
	bool force; /* replace an old capture of that name; an output that is not a database */
	enum sampler sampler;
	struct sampling sampling;
	enum call_graph call_graph;
	unsigned trace;      /* bit g: the tracepoints of enum trace_group g */
	const char *perf;    /* NULL means in PATH */
	const char *library; /* path of the tracker; NULL means where it was installed or built */
	bool track;
	uint64_t min_size;     /* smaller heap blocks are not tracked, bytes */
	uint64_t sample_every; /* one in this many small heap blocks is tracked; 0 means all */
	uint64_t sample_bytes; /* smaller blocks are small, bytes; 0 means the tracker's default */
	uint64_t follow_interval_ns; /* 0 means do not follow */
	bool wait_all;               /* record until background processes have ended too */
	int verbosity;               /* -1 quiet, 0, 1 verbose */
};

/* The state that session_run() sets step by step. */
struct session {
	const struct session_options *o;
	struct machine machine;
	struct job job;
	struct target target;
	struct perf_tool perf;
	struct sampler_plan plan;
	struct trace_plan trace;
	struct exact exact;     /* the sampler exact only */
	uint64_t head_bytes;    /* size of the head of perf.data that exact and soft begin */
	struct words emulation; /* the words that run the program in the emulator */
	struct words command;   /* perf's words; none if the sampler does not need perf */
	struct capture capture;
	struct launch_result result;
	struct words warnings;
	char library[4096];             /* path of the tracker, "" if none is preloaded */
	struct counter_reading counter; /* at the start */
	unsigned buffer_pages;
	unsigned left_running;     /* processes of the program at the end */
	uint64_t start[2], end[2]; /* CLOCK_MONOTONIC and CLOCK_REALTIME, ns */
	bool program_failed;       /* the program cannot be executed */
	bool complete;

	struct faults *faults; /* while the program runs */
	int faults_fd;         /* descriptor of the faults' file; -1: faults are not recorded */
	struct jitmaps jitmaps;
	struct follow *follow;
	struct ticker *ticker; /* while the program runs; NULL means shows nothing */
	struct follow_stats follow_stats;
	FILE *follow_log;
};

/*
 * Notes what the program will inherit. Call it first in the process. Returns 0, MD_ENOMEM or
 * MD_ESYS.
 */
int session_init(struct session *s, const struct session_options *o, struct md_err *err);

/*
 * Makes the recording. Returns 0 if there is a capture, complete or not: s->capture, s->result and
 * s->warnings describe it. Otherwise leaves nothing on disk and returns
 *   MD_ENOENT   no such program (s->program_failed is set), or perf or the tracker is missing
 *   MD_EIO      program not executable (s->program_failed is set), or output not writable
 *   MD_EUSAGE   the options do not fit together, or the output exists already
 *   MD_ENOTSUP  no sampler works
 *   MD_ECHILD   perf failed before the program ran; the sentence has perf's words
 *   MD_EINTR    the user interrupted memdb before the program ran
 *   MD_ENOMEM, MD_ESYS
 */
int session_run(struct session *s, struct md_err *err);

void session_release(struct session *s);

enum { SESSION_LOG = 64 << 10 }; /* bytes of perf's log that are read */

/*
 * Runs perf and the program. log has SESSION_LOG bytes and gets perf's messages. Returns 0 if the
 * program ran or could not be executed (s->result.exec_errno), else an error of session_run().
 */
int session_perf(struct session *s, char *log, struct md_err *err);

/* Adds a sentence to the warnings. */
void session_warn(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes capture.json. Returns 0, MD_EIO or MD_ENOMEM. */
int session_write_json(const struct session *s, struct md_err *err);

/*
 * Checks that the output can be written. Returns the errors of newfile_check(), and MD_EUSAGE if
 * output is the program's own file, even with force.
 */
int session_check_output(const char *output, const char *program, bool force, struct md_err *err);

/*
 * Finds one of memdb's libraries where it was built or installed, or uses the wanted file. Returns
 * 0, MD_ENOENT or MD_ENOTSUP.
 */
int session_find_library(const char *name, const char *wanted, char *out, size_t len,
			 struct md_err *err);

/*
 * Finds libmemdb-track.so, at a path that LD_PRELOAD can contain. Returns the errors of
 * session_find_library().
 */
int session_find_tracker(const char *wanted, char *out, size_t len, struct md_err *err);

/* Counts the running processes that have this capture in their environment. */
unsigned session_count_left(const char *capture_dir);

#endif
