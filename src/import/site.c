/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the place in the program that is responsible for what a library did: for a page fault in
 * memcpy it is the caller, not libc.
 *
 * A path has the same site every time, so the answers are cached by call path.
 */
#include "import/site.h"

#include "import/pipeline.h"
#include "naming/naming.h"

/* Skips inlined wrappers of allocators. The frames come innermost first. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (lines[i].function && !is_allocator_frame(lines[i].function))
			return i;
	return 0;
}

/* Is it a frame of a library, an allocator or the kernel, which works on behalf of the program? */
static bool is_service_frame(const struct import *im, const struct call_path *p)
{
	const struct location *l = &AT_ID(im->model.code.locations, p->location);

	return p->kind == CALL_KERNEL || is_runtime(&AT_ID(im->model.code.dsos, l->dso)) ||
	       is_allocator_frame(code_symbol_name(&im->model.code, l->symbol));
}

/* Finds the site of a path. `called` is the outermost function of a library or an allocator. If
 * there is only kernel code, it is the innermost kernel function: read() is more useful to know
 * than the kernel functions that it calls. */
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
