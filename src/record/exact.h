/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samplers that see every access (access/), without a PMU and without perf. exact: the program
 * runs in QEMU's user-mode emulation, where a plugin of ours sees them. soft: the program was built
 * with calls of our library before each access.
 */
#ifndef MEMDB_RECORD_EXACT_H
#define MEMDB_RECORD_EXACT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "record/capture.h"
#include "record/job.h"
#include "record/sampler.h"
#include "record/target.h"
#include "base/words.h"

struct exact {
	char emulator[PATH_MAX]; /* qemu-x86_64 */
	char plugin[PATH_MAX];
};

/*
 * Finds emulator and plugin. MD_ENOTSUP with a sentence that says what to install, or that programs
 * of this machine's kind cannot be emulated.
 */
int exact_find(struct exact *x, struct md_err *err);

/* MD_ENOTSUP where the program cannot be run so: neither it nor its interpreter is an x86-64
 * program. */
int exact_check(const struct exact *x, const struct target *t, struct md_err *err);

/* Makes the capture's perf.data with its head, of *bytes, to which the program's processes append.
 * MD_EIO. */
int exact_write_head(const struct capture *c, const struct sampling *o, uint64_t *bytes,
		     struct md_err *err);

/* Has a process appended anything to a head of so many bytes? */
bool exact_has_records(const struct capture *c, uint64_t bytes);

/* The sizes of the caches that are modelled, bytes, from the first level. */
void exact_caches(const struct sampling *o, uint64_t bytes[MACHINE_CACHES]);

struct exact_run {
	const struct exact *x;
	const struct target *target;
	const struct sampling *sampling;
	char *const *argv;   /* the program's words */
	const char *tracker; /* that LD_PRELOAD loads into the program; "": none */
	const char *capture_dir;
};

/* Tells the program, if it was built for it, where to write and how to sample. MD_ENOMEM. */
int soft_environment(const struct exact_run *r, struct job *job, struct md_err *err);

/* The words that run the program in the emulator; sets job->path, and changes what of job->env is
 * meant for the program and not for the emulator. MD_ENOMEM, MD_EUSAGE. */
int exact_command(const struct exact_run *r, struct job *job, struct words *out,
		  struct md_err *err);

#endif
