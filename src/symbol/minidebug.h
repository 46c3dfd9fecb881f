/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads MiniDebugInfo, a symbol table that is compressed with xz in the section .gnu_debugdata. */
#ifndef MEMDB_SYMBOL_MINIDEBUG_H
#define MEMDB_SYMBOL_MINIDEBUG_H

#include "symbol/elf_image.h"

/* Opens the ELF file inside im as *mini. Returns false, with *mini empty, if there is none, if it
 * is damaged, if its size is above 256 MiB or unpacking it takes more than 128 MiB of memory, or if
 * memdb was built without liblzma. */
bool minidebug_open(const struct image *im, struct image *mini);

#endif
