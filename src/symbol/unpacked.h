/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files for a libelf that does not know how their sections are compressed. */
#ifndef MEMDB_SYMBOL_UNPACKED_H
#define MEMDB_SYMBOL_UNPACKED_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the ELF file behind a descriptor with all sections of debug information unpacked
 * that zstd compressed; the caller frees them. NULL where there is none that libelf cannot read
 * itself (since elfutils 0.189), the file is damaged, or memory runs out. */
uint8_t *unpacked_elf(int fd, size_t *len);

#endif
