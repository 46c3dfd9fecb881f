/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the page faults of a program, at the same time as perf, into a file in perf's format.
 *
 * There are many faults: a hundred for each process that starts, and hundreds of thousands per
 * second when new memory is touched. perf would make the kernel record the same data at each fault
 * as at each sample. So memdb has its own events, which record only what a fault needs:
 *
 * - user mode: the few registers from which stack frames and operands are computed, and a part of
 *   the stack, which shows the callers
 * - kernel mode, and major faults: all registers, a part of the stack, and the kernel's call chain,
 *   because only the chain shows which function of the kernel caused the fault
 *
 * While processes start in a storm (record/fault_storm.h), no minor faults are recorded.
 */
#ifndef MEMDB_RECORD_FAULTS_H
#define MEMDB_RECORD_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define FAULTS_FILE "faults.data"

struct faults_options {
	/* size of each CPU's buffer in pages, a power of two; smaller if the user may not lock as
	 * much memory */
	unsigned buffer_pages;
	/* size of the copied part of the user stack; 0 means that no callers are recorded */
	unsigned stack_bytes;
	bool kernel;    /* whether to record faults in kernel mode, too */
	bool phys_data; /* whether to record physical addresses, too */
};

struct faults;

/*
 * Opens the events on a process that has not called exec() yet. exec() enables them, for the
 * process and its later children. Starts a thread that writes to fd; the thread blocks all signals.
 * fd is borrowed until faults_stop(). Returns 0, or with *out NULL: MD_ESYS or MD_ENOMEM.
 */
int faults_start(const struct faults_options *o, int32_t pid, int fd, struct faults **out,
		 struct md_err *err);

/* From now on, keeps only one in `every` of the page faults, chosen at random. f may be NULL. */
void faults_thin(struct faults *f, uint64_t every);

/* What the file does not have. */
struct faults_missing {
	uint64_t removed;         /* page faults that were left out because of faults_thin() */
	uint64_t storm_ns;        /* duration of the storms of processes */
	uint64_t storm_processes; /* number of processes that started in them */
	/* when page faults ceased to be recorded for the first time, and when they were recorded
	 * again for the last time, ns of CLOCK_MONOTONIC; 0 if there was no storm */
	uint64_t storm_begin, storm_end;
};

/* Writes the rest of the records, stops the thread and frees f. Fills *missing. If f is NULL, does
 * nothing. Returns 0, or MD_EIO if the file is incomplete. */
int faults_stop(struct faults *f, struct faults_missing *missing, struct md_err *err);

#endif
