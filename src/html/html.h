/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording as one HTML file: the page that is built from web/, and a small database
 * inside it, which its scripts query. The file needs no server and no network.
 *
 * The database has a table for each file of sql/page, made by that file's SELECT. Each of these
 * tables has a maximum number of rows. If the HTML file would be too large, all these numbers are
 * halved until it is not. The table `contents` has the number of rows before and after these cuts.
 */
#ifndef MEMDB_HTML_HTML_H
#define MEMDB_HTML_HTML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "database/select.h"
#include "report/diff.h"

struct html_result {
	uint64_t bytes; /* size of the file */
	/* number of samples that sql/page/points.sql selects for the charts (see the view
	 * drawn_samples) */
	uint64_t rows;
	uint64_t kept; /* number of these samples that the page contains; smaller than rows if a
			* limit was reached */
};

/* Maximum size of a page in bytes. */
enum { HTML_MAX = 8 << 20 };

/*
 * Writes to `path` a page with those samples of `database` that s selects; s NULL means all. The
 * file has mode 0600 and appears only when it is complete. It may replace an empty file or a page
 * of memdb; with force, any regular file except the database and ELF files. Returns 0, an error of
 * select_open(), newfile_create() or copy_rows(), or
 *   MD_ENOTSUP  memdb was built without the page, or the page cannot be made small enough
 *   MD_EUSAGE   path may not be replaced, or is the database
 */
int html_write(const char *database, const struct selection *s, const char *path, bool force,
	       struct html_result *result, struct md_err *err);

/*
 * Writes a page that compares two runs. Its scripts are the same, but its database has other
 * tables: `changes`, with the columns of sql/diff/1-changes.sql; `notes`, with the texts of
 * sql/diff/2-notes.sql; and `compared`, with a row for each run. Sets *bytes to the size of the
 * file. Returns 0, or an error of diff_open() or html_write().
 */
int html_write_changes(const struct diff_options *o, const char *path, bool force, uint64_t *bytes,
		       struct md_err *err);

#endif
