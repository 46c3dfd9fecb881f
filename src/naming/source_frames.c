/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/source_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/runtime.h"
#include "naming/function.h"

struct known_frames {
	/* a step of a path from one location to the next one outwards; `inner` is 0 in the first
	 * step. Its frames are frames.at[first] up to frames.at[end - 1] */
	struct {
		struct known_step {
			uint32_t inner, location, first, end;
		} * at;
		uint32_t n, cap;
	} steps;
	struct {
		struct frame *at; /* with path 0 */
		uint32_t n, cap;
	} frames;
	struct index index; /* of steps */
	struct strings functions;
	struct {
		const char **at; /* of each of `functions`: its short name, in short_texts */
		uint32_t n, cap;
	} shorts;
	struct arena short_texts;
};

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path)
{
	*f = (struct frames){ .n = n, .next_path = call_path };
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

static struct frame *last_frame(struct known_frames *k)
{
	return &k->frames.at[k->frames.n - 1];
}

/* Adds the frames of a location at an offset: that of the location, or that of a jump of a function
 * that left no frame. For a jump, `inside` is the outermost function inside it, and nothing is
 * added if there is no debug information, or if it leads to another part of the same function.
 * Returns false when out of memory. */
static bool add_offset(const struct naming *n, uint32_t location, uint64_t offset, bool is_jump,
		       const char *inside)
{
	const struct location *l = &AT_ID(n->code->locations, location);
	struct known_frames *k = n->known_frames;
	struct sym_line lines[SYM_MAX_INLINE] = { 0 };
	unsigned count = n->no_lines ? 0
				     : sym_lines_at(code_file(n->code, l->dso), offset, lines,
						    SYM_MAX_INLINE);
	const char *outermost = count ? lines[count - 1].function : NULL;

	if (is_jump && (!outermost || (inside && !strcmp(inside, outermost))))
		return true;
	count = count ? count : 1;
	if (!outermost)
		lines[count - 1].function = code_symbol_name(n->code, l->symbol);
	for (unsigned i = 0; i < count; i++) {
		if (!VEC_ROOM(&k->frames))
			return false;
		k->frames.at[k->frames.n++] =
			(struct frame){ .kind = kind_of(n, location, &lines[i]),
					.location = location,
					.offset = offset,
					.inlined = i,
					.line = lines[i] };
	}
	return true;
}

/* Adds the frames of a location, and those of the functions that jumped from there to that of the
 * location inside, in which `inside` is the outermost function. Returns false when out of
 * memory. */
static bool add_step(const struct naming *n, uint32_t inner, uint32_t location, const char *inside)
{
	struct known_frames *k = n->known_frames;
	struct tail_call jumps[TAIL_CALLS];
	const unsigned njumps = inner ? tail_calls(n->code, location, inner, jumps) : 0;
	const uint32_t first = k->frames.n;

	if (!VEC_ROOM(&k->steps))
		return false;
	for (unsigned i = 0; i < njumps; i++) {
		if (!add_offset(n, jumps[i].location, jumps[i].offset, true, inside))
			return false;
		if (k->frames.n > first)
			inside = last_frame(k)->line.function;
	}
	if (!add_offset(n, location, AT_ID(n->code->locations, location).offset, false, NULL))
		return false;
	k->steps.at[k->steps.n++] = (struct known_step){ inner, location, first, k->frames.n };
	return index_add(&k->index, index_hash(inner, location), k->steps.n);
}

static const struct known_step *find_step(const struct known_frames *k, uint32_t inner,
					  uint32_t location)
{
	uint32_t place = index_hash(inner, location), hash = place, id;

	while ((id = index_next(&k->index, hash, &place))) {
		const struct known_step *s = &AT_ID(k->steps, id);

		if (s->inner == inner && s->location == location)
			return s;
	}
	return NULL;
}

/* Goes to the next location outwards on the call path, which must have a file. Returns false if
 * there is none, or when out of memory. */
static bool next_location(struct frames *f)
{
	struct code *code = f->n->code;
	struct known_frames *k = f->n->known_frames;
	const uint32_t inner = f->location;
	const char *inside = inner ? k->frames.at[f->at - 1].line.function : NULL;
	const struct known_step *step;
	const struct call_path *p;

	if (!f->next_path)
		return false;
	p = &AT_ID(code->call_paths, f->next_path);
	f->current_path = f->next_path;
	f->next_path = p->parent;
	f->location = p->location;
	if (!f->location || !AT_ID(code->locations, f->location).dso)
		return false;
	step = find_step(k, inner, f->location);
	if (!step && !add_step(f->n, inner, f->location, inside)) {
		code->nomem = true;
		return false;
	}
	step = step ? step : &k->steps.at[k->steps.n - 1];
	f->at = step->first;
	f->end = step->end;
	return true;
}

/* Is this the program's main function? Its frame is the last one that frames_next() returns,
 * because functions that call main show nothing about the block. */
static bool begins_program(const char *function)
{
	return function && (!strcmp(function, "main") || !strcmp(function, "MAIN__"));
}

bool frames_next(struct frames *f, struct frame *out)
{
	if (f->ended || (f->at == f->end && !next_location(f)))
		return false;
	*out = f->n->known_frames->frames.at[f->at++];
	out->path = f->current_path;
	if (code_is_thread_start(out->line.function))
		return false;
	f->ended = begins_program(out->line.function);
	return true;
}

struct known_frames *known_frames_new(void)
{
	return calloc(1, sizeof(struct known_frames));
}

void known_frames_free(struct known_frames *k)
{
	if (!k)
		return;
	free(k->frames.at);
	free(k->steps.at);
	index_release(&k->index);
	strings_release(&k->functions);
	free(k->shorts.at);
	arena_release(&k->short_texts);
	free(k);
}

const char *known_short_name(struct known_frames *k, const char *function)
{
	const uint32_t id = strings_id(&k->functions, function);
	char name[256];

	if (!id)
		return NULL;
	if (id > k->shorts.n) {
		if (!VEC_ROOM(&k->shorts))
			return NULL;
		short_function(function, name, sizeof(name));
		k->shorts.at[k->shorts.n++] = arena_copy(&k->short_texts, name, strlen(name));
	}
	return AT_ID(k->shorts, id);
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

bool frame_is_member(const struct naming *n, const struct frame *f, const char *member)
{
	return member && method_of(f->line.function).owner.len &&
	       !frame_has_static(n, f, member, strcspn(member, "[.-(+"));
}

bool frame_allocates(const struct frame *f)
{
	return f->line.function && name_allocates(f->line.function);
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
