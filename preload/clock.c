/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "rawcall.h"
#include "real.h"
#include "start.h"
#include "text.h"

bool clock_is_tsc START_STATE;
bool clock_by_calls START_STATE;
long clock_cpu_offset START_STATE;

typedef int gettime_fn(clockid_t, struct timespec *);

/* ns. Two clocks are read one after the other, so their difference varies a little between calls.
 * Two such differences count as equal if they are closer than this. */
enum { CLOCKS_APART = 100000 };

static gettime_fn *vdso_gettime START_STATE;

/* Working space of clock_enter_namespace(), which one thread at a time calls. It is static, because
 * the stack of that thread may be small. */
static char working[128];

/* The number of ns by which the process's clocks are ahead of the machine's, because it is in a
 * time namespace. */
static uint64_t monotonic_ahead START_STATE, boottime_ahead START_STATE;

bool clock_faults(void)
{
	int mode = PR_TSC_ENABLE; /* unchanged if the kernel does not know PR_GET_TSC */

	rawcall4(SYS_prctl, PR_GET_TSC, (long)&mode, 0, 0);
	return mode == PR_TSC_SIGSEGV;
}

void clock_init(bool tsc, bool vdso)
{
	const ptrdiff_t *offset = real_find("__rseq_offset");
	const unsigned *size = real_find("__rseq_size");

	/* The vDSO is called directly: the program may replace libc's function, for example to fake
	 * the time. */
#if defined(__x86_64__)
	vdso_gettime = (gettime_fn *)real_find_anywhere("__vdso_clock_gettime");
#else
	vdso_gettime = (gettime_fn *)real_find_anywhere("__kernel_clock_gettime");
#endif
	if (offset && size && *size)
		clock_cpu_offset = *offset + 4; /* offset of cpu_id in struct rseq */
	clock_by_calls = !vdso || !vdso_gettime;
	if (clock_faults()) {
		vdso_gettime = NULL;
		clock_by_calls = true;
		return;
	}
#if defined(__x86_64__)
	clock_is_tsc = tsc;
	clock_by_calls &= !tsc;
#endif
}

/* Returns the offset of a clock in ns. `text` has one line for each clock, for example "monotonic
 * SECONDS NANOSECONDS"; `name` is the first word of the line. */
static uint64_t offset_of(const char *text, const char *name)
{
	const char *p = strstr(text, name);
	uint64_t number[2] = { 0 };

	if (!p)
		return 0;
	p += strlen(name);
	for (int i = 0; i < 2; i++) {
		bool negative;

		while (*p == ' ')
			p++;
		negative = *p == '-';
		for (p += negative; *p >= '0' && *p <= '9'; p++)
			number[i] = number[i] * 10 + (uint64_t)(*p - '0');
		if (negative)
			number[i] = -number[i];
	}
	return number[0] * 1000000000u + number[1];
}

/* Is the process in the same time namespace as its future children? /proc/self/timens_offsets
 * describes the namespace of the children. The process is in a different namespace only after
 * unshare(CLONE_NEWTIME). */
static bool is_in_childrens(void)
{
	static const char own_path[] = "/proc/self/ns/time";
	static const char childrens_path[] = "/proc/self/ns/time_for_children";
	char *own = working, *childrens = working + sizeof(working) / 2;
	long n = rawcall4(SYS_readlinkat, AT_FDCWD, (long)own_path, (long)own, sizeof(working) / 2);

	return n > 0 &&
	       n == rawcall4(SYS_readlinkat, AT_FDCWD, (long)childrens_path, (long)childrens,
			     sizeof(working) / 2) &&
	       !memcmp(own, childrens, (size_t)n);
}

/* Returns the time of a clock in ns as perf uses it: without the offset of a time namespace. */
static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts = { 0 };

	if (!vdso_gettime || vdso_gettime(clock, &ts))
		rawcall4(SYS_clock_gettime, clock, (long)&ts, 0, 0);
	if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW)
		ts.tv_nsec -= (long)monotonic_ahead;
	else if (clock == CLOCK_BOOTTIME)
		ts.tv_nsec -= (long)boottime_ahead;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static bool is_near(uint64_t a, uint64_t b)
{
	return a - b + CLOCKS_APART < 2 * CLOCKS_APART;
}

/* Does the process see the machine's clocks, and not those of a time namespace? A namespace shifts
 * CLOCK_MONOTONIC and CLOCK_BOOTTIME, but not CLOCK_REALTIME. So the differences between these
 * clocks are compared with those that the recorder measured and passed in the options. */
static bool has_machines_clocks(const char *options)
{
	uint64_t realtime = text_option(options, "realtime", 0);
	uint64_t boottime = text_option(options, "boottime", UINT64_MAX);
	uint64_t now = read_clock(CLOCK_MONOTONIC);

	return realtime && is_near(read_clock(CLOCK_REALTIME) - now, realtime) &&
	       is_near(read_clock(CLOCK_BOOTTIME) - now, boottime);
}

void clock_enter_namespace(const char *options)
{
	monotonic_ahead = boottime_ahead = 0;
	if (has_machines_clocks(options))
		return;
	if (text_read_file("/proc/self/timens_offsets", working, sizeof(working)) <= 0)
		return;
	monotonic_ahead = offset_of(working, "monotonic");
	boottime_ahead = offset_of(working, "boottime");
	if ((monotonic_ahead || boottime_ahead) && !is_in_childrens())
		monotonic_ahead = boottime_ahead = 0;
}

uint64_t clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Reads the clocks several times and returns the pair that took the shortest time, because the
 * thread may be interrupted between the reads of a pair. */
void clock_pair(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		uint64_t before = clock_ticks(), now = clock_ns(), after = clock_ticks();

		if (after - before < best) {
			best = after - before;
			*ticks = before + best / 2;
			*ns = now;
		}
		if (best < 200)
			break;
	}
}

void clock_moment(struct track_moment *m)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 4 && best > 2000; i++) {
		struct track_moment now;
		uint64_t took;

		clock_pair(&now.ticks, &now.monotonic_ns);
		now.raw_ns = read_clock(CLOCK_MONOTONIC_RAW);
		now.boottime_ns = read_clock(CLOCK_BOOTTIME);
		now.realtime_ns = read_clock(CLOCK_REALTIME);
		took = clock_ticks() - now.ticks;
		if (took >= best)
			continue;
		best = took;
		*m = now;
	}
}
