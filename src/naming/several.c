/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If one source line allocates several objects, a Fortran statement or a constructor, finds out
 * which name belongs to which object. */
#include <stdio.h>
#include <string.h>

#include "naming/code_name.h"
#include "naming/expanded.h"
#include "naming/holder.h"
#include "naming/member.h"
#include "naming/source_frames.h"
#include "naming/type.h"
#include "naming/walk.h"

/* Maximum number of objects before and after an object that are examined to find others of the same
 * statement. They are near, because a statement allocates its objects one after the other; only
 * other threads may allocate objects in between. */
enum { STATEMENT_OBJECTS = 64 };

/* Maximum number of statements that are compared. */
enum { MOST_STATEMENTS = 8 };

/* Gets the innermost frame of the program itself on the path. Returns false if there is none. */
static bool first_own(const struct naming *n, uint32_t path, struct frame *out)
{
	struct frames f;

	frames_start(&f, n, path);
	while (frames_next(&f, out))
		if (out->kind == FRAME_OWN)
			return true;
	return false;
}

/* Is the object `other` allocated on the line of frame f, and by the same caller? Sets *at to its
 * frame. */
static bool same_line(const struct naming *n, const struct frame *f, const struct object *other,
		      struct frame *at)
{
	return other->call_path && first_own(n, other->call_path, at) &&
	       AT_ID(n->code->call_paths, at->path).parent ==
		       AT_ID(n->code->call_paths, f->path).parent &&
	       at->line.file && at->line.line == f->line.line &&
	       !strcmp(at->line.file, f->line.file);
}

/* Is the object `other` allocated by a call of `callee` that the function of frame f makes on its
 * line, for the same caller? Sets *at to its frame. */
static bool same_call(const struct naming *n, const struct frame *f, const char *callee,
		      const struct object *other, struct frame *at)
{
	const uint32_t caller = AT_ID(n->code->call_paths, f->path).parent;
	const char *inner = NULL;
	struct frames frames;

	if (!other->call_path)
		return false;
	frames_start(&frames, n, other->call_path);
	while (frames_next(&frames, at)) {
		if (AT_ID(n->code->call_paths, at->path).parent == caller && at->line.function &&
		    !strcmp(at->line.function, f->line.function) && at->line.line == f->line.line)
			return inner && !strcmp(inner, callee);
		inner = at->line.function;
	}
	return false;
}

static bool on_line(const struct naming *n, const struct frame *f, const char *callee,
		    const struct object *other, struct frame *at)
{
	return callee ? same_call(n, f, callee, other, at) : same_line(n, f, other, at);
}

/* Returns the index of object x among the objects of its line, in the order of their first
 * blocks. Returns `count` if the index is unknown: if the line does not have `count` objects,
 * or if the order is uncertain. If the tracker recorded only some blocks, an object's first
 * recorded block may not be its first one. Then the order is certain only if the calls in the code
 * have the same order. `callee` NULL means any. */
static uint32_t place_in_line(const struct naming *n, const struct object *x, const struct frame *f,
			      const char *callee, uint32_t count)
{
	const struct object *all = n->objects->objects.at;
	struct frame at;
	uint32_t i = (uint32_t)(x - all), place = count, found = 0;
	uint32_t end = i + STATEMENT_OBJECTS;
	uint64_t offset, last = 0;
	bool in_order = true;

	for (i = i > STATEMENT_OBJECTS ? i - STATEMENT_OBJECTS : 0;
	     i < end && i < n->objects->objects.n && found <= count; i++) {
		if (!on_line(n, f, callee, &all[i], &at))
			continue;
		offset = AT_ID(n->code->locations, at.location).offset;
		in_order &= offset > last;
		last = offset;
		if (&all[i] == x)
			place = found;
		found++;
	}
	return found == count && (in_order || !n->drawn) ? place : count;
}

static const char *one_of_calls(const struct naming *n, const struct object *x,
				const struct frame *f, const char *callee, const char *names)
{
	uint32_t count = 1, place;

	for (const char *s = names; (s = strchr(s, '|')); s++)
		count++;
	place = place_in_line(n, x, f, callee, count);
	if (place == count)
		return NULL;
	while (place--)
		names = strchr(names, '|') + 1;
	return arena_copy(n->arena, names, strcspn(names, "|"));
}

const char *one_of_several(const struct naming *n, const struct object *x, const struct frame *f,
			   const char *names)
{
	return one_of_calls(n, x, f, NULL, names);
}

/* Is there another object of f's line among the objects all[from..to), without x? */
static bool any_on_line(const struct naming *n, const struct object *x, const struct frame *f,
			uint32_t from, uint32_t to)
{
	const struct object *all = n->objects->objects.at;
	struct frame at;

	for (uint32_t i = from; i < to && i < n->objects->objects.n; i++)
		if (&all[i] != x && on_line(n, f, NULL, &all[i], &at))
			return true;
	return false;
}

bool has_others_on_line(const struct naming *n, const struct object *x, const struct frame *f)
{
	const uint32_t place = (uint32_t)(x - n->objects->objects.at);
	const uint32_t from = place > STATEMENT_OBJECTS ? place - STATEMENT_OBJECTS : 0;

	return any_on_line(n, x, f, from, place + STATEMENT_OBJECTS);
}

