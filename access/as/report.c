/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the accesses that the checks in a program report (as/entry.S). A check makes a report
 * when its counter, the number of accesses that need no report, has become negative. */
#ifdef __x86_64__
#include "as/report.h"

#include <cpuid.h>
#include <pthread.h>
#include <unistd.h>

#include "as/entry.h"
#include "soft.h"

uint8_t soft_xsave;

__attribute__((constructor(101))) static void learn_xsave(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return;
	soft_xsave = XSAVE_PLAIN;
	if (__get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & bit_XSAVEC))
		soft_xsave = XSAVE_COMPACT;
}

/* Maximum sizes, in bytes, when frame pointers are followed: no stack and no frame is assumed to be
 * larger. */
enum { STACK_MOST = 8 << 20, FRAME_MOST = 1 << 20 };

/* the upper end of the main thread's stack, in glibc; other C libraries do not have this
 * variable */
extern void *__libc_stack_end __attribute__((weak));

/* Follows the frame pointers from `frame`, the value of rbp. In a program that was built without
 * frame pointers, rbp may have an arbitrary value, so only addresses in the thread's stack are
 * read. The upper end of the stack is __libc_stack_end in the main thread; in another thread it is
 * the thread's descriptor. */
static void find_path(struct thread *t, const void *frame)
{
	const uint64_t here = (uint64_t)__builtin_frame_address(0);
	const uint64_t high = t->stream.tid == t->stream.pid ? (uint64_t)__libc_stack_end
							     : (uint64_t)pthread_self();
	uint64_t at = (uint64_t)frame, low = here, backs[STREAM_CALLERS];
	uint32_t n = 0;

	t->depth = 0;
	if (thread_options.period == 1 || high <= here || high - here > STACK_MOST)
		return;
	while (n < STREAM_CALLERS && at > low && at - low < FRAME_MOST && at <= high - 16 &&
	       at % 8 == 0) {
		const uint64_t *words = (const uint64_t *)at;

		if (!words[1])
			break;
		backs[n++] = words[1];
		low = at;
		at = words[0];
	}
	for (; t->depth < n; t->depth++)
		t->calls[t->depth].back = backs[n - 1 - t->depth];
}

static unsigned bytes_of(unsigned what)
{
	return (what & (ENTRY_THREAD_LOCAL - 1)) >> ENTRY_BYTES_SHIFT;
}

void soft_report(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame)
{
	const struct access a = { ip, address, bytes_of(what),
				  what & (ACCESS_LOAD | ACCESS_STORE) };

	soft_look(&a, what >> ENTRY_LANE_SHIFT, find_path, frame);
}

void soft_report_repeated(uint64_t address, uint64_t ip, unsigned what, uint64_t n,
			  const void *frame)
{
	const unsigned bytes = bytes_of(what);

	memdb_soft_far[0] += (int64_t)n;
	if (memdb_soft_far[0] > memdb_soft_granted[0])
		memdb_soft_far[0] = memdb_soft_granted[0];
	for (; n; n--, address += bytes)
		if (--memdb_soft_far[0] < 0)
			soft_report(address, ip, what, n, frame);
}
#endif
