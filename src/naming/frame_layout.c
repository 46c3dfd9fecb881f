/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/frame_layout.h"

#include <string.h>

enum {
	MOST_PARTS = 128,
	MOST_NAMES = 8, /* maximum number of names of one part */
	/* size of the smallest variable that is a part, bytes. The compiler may store other values
	 * in the place of a smaller variable, so its place counts as a temporary */
	LEAST_VARIABLE = 17,
};

/* A part of a frame: a saved word, a variable, or variables that overlap. */
struct part {
	uint64_t offset, size;
	const char *names[MOST_NAMES]; /* each differs from the others */
	unsigned nnames;
	bool more; /* the part has further names, which are not in names[] */
};

/* The parts of a frame that are known, sorted by offset. */
struct layout {
	uint64_t size;
	struct part parts[MOST_PARTS];
	unsigned n;
	bool failed; /* too many parts, a part outside the frame, or a variable whose place is
		      * unknown */
};

static void add_name(struct part *p, const char *name)
{
	for (unsigned i = 0; i < p->nnames; i++)
		if (!strcmp(p->names[i], name))
			return;
	if (p->nnames < MOST_NAMES)
		p->names[p->nnames++] = name;
	else
		p->more = true;
}

/* Extends part *p so that it also contains part *x. */
static void extend_part(struct part *p, const struct part *x)
{
	const uint64_t p_end = p->offset + p->size, x_end = x->offset + x->size;

	p->offset = p->offset < x->offset ? p->offset : x->offset;
	p->size = (p_end > x_end ? p_end : x_end) - p->offset;
	for (unsigned i = 0; i < x->nnames; i++)
		add_name(p, x->names[i]);
	p->more |= x->more;
}

/* Adds a part. Variables that overlap become one part, which has the names of all of them. */
static void add_part(struct layout *l, const char *name, uint64_t offset, uint64_t size)
{
	struct part new = { .offset = offset, .size = size, .names = { name }, .nnames = 1 };
	unsigned i = 0, end;

	if (offset >= l->size || size > l->size - offset) {
		l->failed = true;
		return;
	}
	while (i < l->n && l->parts[i].offset + l->parts[i].size <= offset)
		i++;
	for (end = i; end < l->n && l->parts[end].offset < offset + size; end++)
		extend_part(&l->parts[i], &l->parts[end]);
	if (end > i) {
		extend_part(&l->parts[i], &new);
		new = l->parts[i];
	} else if (l->n == MOST_PARTS) {
		l->failed = true;
		return;
	}
	memmove(l->parts + i + 1, l->parts + end, (l->n - end) * sizeof(l->parts[0]));
	l->n = l->n - (end - i) + 1;
	l->parts[i] = new;
}

static void add_variables(struct layout *l, struct sym_file *file, uint64_t start)
{
	size_t n;
	const struct sym_local *v = sym_locals(file, start, &n);

	for (size_t i = 0; i < n && !l->failed; i++) {
		if (v[i].size < LEAST_VARIABLE || v[i].offset >= 0)
			/* a small variable, or an argument, which is in the caller's frame */
			continue;
		l->failed |= v[i].base != SYM_LOCAL_CFA;
		if (!l->failed)
			add_part(l, v[i].name, l->size + (uint64_t)v[i].offset, v[i].size);
	}
}

/* Returns the names of a part, joined: "one::buf|two::tmp". NULL means out of memory. */
static const char *part_name(const struct part *p, struct arena *a)
{
	static const char more[] = "|…";
	size_t n = sizeof(more);
	char *name, *end;

	if (p->nnames == 1)
		return p->names[0];
	for (unsigned i = 0; i < p->nnames; i++)
		n += strlen(p->names[i]) + 1;
	name = end = arena_alloc(a, n);
	for (unsigned i = 0; name && i < p->nnames; i++) {
		if (i)
			*end++ = '|';
		end = stpcpy(end, p->names[i]);
	}
	if (name && p->more)
		strcpy(end, more);
	return name;
}

/* Returns the members of the frame: the parts, with temporaries between them. NULL means out of
 * memory. */
static const struct sym_member *list_parts(const struct layout *l, struct arena *a, uint32_t *n)
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
		if (i == l->n)
			break;
		m[*n] = (struct sym_member){ .name = part_name(&l->parts[i], a),
					     .offset = end,
					     .size = l->parts[i].size };
		if (!m[(*n)++].name)
			return NULL;
		at = end + l->parts[i].size;
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
		add_part(&l, frame.saved[i].name, l.size + (uint64_t)frame.saved[i].offset, 8);
	add_variables(&l, file, start);
	t = l.failed ? NULL : arena_alloc(n->arena, sizeof(*t));
	if (!t)
		return;
	*t = (struct sym_type){ .name = o->name, .kind = SYM_STRUCT, .size = l.size };
	t->members = list_parts(&l, n->arena, &t->nmembers);
	if (!t->members)
		return;
	o->type = t;
	o->type_source = "frame";
	o->type_start = 0;
	o->type_repeats = false;
}
