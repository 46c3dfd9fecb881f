/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the sources of a recording on this machine. */
#ifndef MEMDB_REPORT_SOURCEPATH_H
#define MEMDB_REPORT_SOURCEPATH_H

enum { MAX_SUBSTITUTES = 16 };

struct source_paths {
	const char *dir; /* searched before the recorded path; NULL means none */
	const char *substitutes[MAX_SUBSTITUTES]; /* "FROM=TO" */
	unsigned nsubstitutes;
};

/*
 * Returns the path of a readable file for the recorded path, the first of:
 *   - the path with FROM at its begin, up to a '/' or its end, replaced by TO
 *   - below `dir`: the whole path, or the path without its first folders
 *   - the recorded path
 * The caller frees the result. NULL means there is none, or out of memory.
 */
char *source_path(const struct source_paths *p, const char *recorded);

#endif
