/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The import pipeline: capture directory or perf.data -> one database.
 */
#ifndef MEMDB_IMPORT_IMPORT_H
#define MEMDB_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct import_options {
	const char *input;      /* a capture directory, or a perf.data; "-": standard input */
	const char *track_dir;  /* tracker logs of a perf.data recorded by hand; NULL: those of the
				   capture directory */
	const char *output;     /* database to write; replaced only when the new one is whole */
	bool force;             /* replace whatever regular file has that name, but no input; take
				   recordings of other users */
	bool own;               /* the recording was made by this process */
	const char *debug_dirs; /* NULL: the default */
	const char *symfs;      /* folder in which the recorded machine's files are; NULL: "/" */
	bool no_lines;          /* leave out source lines and inlined frames */
	bool trust_files;       /* files without a recorded build-id are those of this machine, even
				   where something speaks against it */
	bool progress;          /* show progress on stderr where that is a terminal */
	bool timing;            /* print the seconds of each phase on stderr */
	unsigned inject_idle_seconds; /* of a perf inject that writes nothing until it is killed;
					 0: by the size of the recording */
	const volatile int *stop;     /* becomes non-zero when the user interrupts; NULL: never */
};

struct import_result {
	uint64_t samples, page_faults, tracepoints, allocations, objects;
	uint64_t with_address, with_object; /* samples */
	double seconds;
	char damage[256];  /* of a damaged or unfinished recording: a sentence; "": it is whole */
	char missing[256]; /* what was recorded or should have been, and is not in the database, as
			      "12 lost samples (perf)"; "": nothing. All of it is in losses */
};

/*
 * Writes o->output. On failure no file of that name is left or changed:
 *   MD_EFORMAT, MD_ENOTSUP   the input is not readable as a recording
 *   MD_EIO                   input missing, of another user, or cut short while it was read; output
 *                            not writable, disk full
 *   MD_EUSAGE                the output is an input, or is not to be replaced (newfile_check())
 *   MD_EDB, MD_ENOMEM
 *   MD_EINTR                 *o->stop was set
 * A damaged recording is no failure: what is sound is imported, the rest is in the table losses.
 */
int import_run(const struct import_options *o, struct import_result *r, struct md_err *err);

#endif
