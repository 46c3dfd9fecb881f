/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that reads the list of its mappings, protects all shared ones, of which it has none
 * itself, moves them, maps over them, and unmaps them. The tracker must keep its log, and the
 * program must live. run.sh checks this (the notation is in hostile.h):
 * expect: births 1300 deaths 1300 */
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

/* Calls change() for each shared mapping. */
static void each_shared(int change(void *, size_t))
{
	read_maps();
	for (char *line = text; line && *line;) {
		unsigned long from, to;
		char rights[5];

		must(sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3, "a mapping");
		if (rights[3] == 's')
			must(!change((void *)from, to - from), "change a mapping");
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

static int protect(void *at, size_t bytes)
{
	return mprotect(at, bytes, PROT_NONE);
}

/* Returns 0 if the mapping can neither be moved nor be replaced: else the tracker would write to
 * the program's new mapping. */
static int replace(void *at, size_t bytes)
{
	static char *own;

	if (!own)
		own = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mremap(at, bytes, 2 * bytes, MREMAP_MAYMOVE) != MAP_FAILED || errno != EFAULT ||
	       mremap(own, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED ||
	       mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) != MAP_FAILED ||
	       errno != ENOMEM;
}

int main(void)
{
	char *own =
		mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	pairs(100);
	each_shared(protect);
	pairs(100);
	each_shared(replace);
	pairs(100);
	each_shared(munmap);
	pairs(1000);
	must(own != MAP_FAILED && !mprotect(own, 4096, PROT_READ) && !munmap(own, 4 * 4096),
	     "its own mapping");
	must(munmap(own + 1, 4096) && errno == EINVAL, "an address inside a page");
	must(msync(own, 4096, MS_ASYNC) && errno == ENOMEM, "it is unmapped");
	must(!msync(own + 4 * 4096, 4096, MS_ASYNC), "the rest is mapped");
	puts("alive");
	return 0;
}
