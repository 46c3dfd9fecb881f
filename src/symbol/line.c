/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the source frames (function and line, inlined callers) at a code address. The functions of
 * a unit, inlined ones included, are read once and converted to pieces. The pieces are sorted
 * address ranges that do not overlap, each with its innermost function. A lookup is then two binary
 * searches and a walk from the innermost function outwards.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/omp_region.h"
#include "symbol/unit.h"

/* An address range of a function. Ranges of inlined functions are inside those of their callers.
 * scope is the id of the function in unit.scopes; depth is how many entries enclose it. */
struct span {
	uint64_t lo, hi;
	uint32_t scope, depth;
};

struct builder {
	struct debuginfo *d;
	struct unit *u;
	struct span *spans;
	size_t nspans, cap_spans, cap_scopes, cap_containers;
};

/* Enlarges the array *p (n elements of `size` bytes, room for *cap) if it is full. */
static void grow_array(void *p, size_t n, size_t *cap, size_t size)
{
	void **array = p;

	if (n < *cap)
		return;
	*cap = *cap ? 2 * *cap : 64;
	*array = unit_must(realloc(*array, *cap * size));
}

/* Adds the function `die` to b->u->scopes, and its address ranges to b->spans. Returns its index +
 * 1; 0 if it has no code. */
static uint32_t add_scope(struct builder *b, Dwarf_Die *die, uint32_t parent, uint32_t depth)
{
	size_t before = b->nspans;
	uint32_t id = (uint32_t)b->u->nscopes + 1;
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (++b->d->work > UNIT_MAX_WORK || b->nspans == UNIT_MAX_SPANS)
			break;
		if (lo >= hi || !lo)
			continue;
		grow_array(&b->spans, b->nspans, &b->cap_spans, sizeof(*b->spans));
		b->spans[b->nspans++] = (struct span){ lo, hi, id, depth };
	}
	if (b->nspans == before)
		return 0;
	grow_array(&b->u->scopes, b->u->nscopes, &b->cap_scopes, sizeof(*b->u->scopes));
	b->u->scopes[b->u->nscopes++] =
		(struct scope){ .die = dwarf_dieoffset(die), .parent = parent };
	return id;
}

