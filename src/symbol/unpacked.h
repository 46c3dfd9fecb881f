/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks the compressed sections of files, for a version of libelf that cannot do it itself. */
#ifndef MEMDB_SYMBOL_UNPACKED_H
#define MEMDB_SYMBOL_UNPACKED_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns a copy of the ELF file fd in which the zstd-compressed sections are unpacked. It has *len
 * bytes, and the caller frees it. Returns NULL if libelf itself reads such sections (since elfutils
 * 0.189), if there are no such sections, if the file is damaged, or when out of memory.
 */
uint8_t *unpacked_elf(int fd, size_t *len);

#endif
