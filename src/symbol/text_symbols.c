/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/text_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/elf_image.h"

enum { MAX_TEXT = 256 << 20, FIRST = 64 << 10, LEAST = 4096 };

int text_nomem(const char *path, struct md_err *err)
{
	md_nomem(err);
	md_wrap(err, "cannot read '%s'", path);
	return MD_ENOMEM;
}

int text_read(const char *path, char **text, struct md_err *err)
{
	int fd;
	size_t len = 0, cap = 0;
	ssize_t n = 0;
	int ret = 0;

	*text = NULL;
	errno = 0;
	fd = image_reopen(path, NULL);
	if (fd < 0) {
		ret = errno ? md_fail_errno(err, MD_EIO, "cannot open '%s'", path)
			    : md_fail(err, MD_EIO, "cannot open '%s': not a regular file", path);
		goto out;
	}
	do {
		len += (size_t)n;
		if (cap - len < LEAST && cap < MAX_TEXT) {
			char *more = realloc(*text, cap = cap ? 2 * cap : FIRST);

			if (!more) {
				ret = text_nomem(path, err);
				goto out;
			}
			*text = more;
		}
		n = read(fd, *text + len, cap - len - 1);
	} while (n > 0);
	(*text)[len] = '\0';
	if (n < 0)
		ret = md_fail_errno(err, MD_EIO, "cannot read '%s'", path);
out:
	if (fd >= 0)
		close(fd);
	return ret;
}

char *text_line(char **text)
{
	char *line = *text;

	if (!*line)
		return NULL;
	*text += strcspn(line, "\n");
	if (**text)
		*(*text)++ = '\0';
	return line;
}
