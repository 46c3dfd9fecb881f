/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the page faults of a program, beside perf, into a file of perf's format.
 *
 * Faults are many, a hundred for each process that starts and hundreds of thousands a second where
 * new memory is touched, and what perf asks the kernel for with each sample it asks for with each
 * fault too. So memdb has events of its own, with what is needed of a fault and nothing else: of
 * one in user mode the registers that stacks and operands are found by and some of the stack, which
 * tell its callers; of one in the kernel, and of a major one, all registers and the kernel's call
 * chain, which alone tells who reads or writes there.
 */
#ifndef MEMDB_RECORD_FAULTS_H
#define MEMDB_RECORD_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define FAULTS_FILE "faults.data"

struct faults_options {
	unsigned buffer_pages; /* per CPU, a power of two; less is taken where that cannot be had */
	unsigned stack_bytes;  /* of each copy of the user's stack; 0: no callers are recorded */
	bool kernel;           /* faults in kernel mode too */
	bool phys_data;        /* physical addresses too */
};

struct faults;

/*
 * Opens the events on a process that has yet to exec, which enables them for it and what it will
 * start, and begins to write to fd, which is borrowed. Signals are blocked in the thread that does.
 * Returns 0, or with *out NULL MD_ESYS (err->sys set), MD_ENOMEM or MD_EIO.
 */
int faults_start(const struct faults_options *o, int32_t pid, int fd, struct faults **out,
		 struct md_err *err);

/* Writes the rest and frees all. NULL is fine. Returns 0, or MD_EIO: the file is cut short. */
int faults_stop(struct faults *f, struct md_err *err);

#endif
