/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is warned of: before the program starts, and after it has ended. A warning never
 * ends a recording. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/escape.h"
#include "record/allocator.h"
#include "record/session.h"

/* A limit on file sizes below this number of bytes causes a warning. Most captures are smaller. */
#define ENOUGH ((rlim_t)1 << 30)

/* Stores the warning in s->warnings, and usually prints it at once. With -q (quiet) it is printed
 * only if the program has started and no import follows: after an import, the losses are printed
 * instead. */
void session_warn(struct session *s, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	words_add(&s->warnings, text);
	if (s->o->verbosity >= 0 || (s->o->raw && s->result.started))
		escape_say("memdb record: %s", text);
}

/* For the timer: warns if the user's rate is above the kernel's limit. The kernel then drops
 * samples, but each sample that remains still counts as one period, so computed times are too
 * short. */
static void warn_of_rate(struct session *s)
{
	const struct sampling *o = &s->o->sampling;
	uint64_t rate = o->period ? 1000000000u / o->period : o->frequency;

	if (sampler_kind(s->plan.sampler)->timed && s->machine.max_sample_rate > 0 &&
	    rate > (uint64_t)s->machine.max_sample_rate)
		session_warn(s,
			     "%" PRIu64 " samples a second are more than "
			     "kernel.perf_event_max_sample_rate allows (%d): some will be left "
			     "out, and times too short",
			     rate, s->machine.max_sample_rate);
}

/*
 * Warns if file sizes are limited to less than ENOUGH. Without the warning, the user would learn of
 * the limit only when the recording fails.
 */
static void warn_of_file_limit(struct session *s)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_FSIZE, &r) && r.rlim_cur < ENOUGH)
		session_warn(s,
			     "no file may become larger than %" PRIu64 " KiB here (ulimit -H -f): "
			     "the recording may be cut short, and its database may not fit",
			     (uint64_t)r.rlim_cur >> 10);
}

/* Warns if the program contains a malloc of its own, because the tracker does not see calls to
 * it. */
static void warn_of_allocator(struct session *s)
{
	const char *path = s->target.interpreter[0] ? s->target.interpreter : s->target.path;
	char name[256];

	switch (allocator_of(path, name, sizeof(name))) {
	case ALLOCATOR_OWN:
	case ALLOCATOR_HIDDEN:
		session_warn(s,
			     "'%s' has a malloc of its own linked in: what it allocates by it is "
			     "not seen, its memory is known by its mappings only",
			     s->o->argv[0]);
		break;
	default:
		break;
	}
}

void session_warn_before(struct session *s)
{
	if (s->target.soft && sampler_run(s->plan.sampler) == RUN_EMULATED)
		session_warn(s, "the program was built for the sampler soft: the accesses that its "
				"checks or calls make count, too. Record a program that was built "
				"as usual, or use --sampler soft");
	if (s->target.gains_rights && sampler_run(s->plan.sampler) == RUN_EMULATED)
		session_warn(s,
			     "'%s' is setuid, setgid or has file capabilities: in the emulator it "
			     "runs without the rights that these give",
			     s->o->argv[0]);
	if (s->target.untracked && s->o->track)
		session_warn(s, "allocations are not tracked in '%s': %s%s", s->o->argv[0],
			     target_untracked_text(s->target.untracked),
			     s->library[0] ? "; in programs that it starts they are" : "");
	else if (s->library[0])
		warn_of_allocator(s);
	warn_of_rate(s);
	warn_of_file_limit(s);
}

/* Did perf fail? It failed if it ended before the program, if it could not write, or if its exit
 * code is not that of the program. Exception: an end by SIGINT is not a failure if the user
 * interrupted the recording, or if memdb ended it. */
static bool perf_failed(const struct launch_result *r, const char *log)
{
	if (r->perf_died_first || strstr(log, "failed to write"))
		return true;
	if ((r->interrupted || r->full) && WIFSIGNALED(r->perf_status) &&
	    WTERMSIG(r->perf_status) == SIGINT)
		return false;
	return r->ended && launch_exit_code(r->perf_status) != launch_exit_code(r->end.code);
}

/* Warns that the sampler soft has written no samples: the program was not built for it, or the
 * loader did not find libmemdb-soft. */
static void warn_of_no_access(struct session *s)
{
	const struct launch_result *r = &s->result;
	char library[PATH_MAX];

	if (!r->ended || launch_exit_code(r->end.code) != 127 ||
	    session_find_library("libmemdb-soft.so", NULL, library, sizeof(library), NULL)) {
		session_warn(
			s,
			"'%s' was not built for the sampler soft, with the flags of `pkg-config "
			"memdb-checks` (and -fno-integrated-as if the compiler is clang) or "
			"`memdb-soft`: no access of it was seen",
			s->o->argv[0]);
		return;
	}
	*strrchr(library, '/') = 0;
	session_warn(s,
		     "'%s' ended with 127, as it does where its loader does not find "
		     "libmemdb-soft.so: set LD_LIBRARY_PATH=%s, or link with `pkg-config --libs "
		     "memdb-soft`, which stores that path",
		     s->o->argv[0], library);
}

/* Warns that samples could not be written. Without the warning, a user of --raw would learn this
 * only from the import. */
static void warn_of_lost_accesses(struct session *s)
{
	const uint64_t lost = exact_lost(&s->capture, s->head_bytes);

	if (lost)
		session_warn(s,
			     "%" PRIu64 " records of accesses could not be written: the disk was "
			     "full, or the limit on file sizes (ulimit -f) was reached",
			     lost);
}

/* Warns that the program may have ended at an instruction that the emulator does not implement. */
static void warn_of_unknown_instruction(struct session *s)
{
	const struct launch_result *r = &s->result;

	if (sampler_run(s->plan.sampler) == RUN_EMULATED && r->ended && WIFSIGNALED(r->end.code) &&
	    WTERMSIG(r->end.code) == SIGILL)
		session_warn(s,
			     "'%s' ended by SIGILL: it may have instructions newer than AVX2 (as "
			     "AVX-512), which the emulator does not know; if so, build it without "
			     "them, or for the sampler soft",
			     s->o->argv[0]);
}

void session_warn_after(struct session *s, const char *log)
{
	const bool is_perf = sampler_run(s->plan.sampler) == RUN_PERF;
	const struct launch_result *r = &s->result;
	char said[600];

	if (perf_failed(r, log)) {
		/* if a signal ended perf, perf's log does not contain the reason */
		if (WIFSIGNALED(r->perf_status))
			snprintf(said, sizeof(said), "a signal ended it (%s)",
				 strsignal(WTERMSIG(r->perf_status)));
		else
			perf_log_condense(log, said, sizeof(said));
		session_warn(s,
			     "%s did not end as it should, so the recording may be cut short: %s",
			     is_perf ? "perf" : "the process that runs the program",
			     *said ? said : "it gave no reason");
	}
	if (s->library[0])
		s->left_running = session_count_left(s);
	if (s->left_running)
		session_warn(s,
			     "%u process%s of the program still run%s; recording ended with the "
			     "program (--wait records until they end)",
			     s->left_running, s->left_running == 1 ? "" : "es",
			     s->left_running == 1 ? "s" : "");
	if (sampler_run(s->plan.sampler) == RUN_INSTRUMENTED &&
	    !exact_has_records(&s->capture, s->head_bytes))
		warn_of_no_access(s);
	warn_of_unknown_instruction(s);
	if (!is_perf)
		warn_of_lost_accesses(s);
	if (s->follow_stats.write_failed)
		session_warn(s, "follow.log is cut short: the disk is full");
}
