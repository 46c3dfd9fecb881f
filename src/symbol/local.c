/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the local variables of a function from the child process that reads DWARF. Sends one query
 * for each vaddr and keeps the answer with the file: first the variables in memory, then the
 * pointers in registers and the arrays of variable length, then the variables that are passed to a
 * parallel region.
 */
#include <string.h>

#include "symbol/file.h"

static const struct file_locals *find_locals(struct sym_file *f, uint64_t vaddr)
{
	uint32_t hash = index_hash(vaddr, 0), place = hash, id;

	while ((id = index_next(&f->locals_index, hash, &place)))
		if (AT_ID(f->locals, id).vaddr == vaddr)
			return &AT_ID(f->locals, id);
	return NULL;
}

/* Copies the records with these values of `points` and `passed`, in their order. Returns the number
 * of copied records. */
static uint32_t copy_some(struct sym_local *to, const struct sym_local *from, uint32_t n,
			  bool points, bool passed)
{
	uint32_t copied = 0;

	for (uint32_t i = 0; i < n; i++)
		if (from[i].points == points && from[i].passed == passed)
			to[copied++] = from[i];
	return copied;
}

/* Queries the variables of a function. Returns NULL when out of memory. */
static const struct file_locals *ask_locals(struct sym_file *f, uint64_t vaddr)
{
	struct dwarf *d = file_dwarf(f);
	struct file_locals new = { .vaddr = vaddr };
	const struct sym_local *found = d ? dwarf_locals(d, vaddr, &new.n) : NULL;
	struct sym_local *copy = NULL;

	if (new.n) {
		copy = arena_alloc(&f->arena, new.n * sizeof(*copy));
		if (!copy)
			return NULL;
		new.in_memory = copy_some(copy, found, new.n, false, false);
		new.pointers = copy_some(copy + new.in_memory, found, new.n, true, false);
		copy_some(copy + new.in_memory + new.pointers, found, new.n, false, true);
	}
	new.at = copy;
	if (!VEC_ROOM(&f->locals) ||
	    !index_add(&f->locals_index, index_hash(vaddr, 0), f->locals.n + 1))
		return NULL;
	f->locals.at[f->locals.n++] = new;
	return &f->locals.at[f->locals.n - 1];
}

static const struct file_locals *locals_of(struct sym_file *f, uint64_t vaddr)
{
	const struct file_locals *have = find_locals(f, vaddr);

	return have ? have : ask_locals(f, vaddr);
}

const struct sym_local *sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n)
{
	const struct file_locals *l = locals_of(f, vaddr);

	*n = l ? l->in_memory : 0;
	return l ? l->at : NULL;
}

const struct sym_local *sym_pointers(struct sym_file *f, uint64_t vaddr, size_t *n)
{
	const struct file_locals *l = locals_of(f, vaddr);

	*n = l ? l->pointers : 0;
	return l && l->at ? l->at + l->in_memory : NULL;
}

const struct sym_local *sym_passed(struct sym_file *f, uint64_t vaddr, size_t *n)
{
	const struct file_locals *l = locals_of(f, vaddr);

	*n = l ? l->n - l->in_memory - l->pointers : 0;
	return l && l->at ? l->at + l->in_memory + l->pointers : NULL;
}

bool sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start)
{
	uint64_t end;

	return file_cfi_function(f, vaddr, start, &end);
}
