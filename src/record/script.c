/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/script.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool script_read_head(const char *path, char head[SCRIPT_HEAD + 1])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, head, SCRIPT_HEAD, 0);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	memset(head + n, 0, (size_t)(SCRIPT_HEAD - n) + 1);
	return true;
}

const char *script_interpreter(char head[SCRIPT_HEAD + 1], const char **argument)
{
	char *name = head + 2, *rest;

	*argument = "";
	if (head[0] != '#' || head[1] != '!')
		return NULL;
	head[strcspn(head, "\n")] = 0;
	name += strspn(name, " \t");
	rest = name + strcspn(name, " \t");
	if (*rest)
		*rest++ = 0;
	rest += strspn(rest, " \t");
	for (size_t n = strlen(rest); n && strchr(" \t", rest[n - 1]); n--)
		rest[n - 1] = 0;
	*argument = rest;
	return name;
}
