/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/pipeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *format(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static const char *format(struct arena *arena, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return arena_copy(arena, buf, strlen(buf));
}

/* The innermost source frame at a location that is the program's and no allocator's own. */
static bool program_frame(struct import *im, uint32_t location, struct sym_line *out)
{
	const struct location *l = &im->code.locations.at[location - 1];
	struct sym_line lines[SYM_MAX_INLINE];
	const char *symbol = code_symbol_name(&im->code, l->symbol);
	unsigned n;

	if (!l->dso)
		return false;
	n = im->o->no_lines
		    ? 0
		    : sym_lines_at(code_file(&im->code, l->dso), l->offset, lines, SYM_MAX_INLINE);
	if (!n) {
		*out = (struct sym_line){ .function = symbol };
		return symbol && !sym_is_allocator_frame(symbol);
	}
	for (unsigned i = 0; i < n; i++) {
		*out = lines[i];
		if (!out->function && i + 1 == n)
			out->function = symbol;
		if (out->function && !sym_is_allocator_frame(out->function))
			return true;
	}
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The variable that the source shows at a frame, or NULL. A source newer than the program is not
 * believed. */
static const char *variable_name(struct import *im, struct sym_sources *sources,
				 struct arena *arena, uint32_t location,
				 const struct sym_line *frame)
{
	const struct location *l = &im->code.locations.at[location - 1];
	char name[256];

	if (!frame->file || !frame->line ||
	    !sym_assigned_at(sources, frame->file, frame->line, frame->column,
			     sym_file_mtime(code_file(&im->code, l->dso)), name, sizeof(name)))
		return NULL;
	return arena_copy(arena, name, strlen(name));
}

/* Function and place, where no variable is shown. */
static const char *code_name(struct import *im, struct arena *arena, uint32_t location,
			     const struct sym_line *frame)
{
	const struct location *l = &im->code.locations.at[location - 1];

	if (frame->function && frame->file && frame->line)
		return format(arena, "%s (%s:%u)", frame->function, base_name(frame->file),
			      frame->line);
	if (frame->function && l->symbol)
		return format(arena, "%s+0x%llx", frame->function,
			      (unsigned long long)(l->offset -
						   im->code.symbols.at[l->symbol - 1].sym->start));
	return format(arena, "%s+0x%llx", im->code.dsos.at[l->dso - 1].short_name,
		      (unsigned long long)l->offset);
}

/* "grid_alloc", "arena_mmap": what such a function allocates is for its caller. */
static bool allocates_by_name(const struct sym_line *frame)
{
	return frame->function &&
	       (strcasestr(frame->function, "alloc") || strcasestr(frame->function, "mmap"));
}

/* Does this function hand its caller what it allocates, by its name or by its line ("return
 * malloc(n);")? */
static bool passes_on(struct sym_sources *sources, const struct sym_line *frame)
{
	const char *line = frame->file && frame->line
				   ? sym_source_line(sources, frame->file, frame->line, 0)
				   : NULL;

	return allocates_by_name(frame) ||
	       (line && !strncmp(line + strspn(line, " \t"), "return", 6));
}

/*
 * Walks from the allocation outward: the first frame that is no allocator's and shows a variable
 * gives the name. Frames that pass the block on to their caller are looked through; where that
 * leads to no variable, code names it.
 */
static const char *path_name(struct import *im, struct sym_sources *sources, struct arena *arena,
			     uint32_t path, uint32_t *location)
{
	const char *name, *best = NULL;
	struct sym_line frame;
	bool alloc_named = true; /* best, if any, is of a function that allocates_by_name() */

	for (; path; path = im->code.call_paths.at[path - 1].parent) {
		uint32_t here = im->code.call_paths.at[path - 1].location;

		if (!here || !im->code.locations.at[here - 1].dso)
			break;
		if (!program_frame(im, here, &frame)) {
			if (!best) {
				*location = here;
				best = code_name(im, arena, here, &frame);
			}
			continue;
		}
		name = variable_name(im, sources, arena, here, &frame);
		if (!name && !alloc_named)
			break;
		if (name || alloc_named) {
			*location = here;
			best = name ? name : code_name(im, arena, here, &frame);
			alloc_named = allocates_by_name(&frame);
		}
		if (name || !passes_on(sources, &frame))
			break;
	}
	return best ? best : "[unknown allocation]";
}

static const char *stack_name(struct import *im, struct arena *arena, uint32_t thread)
{
	const struct thread *t = &im->space.threads.at[thread - 1];

	if (t->tid == t->pid)
		return format(arena, "[stack of the main thread, pid %u]", t->pid);
	return format(arena, "[stack of thread %u]", t->tid);
}

const char *object_name(struct import *im, struct sym_sources *sources, struct arena *arena,
			uint32_t object, uint32_t *location)
{
	const struct object *x = &im->objects.objects.at[object - 1];

	*location = 0;
	if (x->variable)
		return x->variable->name;
	if (x->name)
		return x->name;
	if (x->kind == OBJECT_STACK)
		return stack_name(im, arena, x->thread);
	return path_name(im, sources, arena, x->call_path, location);
}
