/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the kernel passed to this process image at its start: arguments and environment. */
#ifndef MEMDB_PRELOAD_INITIAL_H
#define MEMDB_PRELOAD_INITIAL_H

#include <stdbool.h>

#include "track_format.h"

/* Passes the values of the tracker's two variables to keep(); a missing one is NULL. The texts are
 * valid during that call only. Returns what keep() returns, or false if the environment cannot be
 * read. */
bool initial_variables(bool keep(const char *dir, const char *options));

/* Stores in h->exe the path under which the program was executed, and in h->command the words of
 * its command line, joined by blanks. */
void initial_names(struct track_header *h);

#endif
