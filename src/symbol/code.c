/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the bytes of the function at an address. */
#include "symbol/file.h"

enum {
	MAX_FUNCTION = 4 << 20, /* bytes; a longer function is not decoded from its start */
	/* bytes of code that are returned if the bounds of the function are unknown */
	UNKNOWN_EXTENT = 4096,
};

/*
 * Finds the bounds of the function at vaddr. They are those of the symbol that covers vaddr. But if
 * this symbol has no size and the unwind entry starts after it, the symbol belongs to an earlier
 * function. Then, or without a symbol, the bounds are those of the unwind entry. Returns false if
 * there is neither a symbol nor an entry.
 */
static bool function_range(struct sym_file *f, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	const struct symtab *t = file_symtab(f);
	const struct symtab_entry *e = t ? symtab_find(t, vaddr) : NULL;
	uint64_t eh_start, eh_end;

	if (e && e->code && e->sized) {
		*start = e->start;
		*end = e->end;
		return true;
	}
	if (file_cfi_function(f, vaddr, &eh_start, &eh_end) &&
	    (!e || !e->code || eh_start > e->start)) {
		*start = eh_start;
		*end = eh_end;
		return true;
	}
	if (!e || !e->code)
		return false;
	*start = e->start;
	*end = e->end;
	return true;
}

const uint8_t *sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
			   bool *from_start, uint64_t *key)
{
	uint64_t vaddr, start, end;
	struct cursor c;

	*len = *at = 0;
	*from_start = false;
	*key = 0;
	if (!image_exec_vaddr(&f->image, offset, &vaddr))
		return NULL;
	if (function_range(f, vaddr, &start, &end) && end - start <= MAX_FUNCTION) {
		c = image_at(&f->image, start);
		if (cursor_left(&c) > vaddr - start) {
			*len = cursor_left(&c) < end - start ? cursor_left(&c) : end - start;
			*at = vaddr - start;
			*from_start = true;
			*key = start + 1;
			return c.p;
		}
	}
	c = image_at(&f->image, vaddr);
	*len = cursor_left(&c) < UNKNOWN_EXTENT ? cursor_left(&c) : UNKNOWN_EXTENT;
	/* the other keys are the start of a function + 1, which is a small number, so this key
	 * differs from all of them */
	*key = ~vaddr ? ~vaddr : 1;
	return *len ? c.p : NULL;
}
