/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the name of an object of any kind. */
#include <stdio.h>

#include "base/prefix.h"
#include "naming/accessed.h"
#include "naming/code_name.h"
#include "naming/function.h"
#include "naming/frame_layout.h"
#include "naming/type.h"
#include "naming/walk.h"

static const char *stack_name(const struct naming *n, uint32_t thread)
{
	const struct space *space = n->objects->space;
	const struct thread *t = &AT_ID(space->threads, thread);
	char buf[64];

	if (t->tid == space_pid(space, t))
		snprintf(buf, sizeof(buf), "[stack of the main thread, pid %u]", t->tid);
	else
		snprintf(buf, sizeof(buf), "[stack of thread %u]", t->tid);
	return arena_copy(n->arena, buf, strlen(buf));
}

static const char *frame_name(const struct naming *n, uint32_t symbol)
{
	char function[256], buf[300];

	short_function(code_symbol_name(n->code, symbol), function, sizeof(function));
	snprintf(buf, sizeof(buf), "[frame of %s]", function);
	return arena_copy(n->arena, buf, strlen(buf));
}

/* Returns the name of a pointer variable's target: "*p" for the variable "p". NULL means out of
 * memory. */
static const char *target_name(const struct naming *n, const char *pointer)
{
	const size_t len = strlen(pointer);
	char *s = arena_alloc(n->arena, len + 2);

	if (s) {
		s[0] = '*';
		memcpy(s + 1, pointer, len + 1);
	}
	return s;
}

/* All data of a section that belong to no variable are one object. Returns its name. With section
 * NULL, these data are in the file's thread-local block. Returns NULL when out of memory. */
static const char *part_name(const struct naming *n, const struct sym_section *section,
			     uint32_t dso)
{
	const char *part = section ? section->name : "thread-local variables";
	const char *file = AT_ID(n->code->dsos, dso).short_name;
	const size_t size = strlen(part) + strlen(file) + sizeof("[ of ]");
	char *s = arena_alloc(n->arena, size);

	if (s)
		snprintf(s, size, "[%s of %s]", part, file);
	return s;
}

/* Returns the name of a mapping of a file: the variable and the file, as in "table (data.bin)".
 * With variable NULL, it is the file alone: the code that maps it does not show what it is for.
 * Memory with a name counts as a file: "memfd:buffer", "SYSV0000002a". NULL means out of memory. */
static const char *mapping_name(const struct naming *n, uint32_t dso, const char *variable)
{
	static const char gone[] = " (deleted)"; /* the kernel's suffix */
	const char *path = AT_ID(n->code->dsos, dso).path;
	const char *slash = begins_with(path, "/memfd:") ? path : strrchr(path, '/');
	size_t len = strlen(slash + 1);

	if (len > strlen(gone) && !strcmp(slash + 1 + len - strlen(gone), gone))
		len -= strlen(gone);
	return variable ? arena_format(n->arena, "%s (%.*s)", variable, (int)len, slash + 1)
			: arena_copy(n->arena, slash + 1, len);
}

bool object_origin(const struct naming *n, uint32_t object, struct object_origin *o)
{
	const struct object *x = &AT_ID(n->objects->objects, object);

	*o = (struct object_origin){ .name = x->name };
	if (x->variable) {
		o->name = x->variable->name;
		o->line = (struct sym_line){ .file = x->variable->file, .line = x->variable->line };
		type_by_declaration(n, x, o);
	} else if (x->kind == OBJECT_STATIC && !x->name) {
		o->name = part_name(n, x->section, x->dso);
	} else if (x->local) {
		o->name = x->target && !x->local->array ? target_name(n, x->local->name)
							: x->local->name;
		o->line = (struct sym_line){ .file = x->local->file, .line = x->local->line };
		type_by_declaration(n, x, o);
	} else if (x->kind == OBJECT_STACK && x->symbol) {
		o->name = frame_name(n, x->symbol);
		if (o->name)
			type_of_frame(n, x, o);
	} else if (x->kind == OBJECT_STACK) {
		o->name = stack_name(n, x->thread);
	} else if (!x->name) {
		walk_path(n, x, o);
		if (o->name && x->dso)
			o->name = mapping_name(n, x->dso, o->is_code ? NULL : o->name);
		type_by_accesses(n, object, o);
	} else if (x->kind == OBJECT_MAPPING && dso_is_named(&AT_ID(n->code->dsos, x->dso))) {
		o->name = mapping_name(n, x->dso, NULL);
	}
	return o->name != NULL;
}
