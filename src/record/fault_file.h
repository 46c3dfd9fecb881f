/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a perf.data file whose records are compressed. */
#ifndef MEMDB_RECORD_FAULT_FILE_H
#define MEMDB_RECORD_FAULT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "record/fault_events.h"

struct fault_file;

/* Writes the header and the events to fd, which is borrowed. Returns 0 or MD_ENOMEM. */
int fault_file_open(const struct fault_rings *rings, int fd, struct fault_file **out,
		    struct md_err *err);

/* Adds records, in pieces of arbitrary size. fault_file_close() reports write errors. */
void fault_file_add(struct fault_file *f, const void *records, size_t bytes);

/* Marks the end of a round (one pass over all ring buffers). Every record after this mark is newer
 * than all records before the previous mark. */
void fault_file_end_round(struct fault_file *f);

/* Completes the file and frees *f, which may be NULL. Returns 0 or MD_EIO. */
int fault_file_close(struct fault_file *f, struct md_err *err);

#endif
