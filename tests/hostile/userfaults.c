/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With userfaultfd, one thread provides the content of the pages that another thread touches. Both
 * also allocate blocks.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 200 deaths 200 */
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "hostile.h"

enum { PAGES = 100 };

static size_t page;
static int fd;

static void *fill(void *arg)
{
	static char filled[1 << 16];

	memset(filled, 7, sizeof(filled));
	for (int i = 0; i < PAGES; i++) {
		struct uffd_msg m;
		struct uffdio_copy c = { .src = (uintptr_t)filled, .len = page };

		if (read(fd, &m, sizeof(m)) != sizeof(m))
			die("read");
		pairs(1);
		c.dst = m.arg.pagefault.address & ~(page - 1);
		if (ioctl(fd, UFFDIO_COPY, &c))
			die("UFFDIO_COPY");
	}
	return NULL;
}

int main(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t t;
	int sum = 0;
	char *p;

	page = (size_t)sysconf(_SC_PAGESIZE);
	p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	r.range = (struct uffdio_range){ (uintptr_t)p, PAGES * page };
	fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &r))
		die("userfaultfd");
	if (pthread_create(&t, NULL, fill, NULL))
		die("pthread_create");
	for (int i = 0; i < PAGES; i++) {
		sum += p[i * page];
		pairs(1);
	}
	pthread_join(t, NULL);
	printf("%d\n", sum);
	return 0;
}
