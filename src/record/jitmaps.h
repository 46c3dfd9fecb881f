/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the files in which just-in-time compilers write the names of their code. By perf's
 * convention each is /tmp/perf-PID.map, with PID and /tmp as the process sees them. The copies are
 * in the folder jit/ of the capture; the PID in their names is the one that memdb sees. Anybody can
 * write to /tmp. So a file is copied only if it is a regular file with a single link and of limited
 * size, belongs to this user, to root or to the caller of sudo, and was written since the recording
 * started.
 */
#ifndef MEMDB_RECORD_JITMAPS_H
#define MEMDB_RECORD_JITMAPS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/capture.h"

/* The processes in containers: each has a /tmp of its own, or a pid that differs from the one that
 * memdb sees. Their /tmp is kept open, so that it can be read even after the processes have ended.
 * A struct of zeros is an empty list. */
struct jitmaps {
	struct jitmaps_folder {
		int tmp; /* descriptor of its /tmp */
		uint32_t pid, own_pid;
	} * v;
	unsigned n, cap;
};

/* Opens the /tmp of a live process if it is in a container. If this fails, does nothing. Must be
 * called when the process is first seen, and again after each exec, because the process may have
 * entered a container before the exec. */
void jitmaps_see(struct jitmaps *j, uint32_t pid);

/*
 * Copies the maps of the processes in *j, and from the folder `tmp` the maps of all other
 * processes. Leaves out maps that were last written more than 1 s before CLOCK_REALTIME since_ns.
 * Returns the number of maps that could not be copied.
 */
unsigned jitmaps_copy(const struct jitmaps *j, const char *tmp, uint64_t since_ns,
		      const struct capture *c);

void jitmaps_release(struct jitmaps *j);

#endif
