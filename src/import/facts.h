/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of everything that the model has collected from the events. */
#ifndef MEMDB_IMPORT_FACTS_H
#define MEMDB_IMPORT_FACTS_H

struct import;

/* Writes the collected rows: processes, locations, objects, losses, the row of the run. Returns 0,
 * MD_ENOMEM, or MD_EINTR. */
int facts_write(struct import *im);

#endif
