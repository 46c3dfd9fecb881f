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
#include "record/kernel_symbols.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/perf_tool.h"
#include "record/sampler.h"
#include "record/target.h"
#include "record/thin.h"
#include "record/ticker.h"
#include "record/trace.h"

struct session_options {
	char *const *argv;  /* words of the program's command line; ends with NULL */
	const char *output; /* the database that the import will create from the capture, or NULL */
	const char *raw;    /* capture directory to create; NULL means next to the output */
	/* whether to replace an old capture of this name, or an output that is not a database */
	bool force;
	enum sampler sampler;
	struct sampling sampling;
	enum call_graph call_graph;
	unsigned trace;   /* set of groups of tracepoints: bit g stands for the value g of enum
			   * trace_group */
	const char *perf; /* path or name of perf; NULL means "perf" (perf_tool_find()) */
	/* path of the tracker's library; NULL means that memdb looks for it where memdb was
	 * installed or built */
	const char *library;
	bool track;
	uint64_t min_size;     /* heap blocks below this size are not tracked, bytes */
	uint64_t sample_every; /* N: one in N small heap blocks is tracked; 0 means all */
	/* heap blocks below this size count as small, bytes; 0 means the tracker's default */
	uint64_t sample_bytes;
	/* pause between two looks of the follower, ns; 0 means that its thread is not started
	 * (follow_options.interval_ns) */
	uint64_t follow_interval_ns;
	/* the recording ends when the capture takes this disk space, bytes; 0 means no limit */
	uint64_t max_bytes;
	/* with max_bytes: whether to record less and less while the capture fills, so that it
	 * covers the entire run of the program (session_full.c) */
	bool keep_all;
	/* whether to record until the processes that the program leaves running have ended, too */
	bool wait_all;
	int verbosity; /* -1 is quiet, 0 normal, 1 verbose */
};

/* The state of a recording, which session_run() fills step by step. */
struct session {
	const struct session_options *o;
	struct machine machine;
	struct job job;
	struct target target;
	struct perf_tool perf;
	struct sampler_plan plan;
	struct trace_plan trace;
	struct exact exact; /* used by the sampler exact only */
	/* exact, soft: size of the head that memdb has written to perf.data */
	uint64_t head_bytes;
	struct words emulation; /* exact: the command line that runs the program in the emulator */
	struct words command;   /* perf's command line; empty if the sampler does not need perf */
	struct capture capture;
	struct launch_result result;
	struct words warnings;
	/* path of the tracker's library; "" if it is not preloaded */
	char library[4096];
	struct counter_reading counter; /* time-stamp counter and clock when memdb started */
	unsigned buffer_pages;
	unsigned left_running; /* processes of the program that are still running at the end */
	/* CLOCK_MONOTONIC and CLOCK_REALTIME, ns. start[0] also identifies the recording */
	uint64_t start[2], end[2];
	uint64_t full[2]; /* when the capture reached max_bytes, by the same clocks; 0 means that
			   * it did not */
	/* thinning of samples; its fd is 0 before thinning is first needed, -1 if it is
	 * impossible */
	struct thin thin;
	/* whether the last increase of thin.every hardly reduced perf.data, because other records
	 * than samples fill it */
	bool thin_is_useless;
	/* N: one in N small heap blocks and page faults is recorded; 0 means all */
	uint64_t thin_every;
	struct faults_missing faults_missing; /* which page faults were not recorded */
	/* after an error of session_run(): whether the program cannot be executed */
	bool program_failed;
	bool complete;

	struct faults *faults; /* set while the program runs */
	/* descriptor of faults.data; -1 means that page faults are not recorded */
	int faults_fd;
	struct jitmaps jitmaps;
	struct follow *follow;
	/* set while the program runs; NULL means that no progress is shown */
	struct ticker *ticker;
	struct follow_stats follow_stats;
	FILE *follow_log;
	/* set until session_keep_symbols() */
	struct kernel_symbols *symbols;
};

/*
 * Stores the state that the program will inherit (record/job.h). Must be called before anything
 * else changes that state. Returns 0, MD_ENOMEM or MD_ESYS.
 */
int session_init(struct session *s, const struct session_options *o, struct md_err *err);

