/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the sources of a recording are on this machine. */
#ifndef MEMDB_REPORT_SOURCEPATH_H
#define MEMDB_REPORT_SOURCEPATH_H

enum { MAX_SUBSTITUTES = 16 };

struct source_paths {
	const char *dir; /* searched before the recorded path; NULL: none */
	const char *substitutes[MAX_SUBSTITUTES]; /* "FROM=TO" */
	unsigned nsubstitutes;
};

/*
 * The path of the readable file that has the recorded path here, the first of:
 *   - FROM at its begin, up to a '/' or its end, replaced by TO
 *   - below `dir`: all of it, or what is left of it without its first folders
 *   - the recorded path
 * The caller frees it. NULL: there is none, or out of memory.
 */
char *source_path(const struct source_paths *p, const char *recorded);

#endif
