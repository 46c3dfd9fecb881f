/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The image's life: its end, code that goes away, limits that the log's mapping must not be counted
 * against.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rawcall.h"
#include "real.h"
#include "record.h"

void _Exit(int status) __attribute__((noreturn));

/* How the image ends. Not for a vfork child, which runs in its parent's memory, nor for a child
 * that has logged nothing. */
static void record_end(const char *how)
{
	struct track_event ev = { .ticks = clock_ticks(), .stack = STACK_TRUNCATED };
	struct thread *t = thread_self;

	if (!t || !t->pos || (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0) != image.pid)
		return;
	ev.extra = (uint32_t)strlen(how);
	log_event(t, &ev, TL_END, TL_FN_NONE, how, 1);
}

__attribute__((destructor)) static void at_exit(void)
{
	if (!image.sealed)
		record_end("exit");
}

EXPORT void _exit(int status)
{
	if (!image.sealed)
		record_end("_exit");
	if (real_ready() && real.exit_)
		real.exit_(status);
	for (;;)
		rawcall4(SYS_exit_group, status, 0, 0, 0);
}

EXPORT void _Exit(int status)
{
	_exit(status);
}

EXPORT int dlclose(void *handle)
{
	int ret = -1;

	if (real_ready() && real.dlclose)
		ret = real.dlclose(handle);
	stack_images_changed();
	return ret;
}

EXPORT int mlockall(int flags)
{
	image_trim();
	return real_ready() && real.mlockall ? real.mlockall(flags) : -1;
}

EXPORT int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *to)
{
	if (what == RLIMIT_AS)
		image_trim();
	return real_ready() && real.setrlimit ? real.setrlimit((int)what, to) : -1;
}

EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *to)
{
	return setrlimit64(what, (const struct rlimit64 *)to);
}

EXPORT int prlimit64(pid_t pid, enum __rlimit_resource what, const struct rlimit64 *to,
		     struct rlimit64 *old)
{
	if (what == RLIMIT_AS && to)
		image_trim();
	return real_ready() && real.prlimit ? real.prlimit(pid, (int)what, to, old) : -1;
}

EXPORT int prlimit(pid_t pid, enum __rlimit_resource what, const struct rlimit *to,
		   struct rlimit *old)
{
	return prlimit64(pid, what, (const struct rlimit64 *)to, (struct rlimit64 *)old);
}
