/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/own_frame.h"

#include <string.h>

#include "naming/calls.h"
#include "naming/code_name.h"
#include "naming/constructed.h"
#include "naming/coroutine.h"
#include "naming/expanded.h"
#include "naming/lambda.h"
#include "naming/macro.h"
#include "naming/member.h"
#include "naming/moved_on.h"
#include "naming/parted.h"
#include "naming/pooled.h"
#include "naming/returned.h"
#include "naming/rust.h"
#include "naming/stored.h"
#include "naming/swapped.h"
#include "naming/type.h"
#include "naming/walk.h"
#include "naming/walked.h"

enum { MAX_ELEMENTS = 3 }; /* maximum depth of containers in containers that a name shows */

void walk_take_place(struct walk *w, const struct frame *f)
{
	code_place(w->n, f, w->callee, w->o);
}

void walk_take_code(struct walk *w, const struct frame *f)
{
	walk_take_place(w, f);
	w->o->name = w->code = code_name(w->n, f);
}

void walk_add_elements(struct walk *w, bool any)
{
	if (any && w->elements < MAX_ELEMENTS)
		w->elements++;
}

static void take_variable(struct walk *w)
{
	w->o->name = arena_format(w->n->arena, "%s%.*s%s", w->holder.text, (int)(2 * w->elements),
				  "[][][]", w->part);
}

/* Is the object a mapping, and does the name of the frame's function say that it allocates? Then
 * the object is assumed to be an arena, which contains many objects of the program. */
static bool makes_arena(const struct walk *w, const struct frame *f)
{
	return w->x->kind == OBJECT_MAPPING && frame_allocates(f);
}

bool walk_statement(const struct walk *w, const struct frame *f, struct statement *st)
{
	uint32_t dso = AT_ID(w->n->code->locations, f->location).dso;
	int64_t not_after;

	if (!f->line.file || !f->line.line || is_fortran(f->line.file))
		return false;
	not_after = sym_file_mtime(code_file(w->n->code, dso));
	if (!statement_at(w->n->sources, f->line.file, f->line.line, f->line.column, not_after, st))
		return false;
	macro_expand(w->n->sources, f->line.file, not_after, w->held ? &w->way.callee : NULL, st);
	return true;
}

/* Is the block that of a container of C++? Then an assignment copies it. The function of the frame
 * may also call the allocator itself, std::allocator_traits<A>::allocate(). */
static bool is_container_block(const struct walk *w)
{
	const struct word name = method_of(w->callee ? w->callee : "").name;

	return w->inner && !is_same_word(name, (struct word){ "allocate", strlen("allocate") });
}

/* Finds where else the function of frame f stores the block, which is in w->holder. */
static void find_kept(struct walk *w, const struct frame *f, const struct statement *st)
{
	const bool is_copied = is_container_block(w);

	w->kept = w->holder;
	w->is_kept = pooled_at(&w->kept, st, f->line.function, &w->kept_way) ||
		     (w->way.path == HOLDER_ENDS &&
		      stored_in_chain(&w->kept, st, f->line.function, &w->kept_way)) ||
		     stored_at(&w->kept, st, f->line.function, is_copied, &w->kept_way) ||
		     (w->way.path == HOLDER_ENDS &&
		      constructed_at(&w->kept, st, f->line.function, is_copied, &w->kept_way)) ||
		     swapped_at(&w->kept, st, f->line.function, &w->kept_way);
	w->kept_way.is_parted |= w->is_kept && has_other_parts(st, &w->holder);
}

static void take_kept(struct walk *w)
{
	w->holder = w->kept;
	w->way = w->kept_way;
	w->o->has_head |= w->way.is_inside;
	w->o->mixed |= w->way.is_parted;
	walk_add_elements(w, w->way.is_element);
	if ((w->o->has_head && w->o->type_repeats) || w->way.is_parted)
		w->o->type = NULL;
	take_variable(w);
}

/* Ends the search if w->holder is a static variable, which has the same name in the callers.
 * Returns true if the callers may have another name for w->holder: the object whose member it is.
 * Until one has, the member has its class before it. */
static bool end_at_static(struct walk *w, const struct frame *f)
{
	if (w->way.path != HOLDER_MEMBER)
		return w->way.path != HOLDER_ENDS;
	if (frame_has_static(w->n, f, w->holder.text + w->holder.base, w->holder.base_len)) {
		w->way.path = HOLDER_ENDS;
		return false;
	}
	if (!w->holder.base && type_has_member(w->n, f, w->holder.text, w->holder.base_len))
		w->o->name = class_member(w->n, &w->way.callee, w->o->name);
	return true;
}

/* The function of frame f assigns the block to w->holder, which has just been set. Names the object
 * after w->holder. Returns true if a caller may have a better name. */
