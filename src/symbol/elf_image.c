/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/elf_image.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/doomed.h"
#include "base/mapfile.h"

/* Limits. Linkers write far fewer segments and sections. A hostile file with more would make
 * lookups slow, because each lookup examines all segments or all sections. */
enum { MAX_SEGMENTS = 1024, MAX_SECTIONS = 1 << 20 };

struct header {
	uint64_t phoff, shoff;
	uint32_t phnum, shnum, shstrndx;
	uint16_t phentsize, shentsize;
};

static struct cursor image_cursor(const struct image *im)
{
	return cursor_make(im->bytes, im->len, im->swap);
}

static struct cursor range_cursor(const struct image *im, uint64_t offset, uint64_t size)
{
	struct cursor c = image_cursor(im);

	if (offset > im->len)
		return cursor_range(&c, im->bytes, im->len, 0);
	if (size > im->len - offset)
		size = im->len - offset;
	return cursor_range(&c, im->bytes, offset, size);
}

static bool read_header(struct image *im, struct header *h)
{
	const int native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	struct cursor c;

	if (im->len < EI_NIDENT || memcmp(im->bytes, ELFMAG, SELFMAG) != 0)
		return false;
	im->is64 = im->bytes[EI_CLASS] == ELFCLASS64;
	if (!im->is64 && im->bytes[EI_CLASS] != ELFCLASS32)
		return false;
	if (im->bytes[EI_DATA] != ELFDATA2LSB && im->bytes[EI_DATA] != ELFDATA2MSB)
		return false;
	im->swap = im->bytes[EI_DATA] != native;
	c = image_cursor(im);
	cursor_skip(&c, EI_NIDENT);
	im->type = cursor_u16(&c);
	im->machine = cursor_u16(&c);
	cursor_skip(&c, 4); /* e_version */
	image_word(im, &c); /* e_entry */
	h->phoff = image_word(im, &c);
	h->shoff = image_word(im, &c);
	cursor_skip(&c, 4 + 2); /* e_flags, e_ehsize */
	h->phentsize = cursor_u16(&c);
	h->phnum = cursor_u16(&c);
	h->shentsize = cursor_u16(&c);
	h->shnum = cursor_u16(&c);
	h->shstrndx = cursor_u16(&c);
	/* if the end of the header is cut off, it was read as zeros, which means that there are no
	 * tables */
	return true;
}

static void read_section(const struct image *im, struct cursor c, struct image_section *s)
{
	s->name = cursor_u32(&c);
	s->type = cursor_u32(&c);
	s->flags = image_word(im, &c);
	s->addr = image_word(im, &c);
	s->offset = image_word(im, &c);
	s->size = image_word(im, &c);
	s->link = cursor_u32(&c);
	cursor_skip(&c, 4); /* sh_info */
	image_word(im, &c); /* sh_addralign */
	s->entsize = image_word(im, &c);
}

/*
 * Reads large counts, which are stored in section 0: if e_shnum is 0, e_phnum is PN_XNUM, or
 * e_shstrndx is SHN_XINDEX.
 */
static void read_large_counts(const struct image *im, struct header *h)
{
	struct cursor c = range_cursor(im, h->shoff, h->shentsize);
	struct image_section zero = { 0 };
	struct cursor info = c;

	if (!h->shoff)
		return;
	read_section(im, c, &zero);
	cursor_skip(&info,
		    im->is64 ? offsetof(Elf64_Shdr, sh_info) : offsetof(Elf32_Shdr, sh_info));
	if (h->shnum == 0)
		h->shnum = zero.size < MAX_SECTIONS ? (uint32_t)zero.size : MAX_SECTIONS;
	if (h->shstrndx == SHN_XINDEX)
		h->shstrndx = zero.link;
	if (h->phnum == PN_XNUM)
		h->phnum = cursor_u32(&info);
}

