/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the command that runs a program in QEMU's user-mode emulation with memdb's plugin. memdb
 * starts the program with it, and the plugin starts with it every program that the program
 * executes. This file is in both, so it depends only on libc and base/words.h.
 */
#ifndef MEMDB_RECORD_EMULATE_H
#define MEMDB_RECORD_EMULATE_H

#include "base/words.h"

/* Name of the variable with the path of the emulated program, which is its /proc/self/exe. */
#define EMULATE_PROGRAM_VARIABLE "MEMDB_ACCESS_PROGRAM"

struct emulation {
	const char *emulator; /* path of qemu-x86_64 */
	const char *plugin;   /* path; has no comma, which is QEMU's separator */
	const char *options;  /* the plugin's options, separated by commas (access/options.h) */
	const char *tracker; /* path of the library whose accesses are not counted as the program's;
				"" means none */
};

/*
 * Appends the emulator's words to *command, made from the program's path and argv. Changes *env
 * from the program's environment to the emulator's, which passes it on. Runs scripts as the kernel
 * does.
 *
 * Returns NULL, or why the program cannot be emulated, a phrase such as "it is no x86-64 program".
 * On failure *env is unchanged. If memory runs out, sets command->failed or env->failed.
 */
const char *emulate(const struct emulation *e, const char *path, char *const *argv,
		    struct words *command, struct words *env);

#endif
