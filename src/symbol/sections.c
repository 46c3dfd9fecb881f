/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the section of a file at an address. */
#include <elf.h>
#include <stdlib.h>

#include "symbol/file.h"

/* Maximum size of a section's name in bytes, including the NUL. */
enum { MAX_NAME = 64 };

/* Is the section a part of the image in memory? .tbss is not: its address range is that of the
 * sections after it. */
static bool is_placed(const struct image_section *s)
{
	return (s->flags & SHF_ALLOC) && s->size && s->size <= UINT64_MAX - s->addr &&
	       !((s->flags & SHF_TLS) && s->type == SHT_NOBITS);
}

/* Returns a copy of the section's name; NULL if it is empty, too long or damaged. */
static const char *name_of(struct sym_file *f, const struct cursor *names, uint32_t at)
{
	struct cursor c = *names;
	const char *s;
	size_t len;

	cursor_skip(&c, at);
	s = (const char *)c.p;
	len = c.failed ? 0 : strnlen(s, cursor_left(&c) < MAX_NAME ? cursor_left(&c) : MAX_NAME);
	return len && len < MAX_NAME && len < cursor_left(&c) ? arena_copy(&f->arena, s, len)
							      : NULL;
}

static int by_vaddr(const void *a, const void *b)
{
	const struct sym_section *x = a, *y = b;

	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

static void load_sections(struct sym_file *f)
{
	const struct image *im = &f->image;
	struct cursor names;

	if (im->names >= im->nsections)
		return;
	names = image_section_bytes(im, &im->sections[im->names]);
	for (size_t i = 0; i < im->nsections; i++) {
		const struct image_section *s = &im->sections[i];
		const char *name = is_placed(s) ? name_of(f, &names, s->name) : NULL;

		if (name && VEC_ROOM(&f->sections))
			f->sections.at[f->sections.n++] =
				(struct sym_section){ name, s->addr, s->size };
	}
	if (f->sections.n)
		qsort(f->sections.at, f->sections.n, sizeof(f->sections.at[0]), by_vaddr);
}

const struct sym_section *sym_section_at(struct sym_file *f, uint64_t vaddr)
{
	const struct sym_section *s;
	uint32_t i;

	if (!f->sections.loaded)
		load_sections(f);
	f->sections.loaded = true;
	i = VEC_LOWER_BOUND(&f->sections, vaddr, vaddr + 1);
	s = i ? &f->sections.at[i - 1] : NULL;
	return s && vaddr - s->vaddr < s->size ? s : NULL;
}