/*
 * Makes the recording. Returns 0 if there is a capture, complete or not: s->capture, s->result and
 * s->warnings describe it. Otherwise leaves nothing on disk and returns
 *   MD_ENOENT   no such program (s->program_failed is set), perf or the tracker is missing, or the
 *               PMU lacks an event or field that the sampler needs
 *   MD_EIO      the program (s->program_failed is set) or perf cannot be executed, or a file of the
 *               capture cannot be written
 *   MD_EUSAGE   the options do not fit together, or the output exists already or is not writable
 *   MD_ENOTSUP  no sampler works, or the chosen one cannot do what the options ask for; or a path
 *               of memdb's libraries cannot be used
 *   MD_EFORMAT  sysfs describes the sampler's PMU in a way that makes no sense
 *   MD_ECHILD   perf failed before the program ran; the sentence has perf's words
 *   MD_EINTR    the user interrupted memdb before the program ran
 *   MD_ENOMEM, MD_ESYS
 */
int session_run(struct session *s, struct md_err *err);

void session_release(struct session *s);

enum { SESSION_LOG = 64 << 10 }; /* bytes of perf's log that are read to find an error message */

/*
 * Runs perf and the program. `log` has room for SESSION_LOG bytes and gets perf's messages. Returns
 * 0 if the program ran, or if perf did not fail but the program could not be executed
 * (s->result.exec_errno); otherwise an error of session_run().
 */
int session_perf(struct session *s, char *log, struct md_err *err);

/* With keep_all, first thins the capture if necessary. Returns true if the capture has reached its
 * maximum disk space. Then all parts of the recording except perf have been ended, and the caller
 * must end perf. arg is the session. */
bool session_is_full(void *arg);

/* Writes the kernel's symbols into the capture. A second call does nothing. */
void session_keep_symbols(struct session *s);

/* Stops the follower and the progress display. Must be called as soon as the program has ended,
 * because another process may then get its pid. arg is the session; a second call does nothing. */
void session_end_follower(void *arg);

/* Stops recording page faults. Must be called before the capture is closed. */
void session_end_faults(struct session *s);

/* Thins the last samples. Must be called when perf has ended. */
void session_end_thinning(struct session *s);

/* Sets the program's path. If there is a tracker (s->library is not ""), also adds to the program's
 * environment the tracker, its directory and its options. Returns 0 or MD_ENOMEM. */
int session_environment(struct session *s, struct md_err *err);

/* Reads CLOCK_MONOTONIC and CLOCK_REALTIME at the same moment, ns. */
void session_read_clocks(uint64_t ns[2]);

/* Adds a sentence to the warnings. */
void session_warn(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Says what the user should know before the program starts. */
void session_warn_before(struct session *s);

/* Warns about problems of a recording that has ended and can still be imported. `log` contains
 * perf's messages. Sets s->left_running. */
void session_warn_after(struct session *s, const char *log);

/* Writes capture.json. Returns 0, MD_EIO or MD_ENOMEM. */
int session_write_json(const struct session *s, struct md_err *err);

/*
 * Checks that the output can be written. Returns 0, MD_ENOMEM, or MD_EUSAGE if the output cannot be
 * written or is the program's own file. The program's own file is refused even with force.
 */
int session_check_output(const char *output, const char *program, bool force, struct md_err *err);

/* `ret` is the result of a function that creates or checks an output of the recording before the
 * program runs. Returns `ret`, but MD_EUSAGE in place of MD_EIO: before the program has run, the
 * user only needs to name another path. */
int session_output_result(int ret, struct md_err *err);

/* If the user preloads AddressSanitizer's library into the program, marks the program as one that
 * cannot be tracked. */
void session_check_preload(struct session *s);

/*
 * Finds one of memdb's libraries where memdb was built or installed. If `wanted` is not NULL,
 * checks that file instead. Returns 0, MD_ENOENT or MD_ENOTSUP.
 */
int session_find_library(const char *name, const char *wanted, char *out, size_t len,
			 struct md_err *err);

/*
 * Finds libmemdb-track.so under a path that LD_PRELOAD can contain. Returns the same values as
 * session_find_library().
 */
int session_find_tracker(const char *wanted, char *out, size_t len, struct md_err *err);

/* Returns the number of processes of the program that are still running. Each of them has the
 * tracker's options in its environment. The options begin with the number of the recording. */
unsigned session_count_left(const struct session *s);

#endif
