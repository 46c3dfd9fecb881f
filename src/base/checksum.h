/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of files, to notice if a file was changed by mistake. */
#ifndef MEMDB_BASE_CHECKSUM_H
#define MEMDB_BASE_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

/* Computes the CRC-32 of an open file, from its first byte to its last. Returns false if the file
 * cannot be read. */
bool checksum_file(int fd, uint32_t *sum);

#endif
