/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the calls of a function by reading all code of its file.
 *
 * The list of calls is complete only if nothing else refers to the function: no jump, no code that
 * loads its address, and no pointer in data. Pointers that the loader stores are in the file as
 * addends of relocations. The addresses of functions that other files may call are in .dynsym. So
 * all references from data are words that contain the function's address. Other bytes may look like
 * a reference by chance; then the callers count as unknown.
 */
#include <elf.h>
#include <string.h>

#include "symbol/file.h"

enum {
	CALL = 0xe8,  /* opcode of x86-64: a call to the next instruction + 32 bits */
	DISTANCE = 4, /* bytes of the distance in a call or jump, counted from its end */
	WORD = 8,     /* bytes of a pointer, which is aligned in data */
};

/* How many bytes of a file's code are read for all searches together, about a second. After that,
 * callers count as unknown. */
#define MAX_READ ((uint64_t)1 << 30)

/* The references to the function whose code is at the vaddrs [start, end). */
struct search {
	struct sym_file *f;
	const struct image *im; /* of f */
	uint64_t start, end;
	uint64_t calls[SYM_MAX_CALLS]; /* vaddr of the last byte of each call */
	size_t n;
	bool other; /* whether there are too many calls, or other references */
};

/* Adds the reference whose operand (a distance) is at this vaddr. */
static void add_reference(struct search *s, uint64_t vaddr, bool call)
{
	if (vaddr >= s->start && vaddr < s->end)
		return; /* a loop of the function, or a recursion */
	if (call && s->n < SYM_MAX_CALLS)
		s->calls[s->n++] = vaddr + DISTANCE - 1;
	else
		s->other = true;
}

/* Searches code, which begins at vaddr, for operands that refer to the function: distances to it
 * and, if the program is loaded at a fixed address, its address. A distance of 0 is skipped: it is
 * padding before the function, not a reference. */
static void search_code(struct search *s, const uint8_t *code, size_t len, uint64_t vaddr)
{
	const uint32_t wanted = (uint32_t)s->start;
	const bool fixed = s->im->type == ET_EXEC;
	uint32_t x;

	for (size_t i = 0; i + DISTANCE <= len && !s->other; i++) {
		memcpy(&x, code + i, sizeof(x));
		if (x && x + (uint32_t)(vaddr + i + DISTANCE) == wanted)
			add_reference(s, vaddr + i, i && code[i - 1] == CALL);
		else if (fixed && x == wanted)
			s->other = true;
	}
}

static void search_words(struct search *s, const uint8_t *bytes, size_t len, uint64_t vaddr)
{
	uint64_t x;

	for (size_t i = -vaddr % WORD; i + WORD <= len && !s->other; i += WORD) {
		memcpy(&x, bytes + i, sizeof(x));
		s->other = x == s->start;
	}
}

/* Searches the segments that contain code, or the others. */
static void search_segments(struct search *s, bool exec)
{
	const struct image *im = s->im;

	for (size_t i = 0; i < im->nsegments && !s->other; i++) {
		const uint64_t vaddr = im->segments[i].vaddr;
		const struct cursor c = image_at(im, vaddr);
		const size_t len = cursor_left(&c);

		if (im->segments[i].exec != exec)
			continue;
		search_words(s, c.p, len, vaddr);
		if (!exec || s->other)
			continue;
		s->f->calls_read += len;
		if (s->f->calls_read > MAX_READ)
			s->other = true;
		search_code(s, c.p, len, vaddr);
	}
}

/* Most functions that are searched for are called by a pointer. That is in data, which is much
 * smaller than code, so data comes first. */
static void search_file(struct search *s)
{
	s->other = s->im->machine != EM_X86_64 || s->im->swap;
	search_segments(s, false);
	search_segments(s, true);
}

/* Returns the stored result of a search, or NULL. */
static const struct file_calls *find_calls(struct sym_file *f, uint64_t start)
{
	uint32_t hash = index_hash(start, 0), place = hash, id;

	while ((id = index_next(&f->calls_index, hash, &place)))
		if (AT_ID(f->calls, id).function == start)
			return &AT_ID(f->calls, id);
	return NULL;
}

/* Searches the file and stores the calls as file offsets. Returns NULL when out of memory. */
static const struct file_calls *search_calls(struct sym_file *f, uint64_t start, uint64_t end)
{
	struct search s = { .f = f, .im = &f->image, .start = start, .end = end };
	struct file_calls new = { .function = start };
	uint64_t *at;

	search_file(&s);
	if (s.n && !s.other) {
		at = arena_alloc(&f->arena, s.n * sizeof(*at));
		if (!at)
			return NULL;
		for (size_t i = 0; i < s.n; i++)
			if (image_offset(&f->image, s.calls[i], &at[new.n]))
				new.n++;
		new.at = at;
	}
	if (!VEC_ROOM(&f->calls) ||
	    !index_add(&f->calls_index, index_hash(start, 0), f->calls.n + 1))
		return NULL;
	f->calls.at[f->calls.n++] = new;
	return &f->calls.at[f->calls.n - 1];
}

const uint64_t *sym_calls(struct sym_file *f, uint64_t offset, size_t len, size_t *n)
{
	const struct file_calls *c = NULL;
	uint64_t start;

	if (image_exec_vaddr(&f->image, offset, &start)) {
		c = find_calls(f, start);
		c = c ? c : search_calls(f, start, start + len);
	}
	*n = c ? c->n : 0;
	return c ? c->at : NULL;
}

const struct sym_symbol *sym_function_named(struct sym_file *f, const char *name)
{
	const struct symtab *t = file_symtab(f);
	uint64_t offset;

	for (size_t i = 0; t && i < t->n; i++)
		if (t->entries[i].code && !strcmp(t->entries[i].name, name) &&
		    image_offset(&f->image, t->entries[i].start, &offset))
			return sym_symbol_at(f, offset);
	return NULL;
}
