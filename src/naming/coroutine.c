/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/coroutine.h"

#include "naming/code_name.h"
#include "naming/function.h"
#include "naming/source.h"

static bool is_coroutine(const struct view *v, const struct function *f)
{
	for (int64_t i = f->body + 1, end = search_end(f, i); i < end; i++)
		if (view_is(v, i, "co_yield") || view_is(v, i, "co_await") ||
		    view_is(v, i, "co_return"))
			return true;
	return false;
}

bool coroutine_frame(const struct naming *n, const struct frame *f, const char *callee,
		     struct object_origin *o)
{
	const uint32_t dso = AT_ID(n->code->locations, f->location).dso;
	const struct function *function = NULL;
	const struct view *v = NULL;
	const struct method own = method_of(f->line.function), called = method_of(callee);
	const char *name;
	int64_t i = -1;

	/* a constructor is no coroutine, but may contain one */
	if (is_constructor(&own) || is_constructor(&called))
		return false;
	if (f->line.function && f->line.file && f->line.line && !is_fortran(f->line.file))
		v = source_view(n->sources, f->line.file, f->line.line,
				sym_file_mtime(code_file(n->code, dso)));
	if (v && !v->is_rust)
		i = view_at(v, f->line.line, f->line.column);
	if (i >= 0)
		function = view_function(v, i);
	if (!function || (i > function->body && i < function->close) || !is_coroutine(v, function))
		return false;
	code_place(n, f, callee, o);
	o->line.line = v->tokens.at[function->parameters - 1].line;
	name = known_short_name(n->known_frames, f->line.function);
	o->name = name ? arena_format(n->arena, "[frame of %s]", name) : NULL;
	return true;
}
