/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the vdso, the code that the kernel maps into every process. */
#ifndef MEMDB_SYMBOL_VDSO_H
#define MEMDB_SYMBOL_VDSO_H

#include "symbol/image.h"

/* Copies the vdso of this process. Whether it is the recorded one, the caller must check by the
 * build-ids. Returns like image_open(). */
int vdso_open(struct image *im);

#endif
