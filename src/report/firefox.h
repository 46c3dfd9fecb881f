/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports samples and allocations for the Firefox Profiler. */
#ifndef MEMDB_REPORT_FIREFOX_H
#define MEMDB_REPORT_FIREFOX_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Writes the run as a profile for the Firefox Profiler. The profile contains, for each thread, the
 * samples with a cost, whose weight is this cost (in milliseconds if `unit` is "ns"). It also
 * contains the allocations and deallocations of those memory blocks that have a row in the
 * database. by_object is the argument of export_write(). Returns 0, MD_ENOMEM, MD_EDB or MD_EIO.
 */
int firefox_write(sqlite3 *db, const char *unit, bool by_object, FILE *out, struct md_err *err);

#endif
