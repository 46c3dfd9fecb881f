/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF file and its header tables. The file is untrusted: headers and ranges outside the
 * file are dropped or shortened, so even a truncated file yields an image, perhaps an empty one.
 */
#ifndef MEMDB_SYMBOL_IMAGE_H
#define MEMDB_SYMBOL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cursor.h"
#include "symbol/symbol.h"

/*
 * A PT_LOAD segment. filesz is limited to the bytes in the file; vaddr + memsz does not overflow.
 */
struct image_segment {
	uint64_t offset, filesz, vaddr, memsz;
	bool exec, write;
};

struct image_section {
	uint32_t name, type, link; /* SHT_* */
	uint64_t flags, addr, offset, size, entsize;
};

struct image {
	const uint8_t *bytes; /* NULL means no file */
	size_t len;
	bool mapped; /* bytes are mapped by us, else from malloc() */
	bool is64, swap;
	uint16_t type, machine; /* ET_*, EM_* */
	dev_t dev;
	ino_t ino;
	int64_t written_ns, changed_ns; /* time of the last change of the bytes, and of the
					 * inode; ns since the epoch */
	struct image_segment *segments;
	size_t nsegments;
	struct image_section *sections;
	size_t nsections;
	size_t names;           /* index of the section that holds the names of sections */
	uint64_t eh_hdr;        /* vaddr of .eh_frame_hdr; 0 means none */
	struct sym_build_id id; /* size 0 means none */
};

/*
 * Maps the regular file at path and reads its headers. Follows symbolic links, but does not open
 * FIFOs or devices. Returns 0; SYM_MISSING or SYM_NOT_ELF with *im empty; or MD_ENOMEM. If another
 * process shortens the file while it is mapped, an access may raise SIGBUS, as with every mapping.
 */
int image_open(const char *path, struct image *im);

/* Makes an image of buf (from malloc), and owns buf whatever the result. Returns as image_open()
 * does. */
int image_take(void *buf, size_t len, struct image *im);

void image_release(struct image *im);

/* Opens the file again. If im is not NULL, the file must still have im's st_dev and st_ino. Returns
 * a descriptor, or -1. */
int image_reopen(const char *path, const struct image *im);

/* Returns the section of this name that has bytes in the file, or NULL. */
const struct image_section *image_section(const struct image *im, const char *name);

/* Returns the bytes of a section that are in the file; none for SHT_NOBITS. */
struct cursor image_section_bytes(const struct image *im, const struct image_section *s);

/*
 * Returns the bytes from vaddr to the end of its segment in the file; none if no segment has vaddr.
 */
struct cursor image_at(const struct image *im, uint64_t vaddr);

/* Gets the vaddr of a file offset. Returns false outside all segments. */
bool image_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr);

/* Does what image_vaddr() does, but only in executable segments. */
bool image_exec_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr);

/* Gets the file offset of vaddr; for .bss, the offset that it would have. Returns false outside all
 * segments. */
bool image_offset(const struct image *im, uint64_t vaddr, uint64_t *offset);

/* Reads a word of the file's class: 4 or 8 bytes. */
static inline uint64_t image_word(const struct image *im, struct cursor *c)
{
	return im->is64 ? cursor_u64(c) : cursor_u32(c);
}

#endif
