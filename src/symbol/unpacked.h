/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files for a libelf that does not know how their sections are compressed. */
#ifndef MEMDB_SYMBOL_UNPACKED_H
#define MEMDB_SYMBOL_UNPACKED_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the descriptor's ELF file, with its zstd-compressed debug sections unpacked; the
 * caller frees them. NULL if libelf can read all of them itself (since elfutils 0.189), the file
 * is damaged, or memory runs out. */
uint8_t *unpacked_elf(int fd, size_t *len);

#endif
