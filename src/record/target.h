/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the program to record: does it exist, can it be executed, and can the tracker be loaded
 * into it?
 */
#ifndef MEMDB_RECORD_TARGET_H
#define MEMDB_RECORD_TARGET_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"

/* Why the preloaded tracker cannot work in a program. */
enum target_untracked {
	TARGET_TRACKED = 0,
	TARGET_STATIC,     /* no dynamic loader */
	TARGET_PRIVILEGED, /* setuid, setgid or file capabilities: the loader ignores LD_PRELOAD */
	TARGET_OTHER_ABI,  /* 32-bit, or of another machine */
	TARGET_OTHER_LIBC, /* its C library is neither glibc nor musl */
	TARGET_SANITIZER,  /* AddressSanitizer's library ends the program unless it is loaded first
			    */
};

struct target {
	char path[PATH_MAX];        /* the file that execvp() would execute */
	char interpreter[PATH_MAX]; /* of a #! script: the interpreter that is finally executed;
				       else "" */
	enum target_untracked untracked; /* of the interpreter if there is one */
	bool is_elf;
	bool tsan; /* linked with ThreadSanitizer, whose shadow memory an emulator fills with pages
		    * of its own */
};

/*
 * Looks name up like execvp(). Returns 0, or
 *   MD_ENOENT  there is no such program
 *   MD_EIO     the file cannot be executed (rights, a directory); err->sys is the errno
 * The kernel may still refuse the file when it is executed.
 */
int target_find(const char *name, struct target *t, struct md_err *err);

/* Returns a phrase such as "it is statically linked", or "" for TARGET_TRACKED. */
const char *target_untracked_text(enum target_untracked u);

/*
 * May the tracker be in the program's LD_PRELOAD? Yes for programs that ignore it, because the
 * programs that they start may be tracked. No for programs that complain or end.
 */
bool target_bears_preload(enum target_untracked u);

#endif
