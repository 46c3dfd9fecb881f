/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of sections that may be compressed: SHF_COMPRESSED with zlib or zstd, and .zdebug_… */
#ifndef MEMDB_SYMBOL_SECTION_H
#define MEMDB_SYMBOL_SECTION_H

#include "symbol/image.h"

enum { SECTION_ZLIB = 1, SECTION_ZSTD = 2 }; /* ELFCOMPRESS_*: old headers lack one of them */

/* Bytes of a section: borrowed from the image, or unpacked. */
struct section_bytes {
	struct cursor c;
	uint8_t *own; /* memory to free */
};

/* Reads the section `name`, or its older form ".z" + name + 1. False, with nothing to free, if
 * there is none, it is damaged, larger than 1 GiB, or larger than its compressed bytes allow. */
bool section_open(const struct image *im, const char *name, struct section_bytes *out);

/* The bytes of a section with SHF_COMPRESSED, likewise. */
bool section_unpack(const struct image *im, const struct image_section *s,
		    struct section_bytes *out);
void section_close(struct section_bytes *s);

#endif
