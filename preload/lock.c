/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hook for mlockall(). For users without privileges, everything that a process has mapped counts
 * against RLIMIT_MEMLOCK. So the call may fail, although it would succeed without the tracker's
 * mappings. Then the hook locks all other parts of the address space separately. After success, the
 * hook unlocks the tracker's memory at once. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "rawcall.h"
#include "real.h"
#include "tracker.h"
#include "window.h"

enum { ONFAULT = 4 /* MCL_ONFAULT */, PAGE = 4096 };

#define USER_SPACE_END (1ull << 47)

/* The first byte of this library in memory, and the first byte after the library. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* Reads /proc/self/maps piece by piece, because the stack may be small. */
struct maps {
	long fd, n, at;
	char text[512];
};

static int next_char(struct maps *m)
{
	if (m->at == m->n) {
		m->at = 0;
		m->n = rawcall4(SYS_read, m->fd, (long)m->text, sizeof(m->text), 0);
		if (m->n <= 0)
			return -1;
	}
	return (unsigned char)m->text[m->at++];
}

/* Reads a hexadecimal number and the character after it. */
static uint64_t next_number(struct maps *m, int *after)
{
	uint64_t n = 0;

	while ((*after = next_char(m)) > ' ' && *after != '-')
		n = n * 16 + (uint64_t)(*after <= '9' ? *after - '0' : *after - 'a' + 10);
	return n;
}

static bool next_mapping(struct maps *m, uint64_t *from, uint64_t *to)
{
	int c;

	*from = next_number(m, &c);
	*to = next_number(m, &c);
	while (c >= 0 && c != '\n')
		c = next_char(m);
	return c >= 0 && *to <= USER_SPACE_END;
}

/* Makes the system call nr (SYS_mlock or SYS_mlock2) for each part of the address space that does
 * not belong to the tracker. Returns the sum of the sizes of these parts; 0 if unknown. With nr 0,
 * only computes the sum. */
static uint64_t each_part(long nr, long flags)
{
	struct maps m = { .fd = rawcall4(SYS_openat, AT_FDCWD, (long)"/proc/self/maps",
					 O_RDONLY | O_CLOEXEC, 0) };
	uint64_t from, to, end, sum = 0;
	bool is_own;

	if (m.fd < 0)
		return 0;
	while (next_mapping(&m, &from, &to))
		for (; from < to; from = end) {
			end = rawcall_own_until(from, to, &is_own);
			if (is_own)
				continue;
			sum += end - from;
			/* An error is ignored, because mlockall() also ignores memory that cannot
			 * be locked, such as unreadable pages. */
			if (nr)
				rawcall4(nr, (long)from, (long)(end - from), flags, 0);
		}
	rawcall4(SYS_close, m.fd, 0, 0, 0);
	return sum;
}

/* Called after mlockall() failed with ENOMEM: locks the same memory, except the tracker's, if
 * RLIMIT_MEMLOCK permits this. What is mapped later is locked by `lock`. */
static int lock_others(int flags, int (*lock)(int))
{
	uint64_t limit[2] = { 0, 0 }, bytes = each_part(0, 0);

	rawcall4(SYS_prlimit64, 0, RLIMIT_MEMLOCK, 0, (long)limit);
	if (!bytes || bytes > limit[0]) {
		errno = ENOMEM;
		return -1;
	}
	if (flags & ONFAULT)
		each_part(SYS_mlock2, 1 /* MLOCK_ONFAULT */);
	else
		each_part(SYS_mlock, 0);
	return flags & MCL_FUTURE ? lock(flags & ~MCL_CURRENT) : 0;
}

/* Locks the program's memory by `lock`, without the tracker's. */
static int lock_all(int flags, int (*lock)(int))
{
	static bool noted;
	int ret, error = errno;

	if (!image_is_off() && image_is_parents())
		return lock(flags);
	/* The list of the tracker's mappings contains only mappings that the tracker has made. The
	 * library itself was mapped by the loader, so it is added here, once. */
	if (!noted)
		rawcall_mapped((uint64_t)(uintptr_t)__ehdr_start & ~(uint64_t)(PAGE - 1),
			       ((uint64_t)(uintptr_t)_end + PAGE - 1 -
				(uint64_t)(uintptr_t)__ehdr_start) &
				       ~(uint64_t)(PAGE - 1),
			       false);
	noted = true;
	image_own_file();
	window_trim();
	ret = lock(flags);
	if (ret && errno == ENOMEM && flags & MCL_CURRENT)
		ret = lock_others(flags, lock);
	if (!ret) {
		errno = error; /* a failed first attempt may have changed errno */
		rawcall_unlock_own(flags & MCL_FUTURE);
	}
	return ret;
}

EXPORT int mlockall(int flags)
{
	return real_ready() && real.mlockall ? lock_all(flags, real.mlockall) : -1;
}

static int raw_mlockall(int flags)
{
	return (int)rawcall_result(rawcall_for_program(SYS_mlockall, flags, 0, 0, 0, 0, 0));
}

int lock_by_number(int flags)
{
	return lock_all(flags, raw_mlockall);
}
