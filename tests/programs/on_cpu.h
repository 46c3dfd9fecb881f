/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds threads of test programs to CPUs. */
#ifndef MEMDB_TESTS_ON_CPU_H
#define MEMDB_TESTS_ON_CPU_H

#include <sched.h>
#include <stddef.h>

/* Binds the thread to the n-th CPU that the program may use. Does nothing if there are fewer
 * CPUs. */
static void stay_on_cpu(size_t n)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			CPU_SET(cpu, &one);
	if (CPU_COUNT(&one))
		sched_setaffinity(0, sizeof(one), &one);
}

#endif
