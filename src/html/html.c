/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/html.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "database/newfile.h"
#include "html/pack.h"
#include "html/tables.h"
#include "html/template.h"

/* limit: how many times the limits on rows are halved to make a page smaller. With so few rows, any
 * page is far below HTML_MAX */
enum { SHRINK_MAX = 20 };

/* Makes the data of a page: a small database (tables_make()), packed as text. If it is too large,
 * makes it again with fewer rows. The caller frees *text. */
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

int html_write(const char *database, const struct selection *s, const char *path, bool force,
	       struct html_result *result, struct md_err *err)
{
	sqlite3 *db = NULL;
	char *data = NULL;
	size_t len = 0;
	int ret;

	*result = (struct html_result){ 0 };
	if (!html_before_size)
		return md_fail(err, MD_ENOTSUP,
			       "cannot write '%s': this memdb was built without the page (building "
			       "it needs npm)",
			       path);
	ret = newfile_check_input(database, path, err);
	if (!ret)
		ret = newfile_check_kind(NEWFILE_PAGE, path, force, err);
	if (!ret)
		ret = select_open(database, s, &db, err);
	if (!ret)
		ret = make_data(db, &data, &len, result, err);
	if (!ret)
		ret = write_page(path, force, data, len, err);
	result->bytes = html_before_size + len + html_after_size;
	free(data);
	sqlite3_close(db);
	return ret;
}