static bool held_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	/* a container allocated the block for one of its elements, so it has not the type to which
	 * the holder leads, the container */
	const bool of_element = w->elements > 0;

	if (w->in_container)
		walk_take_place(w, f);
	w->held = true;
	w->function = f->line.function;
	w->constructs = false;
	if (st->view->is_rust)
		rust_bare(&w->holder);
	walk_add_elements(w, is_element_of(&w->holder, st));
	if (frame_is_member(w->n, f, scoped_member(&w->holder)))
		holder_drop_scopes(&w->holder);
	take_variable(w);
	w->way = holder_way(&w->holder, st, f->line.function);
	w->o->has_head |= w->way.path == HOLDER_RETURNED && is_moved_on(&w->holder, st);
	if (rust_way(&w->holder, st, &w->way))
		take_variable(w);
	find_kept(w, f, st);
	/* a block that is also stored is not the caller's, who gets a part of it */
	if (!w->is_kept && w->way.path == HOLDER_ENDS && returns_inside(w->n, f, st, &w->holder)) {
		w->way.path = HOLDER_RETURNED;
		w->o->has_head = true;
	}
	/* in Rust, the holder is rarely a raw pointer: a reference points to the container */
	if (!of_element && !is_method_argument(st) && !st->view->is_rust)
		type_by_holder(w->n, w->x, f, st, w->holder.text, w->o);
	if (w->is_kept &&
	    (w->way.path == HOLDER_ENDS || w->kept_way.is_buffer || w->kept_way.is_pool)) {
		take_kept(w);
	} else if (w->way.path == HOLDER_ENDS &&
		   (resolve_alias(&w->holder, st, st->place) || resolve_walk(&w->holder, st))) {
		w->way = holder_way(&w->holder, st, f->line.function);
		take_variable(w);
	}
	w->in_container = w->way.path == HOLDER_MEMBER &&
			  is_container_template(st->view, w->way.callee.owner);
	return end_at_static(w, f);
}

/* The source of frame f's function does not show to what the block is assigned. Names the object
 * after the code of that frame. Returns true if the source of a caller may show it. */
static bool unheld_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	w->held = false;
	walk_take_code(w, f);
	if (makes_arena(w, f))
		return false;
	if (frame_allocates(f) || (st && statement_returns(st)))
		return true;
	w->guessed = !st || !st->function;
	return w->guessed;
}

static struct name name_at(const struct walk *w, const struct frame *f, const struct statement *st)
{
	struct name n = listed_member(st);

	if (is_unlisted(st, w->callee) || is_macro_call(st, f->line.function) ||
	    is_generated_copy(st, f->line.function))
		return no_name;
	if (!is_name(n) && w->subscripted)
		n = subscripted_in(st);
	if (!is_name(n))
		n = rust_written(&st->tokens, w->callee);
	if (!is_name(n) && w->contained)
		n = object_of_call(st, w->callee);
	if (!is_name(n))
		n = swapped_temporary(&st->tokens);
	if (!is_name(n) && (!w->silent || allocates_in(&st->tokens)))
		n = assigned_in(&st->tokens);
	return is_for_subscript(st, n) ? no_name : n;
}

/* Sets w->holder to the member that a generated copy copies, or that has its value in the
 * definition of the class, if frame f is in such a copy or constructor and the block belongs to the
 * member. */
static bool member_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	const struct method method = method_of(f->line.function);
	const char *name = NULL;

	if (is_generated_copy(st, f->line.function))
		name = called_member(w->n, w->x, f, st, w->callee);
	else if (is_constructor(&method) && (!st->function || is_unlisted(st, w->callee)))
		name = valued_member(w->n, w->x, f, st, w->callee);
	return name && holder_of_variable(&w->holder, name);
}

/* The member with which w->holder begins gets the block from its definition in the class, but the
 * debug information may say that the constructor or the class allocates it. If the place is frame
 * f, moves it to the line of the member. */
static void take_member_line(struct walk *w, const struct frame *f, const struct statement *st)
{
	const struct word class = method_of(f->line.function).owner;
	const struct word member = { w->holder.text + w->holder.base, w->holder.base_len };
	uint32_t line = 0;

	if (class.len && w->o->line.function == f->line.function && w->o->line.line == f->line.line)
		line = member_line(st->view, class, member);
	if (line)
		w->o->line.line = line;
}

/* Frame f is in a generated function, which called the one that assigned the block to w->holder.
 * Puts the member for which it did before w->holder. */
static bool generated_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	const char *name;

	if (is_base_of(st->view, method_of(f->line.function).owner, w->callee))
		return true;
	name = called_member(w->n, w->x, f, st, w->callee);
	return name &&
	       holder_set(&w->holder, name, w->way.is_element ? "[]." : ".", w->holder.text);
}

/* Handles the first frame of the program itself, or the first one after a container's frames:
 * searches its statement for the expression to which the block is assigned. Returns true if the
 * search goes on in the caller. */
