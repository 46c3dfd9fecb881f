/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/symtab.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>

enum {
	MAX_SYMBOLS = 1 << 24,
	/* maximum number of enclosing symbols that a lookup examines, so that many nested ones do
	 * not make it slow */
	MAX_NESTING = 64,
	MAX_COMPARED = 256, /* names of at least this length count as equally long */
};

void symtab_release(struct symtab *t)
{
	free(t->entries);
	*t = (struct symtab){ 0 };
}

int symtab_add(struct symtab *t, const char *name, uint64_t start, uint64_t size, uint64_t end,
	       bool code, uint16_t rank)
{
	struct symtab_entry *e;

	if (t->n == MAX_SYMBOLS) {
		t->dropped++;
		return 0;
	}
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 256;

		e = realloc(t->entries, cap * sizeof(*e));
		if (!e)
			return MD_ENOMEM;
		t->entries = e;
		t->cap = cap;
	}
	e = &t->entries[t->n++];
	*e = (struct symtab_entry){ .start = start, .name = name, .rank = rank, .code = code };
	e->sized = size && start + size > start;
	e->end = e->sized ? start + size : end;
	return 0;
}

uint16_t symtab_rank(const struct symtab_row *row)
{
	unsigned underscores = 0;

	while (underscores < 15 && row->name[underscores] == '_')
		underscores++;
	return (uint16_t)((row->size != 0) << 8 | (row->bind != STB_WEAK) << 7 |
			  (row->bind != STB_LOCAL) << 6 | (15 - underscores) << 1 |
			  !strchr(row->name, '@'));
}

static bool is_mapping_symbol(const struct image *im, const char *name)
{
	if (im->machine != EM_AARCH64 && im->machine != EM_ARM && im->machine != EM_RISCV)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]);
}

static struct symtab_row read_row(const struct image *im, struct cursor c, uint32_t *name,
				  uint16_t *shndx)
{
	struct symtab_row row = { 0 };
	uint8_t info;

	*name = cursor_u32(&c);
	if (im->is64) {
		info = cursor_u8(&c);
		cursor_skip(&c, 1); /* st_other */
		*shndx = cursor_u16(&c);
		row.value = cursor_u64(&c);
		row.size = cursor_u64(&c);
	} else {
		row.value = cursor_u32(&c);
		row.size = cursor_u32(&c);
		info = cursor_u8(&c);
		cursor_skip(&c, 1);
		*shndx = cursor_u16(&c);
	}
	row.type = ELF64_ST_TYPE(info);
	row.bind = ELF64_ST_BIND(info);
	return row;
}

static int each_row(const struct image *im, const struct image_section *table, symtab_row_fn fn,
		    void *arg)
{
	const size_t entry = im->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct cursor c = image_section_bytes(im, table);
	struct cursor names;
	int ret = 0;

	if (table->link >= im->nsections)
		return 0;
	names = image_section_bytes(im, &im->sections[table->link]);
	/* the last name may be cut off and have no NUL, so it is left out */
	while (cursor_left(&names) && names.end[-1])
		names.end--;
	for (size_t n = 0; !ret && cursor_left(&c) >= entry && n < MAX_SYMBOLS; n++) {
		uint32_t name;
		uint16_t shndx;
		struct symtab_row row = read_row(im, c, &name, &shndx);

		cursor_skip(&c, entry);
		if (shndx == SHN_UNDEF || name >= cursor_left(&names) || !names.p[name])
			continue;
		/* the symbol is absolute, or its section number is too large for this field and
		 * stored elsewhere */
		if (shndx >= im->nsections)
			continue;
		row.name = (const char *)names.p + name;
		row.section = &im->sections[shndx];
		if (!is_mapping_symbol(im, row.name))
			ret = fn(&row, arg);
	}
	return ret;
}

