/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes children that run in their parent's memory until they execute a program, as those of
 * vfork() and posix_spawn(). perf's records do not tell them from children of fork().
 *
 * A child of fork() has page faults as soon as it runs: its page tables lack the code, and it
 * shares the pages to which it writes. A child of vfork() has the page tables of its parent, so it
 * has faults on a new stack, and hardly any others. If a child has executed a program without
 * others, nothing was shared and copied: a later fault of the parent is no copy.
 *
 * All other children count as those of fork(): a child that has ended without executing a program,
 * because it may have been killed before it ran; and a child of vfork() that was the first to run
 * some code or to touch a page. Then a first touch may count as a copy, but never a copy as a first
 * touch.
 */
#ifndef MEMDB_IMPORT_BORROWED_H
#define MEMDB_IMPORT_BORROWED_H

#include <stdint.h>

#include "import/address.h"

struct import;

/* Must be called for each page fault that has an address. */
void borrowed_fault(struct import *im, const struct sample_context *c);

/* Must be called before homes_end(), at the time when the process executes a program. */
void borrowed_exec(struct import *im, uint32_t process, uint64_t time);

#endif
