/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "seal.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "clock.h"
#include "exec.h"
#include "rawcall.h"
#include "shared_log.h"
#include "start.h"
#include "tracker.h"
#include "window.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH /* since Linux 5.11 */
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF          0
#endif

__thread bool seal_of_child;
bool seal_expected START_STATE;

/* whether the image started without a filter, so that one that is in force later is the program's
 */
static bool began_free START_STATE;

/* the number of filters with which the image started; 0 if unknown, as before seal_start() */
static long filters_at_start START_STATE;

static long seccomp_mode(void)
{
	return rawcall4(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0);
}

/* Finds the number after "Seccomp_filters:" in a text that comes in pieces. */
struct count_search {
	size_t matched; /* bytes of the name that have been found */
	long count;
};

static void search_count(struct count_search *s, const char *text, long bytes)
{
	static const char name[] = "\nSeccomp_filters:\t";
	const size_t all = sizeof(name) - 1;

	for (long i = 0; i < bytes && s->matched <= all; i++)
		if (s->matched < all)
			s->matched =
				text[i] == name[s->matched] ? s->matched + 1 : text[i] == name[0];
		else if (text[i] >= '0' && text[i] <= '9')
			s->count = s->count * 10 + text[i] - '0';
		else
			s->matched++; /* the end of the number */
}

/* Returns the number of filters that are in force for the calling thread; 0 if it is unknown, as
 * before Linux 5.9. */
static long count_filters(void)
{
	struct count_search s = { 0 };
	char piece[128]; /* few bytes, because the thread's stack may be small */
	long n, fd = rawcall4(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/status",
			      O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	while ((n = rawcall4(SYS_read, fd, (long)piece, sizeof(piece), 0)) > 0)
		search_count(&s, piece, n);
	rawcall4(SYS_close, fd, 0, 0, 0);
	return s.count;
}

void seal_start(void)
{
	began_free = seccomp_mode() == SECCOMP_MODE_DISABLED;
	if (!began_free)
		filters_at_start = count_filters();
}

bool seal_is_in_force(void)
{
	if (rawcall_sealed)
		return true;
	if (began_free)
		return seccomp_mode() != SECCOMP_MODE_DISABLED;
	return filters_at_start && count_filters() > filters_at_start;
}

static void seal_process(void)
{
	rawcall_sealed = true;
	exec_leave_environment();
	if (clock_by_calls)
		thread_set_blind(true);
}

bool seal_notice(void)
{
	if (!rawcall_sealed && seal_is_in_force())
		seal_process();
	return rawcall_sealed;
}

static struct seal of_prctl(unsigned long what, unsigned long value)
{
	/* Strict mode of seccomp also forbids reading the time-stamp counter. */
	if (what == PR_SET_SECCOMP)
		return (struct seal){ .calls = true, .counter = value == SECCOMP_MODE_STRICT };
	if (what == PR_SET_SYSCALL_USER_DISPATCH && value != PR_SYS_DISPATCH_OFF)
		/* System calls of the tracker would also raise signals in the program. */
		return (struct seal){ .calls = true };
	if (what == PR_SET_TSC)
		return (struct seal){ .counter = true, .may_read = value == PR_TSC_ENABLE };
	return (struct seal){ 0 };
}

static struct seal of_seccomp(unsigned long what, unsigned long flags)
{
	if (what == SECCOMP_SET_MODE_STRICT)
		return (struct seal){ .calls = true, .counter = true };
	return (struct seal){ .calls = what == SECCOMP_SET_MODE_FILTER,
			      .gives_fd = flags & SECCOMP_FILTER_FLAG_NEW_LISTENER };
}

struct seal seal_before(long nr, unsigned long a, unsigned long b)
{
	struct seal s = nr == SYS_prctl ? of_prctl(a, b) : of_seccomp(a, b);
	/* After PR_SET_NO_NEW_PRIVS a program usually installs a seccomp filter, perhaps with a
	 * bare system call, which no hook sees. So the tracker prepares for the filter now. */
	bool soon = nr == SYS_prctl && a == PR_SET_NO_NEW_PRIVS;
	struct thread *t;

	if ((!s.calls && !soon) || rawcall_sealed)
		return s;
	seal_expected = true;
	t = thread_get();
	if (t && soon)
		log_leave_slot(t);
	else if (t && image_own_file())
		window_reserve();
	if (t && !image.log && image_grow())
		shared_reserve();
	if (t)
		stack_reserve(t->stack);
	/* In a vfork child the call restricts only the child. The parent, whose memory the child
	 * uses, is not sealed, so only seal_of_child is set after the call. */
	if (!image_is_off() && image_is_parents())
		return (struct seal){ .of_child = true, .gives_fd = s.gives_fd };
	return s;
}

void seal_after(const struct seal *s, long ret)
{
	/* With SECCOMP_FILTER_FLAG_TSYNC, a positive result is an error: the tid of a thread that
	 * could not get the filter. */
	if (ret < 0 || (ret && !s->gives_fd))
		return;
	if (s->of_child)
		seal_of_child = true;
	if (s->calls)
		seal_process();
	if (s->calls && s->counter)
		thread_set_blind(true);
	else if (s->counter && !clock_by_calls)
		thread_set_blind(!s->may_read);
}
