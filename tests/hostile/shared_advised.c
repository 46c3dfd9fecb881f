/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program gives the kernel advice about all shared mappings that it finds, of which it has none
 * itself: forked children do not get them, and their contents may be dropped. The tracker must keep
 * its log, and a child must live. run.sh checks this (the notation is in hostile.h):
 * expect: births 400 deaths 400 */
#include "hostile.h"

static char text[1 << 18];

static void read_maps(void)
{
	int fd = open("/proc/self/maps", O_RDONLY);
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)got;
	close(fd);
	text[n] = 0;
}

static void advise_shared(int advice)
{
	read_maps();
	for (char *line = text; line && *line;) {
		unsigned long from, to;
		char rights[5];

		must(sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3, "a mapping");
		if (rights[3] == 's')
			must(!madvise((void *)from, to - from, advice), "madvise");
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

int main(void)
{
	pid_t pid;

	pairs(100);
	advise_shared(MADV_DONTNEED);
	advise_shared(MADV_REMOVE);
	pairs(100);
	advise_shared(MADV_DONTFORK);
	pid = fork();
	if (!pid) {
		pairs(100);
		_exit(0);
	}
	wait_for(pid);
	pairs(100);
	puts("advised");
	return 0;
}
