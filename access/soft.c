/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "soft.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "maps.h"
#include "options.h"

/* How many accesses pass before a thread asks again whether sampling has begun. */
enum { IDLE = 1 << 20 };

__thread int64_t memdb_soft_far[SOFT_LANES] __attribute__((tls_model("initial-exec")));
__thread int64_t memdb_soft_granted[SOFT_LANES] __attribute__((tls_model("initial-exec")));
bool soft_enabled;

/* How many accesses of a lane remain until its next sample; 0: it has not begun. */
static __thread uint64_t lane_left[SOFT_LANES];
/* number of libraries loaded so far (dlpi_adds) when the mappings were written last */
static unsigned long long libraries;

static int count_libraries(struct dl_phdr_info *info, size_t size, void *n)
{
	*(unsigned long long *)n = info->dlpi_adds;
	return 1;
}

/* Writes the mappings again if a library was loaded since they were written, because the importer
 * needs them to resolve samples in its code. */
static void learn_libraries(struct thread *t)
{
	unsigned long long now = 0;

	dl_iterate_phdr(count_libraries, &now);
	if (now != libraries) {
		libraries = now;
		maps_write(&t->stream, 0, MAPS_ALL);
	}
}

/* Takes what has passed since the last grant off the accesses that remain until the next sample. A
 * signal handler that came between a check and this function may have made the numbers differ: then
 * nothing has passed. */
static void settle(struct thread *t, unsigned lane, unsigned n)
{
	int64_t passed = memdb_soft_granted[lane] - (memdb_soft_far[lane] + n);

	if (passed < 0 || passed > memdb_soft_granted[lane])
		passed = 0;
	t->left = (lane_left[lane] ? lane_left[lane] : thread_gap(t)) - (uint64_t)passed;
}

/* Lets accesses pass up to the one before the next sample. */
static void grant(const struct thread *t, unsigned lane)
{
	lane_left[lane] = t->left;
	memdb_soft_granted[lane] = sampler_is_far(t) ? (int64_t)t->left - 1 : 0;
	memdb_soft_far[lane] = memdb_soft_granted[lane];
}

/* Ignores an access that is made by a signal handler that has interrupted the sampler in the same
 * thread. Keeps errno, because the program may read it after any of its accesses. */
void soft_look(const struct access *a, unsigned lane, soft_path *path, const void *arg)
{
	const int error = errno;
	struct thread *t;

	if (!soft_enabled || thread_stopped) {
		memdb_soft_far[lane] = memdb_soft_granted[lane] = IDLE;
		return;
	}
	t = sampler_thread();
	if (t->busy)
		return;
	t->busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	settle(t, lane, soft_count(a->kind));
	if (path)
		path(t, arg);
	learn_libraries(t);
	sampler_look(t, a);
	grant(t, lane);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = false;
	errno = error;
}

static void stop_sampling(void)
{
	if (soft_enabled)
		thread_end_all();
	soft_enabled = false;
}

SOFT_EXPORT void _exit(int code);
SOFT_EXPORT void _Exit(int code);

/* Writes the counts before the process ends. For exit(), a function of atexit() does that. But
 * _exit(), by which forked children usually end, does not call such functions. */
void _exit(int code)
{
	stop_sampling();
	for (;;)
		syscall(SYS_exit_group, code);
}

void _Exit(int code)
{
	_exit(code);
}

__attribute__((constructor)) static void start_sampling(void)
{
	const char *path = getenv(ACCESS_STREAM_VARIABLE), *words = getenv(ACCESS_OPTIONS_VARIABLE);
	struct thread *t;
	int here;

	if (!path || !words || !options_read_all(words) ||
	    !stream_open(path, thread_options.lost_at) || !thread_begin_all())
		return;
	t = sampler_thread();
	stream_name(&t->stream, program_invocation_short_name, true);
	learn_libraries(t);
	maps_write_stack(&t->stream, (uint64_t)&here);
	atexit(stop_sampling);
	soft_enabled = true;
	memset(memdb_soft_far, 0, sizeof(memdb_soft_far));
	memset(memdb_soft_granted, 0, sizeof(memdb_soft_granted));
}
