/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that runs a program in QEMU's user-mode emulation, with memdb's plugin. memdb starts
 * the program by it, and the plugin whatever the program executes: this file is in both, and so
 * depends on libc and base/words.h only.
 */
#ifndef MEMDB_RECORD_EMULATE_H
#define MEMDB_RECORD_EMULATE_H

#include "base/words.h"

/* The program that runs, by its path: what it sees as /proc/self/exe. */
#define EMULATE_PROGRAM_VARIABLE "MEMDB_ACCESS_PROGRAM"

struct emulation {
	const char *emulator; /* path of qemu-x86_64 */
	const char *plugin;   /* path; has no comma, which is QEMU's separator */
	const char *options;  /* of the plugin, with commas between (access/options.h) */
	const char
		*tracker; /* path of the library whose accesses are not the program's; "": none */
};

/*
 * Makes the emulator's words in *command from the program's path and words, and changes *env, the
 * program's environment, into that of the emulator, which passes it on. Scripts are run as the
 * kernel runs them. Returns NULL, or why the program cannot be run so: a phrase such as "it is no
 * x86-64 program"; then *env is as it was. Without memory command->failed or env->failed is set.
 */
const char *emulate(const struct emulation *e, const char *path, char *const *argv,
		    struct words *command, struct words *env);

#endif
