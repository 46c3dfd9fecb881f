/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the build-id of a mapped file, which proves at the import that a file is the one that ran.
 */
#ifndef MEMDB_ACCESS_BUILDID_H
#define MEMDB_ACCESS_BUILDID_H

#include <stdint.h>

enum { BUILD_ID_MOST = 20 };

/*
 * Reads the build-id of the ELF file at `path` into id: the descriptor of its note NT_GNU_BUILD_ID
 * (elf.h). Returns its size, at most BUILD_ID_MOST; 0 means that the file has none, that it cannot
 * be read, or that its inode has another number, so that it is not the mapped file. Does not call
 * malloc() and needs little stack, because it runs in threads of the program.
 */
unsigned build_id_read(const char *path, uint64_t inode, uint8_t id[BUILD_ID_MOST]);

#endif
