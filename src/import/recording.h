/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads capture.json and perf's header features: facts about the run and the machine's topology. */
#ifndef MEMDB_IMPORT_RECORDING_H
#define MEMDB_IMPORT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "perfdata/samplers.h"
#include "waits/reach.h"

/* The format of capture.json (record/capture.h) that this memdb writes and reads. */
#define CAPTURE_FORMAT 1

struct import;

/* What capture.json contains. Strings belong to `json`. */
struct recording {
	struct json_object *json; /* NULL means that there is no such file, or that it is
				   * unreadable */
	bool has_file;
	struct md_err why; /* why the existing file cannot be read; empty if it can */
	const char *sampler, *perf_version, *memdb_version, *hostname, *kernel, *arch, *cwd;
	/* name of the emulator of the CPU, such as "QEMU TCG"; NULL means that no emulator is
	 * known */
	const char *emulator;
	/* whether a read of private memory that nobody has written places a page; usually it maps
	 * the kernel's page of zeros */
	bool reads_place;
	char *command, *perf_command;
	/* sizes of the data caches, first level first; 0 means unknown. `caches` names their
	 * source: "kernel", "cpu", or "model" for simulated caches; NULL means that there are no
	 * sizes */
	uint64_t cache_bytes[CACHE_LEVELS];
	const char *caches;
	uint64_t start_ns, end_ns, start_realtime_ns;
	/* time when the capture reached its maximum size, ns; 0 means that it did not */
	uint64_t full_ns;
	/* How much of the data was kept, to limit the size of the capture (record/capture.h). Each
	 * sample of perf.data represents `samples` samples; at the end of the recording, one in
	 * `blocks` of the small heap blocks was recorded; 1 means all. removed_samples and
	 * removed_faults are the numbers of samples that were removed and of page faults that were
	 * not recorded */
	struct recording_thinned {
		int64_t samples, blocks, removed_samples, removed_faults;
	} thinned;
	/* for how long no minor page faults were recorded because many processes started, ns, and
	 * how many processes started then */
	uint64_t storm_ns, storm_processes;
	uint64_t storm_begin, storm_end; /* this was between these times; 0 if it is unknown */
	int64_t exit_code, exit_signal;
	bool has_exit_code, has_exit_signal, tracked;
	const char *untracked_reason; /* why `tracked` is false; NULL if it is true */
	bool unfinished;              /* whether memdb record was killed while it recorded */
	/* pids of the program's first process, and of the process of memdb record that waited for
	 * it; 0 means unknown */
	uint32_t pid, waiter_pid;
};

/* Were the samples recorded in this way? Not if the sampler is unknown. The emulator (RUN_EMULATED)
 * reports the mappings of each program that it runs, so a program without mappings was not
 * emulated. */
bool recording_is_by(const struct recording *r, enum sampler_run run);

/* Returns a or, if that is NULL, b. */
static inline const char *first_text(const char *a, const char *b)
{
	return a ? a : b;
}

/* Reads capture.json in the capture directory. The file is optional: recordings made by perf alone
 * have none. */
void recording_read(struct import *im);
/* Reports as damage or losses a missing or unreadable capture.json, and what the recording lacks
 * according to this file and to perf.data, such as its end, removed samples, or the allocations of
 * an untracked program. Also reports missing logs of the tracker, unless `logs_reported` is true:
 * then they have been reported already. */
void recording_losses(struct import *im, bool logs_reported);
/* Could the tracker not work in the recorded program, so that nothing is tracked? False if the user
 * did not want the tracker, or if there are logs of other programs. */
bool recording_refused_tracker(const struct import *im);
void recording_release(struct recording *r);
/* Returns the role of the event with this type and config according to capture.json; -1 if it does
 * not list the event. */
int recording_role(const struct recording *r, uint32_t type, uint64_t config);

/* Reads the topology from perf's header features, except for nodes that the follower has
 * described. Returns 0 or MD_ENOMEM. */
int recording_topology(struct import *im);

#endif
