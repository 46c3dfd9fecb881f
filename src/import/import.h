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
	const char *input; /* capture directory or perf.data; "-": standard input */
	/* tracker logs of a perf.data recorded by hand; NULL means those in the capture directory
	 */
	const char *track_dir;
	/* the database to write; an old one is replaced when the new one is complete */
	const char *output;
	/* replace any regular file of that name that is not an input; import recordings of other
	 * users */
	bool force;
	bool own;               /* this process made the recording */
	const char *debug_dirs; /* NULL means the default */
	const char *symfs;      /* folder with the files of the recorded machine; NULL means "/" */
	bool no_source;         /* leave out the text of source lines */
	bool no_lines;          /* leave out source lines and inlined frames */
	/* accept files without a recorded build-id as those that ran, even against evidence */
	bool trust_files;
	/* blocks of at least this size are stored, smaller ones only if they matter; 0 means all
	 * are */
	uint64_t keep_bytes;
	bool check;    /* let SQLite check the whole database */
	bool progress; /* show progress on stderr if that is a terminal */
	bool timing;   /* print the seconds of each phase on stderr */
	/* kill perf inject when it has written nothing for this long; 0 means derive the limit from
	 * the size of the recording */
	unsigned inject_idle_seconds;
	const volatile int *stop; /* becomes non-zero when the user interrupts; NULL means never */
};

enum { IMPORT_KEEP_BYTES = 4096 }; /* the default of keep_bytes */

struct import_result {
	uint64_t samples, page_faults, tracepoints, allocations, objects;
	uint64_t with_address, with_object; /* samples */
	double seconds;
	/* a sentence on how the recording is damaged or unfinished; "" means it is complete */
	char damage[256];
	/* what should be in the database but is not, such as "12 lost samples (perf)"; "" means
	 * nothing. The table losses has all of it */
	char missing[256];
};

/*
 * Writes o->output. On failure no file of that name is left or changed:
 *   MD_EFORMAT, MD_ENOTSUP   the input is not readable as a recording
 *   MD_EIO                   input missing, owned by another user, or shortened while it was read;
 *                            output not writable, disk full
 *   MD_EUSAGE                the output is an input, or must not be replaced (newfile_check())
 *   MD_EDB, MD_ENOMEM
 *   MD_EINTR                 *o->stop was set
 * A damaged recording is no failure: the intact part is imported, and the table losses lists the
 * rest.
 */
int import_run(const struct import_options *o, struct import_result *r, struct md_err *err);

#endif