static int read_sections(struct image *im, const struct header *h)
{
	struct cursor c = range_cursor(im, h->shoff, UINT64_MAX);
	size_t n = h->shentsize ? cursor_left(&c) / h->shentsize : 0;

	if (!h->shoff || h->shentsize < (im->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return 0;
	if (n > h->shnum)
		n = h->shnum;
	if (!n)
		return 0;
	im->sections = calloc(n, sizeof(*im->sections));
	if (!im->sections)
		return MD_ENOMEM;
	for (; im->nsections < n; im->nsections++) {
		read_section(im, c, &im->sections[im->nsections]);
		cursor_skip(&c, h->shentsize);
	}
	im->names = h->shstrndx;
	return 0;
}

struct phdr {
	uint32_t type, flags;
	uint64_t offset, vaddr, filesz, memsz, align;
};

static struct phdr read_phdr(const struct image *im, struct cursor c)
{
	struct phdr p = { 0 };

	p.type = cursor_u32(&c);
	if (im->is64)
		p.flags = cursor_u32(&c);
	p.offset = image_word(im, &c);
	p.vaddr = image_word(im, &c);
	image_word(im, &c); /* p_paddr */
	p.filesz = image_word(im, &c);
	p.memsz = image_word(im, &c);
	if (!im->is64)
		p.flags = cursor_u32(&c);
	p.align = image_word(im, &c);
	return p;
}

static void add_segment(struct image *im, const struct phdr *p)
{
	struct image_segment *s = &im->segments[im->nsegments];

	if (im->nsegments == MAX_SEGMENTS || !p->memsz || p->vaddr + p->memsz < p->vaddr)
		return;
	s->offset = p->offset;
	s->filesz = p->filesz < p->memsz ? p->filesz : p->memsz;
	s->vaddr = p->vaddr;
	s->memsz = p->memsz;
	s->exec = p->flags & PF_X;
	s->write = p->flags & PF_W;
	if (s->offset > im->len)
		s->filesz = 0;
	else if (s->filesz > im->len - s->offset)
		s->filesz = im->len - s->offset;
	im->nsegments++;
}

/* Finds the build-id in the bytes of a note segment or section. */
static void read_notes(struct image *im, struct cursor c, uint64_t align)
{
	const uint64_t pad = align == 8 ? 7 : 3;

	while (!im->id.size && cursor_left(&c) >= sizeof(Elf64_Nhdr)) {
		uint32_t namesz = cursor_u32(&c);
		uint32_t descsz = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const char *name = cursor_bytes(&c, ((uint64_t)namesz + 3) & ~(uint64_t)3);
		const uint8_t *desc = cursor_bytes(&c, descsz);

		cursor_skip(&c, -(uint64_t)descsz & pad);
		if (!name || !desc)
			return;
		if (type != NT_GNU_BUILD_ID || namesz != 4 || memcmp(name, "GNU", 4) != 0)
			continue;
		if (descsz && descsz <= sizeof(im->id.bytes)) {
			im->id.size = (uint8_t)descsz;
			memcpy(im->id.bytes, desc, descsz);
		}
	}
}

/* Ignores a segment whose size or alignment is not plausible. */
static void read_tls(struct image *im, const struct phdr *p)
{
	if (p->memsz > INT32_MAX || p->align > INT32_MAX || p->align & (p->align - 1))
		return;
	im->tls_bytes = p->memsz;
	im->tls_align = p->align ? p->align : 1;
}

static int read_segments(struct image *im, const struct header *h)
{
	const size_t least = im->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	struct cursor c = range_cursor(im, h->phoff, UINT64_MAX);
	size_t n = h->phentsize ? cursor_left(&c) / h->phentsize : 0;

	if (!h->phoff || h->phentsize < least)
		return 0;
	if (n > h->phnum)
		n = h->phnum;
	im->segments = calloc(n < MAX_SEGMENTS ? n + 1 : MAX_SEGMENTS + 1, sizeof(*im->segments));
	if (!im->segments)
		return MD_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct phdr p = read_phdr(im, c);

		cursor_skip(&c, h->phentsize);
		if (p.type == PT_LOAD)
			add_segment(im, &p);
		else if (p.type == PT_GNU_EH_FRAME)
			im->eh_hdr = p.vaddr;
		else if (p.type == PT_TLS)
			read_tls(im, &p);
		else if (p.type == PT_NOTE)
			read_notes(im, range_cursor(im, p.offset, p.filesz), p.align);
	}
	return 0;
}

static int read_image(struct image *im)
{
	struct header h = { 0 };
	int ret;

	if (!read_header(im, &h))
		return SYM_NOT_ELF;
	read_large_counts(im, &h);
	ret = read_segments(im, &h);
	if (!ret)
		ret = read_sections(im, &h);
	for (size_t i = 0; !ret && !im->id.size && i < im->nsections; i++)
		if (im->sections[i].type == SHT_NOTE)
			read_notes(im, image_section_bytes(im, &im->sections[i]), 4);
	return ret;
}

int image_reopen(const char *path, const struct image *im)
{
	struct stat st;
	int fd;

	/* Opening a device may have side effects, so the type of the file is checked first. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (!im || (st.st_dev == im->dev && st.st_ino == im->ino))) {
		doomed_saw(&st);
		return fd;
	}
	close(fd);
	return -1;
}

static int64_t ns_of(struct timespec t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int map_file(const char *path, struct image *im)
{
	int fd = image_reopen(path, NULL);
	int ret = SYM_MISSING;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		goto out;
	ret = SYM_NOT_ELF;
	if (st.st_size <= 0)
		goto out;
	im->bytes = mapfile_map(fd, 0, (size_t)st.st_size, path);
	if (!im->bytes)
		goto out;
	im->len = (size_t)st.st_size;
	im->mapped = true;
	im->dev = st.st_dev;
	im->ino = st.st_ino;
	im->written_ns = ns_of(st.st_mtim);
	im->changed_ns = ns_of(st.st_ctim);
	ret = 0;
out:
	if (fd >= 0)
		close(fd);
	return ret;
}

int image_open(const char *path, struct image *im)
{
	int ret;

	*im = (struct image){ 0 };
	ret = map_file(path, im);
	if (!ret)
		ret = read_image(im);
	if (ret)
		image_release(im);
	return ret;
}

int image_take(void *buf, size_t len, struct image *im)
{
	int ret;

	*im = (struct image){ .bytes = buf, .len = len };
	ret = read_image(im);
	if (ret)
		image_release(im);
	return ret;
}

void image_release(struct image *im)
{
	if (im->mapped)
		mapfile_unmap(im->bytes, im->len);
	else
		free((void *)im->bytes);
	free(im->segments);
	free(im->sections);
	*im = (struct image){ 0 };
}

struct cursor image_section_bytes(const struct image *im, const struct image_section *s)
{
	if (s->type == SHT_NOBITS)
		return range_cursor(im, 0, 0);
	return range_cursor(im, s->offset, s->size);
}

const struct image_section *image_section(const struct image *im, const char *name)
{
	const size_t want = strlen(name) + 1;
	struct cursor names;

	if (im->names >= im->nsections)
		return NULL;
	names = image_section_bytes(im, &im->sections[im->names]);
	for (size_t i = 0; i < im->nsections; i++) {
		const struct image_section *s = &im->sections[i];

		if (s->type == SHT_NOBITS || s->name > cursor_left(&names) ||
		    want > cursor_left(&names) - s->name)
			continue;
		if (memcmp(names.p + s->name, name, want) == 0)
			return s;
	}
	return NULL;
}

struct cursor image_at(const struct image *im, uint64_t vaddr)
{
	for (size_t i = 0; i < im->nsegments; i++) {
		const struct image_segment *s = &im->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->filesz)
			return range_cursor(im, s->offset + (vaddr - s->vaddr),
					    s->filesz - (vaddr - s->vaddr));
	}
	return range_cursor(im, 0, 0);
}

static bool offset_to_vaddr(const struct image *im, uint64_t offset, bool exec, uint64_t *vaddr)
{
	for (size_t i = 0; i < im->nsegments; i++) {
		const struct image_segment *s = &im->segments[i];

		if ((s->exec || !exec) && offset >= s->offset && offset - s->offset < s->filesz) {
			*vaddr = s->vaddr + (offset - s->offset);
			return true;
		}
	}
	return false;
}

bool image_exec_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr)
{
	return offset_to_vaddr(im, offset, true, vaddr);
}

bool image_vaddr(const struct image *im, uint64_t offset, uint64_t *vaddr)
{
	return offset_to_vaddr(im, offset, true, vaddr) ||
	       offset_to_vaddr(im, offset, false, vaddr);
}

bool image_offset(const struct image *im, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < im->nsegments; i++) {
		const struct image_segment *s = &im->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->memsz) {
			*offset = s->offset + (vaddr - s->vaddr);
			return true;
		}
	}
	return false;
}
