/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the vdso, the code that the kernel maps into every process. */
#ifndef MEMDB_SYMBOL_VDSO_H
#define MEMDB_SYMBOL_VDSO_H

#include "symbol/elf_image.h"

/* Copies the vdso of this process. The caller must compare the build-ids to find out whether it is
 * the vdso of the recording. Returns 0, or with *im empty: SYM_MISSING, SYM_NOT_ELF or
 * MD_ENOMEM. */
int vdso_open(struct image *im);

#endif
