/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of sections that may be compressed: SHF_COMPRESSED with zlib or zstd, and .zdebug_… */
#ifndef MEMDB_SYMBOL_SECTION_H
#define MEMDB_SYMBOL_SECTION_H

#include "symbol/image.h"

enum { SECTION_ZLIB = 1, SECTION_ZSTD = 2 }; /* ELFCOMPRESS_*, of which old headers lack one */

/* Bytes of a section: borrowed from the image, or unpacked. */
struct section_bytes {
	struct cursor c;
	uint8_t *own; /* what is to be freed */
};

/* The section `name`, or its older form ".z" + name + 1. Returns false, with nothing to free, where
 * there is none, it is damaged, or it is larger than 1 GiB or than its compressed bytes can be. */
bool section_open(const struct image *im, const char *name, struct section_bytes *out);

/* The bytes of a section with SHF_COMPRESSED, likewise. */
bool section_unpack(const struct image *im, const struct image_section *s,
		    struct section_bytes *out);
void section_close(struct section_bytes *s);

#endif