static bool is_container(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static uint32_t add_container(struct builder *b, Dwarf_Die *die, uint32_t outer)
{
	struct unit *u = b->u;

	grow_array(&u->containers, u->ncontainers, &b->cap_containers, sizeof(*u->containers));
	u->containers[u->ncontainers++] =
		(struct container){ .start = dwarf_dieoffset(die), .outer = outer };
	return (uint32_t)u->ncontainers;
}

/* Sets the end of those containers, after the first `known` ones, that are the last entries of what
 * encloses them, which may be a function. */
static void end_containers(struct unit *u, size_t known, Dwarf_Off end)
{
	for (size_t i = known; i < u->ncontainers; i++)
		if (!u->containers[i].end)
			u->containers[i].end = end;
}

/* The position of a walk through the entries of a unit: the enclosing function and container
 * (ids; 0 means none) and the nesting depth. */
struct place {
	uint32_t scope, container, depth;
};

/* Adds the functions among the entries below `parent`. A function defined inside another one is not
 * inlined into it, so its scope.parent is 0. Functions without code are walked, too: GCC describes
 * an OpenMP region in the abstract entry of an inlined function. */
static void read_scopes(struct builder *b, Dwarf_Die *parent, struct place at)
{
	Dwarf_Die die;
	bool more;

	if (at.depth == UNIT_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		struct place in = { at.scope, at.container, at.depth + 1 };
		const size_t known = b->u->ncontainers;

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			in.scope = add_scope(b, &die, tag == DW_TAG_subprogram ? 0 : at.scope,
					     at.depth);
		else if (is_container(tag))
			in.container = add_container(b, &die, at.container);
		else if (!is_block(tag))
			in.depth = 0;
		if (in.depth &&
		    (in.scope || tag == DW_TAG_subprogram || is_container(tag) || is_block(tag)))
			read_scopes(b, &die, in);
		more = unit_next_sibling(b->d, &die);
		if (more)
			end_containers(b->u, known, dwarf_dieoffset(&die));
	} while (more);
}

/* Compares two ranges (struct span) by start. If both have the same start, the outer one comes
 * first. */
static int by_place(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->scope < y->scope ? -1 : x->scope > y->scope;
}

static void add_piece(struct unit *u, uint64_t start, uint32_t scope)
{
	struct piece *last = u->npieces ? &u->pieces[u->npieces - 1] : NULL;

	if (last && last->start == start)
		last->scope = scope;
	else if (!last || last->scope != scope)
		u->pieces[u->npieces++] = (struct piece){ start, scope };
}

/* Removes the spans that end at or before the address `here` from the stack. The stack contains the
 * spans that enclose the current address. Where a span ends, a piece of the enclosing span begins.
 * Returns the new height of the stack. */
static size_t close_spans(struct builder *b, const struct span **stack, size_t top, uint64_t here)
{
	while (top && stack[top - 1]->hi <= here) {
		uint64_t end = stack[--top]->hi;

		while (top && stack[top - 1]->hi <= end)
			top--;
		add_piece(b->u, end, top ? stack[top - 1]->scope : 0);
	}
	return top;
}

static void cut_pieces(struct builder *b)
{
	const struct span **stack = unit_must(malloc((b->nspans + 1) * sizeof(*stack)));
	size_t top = 0;

	b->u->pieces = unit_must(malloc((2 * b->nspans + 1) * sizeof(*b->u->pieces)));
	qsort(b->spans, b->nspans, sizeof(*b->spans), by_place);
	for (size_t i = 0; i < b->nspans; i++) {
		top = close_spans(b, stack, top, b->spans[i].lo);
		add_piece(b->u, b->spans[i].lo, b->spans[i].scope);
		stack[top++] = &b->spans[i];
	}
	close_spans(b, stack, top, UINT64_MAX);
	free(stack);
}

/* Reads the functions of a unit and makes its pieces. If a limit is reached, keeps what has been
 * read. */
static void read_unit(struct debuginfo *d, struct unit *u)
{
	struct builder b = { .d = d, .u = u };
	Dwarf_Lines *lines;
	size_t n;

	u->read = true;
	if (dwarf_hasattr(&u->die, DW_AT_stmt_list) &&
	    dwarf_getsrclines(&u->die, &lines, &n) != 0) {
		d->bad_lines++;
		d->bad_lines_error = dwarf_errno();
	}
	if (!unit_body(u)) {
		d->no_body++;
		return;
	}
	read_scopes(&b, &u->body, (struct place){ 0 });
	if (b.nspans)
		cut_pieces(&b);
	free(b.spans);
}

uint32_t unit_scope_at(struct debuginfo *d, struct unit *u, uint64_t vaddr)
{
	size_t lo = 0, hi;

	if (!u->read)
		read_unit(d, u);
	hi = u->npieces;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->pieces[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? u->pieces[lo - 1].scope : 0;
}

static uint32_t number_attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &v) != 0 || v > UINT32_MAX)
		return 0;
	return (uint32_t)v;
}

static const struct frame *frame_of(struct debuginfo *d, struct unit *u, struct scope *s);

/* Is this the name of a parallel region that does not contain the name of its function? Older
 * versions of clang write such names. */
static bool is_nameless_region(const char *name)
{
	return name && region_is(name) && !region_owner_length(name);
}

/* Returns the function at an address, unless it is a nameless parallel region: its id; 0 means
 * none. */
static uint32_t owner_at(struct debuginfo *d, struct unit *u, uint64_t vaddr)
{
	const uint32_t scope = unit_scope_at(d, u, vaddr);
	Dwarf_Die die;

	if (!scope || !unit_die(u, unit_scope(u, scope)->die, &die) ||
	    is_nameless_region(dwarf_diename(&die)))
		return 0;
	return scope;
}

/* Returns the function that contains a parallel region: its id; 0 means that it is not known.
 * The code that starts the region is in this function, at the line of the directive. This line is
 * the last one, up to the first line of the region, that has code outside nameless regions. */
