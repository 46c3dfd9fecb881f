/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/code_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/omp_region.h"
#include "base/runtime.h"

const char *arena_format(struct arena *arena, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return arena_copy(arena, buf, strlen(buf));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *code_name(const struct naming *n, const struct frame *f)
{
	const struct code *code = n->code;
	const struct location *l = &AT_ID(code->locations, f->location);
	const char *function =
		f->line.function ? known_short_name(n->known_frames, f->line.function) : "";

	if (!function)
		return NULL;
	if (*function && f->line.file && f->line.line) {
		/* a parallel region: the function around it says as much, because a line follows */
		const size_t owner = region_owner_length(function);

		return arena_format(n->arena, "%.*s (%s:%u)",
				    (int)(owner ? owner : strlen(function)), function,
				    base_name(f->line.file), f->line.line);
	}
	if (*function && l->symbol)
		return arena_format(n->arena, "%s+0x%llx", function,
				    (unsigned long long)(l->offset - AT_ID(code->symbols, l->symbol)
									     .sym->start));
	return arena_format(n->arena, "%s+0x%llx", AT_ID(code->dsos, l->dso).short_name,
			    (unsigned long long)l->offset);
}

void code_place(const struct naming *n, const struct frame *f, const char *callee,
		struct object_origin *o)
{
	o->location = f->location;
	o->line = f->line;
	o->wrapper = callee ? known_short_name(n->known_frames, callee) : NULL;
}

bool is_in_plugin(const struct naming *n, uint32_t location, const struct frame *f)
{
	const struct code *code = n->code;
	const uint32_t at = location ? AT_ID(code->locations, location).dso : 0;

	return at && at != AT_ID(code->locations, f->location).dso && !f->line.file &&
	       !is_runtime(&AT_ID(code->dsos, at));
}

bool leaves_runtime(const struct naming *n, uint32_t location, const struct frame *f)
{
	const struct code *code = n->code;
	const struct dso *inside = &AT_ID(code->dsos, AT_ID(code->locations, location).dso);

	return is_runtime(inside) && !runtime_is_libc(inside->short_name) &&
	       !is_runtime(&AT_ID(code->dsos, AT_ID(code->locations, f->location).dso));
}