int symtab_each(const struct image *im, symtab_row_fn fn, void *arg)
{
	int ret = 0;

	if (im->type == ET_REL) /* in an object file, symbols have no addresses yet */
		return 0;
	for (size_t i = 0; !ret && i < im->nsections; i++)
		if (im->sections[i].type == SHT_SYMTAB || im->sections[i].type == SHT_DYNSYM)
			ret = each_row(im, &im->sections[i], fn, arg);
	return ret;
}

bool symtab_is_full(const struct image *im)
{
	for (size_t i = 0; i < im->nsections; i++)
		if (im->sections[i].type == SHT_SYMTAB && im->sections[i].size)
			return true;
	return false;
}

static int add_row(const struct symtab_row *row, void *arg)
{
	const struct image_section *s = row->section;
	bool code = row->type == STT_FUNC || row->type == STT_GNU_IFUNC;
	uint64_t end = s->addr + s->size;

	if (row->type == STT_NOTYPE && (s->flags & SHF_EXECINSTR))
		code = true;
	else if (!code && row->type != STT_OBJECT)
		return 0;
	if (!(s->flags & SHF_ALLOC) || row->value < s->addr || row->value >= end)
		return 0;
	return symtab_add(arg, row->name, row->value, row->size, end, code, symtab_rank(row));
}

int symtab_add_image(struct symtab *t, const struct image *im)
{
	return symtab_each(im, add_row, t);
}

static int by_start(const void *a, const void *b)
{
	const struct symtab_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return 0;
}

/*
 * Keeps one entry for each address: the entry with the highest rank (symtab_rank()), and among
 * entries of equal rank the one with the longest name.
 */
static void drop_aliases(struct symtab *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symtab_entry *last = kept ? &t->entries[kept - 1] : NULL;
		const struct symtab_entry *e = &t->entries[i];

		if (!last || last->start != e->start)
			t->entries[kept++] = *e;
		else if (last->rank == e->rank &&
			 strnlen(e->name, MAX_COMPARED) > strnlen(last->name, MAX_COMPARED))
			*last = *e;
	}
	t->n = kept;
}

/* Returns the entry with this id. Ids count from 1; 0, which means "none", is not allowed. */
static struct symtab_entry *entry_with(const struct symtab *t, uint32_t id)
{
	assert(id - 1 < t->n);
	return &t->entries[id - 1];
}

/* Sets the member `outer` of each entry: the innermost entry that encloses it. An entry without a
 * size inside an entry with a size is a label, and is dropped. Any other entry without a size ends
 * where the next entry begins. */
static void nest_entries(struct symtab *t)
{
	size_t kept = 0;
	/* id of the innermost entry that covers the current address; 0 means none */
	uint32_t open = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symtab_entry e = t->entries[i];

		while (open && entry_with(t, open)->end <= e.start)
			open = entry_with(t, open)->outer;
		if (!e.sized && open && entry_with(t, open)->sized)
			continue;
		/* an entry without a size never encloses others */
		if (open && !entry_with(t, open)->sized) {
			entry_with(t, open)->end = e.start;
			open = entry_with(t, open)->outer;
		}
		e.outer = open;
		t->entries[kept++] = e;
		open = (uint32_t)kept;
	}
	t->n = kept;
}

void symtab_sort(struct symtab *t)
{
	if (!t->n)
		return;
	qsort(t->entries, t->n, sizeof(*t->entries), by_start);
	drop_aliases(t);
	nest_entries(t);
}

struct symtab_entry *symtab_find(const struct symtab *t, uint64_t vaddr)
{
	size_t lo = 0, hi = t->n;
	uint32_t at;

	while (lo < hi) { /* binary search for the last entry that starts at or before vaddr */
		size_t mid = lo + (hi - lo) / 2;

		if (t->entries[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	at = (uint32_t)lo;
	for (int depth = 0; at && depth < MAX_NESTING; depth++) {
		if (vaddr < entry_with(t, at)->end)
			return entry_with(t, at);
		at = entry_with(t, at)->outer;
	}
	return NULL;
}
