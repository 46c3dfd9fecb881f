/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF file and its tables of headers. The file is untrusted: headers and ranges outside
 * the file are dropped or shortened. So even a truncated file yields an image, which may be empty.
 */
#ifndef MEMDB_SYMBOL_ELF_IMAGE_H
#define MEMDB_SYMBOL_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cursor.h"
#include "symbol/symbol.h"

/* A PT_LOAD segment. filesz is cut at the end of the file, and vaddr + memsz does not overflow. */
struct image_segment {
	uint64_t offset, filesz, vaddr, memsz;
	bool exec, write;
};

struct image_section {
	uint32_t name, type, link; /* type is SHT_* */
	uint64_t flags, addr, offset, size, entsize;
};

struct image {
	const uint8_t *bytes; /* NULL means that there is no file */
	size_t len;
	bool mapped; /* the bytes are a mapping; otherwise they are from malloc() */
	bool is64, swap;
	uint16_t type, machine; /* ET_* and EM_* */
	dev_t dev;
	ino_t ino;
	/* when the bytes of the file, and when its inode, last changed; ns since the epoch */
	int64_t written_ns, changed_ns;
	struct image_segment *segments;
	size_t nsegments;
	struct image_section *sections;
	size_t nsections;
	size_t names; /* index of the section that contains the names of sections */
	uint64_t tls_bytes, tls_align; /* the segment PT_TLS; 0 bytes means that there is none */
	uint64_t eh_hdr;               /* address of .eh_frame_hdr; 0 means that there is none */
	struct sym_build_id id;        /* size 0 means that there is no build-id */
};

/*
 * Maps the regular file at `path` and reads its headers. Symbolic links are followed; FIFOs and
 * devices are not opened. Returns 0, or with *im empty: SYM_MISSING, SYM_NOT_ELF or MD_ENOMEM. If
 * another process shortens the file while it is mapped, an access may raise SIGBUS, as with every
 * mapping.
 */
int image_open(const char *path, struct image *im);

/* Makes an image of buf, which is from malloc(). The image owns buf; on failure buf is freed.
 * Returns 0, or with *im empty: SYM_NOT_ELF or MD_ENOMEM. */
int image_take(void *buf, size_t len, struct image *im);

void image_release(struct image *im);

/* Opens the regular file at `path` and returns a descriptor, or -1. If im is not NULL, the file
 * must still be the one of im: st_dev and st_ino are compared. */
int image_reopen(const char *path, const struct image *im);

/* Returns the section with this name if it has bytes in the file; otherwise NULL. */
const struct image_section *image_section(const struct image *im, const char *name);

/* Returns the bytes of a section in the file. A section of type SHT_NOBITS has none. */
struct cursor image_section_bytes(const struct image *im, const struct image_section *s);

/*
 * Returns the bytes in the file from vaddr to the end of its segment; no bytes if no segment
 * contains vaddr.
 */
struct cursor image_at(const struct image *im, uint64_t vaddr);

/* Gets the address of a file offset. If several segments contain it, the first executable one
 * counts or, without one, the first. Returns false if no segment contains it. */
bool image_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr);

/* Like image_vaddr(), but only for executable segments. */
bool image_exec_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr);

/* Gets the file offset of an address; for .bss, the offset that it would have. Returns false if
 * no segment contains it. */
bool image_offset(const struct image *im, uint64_t vaddr, uint64_t *offset);

/* Reads a word, which has 4 or 8 bytes depending on the ELF class of the file. */
static inline uint64_t image_word(const struct image *im, struct cursor *c)
{
	return im->is64 ? cursor_u64(c) : cursor_u32(c);
}

#endif
