/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Combines the static variables in a file's symbol tables with those in its DWARF. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/demangle.h"
#include "symbol/file.h"

enum { MAX_VARIABLES = 1 << 22 };

struct candidate {
	struct sym_variable v;
	const char *raw; /* name in the symbol table; NULL means that it is from DWARF */
	uint16_t rank;
};

struct list {
	struct sym_file *f;
	struct candidate *c;
	size_t n, cap;
};

static int add_candidate(struct list *l, const struct candidate *c)
{
	if (l->n == MAX_VARIABLES)
		return 0;
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 256;
		struct candidate *more = realloc(l->c, cap * sizeof(*more));

		if (!more)
			return MD_ENOMEM;
		l->c = more;
		l->cap = cap;
	}
	l->c[l->n++] = *c;
	return 0;
}

static int add_symbol(const struct symtab_row *row, void *arg)
{
	const struct image_section *s = row->section;
	struct candidate c = { .raw = row->name, .rank = symtab_rank(row) };

	if (row->type != STT_OBJECT && row->type != STT_TLS && row->type != STT_COMMON)
		return 0;
	if (!(s->flags & SHF_ALLOC))
		return 0;
	c.v.vaddr = row->value;
	c.v.size = row->size;
	c.v.is_tls = row->type == STT_TLS;
	return add_candidate(arg, &c);
}

static int add_debug(const struct sym_variable *v, void *arg)
{
	struct candidate c = { .v = *v };

	return add_candidate(arg, &c);
}

/* Compares by address. At the same address, thread-local variables come before static ones. In each
 * of these groups, candidates from DWARF come before symbols, and symbols with a higher rank before
 * those with a lower rank; then those with a lower line before those with a higher line. */
static int by_place(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->v.vaddr != y->v.vaddr)
		return x->v.vaddr < y->v.vaddr ? -1 : 1;
	if (x->v.is_tls != y->v.is_tls)
		return x->v.is_tls ? -1 : 1;
	if (!x->raw != !y->raw)
		return x->raw ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->v.line < y->v.line ? -1 : x->v.line > y->v.line;
}

static bool in_memory(const struct image *im, const struct sym_variable *v)
{
	if (v->is_tls)
		return true;
	for (size_t i = 0; i < im->nsegments; i++) {
		const struct image_segment *s = &im->segments[i];

		if (v->vaddr >= s->vaddr && v->vaddr - s->vaddr < s->memsz)
			return v->size <= s->memsz - (v->vaddr - s->vaddr);
	}
	return false;
}

/* Makes one variable of the n candidates c[] at one address. by_place() has sorted them, so
 * candidates from DWARF come first: DWARF has the better name, and the size of the type. The
 * symbol's size is larger if the last member is an initialized flexible array, so the largest size
 * counts. But if c[0] is from DWARF and has a size, only symbols with its name can enlarge it. If
 * c[0] has no size, the first candidate with a size gives it. */
static struct sym_variable join_candidates(struct sym_file *f, const struct candidate *c, size_t n)
{
	struct sym_variable v = c[0].v;
	const char *symbol = NULL;

	for (size_t i = 0; i < n; i++) {
		bool same = c[0].raw || (c[i].raw && strcmp(c[0].v.name, c[i].raw) == 0);

		if (!v.size || (same && c[i].v.size > v.size))
			v.size = c[i].v.size;
		if (!symbol)
			symbol = c[i].raw;
	}
	if (c[0].raw)
		v.name = demangle_name(&f->arena, c[0].raw);
	else if (symbol && strncmp(symbol, "_Z", 2) == 0)
		/* the name of the symbol includes the namespaces */
		v.name = demangle_name(&f->arena, symbol);
	return v;
}

/* Can v be left out, because it is a part of the variable `whole`? A variable with a source file is
 * kept if `whole` has none. */
static bool is_part_of(const struct sym_variable *v, const struct sym_variable *whole)
{
	return whole && v->vaddr + v->size <= whole->vaddr + whole->size &&
	       (whole->file || !v->file);
}

static void join_all(struct sym_file *f, struct list *l)
{
	/* the last variable that was kept: [0] of the static ones, [1] of the thread-local ones */
	const struct sym_variable *last[2] = { NULL, NULL };
	size_t from = 0;

	f->variables = calloc(l->n, sizeof(*f->variables));
	if (!f->variables)
		return;
	qsort(l->c, l->n, sizeof(*l->c), by_place);
	for (size_t i = 1; i <= l->n; i++) {
		struct sym_variable v;

		if (i < l->n && l->c[i].v.vaddr == l->c[from].v.vaddr &&
		    l->c[i].v.is_tls == l->c[from].v.is_tls)
			continue;
		v = join_candidates(f, &l->c[from], i - from);
		from = i;
		if (!v.size || !in_memory(&f->image, &v) || is_part_of(&v, last[v.is_tls]))
			continue;
		last[v.is_tls] = &f->variables[f->nvariables];
		f->variables[f->nvariables++] = v;
	}
}

const struct sym_variable *sym_variables(struct sym_file *f, size_t *n)
{
	struct list l = { .f = f };
	struct dwarf *d;

	if (!f->variables_loaded && f->image.bytes) {
		f->variables_loaded = true;
		d = file_dwarf(f);
		if (!symtab_is_full(&f->image))
			file_find_debug(f);
		/* The results of these calls are ignored: when out of memory, continues with the
		 * candidates that were found so far. */
		symtab_each(&f->image, add_symbol, &l);
		if (f->debug.bytes)
			symtab_each(&f->debug, add_symbol, &l);
		if (d)
			dwarf_variables(d, add_debug, &l);
		if (l.n)
			join_all(f, &l);
		free(l.c);
	}
	*n = f->nvariables;
	return f->nvariables ? f->variables : NULL;
}
