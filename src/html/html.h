/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording as one HTML file: the page that web/ builds, with a small database that the
 * page queries. The file needs no server and no network.
 *
 * The database has a table for each file of sql/page, made by that file's SELECT. Each table has a
 * limit of rows. If the file would be too large, all limits are halved until it is not. The table
 * `contents` lists what was cut.
 */
#ifndef MEMDB_HTML_HTML_H
#define MEMDB_HTML_HTML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "database/select.h"

struct html_result {
	uint64_t bytes; /* size of the file */
	uint64_t rows;  /* points of the recording: samples, or a random part of them (count) */
	uint64_t kept;  /* points in the page */
};

/* Most bytes of a page. */
enum { HTML_MAX = 8 << 20 };

/*
 * Writes the page of the samples s (NULL means all) of `database` to `path`. The file has mode 0600
 * and appears when it is complete. It may replace an empty file or a page of memdb's; with force,
 * any file but the database. Returns 0, an error of select_open(), newfile_create() or copy_rows(),
 * or MD_ENOTSUP  this memdb was built without the page, or the page cannot be made small enough
 *   MD_EUSAGE   path may not be replaced, or is the database
 */
int html_write(const char *database, const struct selection *s, const char *path, bool force,
	       struct html_result *result, struct md_err *err);

#endif
