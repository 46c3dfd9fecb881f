/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/fortran_walk.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "naming/accessed.h"
#include "naming/code_name.h"
#include "naming/fortran.h"
#include "naming/type.h"
#include "naming/walk.h"

/* number of samples that show something */
enum { LEAST_SAMPLES = 2 };

static struct fortran_line line_of(const struct naming *n, const struct frame *f)
{
	uint32_t dso = AT_ID(n->code->locations, f->location).dso;

	return (struct fortran_line){ n->sources, f->line.file, f->line.line,
				      sym_file_mtime(code_file(n->code, dso)) };
}

/* The procedure of frame f allocates o->name. Returns true if this variable is in an argument of
 * the procedure, so that the caller has another name for it. */
static bool passes_argument(struct fortran_walk *w, const struct fortran_line *l,
			    const struct frame *f, const struct object_origin *o)
{
	w->procedure = f->line.function;
	w->argument = o->name ? fortran_argument(l, o->name) : -1;
	return w->argument >= 0;
}

/* Is the line outside of the statement `text`, which is that of *l? */
static bool is_outside(const struct fortran_line *l, const char *text, uint32_t line)
{
	const struct fortran_line other = { l->sources, l->path, line, l->not_after };
	char others[FORTRAN_TEXT];

	return line && line != l->line && fortran_statement(&other, others) &&
	       strcmp(text, others) != 0;
}

/* Is `function` one of the functions that called that of frame f? */
static bool is_caller(const struct naming *n, const struct frame *f, const char *function)
{
	struct frames frames;
	struct frame outer;

	frames_start(&frames, n, AT_ID(n->code->call_paths, f->path).parent);
	while (frames_next(&frames, &outer))
		if (outer.line.function && !strcmp(outer.line.function, function))
			return true;
	return false;
}

/* May the statement call a procedure? The program may define operators, too. */
static bool may_call(const char *text)
{
	return strpbrk(text, "(+-*/.<>") || strstr(text, "==");
}

/* Was the access made after or before the statement `text` of frame f ran? Certain if the function
 * of f made it in another statement, or if a caller of that function did or, if the statement calls
 * nothing, any other procedure. */
static bool is_elsewhere(const struct naming *n, const struct vote *v, const struct frame *f,
			 const struct fortran_line *l, const char *text)
{
	struct sym_line lines[SYM_MAX_INLINE];
	const unsigned count = access_lines(n, v, lines);
	bool any = false;

	for (unsigned i = 0; i < count; i++) {
		if (!lines[i].function || !lines[i].file)
			continue;
		if (!strcmp(lines[i].function, f->line.function))
			return !strcmp(lines[i].file, l->path) &&
			       is_outside(l, text, lines[i].line);
		any |= is_fortran(lines[i].file) &&
		       (!may_call(text) || is_caller(n, f, lines[i].function));
	}
	return any;
}

/* Do the sampled accesses show that the blocks of object x live longer than the statement of frame
 * f, in which they are allocated? A temporary array does not. */
static bool outlives_statement(const struct naming *n, const struct object *x,
			       const struct frame *f)
{
	const struct fortran_line l = line_of(n, f);
	const uint32_t object = (uint32_t)(x - n->objects->objects.at) + 1;
	char text[FORTRAN_TEXT];
	uint32_t samples = 0;

	if (!n->votes || !f->line.function || !fortran_statement(&l, text))
		return false;
	for (uint32_t id = votes_of(n->votes, object); id && samples < LEAST_SAMPLES;
	     id = AT_ID(n->votes->votes, id).next)
		if (is_elsewhere(n, &AT_ID(n->votes->votes, id), f, &l, text))
			samples += AT_ID(n->votes->votes, id).samples;
	return samples >= LEAST_SAMPLES;
}

/* Returns a name for object x, which the statement of frame f allocates for the variable `name`.
 * The variable, or its elements, may have allocatable components, which the statement copies, too:
 * then only the first object of the statement can be the variable itself, and none if it is an
 * element of an array, as in "a(i) = b(k)". */
static const char *part_name(const struct naming *n, const struct object *x, const struct frame *f,
			     const char *name)
{
	const bool is_element = name[strlen(name) - 1] == ')';
	const struct sym_type *t = is_element ? type_named(n, f, name) : type_pointed(n, f, name);
	const bool has_components =
		t && t->kind != SYM_SCALAR &&
		(is_element || x->total_bytes % t->size || !is_first_on_line(n, x, f));

	return arena_format(n->arena, "%s%s", name, has_components ? " (components)" : "");
}

