/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that just-in-time compilers give their code: /tmp/perf-PID.map, a convention of perf's,
 * PID as the process sees itself, /tmp as it sees it. They are copied into the capture's jit/,
 * named by the pid that the recording has.
 *
 * Anybody can write to /tmp: taken are regular files of this user, of root, or of the caller of
 * sudo, with one name only, that were written to since the recording began.
 */
#ifndef MEMDB_RECORD_JITMAPS_H
#define MEMDB_RECORD_JITMAPS_H

#include <stdint.h>
#include <sys/types.h>

#include "record/capture.h"

/* Processes whose /tmp is another, or which know themselves by another pid: containers. Their /tmp
 * is held open, so that it is found when they have ended. { 0 } is empty. */
struct jitmaps {
	struct jitmaps_folder {
		int tmp; /* descriptor */
		uint32_t pid, own_pid;
	} * v;
	unsigned n, cap;
};

/* Notes the process, while it lives, if it is such a one. What memory or rights do not suffice for
 * is left out. */
void jitmaps_see(struct jitmaps *j, uint32_t pid);

/* Copies the maps in the folder `tmp` written to since CLOCK_REALTIME since_ns, and those of the
 * processes seen. Returns how many were left out because the disk is full. */
unsigned jitmaps_copy(const struct jitmaps *j, const char *tmp, uint64_t since_ns,
		      const struct capture *c);

void jitmaps_release(struct jitmaps *j);

#endif
