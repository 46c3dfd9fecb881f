/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the symbols of the recorded code are. */
#ifndef MEMDB_IMPORT_SYMBOLS_H
#define MEMDB_IMPORT_SYMBOLS_H

struct import;

/* Which local files can be the recorded ones, into im->origin; where the names of kernel, vdso and
 * code made at run time are, into im->code. */
void symbols_find(struct import *im);

#endif
