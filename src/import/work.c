/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/work.h"

#include <string.h>

#include "base/count.h"
#include "base/prefix.h"
#include "base/runtime.h"
#include "import/pipeline.h"

/* Is this a function in which a thread waits for other threads or wakes them? names[] has the
 * beginnings of the names of such functions in glibc, musl, and the OpenMP runtimes of GNU and
 * LLVM. It has sched_yield(), because a thread calls this function in a loop that waits. */
static bool is_lock(const char *function)
{
	static const char *const names[] = {
		"pthread_mutex_",   "pthread_cond_",
		"pthread_barrier_", "pthread_rwlock_",
		"pthread_spin_",    "pthread_join",
		"sem_wait",         "sem_post",
		"sem_timedwait",    "lll_",
		"new_sem_",         "gomp_barrier",
		"gomp_team_barr",   "gomp_mutex",
		"gomp_sem",         "gomp_ptrlock",
		"futex_wait",       "futex_wake",
		"sched_yield",      "GOMP_barrier",
		"GOMP_critical",    "kmp_hyper_barri",
		"kmp_wait",         "kmp_barrier",
		"kmp_acquire",      "kmp_release",
		"kmpc_critical",    "kmpc_barrier",
		"kmpc_end_crit",    "kmpc_reduce",
	};

	function += strspn(function, "_");
	if (!strncmp(function, "GI_", 3)) /* glibc's prefix of its internal aliases */
		function += 3 + strspn(function + 3, "_");
	return begins_with_any(function, names, COUNT_OF(names));
}

static bool find_lock(struct import *im, uint32_t location)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);
	const char *function = code_symbol_name(&im->model.code, l->symbol);
	const char *file = l->dso ? AT_ID(im->model.code.dsos, l->dso).short_name : NULL;

	/* all functions of an OpenMP runtime count as waiting, because their other work takes very
	 * little time */
	return (function && is_lock(function)) || (file && runtime_is_openmp(file)) ||
	       runtime_is_messaging(function, file);
}

bool work_is_lock(struct import *im, uint32_t location)
{
	return answer_for(im, &im->model.is_lock, location, find_lock);
}

enum time_kind work_of_kernel(enum kernel_work work)
{
	return work == KERNEL_FAULT ? TIME_FAULT : work == KERNEL_LOCK ? TIME_WAIT : TIME_SYSTEM;
}

enum time_kind work_of_program(struct import *im, uint32_t location)
{
	static const uint8_t kinds[] = {
		[WORK_UNKNOWN] = TIME_UNKNOWN, [WORK_COMPUTE] = TIME_COMPUTE,
		[WORK_ACCESS] = TIME_MEMORY,   [WORK_FENCE] = TIME_FENCE,
		[WORK_ATOMIC] = TIME_ATOMIC,   [WORK_SPIN] = TIME_SPIN,
		[WORK_SYSTEM] = TIME_SYSTEM,
	};
	const struct dec_recipe *d;

	if (!location)
		return TIME_UNKNOWN;
	if (work_is_lock(im, location))
		return TIME_WAIT;
	d = code_recipe(&im->model.code, location);
	return d ? kinds[d->work] : TIME_UNKNOWN;
}
