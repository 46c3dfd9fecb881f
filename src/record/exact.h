/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares the samplers that see every access (access/), without a PMU or perf. exact runs the
 * program in QEMU's user-mode emulation with memdb's plugin. soft needs a program that was built to
 * report its accesses to memdb's library. */
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
	char emulator[PATH_MAX]; /* path of qemu-x86_64 */
	char plugin[PATH_MAX];
};

/*
 * Finds the emulator and the plugin. Returns 0, or MD_ENOTSUP with a sentence: which of them
 * is missing, that programs of this machine cannot be emulated, or that the plugin's path has a
 * comma.
 */
int exact_find(struct exact *x, struct md_err *err);

/*
 * Returns 0, or MD_ENOTSUP if the emulator cannot run the program, for example because neither the
 * program nor its interpreter is for x86-64.
 */
int exact_check(const struct exact *x, const struct target *t, struct md_err *err);

/* Creates the capture's perf.data and writes its head. Sets *bytes to the size of the head. The
 * processes of the program append their samples to the file. Returns 0 or MD_EIO. */
int exact_write_head(const struct capture *c, const struct sampling *o, uint64_t *bytes,
		     struct md_err *err);

/* Has the sampler appended records to the head, which is `bytes` long? */
bool exact_has_records(const struct capture *c, uint64_t bytes);

/* Returns the number of records that the samplers could not write. */
uint64_t exact_lost(const struct capture *c, uint64_t head_bytes);

/* Gets the sizes of the simulated caches in bytes, first level first. */
void exact_caches(const struct sampling *o, uint64_t bytes[MACHINE_CACHES]);

struct exact_run {
	const struct exact *x;
	const struct target *target;
	const struct sampling *sampling;
	char *const *argv;   /* words of the program's command line */
	const char *tracker; /* library that LD_PRELOAD loads into the program; "" means none */
	const char *capture_dir;
	uint64_t head_bytes; /* size of perf.data's head: *bytes of exact_write_head() */
};

/* Adds to the program's environment the variables from which the sampler learns where to write
 * samples and how to sample. Programs that were not built for the sampler soft ignore them. Returns
 * 0 or MD_ENOMEM. */
int soft_environment(const struct exact_run *r, struct job *job, struct md_err *err);

/*
 * Builds in *out the command that runs the program in the emulator. Sets job->path to the emulator
 * and adapts job->env. Returns 0, MD_ENOMEM or MD_ENOTSUP.
 */
int exact_command(const struct exact_run *r, struct job *job, struct words *out,
		  struct md_err *err);

#endif
