/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the symbols of the recorded code. */
#ifndef MEMDB_IMPORT_SYMBOLS_H
#define MEMDB_IMPORT_SYMBOLS_H

struct import;

/* Finds out which local files may be used in place of the recorded ones (into im->in.origin), and
 * where the symbols of the kernel, the vdso and generated code are (into im->model.code). */
void symbols_find(struct import *im);

#endif
