/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the site of a call path: the program's own call into a library or the kernel. The site
 * depends only on the path and on whether the path was unwound, so the cache is indexed by both. */
#include "import/site.h"

#include "base/runtime.h"
#include "import/pipeline.h"
#include "naming/function.h"
#include "naming/naming.h"

/* Skips inlined functions of libraries and allocators, such as operator new, and functions from the
 * headers of libraries, because the caller wants the program's own function around them. Frames
 * come innermost first. */
unsigned site_own_frame(const struct dso *d, const struct sym_line *lines, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (lines[i].function && !is_service_frame(d, lines[i].function, lines[i].file) &&
		    !runtime_is_header(lines[i].file))
			return i;
	return 0;
}

/* Does the code at this location only serve the program, as libraries and allocators do
 * (is_service_frame())? The location must be in a known file. */
static bool find_service(struct import *im, uint32_t location)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);

	return is_service_frame(&AT_ID(im->model.code.dsos, l->dso),
				code_symbol_name(&im->model.code, l->symbol), NULL);
}

static bool is_service_code(struct import *im, uint32_t location)
{
	return answer_for(im, &im->model.is_service, location, find_service);
}

/* Is the program's own function at this location only a way to allocate or to write for its caller?
 * So are a function that calls the allocator and has "alloc" in its name, and operators of C++.
 * `called` is the symbol that was called there; 0 means none. */
static bool passes_on(const struct code *c, const struct location *l, uint32_t called)
{
	const char *name = code_symbol_name(c, l->symbol);
	const char *inner = called ? code_symbol_name(c, called) : NULL;

	return name && (is_operator(name) ||
			(inner && is_allocator_frame(inner, NULL) && name_allocates(name)));
}

/*
 * Finds the site of a path: walks outwards through the frames of libraries, allocators and the
 * kernel to the first frame of the program's own code, which becomes site.caller. Own functions for
 * which passes_on() is true are skipped, too, if there is another one further out. site.called
 * becomes the outermost known function of a library or an allocator among the frames passed,
 * because read() is more useful to the user than the functions that read() calls. If all these
 * frames are kernel functions, site.called becomes the innermost one. If the path was not unwound,
 * only its innermost user function is certain, because frame pointers may skip that function's
 * caller.
 */
static struct site find_site(struct import *im, uint32_t path, bool unwound)
{
	const struct code *c = &im->model.code;
	const struct call_path *p = &AT_ID(c->call_paths, path);
	struct site site = { 0 }, skipped = { 0 };
	bool serving = false, user = false, own = false, skips = false;

	for (; p->location && (unwound || !user); p = &AT_ID(c->call_paths, p->parent)) {
		const struct location *l = &AT_ID(c->locations, p->location);

		if (!l->dso)
			break;
		user = p->kind != CALL_KERNEL;
		own = user && !is_service_code(im, p->location);
		if (own) {
			site.caller = serving && unwound ? p->location : 0;
			if (!unwound || !passes_on(c, l, site.called))
				return unwound ? site : (struct site){ 0 };
			skipped = skips ? skipped : site;
			skips = true;
		}
		serving = true;
		if (l->symbol && ((user && !own) || !site.called))
			site.called = l->symbol;
	}
	if (skips)
		return skipped;
	/* no frame is the program's own. Then a complete path (which ends at its root) has no site,
	 * because libc and the loader also work for themselves, for example when a program
	 * starts */
	return user && (!unwound || p->kind != CALL_ROOT) ? site : (struct site){ 0 };
}

struct site site_of_path(struct import *im, uint32_t path, bool unwound)
{
	struct site_memo *m;

	while (im->model.sites.n < path) {
		if (!VEC_ROOM(&im->model.sites)) {
			im->nomem = true;
			return (struct site){ 0 };
		}
		im->model.sites.at[im->model.sites.n++] = (struct site_memo){ 0 };
	}
	m = &AT_ID(im->model.sites, path);
	if (!m->known[unwound])
		m->site[unwound] = find_site(im, path, unwound);
	m->known[unwound] = true;
	return m->site[unwound];
}

struct site site_of_location(struct import *im, uint32_t location)
{
	const struct location *l = location ? &AT_ID(im->model.code.locations, location) : NULL;
	const bool serves = l && l->dso && is_service_code(im, location);

	return (struct site){ .called = serves ? l->symbol : 0 };
}
