/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/walk.h"

#include <string.h>

#include "base/runtime.h"
#include "naming/code_name.h"
#include "naming/member.h"
#include "naming/own_frame.h"
#include "naming/rust.h"
#include "naming/type.h"

static const struct dso *dso_of(const struct walk *w, const struct frame *f)
{
	return &AT_ID(w->n->code->dsos, AT_ID(w->n->code->locations, f->location).dso);
}

/* Is there no better name so far than that of frame f? If only the line table is known, a line of a
 * container is in the program's own function that the container was inlined into. */
static bool is_first_known(const struct walk *w, const struct frame *f)
{
	return !w->o->location || (leaves_runtime(w->n, w->o->location, f) &&
				   !is_allocator_frame(f->line.function, f->line.file));
}

static bool allocator_frame(struct walk *w, const struct frame *f)
{
	const bool is_element = constructs_element(&w->constructs, f->line.function);

	if (w->held && w->way.path == HOLDER_MEMBER &&
	    (is_constructor(&w->way.callee) || is_assignment(&w->way.callee))) {
		w->way.forwarded = true;
		w->way.is_element |= is_element;
		return true;
	}
	if (w->held && w->way.path != HOLDER_RETURNED)
		/* The library called a function that stored the block in a member or through a
		 * parameter. The callers of the library do not show in which object that is. */
		return false;
	if (!w->inner || !is_rust_string(w->inner))
		type_by_allocator(w->n, w->x, f, w->o);
	type_by_caller(w->n, w->x, f, w->callee, w->o);
	if (!w->inner && (is_rust_string(f->line.function) ||
			  !strncmp(skip_return_type(f->line.function), "std::", 5)))
		w->inner = f->line.function;
	walk_add_elements(w, is_element);
	if (!*w->part && !w->constructs && !w->elements)
		w->part = container_part(f->line.function);
	w->contained |= !is_runtime(dso_of(w, f));
	w->subscripted |= strstr(f->line.function, "::operator[]") != NULL;
	/* a container in the program's own code requested the block from a memory resource in the
	 * C++ library, so the library does not keep it */
	w->silent = frame_is_internal(f) || (w->silent && !frame_asks_resource(f));
	w->held = false;
	if (!w->owner)
		w->owner = scratch_of(f->line.function);
	if (is_first_known(w, f))
		walk_take_code(w, f);
	return true;
}

/* Handles a function that the user declared as a wrapper: discards the results of the frames inside
 * it, because they do not show the purpose of the block. */
static bool wrapper_frame(struct walk *w, const struct frame *f)
{
	w->held = w->silent = w->subscripted = false;
	w->owner = NULL;
	w->inner = NULL;
	w->part = "";
	w->elements = 0;
	w->o->has_head = w->o->merged = w->o->mixed = false;
	w->o->type = NULL;
	walk_take_code(w, f);
	return true;
}

static bool silent_frame(struct walk *w, const struct frame *f)
{
	if (w->held)
		/* a library or an unknown function called the function that assigned the block.
		 * Callers further out do not show the purpose of the block */
		return false;
	if (w->x->kind == OBJECT_MAPPING && f->line.function && !w->owner)
		return walk_own_frame(w, f);
	if (!w->o->location || leaves_runtime(w->n, w->o->location, f))
		walk_take_code(w, f);
	if (!w->owner && !w->contained && keeps_own_blocks(dso_of(w, f), f->line.function))
		w->owner = dso_of(w, f)->short_name;
	if (!w->owner && f->line.function && is_allocator_frame(w->callee, NULL))
		w->owner = scratch_of(f->line.function);
	w->silent = true;
	return true;
}

/* Handles the first frame of the program's own code that called a library which allocated for its
 * own use. Names the object after the library and this frame. */
static bool owned_frame(struct walk *w, const struct frame *f)
{
	struct statement st;

	if (!strcmp(w->owner, "qsort") && walk_statement(w, f, &st)) /* it has sizeof */
		type_by_statement(w->n, w->x, f, &st, w->o);
	walk_take_place(w, f);
	w->o->name = arena_format(w->n->arena, "[%s] %s", w->owner, code_name(w->n, f));
	return false;
}

static bool frame_at(struct walk *w, const struct frame *f)
{
	if (w->fortran.argument >= 0)
		return fortran_caller(&w->fortran, w->n, f, w->o);
	switch (f->kind) {
	case FRAME_OWN:
		return w->owner ? owned_frame(w, f) : walk_own_frame(w, f);
	case FRAME_ALLOCATOR:
		return allocator_frame(w, f);
	case FRAME_WRAPPER:
		return wrapper_frame(w, f);
	case FRAME_SILENT:
		return silent_frame(w, f);
	}
	return false;
}

void walk_path(const struct naming *n, const struct object *x, struct object_origin *o)
{
	struct walk w = { .n = n, .x = x, .o = o, .part = "", .fortran.argument = -1 };
	struct frames frames;
	struct frame f;

	frames_start(&frames, n, x->call_path);
	o->name = w.code = "[unknown allocation]";
	while (frames_next(&frames, &f)) {
		if (!w.owner && !o->location && is_python_arenas(dso_of(&w, &f), x))
			w.owner = "pymalloc arenas";
		if (!frame_at(&w, &f))
			break;
		w.callee = f.line.function;
	}
	o->is_code = o->name == w.code;
	if (w.owner && o->is_code && o->name)
		/* the call path ends before the program's own code, as in a thread of a library */
		o->name = arena_format(n->arena, "[%s]", w.owner);
	if (w.held && *w.holder.text == '[' && o->name)
		o->name = bound_name(n, x, o->name);
}
