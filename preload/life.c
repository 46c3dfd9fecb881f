/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks for events in the life of the image: its forks and its end, unloading of code, calls that
 * give up rights, and changes of resource limits. The last two may prevent the tracker from
 * creating and mapping the log, so the hooks begin the log first. At the end of the image, only the
 * home nodes of large blocks are recorded: elsewhere than on a machine with several nodes, the
 * tracker does nothing there, and makes no system call that the program may have forbidden itself.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "record.h"
#include "samplers.h"
#include "seal.h"
#include "spares.h"
#include "start.h"
#include "tls.h"
#include "window.h"

void _Exit(int status) __attribute__((noreturn));

/* Records the home nodes of the image's large blocks. */
static void record_last_homes(void)
{
	struct thread *t = thread_self;

	if (image.homes_size == UINT64_MAX || (t && !t->pos))
		return;
	/* thread_self may be NULL: the thread may have logged nothing, or its destructors may have
	 * run already. Then thread_get() assigns a new state. */
	t = thread_get();
	if (t)
		homes_record_all(t);
}

void life_before_end(void)
{
	if (image.homes_size != UINT64_MAX && !rawcall_sealed && !seal_of_child &&
	    !image_is_parents())
		record_last_homes();
}

/* life_before_end() checks by a system call whether the process is a vfork child. Here this check
 * is left out, because such a child must not call exit(). */
__attribute__((destructor)) static void at_exit(void)
{
	record_last_homes();
}

/* Lets quick_exit() call record_last_homes(). glibc's shared library exports at_quick_exit() only
 * under the name
 * __cxa_at_quick_exit; musl has only at_quick_exit. */
static void watch_quick_exit(void)
{
	int (*glibc_at)(void (*)(void *), void *) = real_find("__cxa_at_quick_exit");
	int (*at)(void (*)(void)) = real_find("at_quick_exit");

	if (glibc_at)
		glibc_at((void (*)(void *))record_last_homes, NULL);
	else if (at)
		at(record_last_homes);
}

void life_at_end(void)
{
	if (!rawcall_sealed && !seal_of_child)
		samplers_before_end();
	life_before_end();
	/* If this is a vfork child, its parent now continues in the same memory, where the flag
	 * must not be set. */
	seal_of_child = false;
}

EXPORT void _exit(int status)
{
	life_at_end();
	if (real_ready() && real.exit_)
		real.exit_(status);
	for (;;)
		rawcall_for_program(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

EXPORT void _Exit(int status)
{
	_exit(status);
}

EXPORT pid_t fork(void)
{
	spares_promise();
	return real_ready() && real.fork ? real.fork() : -1;
}

EXPORT int dlclose(void *handle)
{
	int ret = -1;

	if (real_ready() && real.dlclose)
		ret = real.dlclose(handle);
	stack_images_changed();
	return ret;
}

void life_before_limit(pid_t pid, int what, const void *to)
{
	if (!to || (pid && (uint32_t)pid != image.pid))
		return;
	thread_get();
	if (what != RLIMIT_AS)
		return;
	spares_release();
	if (image_own_file())
		window_trim();
}

EXPORT int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *to)
{
	life_before_limit(0, (int)what, to);
	return real_ready() && real.setrlimit64 ? real.setrlimit64((int)what, to) : -1;
}

EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *to)
{
	return setrlimit64(what, (const struct rlimit64 *)to);
}

EXPORT int prlimit64(pid_t pid, enum __rlimit_resource what, const struct rlimit64 *to,
		     struct rlimit64 *old)
{
	life_before_limit(pid, (int)what, to);
	return real_ready() && real.prlimit64 ? real.prlimit64(pid, (int)what, to, old) : -1;
}

EXPORT int prlimit(pid_t pid, enum __rlimit_resource what, const struct rlimit *to,
		   struct rlimit *old)
{
	return prlimit64(pid, what, (const struct rlimit64 *)to, (struct rlimit64 *)old);
}

/* Calls that give up rights. After such a call the folder of the log may be out of reach, so the
 * log is begun before it. */
#define RIGHTS(name, params, args)                                      \
	EXPORT int name params                                          \
	{                                                               \
		thread_get();                                           \
		return real_ready() && real.name ? real.name args : -1; \
	}

RIGHTS(chroot, (const char *path), (path))
RIGHTS(unshare, (int flags), (flags))
RIGHTS(setuid, (uid_t uid), (uid))
RIGHTS(seteuid, (uid_t uid), (uid))
RIGHTS(setreuid, (uid_t real_id, uid_t uid), (real_id, uid))
RIGHTS(setresuid, (uid_t real_id, uid_t uid, uid_t saved), (real_id, uid, saved))

/* Makes all pages of the start state (start.h) present with one call, which is cheaper than a page
 * fault for each page. */
static void touch_start_state(void)
{
	uint64_t page = homes_page_bytes(), at = (uintptr_t)__start_start_state & -page;

	rawcall4(SYS_madvise, (long)at, (long)((uintptr_t)__stop_start_state - at),
		 MADV_POPULATE_WRITE, 0);
}

/* Begins the log at the program's start, because the program may give up the right to create files
 * before it allocates anything. */
__attribute__((constructor)) static void at_start(void)
{
	touch_start_state();
	if (!real_ready())
		return;
	thread_watch_ends();
	watch_quick_exit();
	tls_record(thread_get());
}
