/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The import pipeline: it reads a capture directory or a perf.data and writes one database. */
#ifndef MEMDB_IMPORT_IMPORT_H
#define MEMDB_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct import_options {
	const char *input; /* a capture directory or a perf.data; "-" means standard input */
	/* folder of the tracker's logs, for a perf.data that memdb did not record; NULL means the
	 * one in the capture directory */
	const char *track_dir;
	/* the database to write; an old one is replaced when the new one is complete */
	const char *output;
	/* whether to replace any regular file except inputs and ELF files, and to import recordings
	 * of other users (--force) */
	bool force;
	/* whether this process has just made the recording; such a recording is trusted */
	bool own;
	const char *debug_dirs; /* folders of separate debug files; NULL means the default ones */
	/* folder that contains a copy of the recorded machine's files; NULL means "/" */
	const char *symfs;
	/* names of functions that only pass an allocation on, so that blocks are named after the
	 * callers of these functions. The list ends with NULL. A NULL pointer means none */
	char *const *wrappers;
	bool no_source; /* whether to leave out the text of source lines */
	bool no_lines;  /* whether to leave out source lines and inlined frames */
	/* whether to accept a file without a recorded build-id as the one that ran, even if it
	 * looks changed */
	bool trust_files;
	/* of each object, the first `keep_most` blocks get a row if they have at least `keep_bytes`
	 * bytes; others only if they matter, for example because a sample or a page fault hit them
	 * (model/deferred.c). keep_most 0 means no limit; if both are 0, every block gets a row */
	uint64_t keep_bytes, keep_most;
	bool check;          /* whether SQLite checks the finished database */
	bool sqlite_inserts; /* whether SQLite inserts all rows (writer_insert_all()) */
	bool progress;       /* whether to show progress on stderr, if stderr is a terminal */
	bool timing;         /* whether to print on stderr the duration of each phase in seconds */
	/* perf inject is killed when it has written nothing for this many seconds; 0 means a time
	 * that depends on the size of the recording */
	unsigned inject_idle_seconds;
	/* a flag that becomes non-zero when the user interrupts; NULL means never */
	const volatile int *stop;
};

enum {
	IMPORT_KEEP_BYTES = 4096, /* default of keep_bytes, one page */
	IMPORT_KEEP_MOST = 10000, /* default of keep_most */
};

struct import_result {
	uint64_t samples, page_faults, tracepoints, allocations, objects;
	uint64_t with_address, with_object; /* number of samples with a data address, and with an
					     * object */
	double seconds;
	/* a sentence on how the recording is damaged or unfinished; "" means neither */
	char damage[256];
	/* a list of missing data, such as "12 lost samples (perf)"; "" means nothing. The table
	 * `losses` has the full list */
	char missing[256];
	/* the names in import_options.wrappers through which no block was allocated, as a list; ""
	 * means none */
	char wrappers[256];
};

/*
 * Imports o->input and writes the database o->output. Returns 0 with *r filled in. On failure, a
 * file of that name is neither created nor changed:
 *   MD_EFORMAT, MD_ENOTSUP   the input is not readable as a recording
 *   MD_EIO                   input missing, owned by another user, or shortened while it was read;
 *                            output not writable, disk full
 *   MD_EUSAGE                the output is an input, or must not be replaced (newfile_check())
 *   MD_EDB, MD_ENOMEM
 *   MD_EINTR                 *o->stop was set
 * A damaged recording does not make the import fail: the intact part is imported, and the table
 * losses lists the rest.
 */
int import_run(const struct import_options *o, struct import_result *r, struct md_err *err);

#endif
