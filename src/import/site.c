/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the call in the program's own code that is responsible for what a library did. For a page
 * fault inside memcpy, that is the call of memcpy.
 *
 * A path has always the same site, so the answers are cached by call path.
 */
#include "import/site.h"

#include "import/pipeline.h"
#include "naming/naming.h"

/* Skips inlined wrappers of allocators, such as operator new. Frames come innermost first. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (lines[i].function && !is_allocator_frame(lines[i].function))
			return i;
	return 0;
}

/* Does the frame belong to a library, an allocator or the kernel, which works for the program? */
static bool is_service_frame(const struct import *im, const struct call_path *p)
{
	const struct location *l = &AT_ID(im->model.code.locations, p->location);

	return p->kind == CALL_KERNEL || is_runtime(&AT_ID(im->model.code.dsos, l->dso)) ||
	       is_allocator_frame(code_symbol_name(&im->model.code, l->symbol));
}

/* Finds the site of a path. Among the frames that work for the program, `called` is the
 * outermost function of a library or an allocator: read() says more than the functions that it
 * calls. If all of them are kernel functions, it is the innermost one. */
static struct site find_site(const struct import *im, uint32_t path)
{
	const struct call_path *p = &AT_ID(im->model.code.call_paths, path);
	struct site site = { 0 };

	for (bool serving = false; p->location; p = &AT_ID(im->model.code.call_paths, p->parent)) {
		const struct location *l = &AT_ID(im->model.code.locations, p->location);

		if (!l->dso)
			break;
		if (!is_service_frame(im, p)) {
			site.caller = serving ? p->location : 0;
			return site;
		}
		serving = true;
		if (l->symbol && (p->kind != CALL_KERNEL || !site.called))
			site.called = l->symbol;
	}
	return (struct site){ 0 };
}

struct site site_of_path(struct import *im, uint32_t path)
{
	while (im->model.sites.n < path) {
		if (!VEC_ROOM(&im->model.sites)) {
			im->nomem = true;
			return (struct site){ 0 };
		}
		im->model.sites.at[im->model.sites.n++] = (struct site_memo){ 0 };
	}
	if (!AT_ID(im->model.sites, path).known)
		AT_ID(im->model.sites, path) = (struct site_memo){ find_site(im, path), true };
	return AT_ID(im->model.sites, path).site;
}
