/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the events of a sampler before perf starts, by opening them as perf will. When perf cannot
 * open an event, its message names neither the cause nor a remedy. This file turns the errno of the
 * kernel into a sentence that names the cause and, if known, a remedy.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <perf/core.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include "record/sampler.h"

/* Suppresses the messages of libperf, which would go to stderr. */
static int be_quiet(enum libperf_print_level level, const char *fmt, va_list ap)
{
	return 0;
}

/* Opens n events as one group on this thread and closes them. Returns 0 or the errno. */
static int try_group(const struct sampler_event *events, unsigned n)
{
	struct perf_thread_map *threads = perf_thread_map__new_dummy();
	struct perf_evlist *list = perf_evlist__new();
	int ret = ENOMEM;

	if (!threads || !list)
		goto out;
	perf_thread_map__set_pid(threads, 0, 0);
	for (unsigned i = 0; i < n; i++) {
		struct perf_event_attr attr = events[i].attr;
		struct perf_evsel *evsel = perf_evsel__new(&attr);

		if (!evsel)
			goto out;
		perf_evlist__add(list, evsel);
	}
	perf_evlist__set_maps(list, NULL, threads);
	perf_evlist__set_leader(list);
	ret = -perf_evlist__open(list);
	if (!ret)
		perf_evlist__close(list);
out:
	if (list) {
		/* each event refers to the maps, too; if it kept them, perf_evlist__delete() would
		 * not free them */
		perf_evlist__set_maps(list, NULL, NULL);
		perf_evlist__delete(list);
	}
	if (threads)
		perf_thread_map__put(threads);
	return ret;
}

/* Writes what the user can do when the kernel refuses an event for lack of rights. */
static void explain_refusal(const struct machine *m, bool kernel, char *out, size_t len)
{
	if (kernel ? machine_kernel_allowed(m) : machine_user_allowed(m))
		snprintf(out, len,
			 "the kernel's settings allow it, so a security module or the seccomp "
			 "filter "
			 "of a container forbids perf_event_open(2)");
	else
		snprintf(out, len,
			 "kernel.perf_event_paranoid is %d; `sudo sysctl "
			 "kernel.perf_event_paranoid=%d` or CAP_PERFMON allows it",
			 m->paranoid, kernel ? 1 : 2);
}

void sampler_explain_errno(int sys, const struct machine *m, bool kernel, char *out, size_t len)
{
	switch (sys) {
	case EACCES:
	case EPERM:
		explain_refusal(m, kernel, out, len);
		break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
		snprintf(out, len, "this CPU, or the virtual machine, has no such event");
		break;
	case EOPNOTSUPP:
		snprintf(out, len,
			 "the PMU is there and cannot sample: a virtual machine often lacks "
			 "PEBS, IBS and SPE");
		break;
	case EINVAL:
		snprintf(out, len, "the kernel does not know this event or one of its settings");
		break;
	case ENOSYS:
		snprintf(out, len,
			 "the kernel is built without perf events, or a seccomp filter "
			 "hides them");
		break;
	case EMFILE:
		snprintf(out, len, "too many open files; raise `ulimit -n`");
		break;
	case EBUSY:
		snprintf(out, len, "another program has taken the counters");
		break;
	default:
		snprintf(out, len, "%s", strerror(sys));
	}
}

/* Reports why an event does not open. Sets err->sys to the errno. */
static int fail_to_open(const struct sampler_event *e, int sys, const struct machine *m,
			struct md_err *err)
{
	char why[512];

	sampler_explain_errno(sys, m, !e->attr.exclude_kernel, why, sizeof(why));
	errno = sys;
	md_fail(err, MD_ENOTSUP, "cannot open the event %s: %s (%s)", e->perf,
		strerrorname_np(sys) ? strerrorname_np(sys) : "error", why);
	if (err)
		err->sys = sys;
	return MD_ENOTSUP;
}

/* Removes an optional event from the plan. */
static void drop_event(struct sampler_plan *plan, unsigned i)
{
	memmove(&plan->events[i], &plan->events[i + 1],
		(plan->count - i - 1) * sizeof(plan->events[0]));
	plan->count--;
}

int sampler_probe(struct sampler_plan *plan, const struct machine *m, struct md_err *err)
{
	libperf_init(be_quiet);
	for (unsigned i = 0; i < plan->count;) {
		const struct sampler_event *e = &plan->events[i];
		unsigned n = e->leads && i + 1 < plan->count ? 2 : 1;
		int sys = try_group(e, n);

		if (!sys) {
			i += n;
		} else if (e->optional) {
			drop_event(plan, i);
		} else {
			return fail_to_open(e, sys, m, err);
		}
	}
	return 0;
}
