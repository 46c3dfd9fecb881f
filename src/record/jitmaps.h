/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the names that just-in-time compilers give their code. By perf's convention they are in
 * /tmp/perf-PID.map, with PID and /tmp as the process sees them. The copies are in the folder jit/
 * of the capture. The PID in their names is the one that memdb sees. Anybody can write to /tmp. So
 * only regular files with a single link are copied that belong to this user, to root or to the
 * caller of sudo and were written since the recording started.
 */
#ifndef MEMDB_RECORD_JITMAPS_H
#define MEMDB_RECORD_JITMAPS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/capture.h"

/* The processes in containers: those that have a /tmp of their own, or whose pid differs from the
 * one that memdb sees. Their /tmp is kept open, because it can be read even after they have ended.
 * A struct of zeros is an empty list. */
struct jitmaps {
	struct jitmaps_folder {
		int tmp; /* descriptor of its /tmp */
		uint32_t pid, own_pid;
	} * v;
	unsigned n, cap;
};

/* Opens the /tmp of a live process if it is in a container. If this fails, does nothing. Must be
 * called when the process is first seen, and again after each exec, before which it may have
 * entered a container. */
void jitmaps_see(struct jitmaps *j, uint32_t pid);

/*
 * Copies the maps of the processes that were seen, and the maps in the folder tmp that were written
 * after CLOCK_REALTIME since_ns. Returns how many could not be written.
 */
unsigned jitmaps_copy(const struct jitmaps *j, const char *tmp, uint64_t since_ns,
		      const struct capture *c);

void jitmaps_release(struct jitmaps *j);

#endif
