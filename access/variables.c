/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "variables.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "owners.h"
#include "pages.h"
#include "room.h"

/* BYTES_MOST: a symbol table that is larger than this is not read */
enum { PAGE = 1 << PAGE_BITS, BYTES_MOST = 256 << 20 };

/* A part of the file in memory. */
struct part {
	void *at; /* NULL if it could not be read */
	size_t bytes;
};

/* System calls are made directly, because libc's functions are cancellation points (maps.c). */
static bool read_all(int fd, void *to, size_t bytes, uint64_t from)
{
	char *at = to;
	long n;

	for (; bytes; at += n, from += (uint64_t)n, bytes -= (size_t)n) {
		n = syscall(SYS_pread64, fd, at, bytes, from);
		if (n <= 0)
			return false;
	}
	return true;
}

/* The caller releases the part with room_give(). */
static struct part read_part(int fd, uint64_t from, size_t bytes)
{
	struct part p = { bytes ? room_take(bytes) : NULL, bytes };

	if (p.at && !read_all(fd, p.at, bytes, from)) {
		room_give(p.at, bytes);
		p.at = NULL;
	}
	return p;
}

static bool is_header(const Elf64_Ehdr *e)
{
	return !memcmp(e->e_ident, ELFMAG, SELFMAG) && e->e_ident[EI_CLASS] == ELFCLASS64 &&
	       (e->e_type == ET_EXEC || e->e_type == ET_DYN) &&
	       e->e_phentsize == sizeof(Elf64_Phdr) && e->e_shentsize == sizeof(Elf64_Shdr);
}

/* What a file maps: addresses in the file, [low, high), and where in the file they begin. */
struct span {
	uint64_t low, high, offset;
};

/* Returns false if the file has no segments. */
static bool find_span(int fd, const Elf64_Ehdr *e, struct span *span)
{
	Elf64_Phdr p;

	*span = (struct span){ .low = UINT64_MAX };
	for (unsigned i = 0; i < e->e_phnum; i++) {
		if (!read_all(fd, &p, sizeof(p), e->e_phoff + i * sizeof(p)))
			return false;
		if (p.p_type != PT_LOAD)
			continue;
		if (span->low == UINT64_MAX) {
			span->low = p.p_vaddr & -(uint64_t)PAGE;
			span->offset = p.p_offset & -(uint64_t)PAGE;
		}
		span->high = p.p_vaddr + p.p_memsz;
	}
	return span->low < span->high;
}

static struct part read_symbols(int fd, const Elf64_Ehdr *e)
{
	Elf64_Shdr s;

	for (unsigned i = 0; i < e->e_shnum; i++)
		if (!read_all(fd, &s, sizeof(s), e->e_shoff + i * sizeof(s)))
			break;
		else if (s.sh_type == SHT_SYMTAB && s.sh_size <= BYTES_MOST)
			return read_part(fd, s.sh_offset, s.sh_size);
	return (struct part){ 0 };
}

/* Is this the symbol of something that has an address? */
static bool has_address(const Elf64_Sym *s)
{
	const unsigned type = ELF64_ST_TYPE(s->st_info);

	return s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE && type != STT_TLS &&
	       type != STT_SECTION;
}

/* The page of a boundary between variables has several of them. If the boundary is between two
 * granules, they are counted separately anyway. */
static void see_boundary(uint64_t address)
{
	if (address % (1u << GRANULE_BITS))
		pages_remove_alone(address, 1);
}

/* `bias` is the difference between the addresses in memory and those in the file. */
static void mark_pages(const struct part *symbols, uint64_t bias)
{
	const Elf64_Sym *all = symbols->at;
	const size_t n = symbols->bytes / sizeof(*all);

	for (size_t i = 0; i < n; i++)
		if (has_address(&all[i]) && ELF64_ST_TYPE(all[i].st_info) == STT_OBJECT &&
		    all[i].st_size > PAGE && !(all[i].st_size >> 47))
			pages_add_alone(bias + all[i].st_value, all[i].st_size);
	for (size_t i = 0; i < n; i++)
		if (has_address(&all[i])) {
			see_boundary(bias + all[i].st_value);
			see_boundary(bias + all[i].st_value + all[i].st_size);
		}
}

/* Another file may have been mapped there before, so its marks are removed. */
static void look_into(int fd, const struct stream_map *m)
{
	struct part symbols;
	struct span span;
	Elf64_Ehdr e;
	uint64_t bias;

	if (!read_all(fd, &e, sizeof(e), 0) || !is_header(&e) || !find_span(fd, &e, &span) ||
	    span.offset != m->offset)
		return;
	bias = m->start - span.low;
	pages_remove_alone(m->start, span.high - span.low);
	symbols = read_symbols(fd, &e);
	if (symbols.at)
		mark_pages(&symbols, bias);
	room_give(symbols.at, symbols.bytes);
}

void variables_find(const struct stream_map *m)
{
	const int fd = m->offset ? -1
				 : (int)syscall(SYS_openat, AT_FDCWD, m->path,
						O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	look_into(fd, m);
	syscall(SYS_close, fd);
}
