/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program to record, and checks that it can be executed and whether the tracker can be
 * loaded into it. */
#ifndef MEMDB_RECORD_TARGET_H
#define MEMDB_RECORD_TARGET_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"

/* Why the preloaded tracker cannot work in a program. */
enum target_untracked {
	TARGET_TRACKED = 0,
	TARGET_STATIC, /* it has no dynamic loader */
	/* it gains rights, so the loader ignores LD_PRELOAD; target_find() does not say so */
	TARGET_PRIVILEGED,
	TARGET_OTHER_ABI,  /* it is 32-bit, or for another machine */
	TARGET_OTHER_LIBC, /* its C library is neither glibc nor musl */
	/* the library of AddressSanitizer ends the program unless it is loaded first */
	TARGET_SANITIZER,
	/* it is a dynamic loader that prints the libraries, the tracker among them */
	TARGET_LISTS,
};

struct target {
	char path[PATH_MAX]; /* path of the file that execvp() would execute */
	/* the interpreter that the kernel finally executes for a #! script; "" for other
	 * programs */
	char interpreter[PATH_MAX];
	/* why the tracker cannot work: in `interpreter` if there is one, otherwise in the
	 * program */
	enum target_untracked untracked;
	bool is_elf;
	/* whether it is linked with ThreadSanitizer, which needs tens of gigabytes in an
	 * emulator */
	bool tsan;
	bool soft; /* whether it was built for the sampler soft */
	/* whether the kernel gives other rights to a process that executes it (setuid, setgid, file
	 * capabilities); a process in which an emulator runs it keeps its own */
	bool gains_rights;
};

/*
 * Looks up `name` as execvp() does. Returns 0, or
 *   MD_ENOENT  there is no such program
 *   MD_EIO     the file cannot be executed (rights, a directory); err->sys is the errno
 * The kernel may still refuse the file when it is executed.
 */
int target_find(const char *name, struct target *t, struct md_err *err);

/* If the program found is a dynamic loader, also looks at the program that it will load: argv is
 * the command line. */
void target_look_behind_loader(struct target *t, char *const *argv);

/* Returns a phrase such as "it is statically linked"; "" for TARGET_TRACKED. */
const char *target_untracked_text(enum target_untracked u);

/* May LD_PRELOAD contain the tracker's library? Yes for programs that ignore LD_PRELOAD, because
 * they may start other programs that can be tracked. No if the library would make the loader print
 * an error or end the program. */
bool target_bears_preload(enum target_untracked u);

#endif