bool is_first_on_line(const struct naming *n, const struct object *x, const struct frame *f)
{
	const uint32_t place = (uint32_t)(x - n->objects->objects.at);

	return !any_on_line(n, x, f, place > STATEMENT_OBJECTS ? place - STATEMENT_OBJECTS : 0,
			    place);
}

/* Appends a name to the list "u|v", unless the list contains it already. Names that do not fit are
 * left out. */
static void add_name(char *names, size_t size, const char *name)
{
	const size_t len = strlen(names), n = strlen(name);

	for (const char *s = names; *s; s += strcspn(s, "|"), s += *s == '|')
		if (strcspn(s, "|") == n && !memcmp(s, name, n))
			return;
	if (len + n + 2 <= size)
		snprintf(names + len, size - len, "%s%s", len ? "|" : "", name);
}

/* Does another object of the same line have blocks of the same size? */
static bool has_twin(const struct naming *n, const struct object *x, const struct frame *f,
		     const char *callee)
{
	const struct object *all = n->objects->objects.at;
	const uint32_t place = (uint32_t)(x - all), end = place + STATEMENT_OBJECTS;
	struct frame at;

	for (uint32_t i = place > STATEMENT_OBJECTS ? place - STATEMENT_OBJECTS : 0;
	     i < end && i < n->objects->objects.n; i++)
		if (i != place &&
		    all[i].total_bytes * x->blocks == x->total_bytes * all[i].blocks &&
		    on_line(n, f, callee, &all[i], &at))
			return true;
	return false;
}

/* The names that the statements of a macro give an object: all, and those that its size allows. */
struct macro_names {
	char all[MOST_STATEMENTS * (HOLDER_MAX + 1)], fitting[MOST_STATEMENTS * (HOLDER_MAX + 1)];
	enum type_size best; /* how the statements of `fitting` fit */
};

static void add_statement(struct macro_names *names, enum type_size size, const char *name)
{
	add_name(names->all, sizeof(names->all), name);
	if (size > names->best)
		names->fitting[0] = '\0';
	if (size < names->best || size == SIZE_DIFFERS)
		return;
	names->best = size;
	add_name(names->fitting, sizeof(names->fitting), name);
}

/* Returns which of the names is that of the object; NULL if it is unknown. */
static const char *select_name(const struct naming *n, const struct object *x,
			       const struct frame *f, const char *callee,
			       const struct macro_names *names)
{
	if (!strchr(names->all, '|'))
		return names->all;
	if (*names->fitting && !strchr(names->fitting, '|') &&
	    (names->best != SIZE_EQUAL || !has_twin(n, x, f, callee)))
		return names->fitting;
	return one_of_calls(n, x, f, callee, names->all);
}

bool one_statement(const struct naming *n, const struct object *x, const struct frame *f,
		   const char *callee, try_statement_fn *try, const void *walk,
		   struct statement *st)
{
	struct macro_names names = { .best = SIZE_DIFFERS };
	struct statement each;
	const char *one;
	struct holder h;
	unsigned count = 0;

	for (; count < MOST_STATEMENTS &&
	       expanded_statement(st, f->line.function, callee, count, &each);
	     count++) {
		if (!try(walk, f, &each, &h))
			return false;
		add_statement(&names, type_size_at(n, x, f, &each), h.text);
	}
	one = select_name(n, x, f, callee, &names);
	for (unsigned i = 0; one && i < count; i++)
		if (expanded_statement(st, f->line.function, callee, i, &each) &&
		    try(walk, f, &each, &h) && !strcmp(h.text, one)) {
			*st = each;
			return true;
		}
	return false;
}

const char *called_member(const struct naming *n, const struct object *x, const struct frame *f,
			  const struct statement *st, const char *callee)
{
	const struct word class = method_of(f->line.function).owner;
	char names[HOLDER_MAX];
	struct word only;

	if (!callee || !members_for(st->view, class, callee, names, sizeof(names), &only))
		return NULL;
	return only.s ? arena_copy(n->arena, only.s, only.len) : one_of_several(n, x, f, names);
}

const char *valued_member(const struct naming *n, const struct object *x, const struct frame *f,
			  const struct statement *st, const char *callee)
{
	const struct word class = method_of(f->line.function).owner;
	char names[HOLDER_MAX];
	const char *one = NULL;
	struct word only;

	if (members_with_values(st, class, names, sizeof(names)))
		one = one_of_several(n, x, f, names);
	/* some members may have no block, but the called constructor is that of only one */
	if (!one && callee && members_for(st->view, class, callee, names, sizeof(names), &only) &&
	    only.s)
		one = arena_copy(n->arena, only.s, only.len);
	return one;
}

const char *bound_name(const struct naming *n, const struct object *x, const char *name)
{
	const size_t len = strcspn(name, "]");
	char names[HOLDER_MAX];
	const char *one = NULL;
	struct frame f;

	if (*name != '[' || !name[len] || len >= sizeof(names))
		return name;
	snprintf(names, sizeof(names), "%.*s", (int)len - 1, name + 1);
	for (char *s = names; (s = strchr(s, ',')); s++)
		*s = '|';
	if (strchr(names, '|') && first_own(n, x->call_path, &f))
		one = one_of_several(n, x, &f, names);
	return arena_format(n->arena, "%s%s", one ? one : names, name + len + 1);
}
