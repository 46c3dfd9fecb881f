/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/plt.h"

#include <elf.h>
#include <stdlib.h>

#include "base/count.h"

enum { MAX_SLOTS = 1 << 20, STUB = 16, MAX_NAME = 4096 };

/* A slot of the global offset table. The loader stores the address of a function in it. */
struct slot {
	uint64_t vaddr;
	const char *name; /* name of the function, borrowed from the image */
};

struct slots {
	struct slot *s;
	size_t n, cap;
	/* number of bytes of names that may still be copied; at the start, the size of the file.
	 * Without this limit, the copies of overlapping names in a hostile file could take far more
	 * memory than the file */
	size_t budget;
};

static int by_vaddr(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* Returns the name of symbol `index` in a table, or NULL. */
static const char *symbol_name(const struct image *im, const struct image_section *table,
			       uint64_t index)
{
	struct cursor c = image_section_bytes(im, table), names;
	uint32_t name;

	if (table->link >= im->nsections || index >= cursor_left(&c) / sizeof(Elf64_Sym))
		return NULL;
	cursor_skip(&c, index * sizeof(Elf64_Sym));
	name = cursor_u32(&c);
	names = image_section_bytes(im, &im->sections[table->link]);
	cursor_skip(&names, name);
	if (names.failed ||
	    !memchr(names.p, 0, cursor_left(&names) < MAX_NAME ? cursor_left(&names) : MAX_NAME))
		return NULL;
	return *names.p ? (const char *)names.p : NULL;
}

static int read_slots(const struct image *im, const struct image_section *rela, struct slots *l)
{
	struct cursor c = image_section_bytes(im, rela);

	if (rela->link >= im->nsections)
		return 0;
	while (cursor_left(&c) >= sizeof(Elf64_Rela) && l->n < MAX_SLOTS) {
		uint64_t vaddr = cursor_u64(&c);
		uint64_t info = cursor_u64(&c);
		const char *name;

		cursor_skip(&c, 8); /* r_addend */
		if (ELF64_R_TYPE(info) != R_X86_64_JUMP_SLOT &&
		    ELF64_R_TYPE(info) != R_X86_64_GLOB_DAT)
			continue;
		name = symbol_name(im, &im->sections[rela->link], ELF64_R_SYM(info));
		if (!name)
			continue;
		if (l->n == l->cap) {
			size_t cap = l->cap ? 2 * l->cap : 256;
			struct slot *s = realloc(l->s, cap * sizeof(*s));

			if (!s)
				return MD_ENOMEM;
			l->s = s;
			l->cap = cap;
		}
		l->s[l->n++] = (struct slot){ vaddr, name };
	}
	return 0;
}

/* Returns the address of the slot through which the stub code[0..n) at vaddr jumps; 0 if the
 * code is not a stub. A stub is [endbr64] [bnd] jmp *disp(%rip). */
static uint64_t slot_of(const uint8_t *code, size_t n, uint64_t vaddr)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint32_t disp;
	size_t at = 0;

	if (n >= sizeof(endbr64) && memcmp(code, endbr64, sizeof(endbr64)) == 0)
		at = sizeof(endbr64);
	if (at < n && code[at] == 0xf2)
		at++;
	if (n < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&disp, code + at + 2, 4);
	return vaddr + at + 6 + (uint64_t)(int32_t)disp;
}

static int add_stub(struct symtab *t, struct arena *a, uint64_t vaddr, uint64_t size,
		    const char *name)
{
	size_t n = strlen(name);
	char *full = arena_alloc(a, n + sizeof("@plt"));

	if (!full)
		return MD_ENOMEM;
	memcpy(full, name, n);
	memcpy(full + n, "@plt", sizeof("@plt"));
	return symtab_add(t, full, vaddr, size, 0, true, 0);
}

static int add_stubs(struct symtab *t, const struct image *im, struct arena *a,
		     const struct image_section *s, struct slots *l, size_t size)
{
	struct cursor c = image_section_bytes(im, s);
	int ret = 0;

	for (uint64_t vaddr = s->addr; !ret && cursor_left(&c) >= size; vaddr += size) {
		const uint8_t *code = cursor_bytes(&c, size);
		struct slot want = { .vaddr = slot_of(code, size, vaddr) };
		const struct slot *found =
			l->n ? bsearch(&want, l->s, l->n, sizeof(want), by_vaddr) : NULL;

		if (!found || strlen(found->name) > l->budget)
			continue;
		l->budget -= strlen(found->name);
		ret = add_stub(t, a, vaddr, size, found->name);
	}
	return ret;
}

int plt_add(struct symtab *t, const struct image *im, struct arena *a)
{
	static const char *const stubs[] = { ".plt", ".plt.sec", ".plt.got" };
	struct slots l = { .budget = im->len };
	int ret = 0;

	if (im->machine != EM_X86_64 || !im->is64 || im->swap)
		return 0;
	for (size_t i = 0; !ret && i < im->nsections; i++)
		if (im->sections[i].type == SHT_RELA && (im->sections[i].flags & SHF_ALLOC))
			ret = read_slots(im, &im->sections[i], &l);
	if (l.n)
		qsort(l.s, l.n, sizeof(*l.s), by_vaddr);
	for (size_t i = 0; !ret && i < COUNT_OF(stubs); i++) {
		const struct image_section *s = image_section(im, stubs[i]);

		if (s) /* a stub without lazy binding has 8 bytes, all others have 16 */
			ret = add_stubs(t, im, a, s, &l, s->entsize == 8 ? 8 : STUB);
	}
	free(l.s);
	return ret;
}
