/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/source_frames.h"

#include <string.h>

#include "base/runtime.h"
#include "naming/function.h"

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path)
{
	*f = (struct frames){ .n = n, .next_path = call_path };
}

/* Reads the frames at the offset f->offsets[f->next], inlined ones included. Returns false if the
 * offset is a jump without debug information, or to another part of the same function. */
static bool read_offset(struct frames *f)
{
	struct code *code = f->n->code;
	const struct location *l = &AT_ID(code->locations, f->location);
	const char *inside = f->nlines ? f->lines[f->nlines - 1].function : NULL, *outermost;
	const bool is_jump = f->next + 1 < f->noffsets;

	f->at = 0;
	f->nlines = f->n->no_lines ? 0
				   : sym_lines_at(code_file(code, l->dso), f->offsets[f->next],
						  f->lines, SYM_MAX_INLINE);
	if (is_jump) {
		outermost = f->nlines ? f->lines[f->nlines - 1].function : NULL;
		return outermost && !(inside && !strcmp(inside, outermost));
	}
	if (!f->nlines) {
		f->lines[0] = (struct sym_line){ .function = NULL };
		f->nlines = 1;
	}
	if (!f->lines[f->nlines - 1].function)
		f->lines[f->nlines - 1].function = code_symbol_name(code, l->symbol);
	return true;
}

/* Goes to the next location outwards on the call path, which must have a file. Returns false if
 * there is none. */
static bool next_location(struct frames *f)
{
	struct code *code = f->n->code;
	const uint32_t inner = f->location;
	const struct call_path *p;

	if (!f->next_path)
		return false;
	p = &AT_ID(code->call_paths, f->next_path);
	f->current_path = f->next_path;
	f->next_path = p->parent;
	f->location = p->location;
	if (!f->location || !AT_ID(code->locations, f->location).dso)
		return false;
	f->next = 0;
	f->noffsets = inner ? tail_calls(code, f->location, inner, f->offsets) : 0;
	f->offsets[f->noffsets++] = AT_ID(code->locations, f->location).offset;
	return true;
}

/* Reads the next frames outwards. Returns false if there are none. */
static bool read_frames(struct frames *f)
{
	bool has_frames = false;

	while (!has_frames) {
		if (f->next == f->noffsets && !next_location(f))
			return false;
		has_frames = read_offset(f);
		f->next++;
	}
	return true;
}

/* Is `name` the function that the user's list calls `wrapper`? The user may leave out namespaces,
 * and the suffix that a compiler adds to the name of a clone. */
static bool is_function(const char *name, const char *wrapper)
{
	size_t n = strcspn(name, ".@["), len = strlen(wrapper);

	while (n && name[n - 1] == ' ')
		n--;
	return n >= len && !memcmp(name + n - len, wrapper, len) &&
	       (n == len || name[n - len - 1] == ':');
}

static bool is_wrapper(const struct naming *n, const char *function)
{
	char name[256];
	bool any = false;

	if (!n->wrappers || !function)
		return false;
	short_function(function, name, sizeof(name));
	for (size_t i = 0; n->wrappers[i]; i++) {
		if (!is_function(name, n->wrappers[i]))
			continue;
		any = true;
		if (n->wrappers_met)
			n->wrappers_met[i] = true;
	}
	return any;
}

static enum frame_kind kind_of(const struct naming *n, uint32_t location,
			       const struct sym_line *line)
{
	const struct code *code = n->code;
	uint32_t dso = AT_ID(code->locations, location).dso;

	if (is_wrapper(n, line->function))
		return FRAME_WRAPPER;
	if (line->function &&
	    (is_allocator_frame(line->function, line->file) || runtime_is_header(line->file)))
		return FRAME_ALLOCATOR;
	return !line->function ||
			       is_service_frame(&AT_ID(code->dsos, dso), line->function, line->file)
		       ? FRAME_SILENT
		       : FRAME_OWN;
}

/* Is this the program's main function? Its frame is the last one that frames_next() returns,
 * because functions that call main show nothing about the block. */
static bool begins_program(const char *function)
{
	return function && (!strcmp(function, "main") || !strcmp(function, "MAIN__"));
}

bool frames_next(struct frames *f, struct frame *out)
{
	if (f->ended || (f->at == f->nlines && !read_frames(f)))
		return false;
	*out = (struct frame){ .path = f->current_path,
			       .location = f->location,
			       .offset = f->offsets[f->next - 1],
			       .inlined = f->at,
			       .line = f->lines[f->at] };
	f->at++;
	out->kind = kind_of(f->n, out->location, &out->line);
	if (code_is_thread_start(out->line.function))
		return false;
	f->ended = begins_program(out->line.function);
	return true;
}

bool frame_has_static(const struct naming *n, const struct frame *f, const char *name, size_t len)
{
	uint32_t dso = AT_ID(n->code->locations, f->location).dso;
	const struct sym_variable *v;
	size_t count;

	v = sym_variables(code_file(n->code, dso), &count);
	for (size_t i = 0; i < count; i++) {
		size_t full = strlen(v[i].name);

		if (full >= len && !memcmp(v[i].name + full - len, name, len) &&
		    (full == len || v[i].name[full - len - 1] == ':'))
			return true;
	}
	return false;
}

bool frame_allocates(const struct frame *f)
{
	return f->line.function &&
	       (strcasestr(f->line.function, "alloc") || strcasestr(f->line.function, "mmap"));
}

bool frame_is_internal(const struct frame *f)
{
	return f->line.function &&
	       (!strncmp(f->line.function, "__GI_", 5) || !strncmp(f->line.function, "__libc_", 7));
}

bool frame_asks_resource(const struct frame *f)
{
	return strstr(f->line.function, "memory_resource::allocate(") != NULL;
}
