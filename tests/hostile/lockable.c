/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ordinary user locks all memory of the program with mlockall(), up to the exact limit. The
 * tracker must not need more locked memory.
 * run.sh checks this (the notation is in hostile.h):
 * needs: root
 * expect: births 3000 deaths 3000 */
#include "hostile.h"

enum { LIMIT = 6 << 20, LATER = 1 << 20, TOO_MUCH = 16 << 20 };

static char data[1 << 20];

/* Returns how many of the pages in p .. p + bytes are in memory. */
static int present(void *p, size_t bytes)
{
	static unsigned char state[LATER / 4096];
	int n = 0;

	if (mincore(p, bytes, state))
		die("mincore");
	for (size_t i = 0; i < bytes / 4096; i++)
		n += state[i] & 1;
	return n;
}

static void *map(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void limit(size_t bytes)
{
	struct rlimit r = { bytes, bytes };

	must(!setrlimit(RLIMIT_MEMLOCK, &r), "a lower limit");
}

static long locked_kib(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (fgets(line, sizeof(line), f) && kib < 0)
		sscanf(line, "VmLck: %ld", &kib);
	fclose(f);
	return kib;
}

int main(void)
{
	void *page = (void *)(((uintptr_t)data + 4095) & ~(uintptr_t)4095), *later;

	limit(LIMIT);
	must(!setresuid(65534, 65534, 65534), "setresuid");
	pairs(1000);
	errno = EDOM;
	must(!mlockall(MCL_CURRENT | MCL_FUTURE) && errno == EDOM, "mlockall without an error");
	must(present(page, sizeof(data) - 4096) == sizeof(data) / 4096 - 1, "its data are there");
	must(locked_kib() >= 1024 && locked_kib() <= LIMIT >> 10, "its data are locked");
	later = map(LATER);
	must(later != MAP_FAILED && present(later, LATER) == LATER / 4096,
	     "and what it maps later");
	must(map(TOO_MUCH) == MAP_FAILED && errno == EAGAIN, "the limit holds");
	pairs(1000);
	must(!munlockall() && !locked_kib(), "munlockall");
	limit(1 << 20);
	must(mlockall(MCL_CURRENT) && errno == ENOMEM, "too much");
	must(mlockall(1 << 20) && errno == EINVAL, "no such flag");
	limit(0);
	must(mlockall(MCL_CURRENT) && errno == EPERM, "no limit at all");
	pairs(1000);
	puts("locked");
	return 0;
}
