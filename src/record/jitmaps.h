/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that just-in-time compilers give their code: /tmp/perf-PID.map, a convention of perf's.
 * PID and /tmp are as the process sees them. The maps are copied into the capture's jit/ and named
 * by the recording's pid. Anybody can write to /tmp, so only regular files with a single link are
 * copied that belong to this user, to root or to the caller of sudo and were written since the
 * recording started.
 */
#ifndef MEMDB_RECORD_JITMAPS_H
#define MEMDB_RECORD_JITMAPS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/capture.h"

/* Processes with another /tmp or another pid of their own: containers. Their /tmp is held open,
 * so that it can be read after they have ended. { 0 } is empty. */
struct jitmaps {
	struct jitmaps_folder {
		int tmp; /* descriptor */
		uint32_t pid, own_pid;
	} * v;
	unsigned n, cap;
};

/* Notes a living process if it is of this kind. Skips it if memory or rights do not suffice. */
void jitmaps_see(struct jitmaps *j, uint32_t pid);

/* Copies the maps in the folder `tmp` that were written since CLOCK_REALTIME since_ns, and those
 * of the noted processes. Returns how many were lost because the disk is full. */
unsigned jitmaps_copy(const struct jitmaps *j, const char *tmp, uint64_t since_ns,
		      const struct capture *c);

void jitmaps_release(struct jitmaps *j);

#endif
