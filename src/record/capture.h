/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture directory: everything that one recording leaves, before it is imported.
 *
 *   perf.data      samples, maps, threads, as perf wrote them
 *   faults.data    page faults (faults.h), likewise in perf's format
 *   perf.log       what perf said
 *   follow.log     topology, page homes, thread affinity (tracklog/follow.h)
 *   track/         logs of the preloaded tracker, one a process image: PID-STARTTICKS-SEQ.log
 *   kallsyms       a copy of /proc/kallsyms; only where it shows real addresses
 *   vdso.so        the image of the vdso, which is not a file
 *   jit/           perf-PID.map: names of the code that a process made at run time (jitmaps.h)
 *   capture.json   how it was recorded; written at the start and again at the end (see below)
 *
 * The directory is made with mode 0700 and must not exist before, its files have mode 0600: they
 * undo address space randomisation, and a directory of somebody else could hold planted links.
 *
 * capture.json is one object. Times are ns, numbers are integers:
 *   format            1
 *   memdb             memdb's version
 *   complete          true when the recording came to its end; false while it runs and after memdb
 *                     was killed
 *   argv              the program's words, as given
 *   path              the file that was executed
 *   interpreter       of a script, else absent
 *   cwd hostname kernel machine
 *   cache_bytes       data caches of the three levels as the CPU itself says, or those of the
 *                     model; 0: not known. What the kernel says is in perf.data
 *   sampler           "pebs", "ibs", "spe", "timer", "exact", "soft"
 *   events            perf's event expressions, in the order of perf.data
 *   event_roles       of each of them: type and config of perf_event_attr, and role, what its
 *                     samples are ("access", "time", "fault", "instructions", "other")
 *   options           as given or by default: period or frequency (the other is 0), call_graph,
 *                     min_size, faults, kernel (false: user mode only), track, follow_interval_ns;
 *                     sample_small, sample_small_bytes and model_caches where they were given
 *   tracked           false where the tracker cannot work; untracked_reason then says why
 *   perf              command (its words), version
 *   start, end        each with monotonic_ns and realtime_ns of the same moment; end only if
 *                     complete
 *   waiter_pid        the process that started the program and waited for it; not the program's
 *   pid               the program's first process
 *   start_ticks       when that started, in clock ticks since boot (field 22 of /proc/PID/stat)
 *   exit_code or signal        of the program; neither where nobody saw it end
 *   user_ns system_ns max_rss_bytes   of the program and its awaited children
 *   left_running      processes of the program that were alive when the recording ended
 *   warnings          sentences
 */
#ifndef MEMDB_RECORD_CAPTURE_H
#define MEMDB_RECORD_CAPTURE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

#define CAPTURE_FORMAT 1

struct capture {
	char dir[PATH_MAX]; /* absolute */
	int fd;             /* the directory, close-on-exec; -1 before capture_create() */
};

/*
 * Makes the directory and track/ in it. With force, a capture directory of that name is removed
 * first (nothing else is: it must hold a capture.json). Returns 0, or with c->fd -1:
 *   MD_EUSAGE  something of that name is there
 *   MD_EIO     it cannot be made
 */
int capture_create(struct capture *c, const char *path, bool force, struct md_err *err);

/* Makes "OUTPUT.capture", or "OUTPUT.capture.2" … where a failed import left one. MD_EIO. */
int capture_create_beside(struct capture *c, const char *output, struct md_err *err);

/* Opens or creates a file of the directory for writing, mode 0600, close-on-exec. Never follows
 * a link. -1 with errno. */
int capture_open(const struct capture *c, const char *name, int flags);

/* Closes the descriptor; the directory stays. */
void capture_close(struct capture *c);

/* Removes the directory and its content. Returns 0, or MD_EIO about the first file that could
 * not be removed. */
int capture_remove(struct capture *c, struct md_err *err);

/* Copies what is needed later to resolve addresses in kernel and vdso. A failure loses only
 * these symbols and is not an error. */
void capture_copy_kernel_symbols(const struct capture *c);

/* Does /proc/kallsyms show addresses to this user? */
bool capture_sees_kernel_symbols(void);

/* Under sudo: makes the user who called sudo the owner of the directory and its files. */
void capture_give_to_caller(const struct capture *c);

#endif
