/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model collected: to rows. */
#ifndef MEMDB_IMPORT_FACTS_H
#define MEMDB_IMPORT_FACTS_H

struct import;

/* Everything that was collected: processes to locations, objects, losses, the run. */
int facts_write(struct import *im);

#endif
