/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/stack.h"

#include <string.h>

enum {
	MOST_PARTS = 128,
	/* a smaller variable may share its place with other values, so it is a temporary here */
	LEAST_VARIABLE = 17,
};

/* The parts of a frame that are known, sorted by offset. */
struct layout {
	uint64_t size;
	struct sym_member parts[MOST_PARTS];
	unsigned n;
	bool failed; /* too many parts, out of memory, or the place of a variable is unknown */
};

static const char *joined(struct arena *a, const char *first, const char *second)
{
	const size_t n = strlen(first), m = strlen(second);
	char *s = arena_alloc(a, n + m + 2);

	if (s) {
		memcpy(s, first, n);
		s[n] = '|';
		memcpy(s + n + 1, second, m + 1);
	}
	return s;
}

/* Adds a part. Variables that overlap become one part with both names. */
static void add_part(struct layout *l, struct arena *a, const char *name, uint64_t offset,
		     uint64_t size)
{
	unsigned i = 0;

	if (offset >= l->size || size > l->size - offset || l->n == MOST_PARTS) {
		l->failed = true;
		return;
	}
	while (i < l->n && l->parts[i].offset + l->parts[i].size <= offset)
		i++;
	while (i < l->n && l->parts[i].offset < offset + size) {
		const struct sym_member old = l->parts[i];
		uint64_t end = old.offset + old.size;

		end = end > offset + size ? end : offset + size;
		offset = old.offset < offset ? old.offset : offset;
		size = end - offset;
		name = strcmp(old.name, name) ? joined(a, old.name, name) : name;
		l->failed |= !name;
		l->n--;
		memmove(l->parts + i, l->parts + i + 1, (l->n - i) * sizeof(l->parts[0]));
		if (l->failed)
			return;
	}
	memmove(l->parts + i + 1, l->parts + i, (l->n - i) * sizeof(l->parts[0]));
	l->n++;
	l->parts[i] = (struct sym_member){ .name = name, .offset = offset, .size = size };
}

static void add_variables(struct layout *l, struct arena *a, struct sym_file *file, uint64_t start)
{
	size_t n;
	const struct sym_local *v = sym_locals(file, start, &n);

	for (size_t i = 0; i < n && !l->failed; i++) {
		if (v[i].size < LEAST_VARIABLE || v[i].offset >= 0)
			continue; /* arguments on the stack are in the caller's frame */
		l->failed |= v[i].base != SYM_LOCAL_CFA;
		if (!l->failed)
			add_part(l, a, v[i].name, l->size + (uint64_t)v[i].offset, v[i].size);
	}
}

/* Returns the members of the frame: the parts, with temporaries between them. NULL means out of
 * memory. */
static const struct sym_member *fill(const struct layout *l, struct arena *a, uint32_t *n)
{
	struct sym_member *m = arena_alloc(a, (2 * l->n + 1) * sizeof(*m));
	uint64_t at = 0;

	*n = 0;
	for (unsigned i = 0; m && i <= l->n; i++) {
		const uint64_t end = i < l->n ? l->parts[i].offset : l->size;

		if (end > at)
			m[(*n)++] = (struct sym_member){ .name = "temporaries",
							 .offset = at,
							 .size = end - at };
		if (i < l->n)
			m[(*n)++] = l->parts[i];
		at = i < l->n ? end + l->parts[i].size : end;
	}
	return m;
}

void type_of_frame(const struct naming *n, const struct object *x, struct object_origin *o)
{
	const struct symbol *s = &AT_ID(n->code->symbols, x->symbol);
	struct sym_file *file = code_file(n->code, s->dso);
	struct layout l = { .size = x->extent };
	struct sym_frame frame;
	struct sym_type *t;
	uint64_t start;

	if ((!x->first_sample && !x->first_fault) || !file || n->no_lines ||
	    !sym_file_has_lines(file) || !sym_function_start(file, s->sym->vaddr, &start) ||
	    !sym_frame(file, start, &frame) || !frame.bytes)
		return;
	for (unsigned i = 0; i < frame.nsaved; i++)
		add_part(&l, n->arena, frame.saved[i].name,
			 l.size + (uint64_t)frame.saved[i].offset, 8);
	add_variables(&l, n->arena, file, start);
	t = l.failed ? NULL : arena_alloc(n->arena, sizeof(*t));
	if (!t)
		return;
	*t = (struct sym_type){ .name = o->name, .kind = SYM_STRUCT, .size = l.size };
	t->members = fill(&l, n->arena, &t->nmembers);
	if (!t->members)
		return;
	o->type = t;
	o->type_source = "frame";
	o->type_start = 0;
	o->type_repeats = false;
}
