/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/fortran_walk.h"

#include <stdio.h>
#include <string.h>

#include "naming/code_name.h"
#include "naming/fortran.h"
#include "naming/type.h"
#include "naming/walk.h"

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

/* The statement of frame f assigns to the variable `name`. Besides the variable, it may allocate
 * temporary arrays for its value. Sets o->name to both, if object x may be either. Returns false if
 * it is the variable's, as far as known. */
static bool is_temporary(const struct naming *n, const struct object *x, const struct frame *f,
			 enum fortran_how how, const char *name, struct object_origin *o)
{
	if (!type_may_hold(n, f, name))
		return true; /* a number has no block */
	if (how == FORTRAN_ASSIGNS && !has_others_on_line(n, x, f))
		return false;
	o->name = arena_format(n->arena, "%s|[temporary]", name);
	return true;
}

bool fortran_start(struct fortran_walk *w, const struct naming *n, const struct object *x,
		   const struct frame *f, struct object_origin *o)
{
	const struct fortran_line l = line_of(n, f);
	const char *one = NULL;
	char name[256];
	enum fortran_how how;

	if (!f->line.line ||
	    !fortran_assigned_at(l.sources, l.path, l.line, l.not_after, name, sizeof(name), &how))
		return frame_allocates(f);
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
