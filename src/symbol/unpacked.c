/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/unpacked.h"

#include <elfutils/version.h>
#include <stdlib.h>

#if _ELFUTILS_PREREQ(0, 189)

uint8_t *unpacked_elf(int fd, size_t *len)
{
	return NULL;
}

#else

#include <elf.h>
#include <stdio.h>

#include "symbol/section.h"

/* What unpacked_elf() returns: a copy of the ELF file, and after it the unpacked sections. The
 * section headers in the copy point to these. */
struct copy {
	uint8_t *bytes;
	size_t len;
	bool failed;
};

static bool is_zstd(const struct image *im, const struct image_section *s)
{
	struct cursor c = image_section_bytes(im, s);

	return (s->flags & SHF_COMPRESSED) && cursor_u32(&c) == SECTION_ZSTD;
}

/* Appends a section in unpacked form, and changes the section's header at offset `at` so that it
 * describes the unpacked bytes. */
static void unpack_one(struct copy *o, const struct image *im, const struct image_section *s,
		       size_t at)
{
	struct section_bytes b;
	Elf64_Shdr h;
	uint8_t *more;
	size_t n;

	if (!section_unpack(im, s, &b)) {
		o->failed = true;
		return;
	}
	n = cursor_left(&b.c);
	more = realloc(o->bytes, o->len + n);
	if (more) {
		memcpy(more + o->len, b.c.p, n);
		memcpy(&h, more + at, sizeof(h));
		h.sh_offset = o->len;
		h.sh_size = n;
		h.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
		memcpy(more + at, &h, sizeof(h));
		o->bytes = more;
		o->len += n;
	}
	o->failed |= !more;
	section_close(&b);
}

static void unpack_all(struct copy *o, const struct image *im)
{
	Elf64_Ehdr h;

	memcpy(&h, im->bytes, sizeof(h));
	for (size_t i = 0; i < im->nsections && !o->failed; i++) {
		uint64_t at = h.e_shoff + i * h.e_shentsize;

		if (!is_zstd(im, &im->sections[i]))
			continue;
		if (!o->bytes) {
			o->len = (im->len + 15) & ~(size_t)15;
			o->bytes = calloc(1, o->len);
			if (!o->bytes)
				return;
			memcpy(o->bytes, im->bytes, im->len);
		}
		if (at <= im->len && im->len - at >= sizeof(Elf64_Shdr))
			unpack_one(o, im, &im->sections[i], at);
	}
}

uint8_t *unpacked_elf(int fd, size_t *len)
{
	struct copy o = { 0 };
	struct image im;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (image_open(path, &im))
		return NULL;
	if (im.is64 && !im.swap && im.len >= sizeof(Elf64_Ehdr))
		unpack_all(&o, &im);
	image_release(&im);
	if (o.failed) {
		free(o.bytes);
		return NULL;
	}
	*len = o.len;
	return o.bytes;
}

#endif
