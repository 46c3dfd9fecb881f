/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the command that runs a program in QEMU's user-mode emulation with memdb's plugin. memdb
 * starts the first program in this way; the plugin starts every program that the first one
 * executes. This file is linked into both memdb and the plugin, so it depends only on libc,
 * base/words.h and record/script.h.
 */
#ifndef MEMDB_RECORD_EMULATE_H
#define MEMDB_RECORD_EMULATE_H

#include "base/words.h"

/* The variable that contains the path of the emulated program. In an emulator, /proc/self/exe is
 * the emulator; the plugin uses this variable instead. */
#define EMULATE_PROGRAM_VARIABLE "MEMDB_ACCESS_PROGRAM"

struct emulation {
	const char *emulator; /* path of qemu-x86_64 */
	/* path of the plugin; it contains no comma, because QEMU separates options with commas */
	const char *plugin;
	const char *options; /* the plugin's options, separated by commas (access/options.h) */
	/* path of the tracker, whose accesses are not recorded; "" means none */
	const char *tracker;
};

/*
 * Appends to *command the words that run the program `path` with argv in the emulator. On entry
 * *env is the program's environment. On return it is the emulator's environment, from which the
 * emulator restores the program's. Replaces a script with its interpreter, just as the kernel does.
 *
 * Returns NULL, or a phrase that says why the program cannot be emulated, such as "its path is too
 * long". On failure *env is unchanged. If memory runs out, sets command->failed or env->failed.
 */
const char *emulate(const struct emulation *e, const char *path, char *const *argv,
		    struct words *command, struct words *env);

#endif
