/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds source files on this machine by the paths in a recording, which may come from another
 * machine. */
#ifndef MEMDB_REPORT_SOURCEPATH_H
#define MEMDB_REPORT_SOURCEPATH_H

enum { MAX_SUBSTITUTES = 16 };

struct source_paths {
	const char *dir; /* folder that is searched before the recorded path; NULL means none */
	const char *substitutes[MAX_SUBSTITUTES]; /* each is "FROM=TO" */
	unsigned nsubstitutes;
};

/*
 * Returns the path of a readable file that may be the recorded one. These are tried in this order:
 *   - the recorded path with FROM at its start replaced by TO; FROM must end at a '/' or at the end
 *     of the path
 *   - the recorded path below `dir`, complete or without its first folders
 *   - the recorded path
 * The caller frees the result. NULL means that none is readable, or out of memory.
 */
char *source_path(const struct source_paths *p, const char *recorded);

#endif
