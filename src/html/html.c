/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/html.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "database/copy.h"
#include "database/kept.h"
#include "database/newfile.h"
#include "html/pack.h"
#include "html/tables.h"
#include "html/template.h"

/* Maximum number of times that the limits on rows are halved to make a page smaller. After that,
 * hardly a row is left: only long names can still make a page too large. */
enum { SHRINK_MAX = 20 };

/* Maximum number of rows of each table in the page for a comparison. The first rows of the SELECT
 * are copied; for `changes`, sql/diff/1-changes.sql defines their order. */
enum { CHANGES_MAX = 20000 };

/* An SQL SELECT of one row about one of the two compared runs: its number (0 or 1), command,
 * duration in seconds, sampler and number of samples. */
#define RUN_OF(which, database)                                                                   \
	"SELECT " which " AS which, command, (end_ns - start_ns) / 1e9 AS seconds, sampler, "     \
	"(SELECT samples FROM " database ".totals WHERE scope = 'run') AS samples FROM " database \
	".runs"

/* Makes the data of a page: a small database (tables_make()) as text (pack_text()). As long as the
 * page would exceed HTML_MAX, makes the data again with half the limits on rows, up to SHRINK_MAX
 * times. The caller frees *text. */
static int make_data(sqlite3 *db, char **text, size_t *len, struct html_result *result,
		     struct md_err *err)
{
	size_t room = HTML_MAX - html_before_size - html_after_size;

	for (unsigned shrink = 0; shrink <= SHRINK_MAX; shrink++) {
		unsigned char *image;
		size_t size;
		int ret = tables_make(db, shrink, &image, &size, result, err);

		if (ret)
			return ret;
		ret = pack_text(image, size, text, len, err);
		sqlite3_free(image);
		if (ret || *len <= room)
			return ret;
		free(*text);
		*text = NULL;
	}
	return md_fail(err, MD_ENOTSUP, "cannot make a page of less than %d MiB: names too long",
		       HTML_MAX >> 20);
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno != EINTR)
			return -1;
		p += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return 0;
}

static int write_page(const char *path, bool force, const char *data, size_t len,
		      struct md_err *err)
{
	struct newfile f;
	int ret = newfile_create_kind(NEWFILE_PAGE, path, force, &f, err);

	if (ret)
		return ret;
	if (write_all(f.temp.fd, html_before, html_before_size) ||
	    write_all(f.temp.fd, data, len) || write_all(f.temp.fd, html_after, html_after_size))
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
	else
		ret = newfile_publish(&f, err);
	newfile_release(&f);
	return ret;
}

/* Runs `sql` on the database of a comparison and copies the first CHANGES_MAX rows into a new table
 * of the page. */
static int copy_changes(sqlite3 *from, sqlite3 *page, const char *table, const char *sql,
			struct md_err *err)
{
	struct copy c = { .table = table, .first = CHANGES_MAX, .every = 1 };
	sqlite3_stmt *st = NULL;
	int ret;

	if (sqlite3_prepare_v2(from, sql, -1, &st, NULL))
		return md_fail(err, MD_EDB, "cannot make the page's '%s': %s", table,
			       sqlite3_errmsg(from));
	ret = copy_rows(st, page, &c, err);
	sqlite3_finalize(st);
	return ret;
}

/* Makes the data of a page from the comparison of two runs (diff_open()). The caller frees *text.
 */
static int make_changes(sqlite3 *db, char **text, size_t *len, struct md_err *err)
{
	static const char compared[] =
		"SELECT column1 AS side, command, seconds, sampler, samples FROM "
		"(VALUES ('before', 0), ('after', 1)) JOIN (" RUN_OF(
			"0", "main") " UNION ALL " RUN_OF("1", "after") ") ON which = column2";
	unsigned char *image = NULL;
	sqlite3_int64 size = 0;
	sqlite3 *page = NULL;
	int ret;

	if (sqlite3_open(":memory:", &page)) {
		sqlite3_close(page);
		return md_nomem(err);
	}
	ret = copy_changes(db, page, "changes", "SELECT * FROM temp.change", err);
	if (!ret)
		ret = copy_changes(db, page, "notes", "SELECT text FROM temp.note", err);
	if (!ret)
		ret = copy_changes(db, page, "compared", compared, err);
	if (!ret) {
		image = sqlite3_serialize(page, "main", &size, 0);
		ret = image ? pack_text(image, (size_t)size, text, len, err) : md_nomem(err);
	}
	sqlite3_free(image);
	sqlite3_close(page);
	return ret;
}

/* Checks that memdb was built with the page, and that a page may be written to `path`. */
static int check_page(const char *database, const char *path, bool force, struct md_err *err)
{
	int ret;

	if (!html_before_size)
		return md_fail(err, MD_ENOTSUP,
			       "cannot write '%s': this memdb was built without the page (building "
			       "it needs npm)",
			       path);
	ret = newfile_check_input(database, path, err);
	return ret ? ret : newfile_check_kind(NEWFILE_PAGE, path, force, err);
}

int html_write_changes(const struct diff_options *o, const char *path, bool force, uint64_t *bytes,
		       struct md_err *err)
{
	sqlite3 *db = NULL;
	char *data = NULL;
	size_t len = 0;
	int ret = check_page(o->paths[0], path, force, err);

	for (size_t i = 1; i < 2 * o->pairs && !ret; i++)
		ret = newfile_check_input(o->paths[i], path, err);
	if (ret)
		return ret;
	ret = diff_open(o, &db, err);
	if (ret)
		goto out;
	ret = make_changes(db, &data, &len, err);
	if (ret)
		goto out;
	ret = write_page(path, force, data, len, err);
out:
	*bytes = html_before_size + len + html_after_size;
	free(data);
	sqlite3_close(db);
	return ret;
}

int html_write(const char *database, const struct selection *s, const char *path, bool force,
	       struct html_result *result, struct md_err *err)
{
	/* views that are read more than once: by several tables of the page, or by one table that
	 * make_data() makes again with fewer rows */
	static const char *const kept[] = { "time_spent",   "object_sharing", "object_patterns",
					    "object_hints", "member_costs",   NULL };
	sqlite3 *db = NULL;
	char *data = NULL;
	size_t len = 0;
	int ret;

	*result = (struct html_result){ 0 };
	ret = check_page(database, path, force, err);
	if (ret)
		return ret;
	ret = select_open(database, s, &db, err);
	if (ret)
		goto out;
	ret = kept_store(db, kept, err);
	if (ret)
		goto out;
	ret = make_data(db, &data, &len, result, err);
	if (ret)
		goto out;
	ret = write_page(path, force, data, len, err);
out:
	result->bytes = html_before_size + len + html_after_size;
	free(data);
	sqlite3_close(db);
	return ret;
}
