/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as one HTML file: the page that web/ builds, and behind it a small database that the
 * page asks. The file needs nothing else: no server, no network.
 *
 * The database has a table for each file of sql/page, made by that file's SELECT. A table has a
 * limit of rows; where the file would be too large, all limits are halved until it is not. The
 * table `contents` says what was cut.
 */
#ifndef MEMDB_HTML_HTML_H
#define MEMDB_HTML_HTML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "database/select.h"

struct html_result {
	uint64_t bytes; /* size of the file */
	uint64_t rows;  /* points of the recording: samples, or a draw of them (count) */
	uint64_t kept;  /* those in the page */
};

/* The most bytes of a page. */
enum { HTML_MAX = 8 << 20 };

/*
 * Writes the page of the samples s (NULL: all) of `database` to `path`, which appears when it is
 * complete, mode 0600. What is there is replaced where it is a page of memdb's or empty, with force
 * any file but the database. MD_ENOTSUP  this memdb was built without the page MD_EUSAGE   path is
 * not to be replaced, or is the database and the errors of select_open(), newfile_create() and
 * copy_rows()
 */
int html_write(const char *database, const struct selection *s, const char *path, bool force,
	       struct html_result *result, struct md_err *err);

#endif
