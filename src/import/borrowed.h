/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes children that run in their parent's memory until they execute a program or end, as
 * those of vfork() and posix_spawn(). perf's records do not tell them from children of fork().
 *
 * A child of fork() has page faults as soon as it runs: its page tables lack the code, and it
 * shares the pages to which it writes. A child of vfork() has the page tables of its parent, so it
 * has faults at most on a new stack. If it has no others, nothing was shared and copied: a later
 * fault of the parent is no copy.
 */
#ifndef MEMDB_IMPORT_BORROWED_H
#define MEMDB_IMPORT_BORROWED_H

#include <stdint.h>

#include "import/address.h"

struct import;

/* Must be called for each page fault that has an address. */
void borrowed_fault(struct import *im, const struct sample_context *c);

/* Must be called before homes_end(), at the time when the process ends or executes a program. */
void borrowed_end(struct import *im, uint32_t process, uint64_t time);

#endif
