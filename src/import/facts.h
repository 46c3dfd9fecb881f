/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of what the model collected. */
#ifndef MEMDB_IMPORT_FACTS_H
#define MEMDB_IMPORT_FACTS_H

struct import;

/* Writes everything that was collected: processes, locations, objects, losses, the run. */
int facts_write(struct import *im);

#endif
