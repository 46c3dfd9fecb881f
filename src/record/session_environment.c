/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prepares path and environment of the program, through which the tracker gets its options.
 *
 * Facts about the machine are found out once, here. Otherwise each process of the program would
 * spend several system calls on them.
 */
#include "record/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "track_format.h"

/* Returns which clock the tracker reads: "tsc", the CPU's counter, if the kernel derives its own
 * time from it; otherwise "monotonic". */
static const char *kernel_clock(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char line[32] = "";

	machine_read_line("", path, line, sizeof(line));
	return strncmp(line, "tsc", 3) ? "monotonic" : "tsc";
}

/* Appends how far CLOCK_REALTIME and CLOCK_BOOTTIME are ahead of CLOCK_MONOTONIC. A process of the
 * program compares these differences with those of its own clocks: in a time namespace, they are
 * not the same. Appends nothing if memdb itself may be in such a namespace. Returns the length of
 * the text. */
static int print_clocks(char *to, size_t cap)
{
	/* contents of the link /proc/self/ns/time in the kernel's initial time namespace */
	static const char first[] = "time:[4026531834]";
	const uint64_t now = monotonic_ns();
	char own[64];
	ssize_t n = readlink("/proc/self/ns/time", own, sizeof(own));

	if (n != (ssize_t)strlen(first) || memcmp(own, first, (size_t)n) != 0)
		return 0;
	return snprintf(to, cap, ",realtime=%0*" PRIu64 ",boottime=%0*" PRIu64, TRACK_DIGITS,
			clock_ns(CLOCK_REALTIME) - now, TRACK_DIGITS,
			clock_ns(CLOCK_BOOTTIME) - now);
}

/* Returns the number of memdb's PID namespace; 0 means unknown. A process of the program compares
 * it with the number of its own namespace: if they differ, perf knows its threads by other tids. */
static uint64_t pid_namespace(void)
{
	char own[64] = "";
	uint64_t number;

	return readlink("/proc/self/ns/pid", own, sizeof(own) - 1) > 0 &&
			       sscanf(own, "pid:[%" SCNu64 "]", &number) == 1
		       ? number
		       : 0;
}

/* Writes the options of the tracker. The number of the recording comes first, because
 * session_count_left() compares only the beginning of the options. The text has the same length in
 * each run, also if the frequency of the counter is not known yet (0): the emulated loader reads
 * it, and repeated runs must have equal counts. */
static void print_options(const struct session *s, char *to, size_t cap)
{
	struct counter_reading now = counter_read();
	uint64_t khz = counter_khz(&s->counter, &now);
	int n;

	n = snprintf(to, cap,
		     TRACK_RECORDING "=%0*" PRIu64 ",min_size=%" PRIu64
				     ",homes=%d,clock=%s,pid_namespace=%" PRIu64,
		     TRACK_DIGITS, s->start[0], s->o->min_size, s->machine.nodes > 1,
		     kernel_clock(), pid_namespace());
	n += print_clocks(to + n, cap - (size_t)n);
	if (s->o->sample_every)
		n += snprintf(to + n, cap - (size_t)n, ",sample_small=%" PRIu64,
			      s->o->sample_every);
	if (s->o->sample_bytes)
		n += snprintf(to + n, cap - (size_t)n, ",sample_small_bytes=%" PRIu64,
			      s->o->sample_bytes);
	if (sampler_run(s->plan.sampler) == RUN_EMULATED && s->o->sampling.period == 1)
		n += snprintf(to + n, cap - (size_t)n, ",owners=1");
	if (s->o->keep_all)
		n += snprintf(to + n, cap - (size_t)n, ",thin=1");
	snprintf(to + n, cap - (size_t)n, ",tsc_khz=%0*" PRIu64, TRACK_DIGITS, khz);
}

/* The tracker comes first in LD_PRELOAD, so that libraries that the user preloads are tracked,
 * too. */
int session_environment(struct session *s, struct md_err *err)
{
	struct words *env = &s->job.env;
	const char *old = words_env(env, "LD_PRELOAD");
	char *preload = NULL, dir[PATH_MAX + 8], options[320];

	words_add(&s->job.path, s->target.path);
	if (s->job.path.failed)
		return md_nomem(err);
	if (!s->library[0])
		return 0;
	if (asprintf(&preload, "%s%s%s", s->library, old && *old ? ":" : "", old ? old : "") < 0)
		return md_nomem(err);
	snprintf(dir, sizeof(dir), "%s/track", s->capture.dir);
	print_options(s, options, sizeof(options));
	words_set_env(env, "LD_PRELOAD", preload);
	words_set_env(env, TRACK_ENV_DIR, dir);
	words_set_env(env, TRACK_ENV_OPTIONS, options);
	free(preload);
	return env->failed ? md_nomem(err) : 0;
}
