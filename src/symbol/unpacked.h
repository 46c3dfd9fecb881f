/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks files for a libelf that does not know their compression. */
#ifndef MEMDB_SYMBOL_UNPACKED_H
#define MEMDB_SYMBOL_UNPACKED_H

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of the ELF file fd with its zstd-compressed debug sections unpacked, *len of
 * them. The caller frees them. NULL if libelf reads such sections itself (elfutils 0.189 and
 * later), there are none, the file is damaged, or memory runs out. */
uint8_t *unpacked_elf(int fd, size_t *len);

#endif
