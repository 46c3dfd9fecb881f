/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program seals all its mappings but the heap and the stack against changes (mseal), also those
 * of the tracker. Its children cannot replace the mappings of their parent's log.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 110000 deaths 110000 */
#include <sys/syscall.h>

#include "hostile.h"

#ifndef SYS_mseal
#define SYS_mseal 462
#endif

static char text[1 << 18];

static void seal_mappings(void)
{
	int fd = open("/proc/self/maps", O_RDONLY);
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)got;
	close(fd);
	text[n] = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		unsigned long from, to;

		must(sscanf(line, "%lx-%lx", &from, &to) == 2, "a mapping");
		if (!strchr(line, '[') && syscall(SYS_mseal, from, to - from, 0))
			die("mseal");
	}
}

int main(void)
{
	pairs(100);
	seal_mappings();
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			pairs(5000);
			_exit(0);
		}
		wait_for(pid);
	}
	pairs(99900);
	puts("immutable");
	return 0;
}