static uint32_t region_owner(struct debuginfo *d, struct unit *u, Dwarf_Die *region)
{
	const char *file = NULL, *path;
	uint32_t last = 0, owner = 0, scope;
	int best = 0, line;
	Dwarf_Lines *lines;
	Dwarf_Addr at;
	size_t n;

	unit_declaration(d, u, region, &file, &last);
	if (!file || dwarf_getsrclines(&u->die, &lines, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);

		if (!l || dwarf_lineno(l, &line) || line <= best || line > (int)last)
			continue;
		path = unit_path(d, u, dwarf_linesrc(l, NULL, NULL));
		scope = path && !strcmp(path, file) && !dwarf_lineaddr(l, &at) ? owner_at(d, u, at)
									       : 0;
		best = scope ? line : best;
		owner = scope ? scope : owner;
	}
	return owner;
}

/* Returns the name of a function. A nameless parallel region gets the name that later versions of
 * clang write: "solve.omp_outlined", or "solve(int) [clone .omp_outlined]" as demangled. */
static const char *function_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die)
{
	const char *name = unit_full_name(d, u, die), *of;
	const bool region = is_nameless_region(dwarf_diename(die));
	const uint32_t owner = region ? region_owner(d, u, die) : 0;
	const size_t room = sizeof(" [clone .omp_outlined]");
	char *full;

	of = owner ? frame_of(d, u, unit_scope(u, owner))->function : NULL;
	full = of ? arena_alloc(&d->arena, strlen(of) + room) : NULL;
	if (!full)
		return name;
	snprintf(full, strlen(of) + room,
		 strchr(of, '(') ? "%s [clone .omp_outlined]" : "%s.omp_outlined", of);
	return full;
}

/* Returns the name of function s and, if it is inlined, the position of the call. They are read at
 * the first call. */
static const struct frame *frame_of(struct debuginfo *d, struct unit *u, struct scope *s)
{
	struct frame f = { 0 };
	Dwarf_Die die;

	if (s->frame)
		return &AT_ID(d->frames, s->frame);
	if (unit_die(u, s->die, &die)) {
		f.function = function_name(d, u, &die);
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine) {
			f.call_file = unit_file(d, u, number_attribute(&die, DW_AT_call_file));
			f.call_line = number_attribute(&die, DW_AT_call_line);
			f.call_column = number_attribute(&die, DW_AT_call_column);
		}
	}
	if (!VEC_ROOM(&d->frames))
		unit_must(NULL);
	d->frames.at[d->frames.n++] = f;
	s->frame = d->frames.n;
	return &AT_ID(d->frames, s->frame);
}

/* Gets the line of the instruction from the line table. Returns false if the table has none. */
static bool line_at(struct debuginfo *d, struct unit *u, uint64_t vaddr, struct sym_line *out)
{
	Dwarf_Line *line = dwarf_getsrc_die(&u->die, vaddr);
	int n = 0, column = 0;

	*out = (struct sym_line){ 0 };
	if (!line)
		return false;
	out->file = unit_path(d, u, dwarf_linesrc(line, NULL, NULL));
	if (dwarf_lineno(line, &n) == 0 && n > 0)
		out->line = (uint32_t)n;
	if (dwarf_linecol(line, &column) == 0 && column > 0)
		out->column = (uint32_t)column;
	return true;
}

unsigned debuginfo_lines(struct debuginfo *d, uint64_t vaddr, struct sym_line *out, unsigned max)
{
	struct unit *u = unit_at(d, vaddr);
	unsigned n = 0;
	uint32_t scope;
	bool known;

	if (!u || !max)
		return 0;
	if (!u->read)
		read_unit(d, u);
	known = line_at(d, u, vaddr, &out[0]);
	scope = unit_scope_at(d, u, vaddr);
	if (!scope)
		return known;
	while (scope) {
		struct scope *s = unit_scope(u, scope);
		const struct frame *f = frame_of(d, u, s);

		out[n++].function = f->function;
		scope = s->parent;
		if (!scope || n == max)
			break;
		out[n] = (struct sym_line){ .file = f->call_file,
					    .line = f->call_line,
					    .column = f->call_column };
	}
	return n;
}
