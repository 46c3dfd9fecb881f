/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the row of the table `runs`, from capture.json and perf's header features. For facts about
 * the machine, perf.data has priority. */
#ifndef MEMDB_IMPORT_RUN_H
#define MEMDB_IMPORT_RUN_H

struct import;

/* Must be called at the end of the import, when the times of the recording are known. */
void run_write(struct import *im);

#endif
