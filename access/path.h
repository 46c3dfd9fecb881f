/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the callers of a function by frame pointers. */
#ifndef MEMDB_ACCESS_PATH_H
#define MEMDB_ACCESS_PATH_H

#include "thread.h"

/* Maximum sizes, in bytes, when frame pointers are followed: no stack and no frame is assumed to be
 * larger. */
enum { PATH_STACK_MOST = 8 << 20, PATH_FRAME_MOST = 1 << 20 };

/* the upper end of the main thread's stack, in glibc; other C libraries do not have this
 * variable */
extern void *__libc_stack_end __attribute__((weak));

static inline uint64_t path_thread_pointer(void)
{
#if defined(__x86_64__)
	uint64_t pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
#else
	return (uint64_t)(uintptr_t)__builtin_thread_pointer();
#endif
}

/* Follows the frame pointers from `frame`, the frame pointer. Stores the return addresses in
 * backs[STREAM_CALLERS], the innermost first, and returns their number. In a program that was built
 * without frame pointers, it may have an arbitrary value, so only addresses in the thread's stack
 * are read. The upper end of the stack is __libc_stack_end in the main thread; in another thread it
 * is the thread's descriptor. */
static inline uint32_t path_follow(const struct thread *t, const void *frame, uint64_t *backs)
{
	const uint64_t here = (uint64_t)__builtin_frame_address(0);
	const uint64_t high =
		t->stream.tid == t->stream.pid ? (uint64_t)__libc_stack_end : path_thread_pointer();
	uint64_t at = (uint64_t)frame, low = here;
	uint32_t n = 0;

	if (high <= here || high - here > PATH_STACK_MOST)
		return 0;
	while (n < STREAM_CALLERS && at > low && at - low < PATH_FRAME_MOST && at <= high - 16 &&
	       at % 8 == 0) {
		const uint64_t *words = (const uint64_t *)at;

		if (!words[1])
			break;
		backs[n++] = words[1];
		low = at;
		at = words[0];
	}
	return n;
}

#endif
