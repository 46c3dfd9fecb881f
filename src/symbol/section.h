/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads sections that may be compressed: SHF_COMPRESSED with zlib or zstd, and the older
 * .zdebug_… */
#ifndef MEMDB_SYMBOL_SECTION_H
#define MEMDB_SYMBOL_SECTION_H

#include "symbol/elf_image.h"

/* The values of ELFCOMPRESS_*. Older versions of elf.h lack ELFCOMPRESS_ZSTD. */
enum { SECTION_ZLIB = 1, SECTION_ZSTD = 2 };

/* The bytes of a section, borrowed from the image or unpacked. */
struct section_bytes {
	struct cursor c;
	uint8_t *own; /* the unpacked bytes, which the struct owns; otherwise NULL */
};

/*
 * Reads the section `name`, or its older form ".z" + name + 1. Returns false, with nothing to free,
 * if there is no such section, if it is empty or damaged, or when out of memory. Also returns false
 * for a compressed section that has more than 1 GiB when unpacked, or more than about 4096 times
 * its compressed size.
 */
bool section_open(const struct image *im, const char *name, struct section_bytes *out);

/* Unpacks a section with SHF_COMPRESSED. Returns false in the same cases as section_open(). */
bool section_unpack(const struct image *im, const struct image_section *s,
		    struct section_bytes *out);
void section_close(struct section_bytes *s);

#endif