/* Does the statement of frame f only copy a derived type from another variable, as in "a(i) =
 * b%c(k)"? Debug information must know the other variable: a function looks the same. Such a
 * statement needs no temporary array. */
static bool copies_variable(const struct naming *n, const struct frame *f)
{
	const struct fortran_line l = line_of(n, f);
	char text[FORTRAN_TEXT], *sign, *value;
	const struct sym_type *t;

	if (!fortran_statement(&l, text))
		return false;
	sign = strchr(text, '=');
	if (!sign || strchr(sign + 1, '=') || strpbrk(sign + 1, "+-*/:;<>[\"'"))
		return false;
	value = sign + 1 + strspn(sign + 1, " \t");
	t = type_named(n, f, value);
	return t && t->kind != SYM_SCALAR;
}

/* The statement of frame f assigns to the variable `name`. Besides the variable, it may allocate
 * temporary arrays for its value. Sets o->name to both, if object x may be either. Returns false if
 * it is the variable's, as far as known. */
static bool is_temporary(const struct naming *n, const struct object *x, const struct frame *f,
			 enum fortran_how how, const char *name, struct object_origin *o)
{
	const bool has_others = has_others_on_line(n, x, f);

	if (!type_may_hold(n, f, name))
		return true; /* a number has no block */
	if (how == FORTRAN_ASSIGNS && !has_others)
		return false;
	if (how == FORTRAN_ASSIGNS && copies_variable(n, f)) {
		o->name = part_name(n, x, f, name);
		return strchr(o->name, ' ');
	}
	if (!outlives_statement(n, x, f)) {
		o->name = arena_format(n->arena, "%s|[temporary]", name);
		return true;
	}
	if (how == FORTRAN_ASSIGNS)
		o->name = part_name(n, x, f, name);
	return how == FORTRAN_ASSIGNS && strchr(o->name, ' ');
}

/* gfortran makes a function that copies the allocatable components of a type. Returns the type in
 * the name of this function, "Point" in "geometry::__copy_geometry_Point", where it begins with a
 * capital letter, as nothing else does. Returns NULL for other functions. */
static const char *copied_type(const char *function)
{
	const char *s = function ? strstr(function, "__copy_") : NULL;

	while (s && *s && !isupper((unsigned char)*s))
		s++;
	return s && *s ? s : NULL;
}

/* Names the object after the type whose components were copied. gfortran may report the last line
 * of the procedure for the copy, so it is unknown for which variable that was. Returns false. */
static bool take_copy(const struct fortran_walk *w, const struct naming *n, struct object_origin *o)
{
	const char *type = copied_type(w->copy);

	o->name = arena_format(n->arena, "[components of a copied %c%s]",
			       tolower((unsigned char)*type), type + 1);
	return false;
}

bool fortran_start(struct fortran_walk *w, const struct naming *n, const struct object *x,
		   const struct frame *f, struct object_origin *o)
{
	const struct fortran_line l = line_of(n, f);
	const char *one = NULL;
	char name[256];
	enum fortran_how how;

	if (copied_type(f->line.function)) {
		w->copy = f->line.function;
		return true;
	}
	if (!f->line.line ||
	    !fortran_assigned_at(l.sources, l.path, l.line, l.not_after, name, sizeof(name), &how))
		return w->copy ? take_copy(w, n, o) : frame_allocates(f);
	if (w->copy) {
		o->name = arena_format(n->arena, "%s (components)", name);
		return false;
	}
	if (how >= FORTRAN_ASSIGNS && is_temporary(n, x, f, how, name, o))
		return false;
	if (how != FORTRAN_DECLARES && f->path == x->call_path && strchr(name, '|'))
		one = one_of_several(n, x, f, name);
	o->name = one ? one : arena_copy(n->arena, name, strlen(name));
	if (!o->name)
		return false;
	type_by_holder(n, x, f, NULL, o->name, o);
	snprintf(name, sizeof(name), "%s", o->name);
	fortran_moved(&l, name, sizeof(name));
	o->name = arena_copy(n->arena, name, strlen(name));
	return passes_argument(w, &l, f, o);
}

bool fortran_caller(struct fortran_walk *w, const struct naming *n, const struct frame *f,
		    struct object_origin *o)
{
	const struct fortran_line l = line_of(n, f);
	char name[256];

	if (f->kind != FRAME_OWN || !f->line.file || !is_fortran(f->line.file))
		return false;
	snprintf(name, sizeof(name), "%s", o->name);
	if (!fortran_in_caller(&l, w->procedure, w->argument, name, sizeof(name)))
		return false;
	o->name = arena_copy(n->arena, name, strlen(name));
	return passes_argument(w, &l, f, o);
}
