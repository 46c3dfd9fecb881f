/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the tree of call paths. A node has a location (a code address) and the path of its
 * caller. */
#include "model/code.h"

#include <string.h>

#include "base/count.h"
#include "base/runtime.h"
#include "model/internal.h"

static uint32_t path_hash(uint32_t parent, uint32_t location, enum call_kind kind)
{
	return index_hash((uint64_t)parent << 32 | location, kind);
}

/* Returns the id of an existing path; 0 means that there is none yet. */
static uint32_t find_path(const struct code *c, uint32_t parent, uint32_t location,
			  enum call_kind kind)
{
	uint32_t hash = path_hash(parent, location, kind), place = hash, id;

	while ((id = index_next(&c->call_path_index, hash, &place))) {
		const struct call_path *p = &AT_ID(c->call_paths, id);

		if (p->parent == parent && p->location == location && p->kind == kind)
			break;
	}
	return id;
}

/* Appends a new path. Returns its id; 0 means out of memory. */
static uint32_t add_path(struct code *c, uint32_t parent, uint32_t location, enum call_kind kind)
{
	uint32_t id = c->call_paths.n + 1;

	if (!VEC_ROOM(&c->call_paths) ||
	    !index_add(&c->call_path_index, path_hash(parent, location, kind), id))
		return code_nomem(c);
	c->call_paths.at[c->call_paths.n++] = (struct call_path){
		.parent = parent,
		.location = location,
		.depth = parent ? AT_ID(c->call_paths, parent).depth + 1 : 0,
		.kind = kind,
	};
	return id;
}

/* Limits the memory: when there are c->full_paths paths, stores further long paths without their
 * callers (see code.h). So a deep recursion cannot fill the memory, and the called function is
 * still known. */
uint32_t code_call_path(struct code *c, uint32_t parent, uint32_t location, enum call_kind kind)
{
	uint32_t id = find_path(c, parent, location, kind);

	if (id)
		return id;
	if (c->call_paths.n < c->full_paths)
		return add_path(c, parent, location, kind);
	if (AT_ID(c->call_paths, parent).depth >= SHORT_PATH) {
		c->short_paths++;
		parent = CALL_PATH_TRUNCATED;
		id = find_path(c, parent, location, kind);
	}
	if (!id && c->call_paths.n - c->full_paths < c->full_paths / 4)
		return add_path(c, parent, location, kind);
	return id ? id : CALL_PATH_TRUNCATED;
}

/* Do both frames belong to the same function? Frames of different kinds (program, kernel, guest)
 * never do. If neither has a symbol, equal locations count as the same function. */
static bool same_function(const struct code *c, const struct call_path *a,
			  const struct call_path *b)
{
	uint32_t x, y;

	if (a->kind != b->kind || !a->location || !b->location)
		return false;
	x = AT_ID(c->locations, a->location).symbol;
	y = AT_ID(c->locations, b->location).symbol;
	return x || y ? x == y : a->location == b->location;
}

/* Is the frame in an OpenMP runtime? It calls the program's regions, and a nested region calls it
 * again, so two frames of its functions are no recursion. If the program's functions recur, too,
 * these are folded. */
static bool is_in_openmp(const struct code *c, const struct call_path *p)
{
	const uint32_t dso = p->location ? AT_ID(c->locations, p->location).dso : 0;

	return dso && runtime_is_openmp(AT_ID(c->dsos, dso).short_name);
}

/* Removes the recursion (see code_fold()) from one path, whose caller's path must have been folded
 * already. Returns the folded path; 0 means out of memory. */
static uint32_t fold_node(struct code *c, uint32_t path)
{
	const struct call_path node = AT_ID(c->call_paths, path);
	const unsigned frames = is_in_openmp(c, &node) ? 0 : FOLD_FRAMES;
	uint32_t base = node.parent ? AT_ID(c->call_paths, node.parent).folded : 0, up = base;

	for (unsigned i = 0; up && i < frames; i++) {
		const struct call_path *p = &AT_ID(c->call_paths, up);

		if (same_function(c, p, &node)) {
			base = p->parent;
			break;
		}
		up = p->parent;
	}
	up = base == node.parent ? path : code_call_path(c, base, node.location, node.kind);
	if (up)
		AT_ID(c->call_paths, up).folded = up;
	return AT_ID(c->call_paths, path).folded = up;
}

/* Folds from the root of the path to its leaf and stores each node's result. So a path that is the
 * outer part of many others is folded only once. */
uint32_t code_fold(struct code *c, uint32_t path)
{
	uint32_t at = path, folded;

	if (!path || path > c->call_paths.n)
		return path;
	c->fold.n = 0;
	while (at && !AT_ID(c->call_paths, at).folded) {
		if (!VEC_ROOM(&c->fold))
			return code_nomem(c);
		c->fold.at[c->fold.n++] = at;
		at = AT_ID(c->call_paths, at).parent;
	}
	folded = at ? AT_ID(c->call_paths, at).folded : 0;
	while (c->fold.n) {
		folded = fold_node(c, c->fold.at[--c->fold.n]);
		if (!folded)
			return 0;
	}
	return folded;
}

/* Is `symbol` a function of libc, the dynamic loader or the kernel in which threads begin? The name
 * may end with '@' and a version. */
bool code_is_thread_start(const char *symbol)
{
	static const char *const names[] = {
		"_start",         "__libc_start_main", "__libc_start_call_main",
		"clone",          "__clone",           "__clone3",
		"clone3",         "start_thread",      "_dl_start",
		"_dl_start_user", "thread_start",      "__clone_internal",
		"ret_from_fork",
	};

	for (size_t i = 0; symbol && i < COUNT_OF(names); i++)
		if (!strncmp(symbol, names[i], strcspn(symbol, "@")) &&
		    !names[i][strcspn(symbol, "@")])
			return true;
	return false;
}

/* Does a signal handler return to the byte after the location? */
static bool is_sigreturn(struct code *c, const struct location *call)
{
	uint32_t next = code_location(c, call->dso, call->offset + 1);
	struct code_bytes b;

	return next && code_bytes(c, next, &b) &&
	       decoder_is_sigreturn(c->decoder, b.code + b.at, b.len - b.at);
}

/* The result is stored with the location, because most chains of a long recording consist of the
 * same frames. */
enum ends_call code_ends_call(struct code *c, uint32_t location)
{
	struct location l = AT_ID(c->locations, location);
	struct code_bytes b;

	if (l.ends_call)
		return l.ends_call;
	if (!c->decoder || !code_bytes(c, location, &b) || !b.from_start)
		l.ends_call = CALL_UNKNOWN;
	else if (decoder_ends_in_call(c->decoder, b.code, b.at + 1))
		l.ends_call = CALL_ENDS;
	else
		l.ends_call = is_sigreturn(c, &l) ? CALL_RETURNED : CALL_NONE;
	return AT_ID(c->locations, location).ends_call = l.ends_call;
}