static bool start_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	struct name n = st ? name_at(w, f, st) : no_name;

	if (w->guessed && !(is_name(n) && holder_from(&w->holder, &st->tokens, n) &&
			    type_fits(w->n, w->x, f, w->holder.text)))
		return false;
	w->guessed = false;
	/* a library may allocate for itself, as printf("%zu", sizeof(struct s)) does */
	if (st && (!w->silent || allocates_in(&st->tokens)))
		type_by_statement(w->n, w->x, f, st, w->o);
	if (st && (rust_member(&w->holder, st, st->at) || captured_at(&w->holder, st, w->callee) ||
		   (is_name(n) ? holder_from(&w->holder, &st->tokens, n) : member_at(w, f, st)))) {
		walk_take_place(w, f);
		if (!is_name(n))
			take_member_line(w, f, st);
		return held_at(w, f, st);
	}
	if (w->silent) {
		if (!frame_allocates(f) && !is_in_plugin(w->n, w->o->location, f))
			walk_take_code(w, f);
		return frame_allocates(f);
	}
	return unheld_at(w, f, st);
}

/* Is the previous frame a part that the compiler split off from the function of this frame? Then
 * both are one function in the source, and this frame's statement does not call it. The function's
 * declaration only looks like a call. */
static bool is_split(const struct walk *w, const struct frame *f, const struct statement *st)
{
	return w->function && f->line.function && !strcmp(w->function, f->line.function) &&
	       (is_in_head(st) || !statement_calls(st, &w->way.callee));
}

/* Handles a frame whose function called the function of the previous frame: translates w->holder,
 * the expression to which the block is assigned, to the caller's variables. Returns true if the
 * search continues in the caller of this frame's function. */
static bool go_on_at(struct walk *w, const struct frame *f, const struct statement *st)
{
	bool was_variable = w->held && holder_is_variable(&w->holder);
	bool returned = w->way.path == HOLDER_RETURNED, goes_on;

	if (!w->held)
		return start_at(w, f, st);
	if (!st)
		return false;
	if (is_split(w, f, st))
		return true;
	if (is_generated(st, f->line.function)) {
		if (!generated_at(w, f, st))
			return false;
		goes_on = held_at(w, f, st);
		take_member_line(w, f, st);
		return goes_on;
	}
	if (returned && was_variable)
		type_by_statement(w->n, w->x, f, st, w->o);
	if (returned_object(&w->holder, st, f->line.function, &w->way)) {
		w->function = f->line.function;
		return true;
	}
	if (holder_in_caller(&w->holder, &w->way, st)) {
		if (returned && was_variable)
			walk_take_place(w, f);
		return held_at(w, f, st);
	}
	if (!returned || !was_variable)
		return false;
	if (statement_drops(st, &w->way.callee)) {
		/* this caller ignores the returned block, so the function that returned it has also
		 * stored it in a variable */
		take_variable(w);
		if (!w->is_kept)
			return false;
		take_kept(w);
		return holder_in_caller(&w->holder, &w->way, st) && held_at(w, f, st);
	}
	if (!statement_returns(st))
		return unheld_at(w, f, st);
	walk_take_code(w, f);
	w->function = f->line.function;
	w->way.callee = method_of(f->line.function);
	return !makes_arena(w, f);
}

/* A try_statement_fn for struct walk. */
static bool try_statement(const void *arg, const struct frame *f, const struct statement *st,
			  struct holder *out)
{
	struct walk w = *(const struct walk *)arg;
	struct object_origin o = *w.o;

	w.o = &o;
	go_on_at(&w, f, st);
	*out = w.holder;
	return w.held;
}

/* If *st is the call of a macro that contains several statements, replaces it by the one that
 * allocates. Returns false, with *st unchanged, if it is unknown which one. */
static bool select_statement(const struct walk *w, const struct frame *f, struct statement *st)
{
	return !is_expanded(st) || one_statement(w->n, w->x, f, w->callee, try_statement, w, st);
}

bool walk_own_frame(struct walk *w, const struct frame *f)
{
	char name[2 * HOLDER_MAX];
	struct statement st;
	bool readable, inside;

	if (!w->held && f->line.file && is_fortran(f->line.file)) {
		walk_take_code(w, f);
		return fortran_start(&w->fortran, w->n, w->x, f, w->o);
	}
	if (!w->held && !w->contained && !w->inner && coroutine_frame(w->n, f, w->callee, w->o))
		return false;
	type_by_string(w->n, w->x, f, w->inner, w->o);
	readable = walk_statement(w, f, &st);
	inside = readable && st.function && !is_in_head(&st);
	/* macro_expand() has found the call of a function that holds the block */
	if (!readable || (inside && w->held) || select_statement(w, f, &st))
		return go_on_at(w, f, readable ? &st : NULL);
	if (!inside || !expanded_name(&st, f->line.function, w->callee, name, sizeof(name)))
		return go_on_at(w, f, inside ? &st : NULL);
	walk_take_place(w, f);
	w->o->name = arena_copy(w->n->arena, name, strlen(name));
	return false;
}
