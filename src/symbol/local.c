/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the local variables of a function from the child process that reads DWARF. Asks once for
 * each function and keeps the answer with the file.
 */
#include <string.h>

#include "symbol/file.h"

static struct file_locals *find_locals(struct sym_file *f, uint64_t vaddr)
{
	uint32_t hash = index_hash(vaddr, 0), place = hash, id;

	while ((id = index_next(&f->locals_index, hash, &place)))
		if (AT_ID(f->locals, id).vaddr == vaddr)
			return &AT_ID(f->locals, id);
	return NULL;
}

const struct sym_local *sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n)
{
	struct file_locals *have = find_locals(f, vaddr);
	const struct sym_local *told = NULL;
	struct sym_local *copy = NULL;
	struct dwarf *d;
	uint32_t count = 0;

	*n = have ? have->n : 0;
	if (have)
		return have->at;
	d = file_dwarf(f);
	if (d)
		told = dwarf_locals(d, vaddr, &count);
	if (count)
		copy = arena_alloc(&f->arena, count * sizeof(*copy));
	if (count && !copy)
		return NULL;
	if (!VEC_ROOM(&f->locals) ||
	    !index_add(&f->locals_index, index_hash(vaddr, 0), f->locals.n + 1))
		return NULL;
	if (count)
		memcpy(copy, told, count * sizeof(*copy));
	f->locals.at[f->locals.n++] = (struct file_locals){ vaddr, copy, count };
	*n = count;
	return copy;
}

bool sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start)
{
	uint64_t end;

	return file_cfi_function(f, vaddr, start, &end);
}
