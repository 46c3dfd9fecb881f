/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the build-id of a mapped file. At the import, the build-id proves that a file is the one
 * that ran. */
#ifndef MEMDB_ACCESS_BUILDID_H
#define MEMDB_ACCESS_BUILDID_H

#include <stdint.h>

enum { BUILD_ID_MOST = 20 };

/*
 * Reads the build-id of the ELF file whose first byte is mapped at `start`: the descriptor of its
 * note NT_GNU_BUILD_ID (elf.h). Returns its size, at most BUILD_ID_MOST; 0 means that there is
 * none, or that it cannot be read. Reads the memory and not the file: to close the file would
 * release the program's locks on it (fcntl(2)). Does not call malloc() and needs little stack,
 * because it runs in threads of the program.
 */
unsigned build_id_read(uint64_t start, uint8_t id[BUILD_ID_MOST]);

#endif
