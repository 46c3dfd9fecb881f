/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A preloaded library. As soon as the file named by SHRINK is mapped, it cuts the file to
 * SHRINK_TO bytes. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset)
{
	void *p = (void *)syscall(SYS_mmap, address, size, prot, flags, fd, offset);
	const char *path = getenv("SHRINK"), *to = getenv("SHRINK_TO");
	struct stat mapped, st;

	if (path && to && fd >= 0 && !fstat(fd, &mapped) && !stat(path, &st) &&
	    mapped.st_dev == st.st_dev && mapped.st_ino == st.st_ino)
		if (truncate(path, atol(to)))
			abort();
	return p;
}
