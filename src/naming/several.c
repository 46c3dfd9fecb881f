/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If one Fortran statement allocates several objects, finds out which name belongs to which
 * object. */
#include <string.h>

#include "naming/frames.h"
#include "naming/walk.h"

/* Maximum number of objects before and after an object that are examined to find others of the same
 * statement. They are near, because a statement allocates its objects one after the other; only
 * other threads may allocate objects in between. */
enum { STATEMENT_OBJECTS = 64 };

/* Gets the innermost frame of the program itself at the first location of the path. Returns false
 * if that location has no such frame. */
static bool first_own(const struct naming *n, uint32_t path, struct frame *out)
{
	struct frames f;

	frames_start(&f, n, path);
	while (frames_next(&f, out) && out->path == path)
		if (out->kind == FRAME_OWN)
			return true;
	return false;
}

/* Is the object `other` allocated on the same line as x, and by the same caller? */
static bool same_statement(const struct naming *n, const struct object *x,
			   const struct object *other, const struct sym_line *line)
{
	struct frame at;

	return other->call_path &&
	       AT_ID(n->code->call_paths, other->call_path).parent ==
		       AT_ID(n->code->call_paths, x->call_path).parent &&
	       first_own(n, other->call_path, &at) && at.line.file && at.line.line == line->line &&
	       !strcmp(at.line.file, line->file);
}

/* Returns the index of object x among the objects of its statement, in the order of their first
 * blocks. Returns `count` if the index is unknown: if the statement does not have `count` objects,
 * or if the order is uncertain. If the tracker recorded only some blocks, an object's first
 * recorded block may not be its first one. Then the order is certain only if the calls in the code
 * have the same order. */
static uint32_t place_in_statement(const struct naming *n, const struct object *x,
				   const struct sym_line *line, uint32_t count)
{
	const struct object *all = n->objects->objects.at;
	const struct call_path *path;
	uint32_t i = (uint32_t)(x - all), place = count, found = 0;
	uint32_t end = i + STATEMENT_OBJECTS;
	uint64_t offset, last = 0;
	bool in_order = true;

	for (i = i > STATEMENT_OBJECTS ? i - STATEMENT_OBJECTS : 0;
	     i < end && i < n->objects->objects.n && found <= count; i++) {
		if (!same_statement(n, x, &all[i], line))
			continue;
		path = &AT_ID(n->code->call_paths, all[i].call_path);
		offset = AT_ID(n->code->locations, path->location).offset;
		in_order &= offset > last;
		last = offset;
		if (&all[i] == x)
			place = found;
		found++;
	}
	return found == count && (in_order || !n->drawn) ? place : count;
}

const char *one_of_several(const struct naming *n, const struct object *x,
			   const struct sym_line *line, const char *names)
{
	uint32_t count = 1, place;

	for (const char *s = names; (s = strchr(s, '|')); s++)
		count++;
	place = count > 1 ? place_in_statement(n, x, line, count) : count;
	if (place == count)
		return names;
	while (place--)
		names = strchr(names, '|') + 1;
	return arena_copy(n->arena, names, strcspn(names, "|"));
}
