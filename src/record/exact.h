/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Supports the samplers that see every access (access/), without a PMU and without perf. exact runs
 * the program in QEMU's user-mode emulation with memdb's plugin. soft needs a program that was
 * built with a call of memdb's library before each access.
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
 * Finds the emulator and the plugin. Returns 0 or MD_ENOTSUP. The sentence says what to install, or
 * that this machine's programs cannot be emulated.
 */
int exact_find(struct exact *x, struct md_err *err);

/*
 * Returns MD_ENOTSUP if the emulator cannot run the program, for example because neither it nor its
 * interpreter is an x86-64 program.
 */
int exact_check(const struct exact *x, const struct target *t, struct md_err *err);

/*
 * Creates the capture's perf.data and writes its head, whose size it stores in *bytes. The
 * program's processes append to it. Returns 0 or MD_EIO.
 */
int exact_write_head(const struct capture *c, const struct sampling *o, uint64_t *bytes,
		     struct md_err *err);

/* Has a process appended anything to the head, which has `bytes` bytes? */
bool exact_has_records(const struct capture *c, uint64_t bytes);

/* Gets the sizes of the modelled caches in bytes, from the first level. */
void exact_caches(const struct sampling *o, uint64_t bytes[MACHINE_CACHES]);

struct exact_run {
	const struct exact *x;
	const struct target *target;
	const struct sampling *sampling;
	char *const *argv;   /* the program's words */
	const char *tracker; /* library that LD_PRELOAD loads into the program; "" means none */
	const char *capture_dir;
	uint64_t head_bytes; /* from exact_write_head() */
};

/*
 * Adds to the program's environment where to write samples and how to sample. Only a program that
 * was built for the sampler soft reads this. Returns 0 or MD_ENOMEM.
 */
int soft_environment(const struct exact_run *r, struct job *job, struct md_err *err);

/*
 * Builds in *out the words that run the program in the emulator. Sets job->path to the emulator and
 * adapts job->env to it. Returns 0, MD_ENOMEM or MD_ENOTSUP.
 */
int exact_command(const struct exact_run *r, struct job *job, struct words *out,
		  struct md_err *err);

#endif
