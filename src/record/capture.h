/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture directory contains everything that a recording writes before it is imported.
 *
 *   perf.data      samples, mappings, threads, as perf wrote them
 *   faults.data    page faults, also in perf's format (faults.h)
 *   perf.log       perf's messages
 *   follow.log     topology, page homes, thread affinity (tracklog/follow.h)
 *   track/         logs of the preloaded tracker (preload/track_format.h): all logs begin in
 *                  shared.log; a process with a long log continues in PID-START-SEQUENCE.log
 *   kallsyms       a copy of /proc/kallsyms, if that shows real addresses
 *   vdso.so        a copy of the vdso, which otherwise exists only in memory
 *   jit/           perf-PID.map: names of the code that a process made at run time (jitmaps.h)
 *   capture.json   how the capture was recorded (see below); written before the program starts,
 *                  when it has started, after each thinning of samples, and at the end
 *
 * The directory is always new, because an existing one of another user could contain planted links.
 * It has mode 0700 and its files have mode 0600, because the addresses in them undo address space
 * randomisation.
 *
 * capture.json is one object. Times are ns, numbers are integers:
 *   format            CAPTURE_FORMAT (import/recording.h)
 *   memdb             memdb's version
 *   complete          true when the recording came to its end; false while it runs and after memdb
 *                     was killed
 *   argv              the program's command line, as given
 *   path              the file that was executed
 *   interpreter       the interpreter of a script; absent for other programs
 *   cwd hostname kernel machine
 *   emulator          name of the CPU's emulator, such as "QEMU TCG"; absent on a real CPU
 *   zero_page         false if the kernel does not map the shared page of zeros when a program
 *                     reads private memory that it has never written (record/machine.h); absent
 *                     otherwise
 *   cache_bytes       sizes of the data caches of the three levels: of the simulated caches if
 *                     there are any, otherwise of the CPU's, as CPUID reports them; 0 means not
 *                     known. The kernel's values are in perf.data
 *   sampler           "pebs", "ibs", "spe", "timer", "exact", "soft"
 *   events            perf's event expressions, in the order of perf.data
 *   event_roles       for each event: type and config of perf_event_attr, and role, the meaning of
 *                     its samples ("access", "time", "fault", "instructions", "other")
 *   options           as given or by default: period and frequency (0 means not given), latency,
 *                     call_graph, min_size, faults, kernel (false: user mode only), track,
 *                     follow_interval_ns;
 *                     sample_small, sample_small_bytes, model_caches, max_size and keep_all
 *                     (--max-size BYTES:all) only if they were given
 *   tracked           false if allocations are not tracked; untracked_reason then says why
 *   perf              command (its words), version
 *   start, end        each with monotonic_ns and realtime_ns of the same moment; end only if
 *                     complete
 *   full              like start: the moment when the capture reached options.max_size. Nothing
 *                     later is in it. Absent if that did not happen
 *   thinned           with keep_all, if anything was left out: samples (the number of samples that
 *                     each remaining one represents), removed_samples, blocks (N: at the end, one
 *                     in N small heap blocks was recorded; each says how many it represents),
 *                     removed_faults (page faults that are not in faults.data)
 *   storm             if no minor page faults were recorded for a while, because many processes
 *                     started at once: ns (how long in all), processes (how many of them started
 *                     then), begin_ns, end_ns (all this was between these times of CLOCK_MONOTONIC)
 *   waiter_pid        the process that started the program and waited for it
 *   pid               the program's first process
 *   start_ticks       start of that process, in clock ticks since boot (field 22 of /proc/PID/stat)
 *   exit_code or signal        the program's; neither if its end was not seen
 *   user_ns system_ns max_rss_bytes   of the program and of those children for which it waited
 *   files             the other files of the directory that an import reads, each with name and
 *                     bytes; kallsyms, vdso.so and those of jit/ also with crc32. If the recording
 *                     is complete, bytes is the final size; otherwise the file may be larger
 *   left_running      processes of the program that were alive when the recording ended
 *   warnings          sentences
 */
#ifndef MEMDB_RECORD_CAPTURE_H
#define MEMDB_RECORD_CAPTURE_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct capture {
	char dir[PATH_MAX]; /* absolute path of the directory */
	/* descriptor of the directory, close-on-exec; -1 before capture_create() */
	int fd;
};

/*
 * Creates the directory, and track/ in it. With force, first removes an old capture directory of
 * this name. A directory without a capture.json is never removed. Returns 0, or with c->fd -1:
 *   MD_EUSAGE  the name exists already
 *   MD_EIO     the directory cannot be made, found or opened
 */
int capture_create(struct capture *c, const char *path, bool force, struct md_err *err);

/* Creates "OUTPUT.capture". If that name is in use, for example because the import of an earlier
 * recording failed, creates "OUTPUT.capture.2", and so on. Returns 0 or MD_EIO. */
int capture_create_beside(struct capture *c, const char *output, struct md_err *err);

/*
 * Opens or creates a file of the directory, with mode 0600 and close-on-exec. Never follows a link.
 * Returns the descriptor, or -1 with errno.
 */
int capture_open(const struct capture *c, const char *name, int flags);

/* Opens a folder of the capture whose descriptor is dir_fd; "." is the capture itself. Follows no
 * link. Returns NULL if the folder cannot be opened. The caller closes the result. */
DIR *capture_folder(int dir_fd, const char *name);

/* Returns the disk space in bytes of the files in the directory `name` of the capture, whose
 * descriptor is dir_fd. "." stands for the capture itself, without its directories. The sum of the
 * files' sizes would be too large, because logs are sparse. */
uint64_t capture_bytes(int dir_fd, const char *name);

/* Creates the file that all logs share, with the number of the recording, so that no log of another
 * recording can begin in it: processes of an earlier recording in a folder of the same name may
 * still run. If that fails, the tracker in the program's first process tries to create it. */
void capture_open_logs(const struct capture *c, uint64_t recording);

/* Makes the tracker behave as on a full disk: each thread fills its current chunk, and later events
 * are only counted. Returns 0, or MD_EIO. A log without a slot in the shared file is not closed. */
int capture_close_logs(const struct capture *c, struct md_err *err);

/* From now on, trackers with the option thin record only one in `every` small heap blocks. Returns
 * 0, or MD_EIO. */
int capture_thin_logs(const struct capture *c, uint64_t every, struct md_err *err);

/* Closes the descriptor. The directory and its files remain. */
void capture_close(struct capture *c);

/* Removes the directory and its content. Returns 0, or MD_EIO about the first file that could
 * not be removed. */
int capture_remove(struct capture *c, struct md_err *err);

/* Under sudo: makes the user who called sudo the owner of the directory and its files. */
void capture_give_to_caller(const struct capture *c);

#endif
