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
		return symbol ? !sym_is_allocator_frame(symbol) : !site_is_runtime(im, l->dso);
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

/* Blocks of one statement are born one after the other; between them those of other threads. */
enum { STATEMENT_OBJECTS = 64 };

/* Is `other` allocated by the line of x, called from where x was? */
static bool same_statement(struct import *im, const struct object *x, const struct object *other,
			   const struct sym_line *line)
{
	const struct call_path *paths = im->code.call_paths.at;
	struct sym_line at;

	return other->call_path &&
	       paths[other->call_path - 1].parent == paths[x->call_path - 1].parent &&
	       paths[other->call_path - 1].location &&
	       program_frame(im, paths[other->call_path - 1].location, &at) && at.file &&
	       at.line == line->line && !strcmp(at.file, line->file);
}

/*
 * Where x is among the n objects of its statement, from 0, in the order of their first blocks; n
 * where there are more or fewer. Of a draw of the blocks the first ones are not known, so there the
 * order of the calls in the code has to be the same.
 */
static uint32_t place_in_statement(struct import *im, const struct object *x,
				   const struct sym_line *line, uint32_t n)
{
	const struct object *all = im->objects.objects.at;
	uint32_t i = (uint32_t)(x - all), place = n, found = 0;
	uint32_t end = i + STATEMENT_OBJECTS;
	uint64_t offset, last = 0;
	bool in_order = true;

	for (i = i > STATEMENT_OBJECTS ? i - STATEMENT_OBJECTS : 0;
	     i < end && i < im->objects.objects.n && found <= n; i++) {
		if (!same_statement(im, x, &all[i], line))
			continue;
		offset = im->code.locations
				 .at[im->code.call_paths.at[all[i].call_path - 1].location - 1]
				 .offset;
		in_order &= offset > last;
		last = offset;
		if (&all[i] == x)
			place = found;
		found++;
	}
	return found == n && (in_order || !im->sample_every) ? place : n;
}

/* Of a name of several objects, "u|v|w", which one statement allocates, that of x; all where it is
 * not known. */
static const char *one_of(struct import *im, struct arena *arena, const char *names,
			  const struct object *x, const struct sym_line *line)
{
	uint32_t n = 1, place;

	for (const char *s = names; (s = strchr(s, '|')); s++)
		n++;
	place = n > 1 ? place_in_statement(im, x, line, n) : n;
	if (place == n)
		return names;
	while (place--)
		names = strchr(names, '|') + 1;
	return arena_copy(arena, names, strcspn(names, "|"));
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

/* Takes a frame as the origin. */
static void take(struct import *im, struct arena *arena, uint32_t location,
		 const struct sym_line *frame, const char *variable, struct object_origin *o)
{
	o->name = variable ? variable : code_name(im, arena, location, frame);
	o->location = location;
	o->line = *frame;
}

/* Code that does not say what its blocks are for: of a standard library, or without a name. */
static bool says_nothing(const struct import *im, uint32_t location, const struct sym_line *frame)
{
	return !frame->function || site_is_runtime(im, im->code.locations.at[location - 1].dso);
}

/* libc's own names of what it exports under others: any of its functions, not only malloc's kin. */
static bool is_internal(const struct sym_line *frame)
{
	return frame->function &&
	       (!strncmp(frame->function, "__GI_", 5) || !strncmp(frame->function, "__libc_", 7));
}

/* The variable, where the line shows that it is given a block; else it may be a return code. */
static const char *surely_variable_name(struct import *im, struct sym_sources *sources,
					struct arena *arena, uint32_t location,
					const struct sym_line *frame)
{
	const char *line = frame->file && frame->line
				   ? sym_source_line(sources, frame->file, frame->line, 0)
				   : NULL;

	return line && sym_shows_allocation(line)
		       ? variable_name(im, sources, arena, location, frame)
		       : NULL;
}

/* A walk from an allocation outward. */
struct walk {
	struct import *im;
	struct sym_sources *sources;
	struct arena *arena;
	const struct object *x;
	struct object_origin *o;
	bool arena_like;  /* a mapping: made by a function that allocates it is for many callers */
	bool provisional; /* o, if any, is of an allocator or of one that allocates_by_name() */
	bool indirect;    /* frames that say nothing have been passed */
};

/* Called by frames that say nothing. True: the walk ends here. */
static bool name_by_caller(struct walk *w, uint32_t here, const struct sym_line *frame)
{
	if (allocates_by_name(frame))
		return false;
	take(w->im, w->arena, here, frame,
	     surely_variable_name(w->im, w->sources, w->arena, here, frame), w->o);
	return true;
}

static bool name_by_frame(struct walk *w, uint32_t path, uint32_t here,
			  const struct sym_line *frame)
{
	const char *variable = variable_name(w->im, w->sources, w->arena, here, frame);

	if (variable && path == w->x->call_path)
		variable = one_of(w->im, w->arena, variable, w->x, frame);
	if (!variable && !w->provisional)
		return true;
	take(w->im, w->arena, here, frame, variable, w->o);
	w->provisional = allocates_by_name(frame) && !w->arena_like;
	return variable || (w->arena_like && allocates_by_name(frame)) ||
	       !passes_on(w->sources, frame);
}

static bool name_by(struct walk *w, uint32_t path, uint32_t here)
{
	struct sym_line frame;
	bool program = program_frame(w->im, here, &frame);

	if (program && w->arena_like)
		return name_by_frame(w, path, here, &frame);
	if (program && !says_nothing(w->im, here, &frame))
		return w->indirect ? name_by_caller(w, here, &frame)
				   : name_by_frame(w, path, here, &frame);
	if (!w->o->location)
		take(w->im, w->arena, here, &frame, NULL, w->o);
	w->indirect |= program || is_internal(&frame);
	return false;
}

/*
 * The first frame that is no allocator's and shows a variable gives the name. Frames that pass the
 * block on to their caller are looked through; where that leads to no variable, code names it. So
 * are those that say nothing, but what a line assigns that called them may be something else.
 */
static void path_origin(struct import *im, struct sym_sources *sources, struct arena *arena,
			const struct object *x, struct object_origin *o)
{
	struct walk w = {
		.im = im,
		.sources = sources,
		.arena = arena,
		.x = x,
		.o = o,
		.arena_like = x->kind == OBJECT_MAPPING,
		.provisional = true,
	};

	for (uint32_t path = x->call_path; path; path = im->code.call_paths.at[path - 1].parent) {
		uint32_t here = im->code.call_paths.at[path - 1].location;

		if (!here || !im->code.locations.at[here - 1].dso || name_by(&w, path, here))
			return;
	}
}

static const char *stack_name(struct import *im, struct arena *arena, uint32_t thread)
{
	const struct thread *t = &im->space.threads.at[thread - 1];

	if (t->tid == space_pid(&im->space, t))
		return format(arena, "[stack of the main thread, pid %u]", t->tid);
	return format(arena, "[stack of thread %u]", t->tid);
}

bool object_origin(struct import *im, struct sym_sources *sources, struct arena *arena,
		   uint32_t object, struct object_origin *o)
{
	const struct object *x = &im->objects.objects.at[object - 1];

	*o = (struct object_origin){ .name = x->name };
	if (x->variable) {
		o->name = x->variable->name;
		o->line = (struct sym_line){ .file = x->variable->file, .line = x->variable->line };
	} else if (x->kind == OBJECT_STACK) {
		o->name = stack_name(im, arena, x->thread);
	} else if (!x->name) {
		o->name = "[unknown allocation]";
		path_origin(im, sources, arena, x, o);
	}
	return o->name != NULL;
}
