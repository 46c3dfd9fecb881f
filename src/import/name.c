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

/*
 * The statement of a line that contains a column (counted from 1), where several stand on it: "a =
 * malloc(n); b = malloc(n);" and "double *a = malloc(n), *b = malloc(n);". Brackets and quotes are
 * respected as far as one line shows them.
 */
static void statement_at(const char *line, uint32_t column, char *out, size_t size)
{
	const char *start = line, *p;
	int depth = 0;
	char quote = 0;

	for (p = line; *p; p++) {
		bool before = !column || p < line + column - 1;

		if (quote) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == quote)
				quote = 0;
			continue;
		}
		if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '(' || *p == '[')
			depth++;
		else if (*p == ')' || *p == ']')
			depth--;
		else if (*p == ';' || *p == '{' || *p == '}' || (*p == ',' && depth <= 0)) {
			if (column && !before && depth <= 0)
				break;
			if (before && column && (depth <= 0 || *p == ';'))
				start = p + 1;
		}
	}
	snprintf(out, size, "%.*s", (int)(p - start), start);
}

/* The name of what is allocated at a frame: the variable where its line shows one, else function
 * and line. */
static const char *frame_name(struct import *im, struct sym_sources *sources, struct arena *arena,
			      uint32_t location, const struct sym_line *frame)
{
	const struct location *l = &im->code.locations.at[location - 1];
	const char *line = NULL;
	char name[256], statement[1024];

	if (frame->file && frame->line)
		line = sym_source_line(sources, frame->file, frame->line, 0);
	if (line && frame->column) {
		statement_at(line, frame->column, statement, sizeof(statement));
		if (sym_assigned_name(statement, name, sizeof(name)))
			return arena_copy(arena, name, strlen(name));
	}
	if (line && sym_assigned_name(line, name, sizeof(name)))
		return arena_copy(arena, name, strlen(name));
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

/* Walks from the allocation outward to the first frame that is no allocator's. */
static const char *path_name(struct import *im, struct sym_sources *sources, struct arena *arena,
			     uint32_t path, uint32_t *location)
{
	uint32_t first = 0;
	struct sym_line frame;

	for (; path; path = im->code.call_paths.at[path - 1].parent) {
		uint32_t here = im->code.call_paths.at[path - 1].location;

		if (!here)
			break;
		if (!first && im->code.locations.at[here - 1].dso)
			first = here;
		if (program_frame(im, here, &frame)) {
			*location = here;
			return frame_name(im, sources, arena, here, &frame);
		}
	}
	if (!first)
		return "[unknown allocation]";
	*location = first;
	frame = (struct sym_line){
		.function = code_symbol_name(&im->code, im->code.locations.at[first - 1].symbol)
	};
	return frame_name(im, sources, arena, first, &frame);
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
