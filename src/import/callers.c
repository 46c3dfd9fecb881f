/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack pointer does not move between the call of a function and the function's entry, except
 * for the return address. So if the frame of a function and the place of its call are known, the
 * frame of its caller is known, too: its CFA is the function's CFA plus the distance between stack
 * pointer and CFA at the call, which the unwind rules of the caller say; if it has a frame pointer,
 * its first instructions say it. No word of the stack is needed.
 *
 * The place of the call is certain in two cases: the call chain has it, and no caller is missing in
 * between; or the code of the file has only one call of the function.
 */
#include "import/callers.h"

#include <string.h>

#include "base/runtime.h"
#include "decode/decode.h"
#include "decode/perf_regs.h"
#include "import/chain.h"
#include "import/pipeline.h"
#include "import/region.h"
#include "import/skipped.h"
#include "import/userstack.h"
#include "waits/depth.h"

enum {
	MOST_CALLERS = 64,
	RETURN_ADDRESS = 8, /* bytes */
	LINKED = 16,        /* bytes from the frame pointer to the CFA */
	DWARF_BP = 6,       /* DWARF's number of the frame pointer */
};

void callers_release(struct callers *c)
{
	free(c->functions.at);
	free(c->depths.at);
	index_release(&c->depths_index);
	memset(c, 0, sizeof(*c));
}

/* Returns what is known about the function at the location; NULL if it has no symbol, or when out
 * of memory. The pointer is valid until the next call. */
static struct callers_function *function_at(struct import *im, uint32_t location)
{
	struct callers *c = &im->model.callers;
	const uint32_t symbol = AT_ID(im->model.code.locations, location).symbol;

	if (!symbol)
		return NULL;
	if (!VEC_REACH(&c->functions, symbol + 1)) {
		im->nomem = true;
		return NULL;
	}
	return &c->functions.at[symbol];
}

struct sym_cfa callers_cfa(struct import *im, uint32_t location)
{
	const struct location l = AT_ID(im->model.code.locations, location);
	struct sym_file *file = l.dso ? code_file(&im->model.code, l.dso) : NULL;
	uint64_t vaddr;

	if (!file || !sym_vaddr_at(file, l.offset, &vaddr))
		return (struct sym_cfa){ 0 };
	return sym_cfa_at(file, vaddr);
}

/* Returns the distance from the stack pointer to the CFA at an instruction of a function with a
 * frame pointer, in bytes; 0 means unknown. */
static uint64_t depth_by_code(struct import *im, uint32_t location)
{
	struct callers *c = &im->model.callers;
	const uint32_t hash = index_hash(location, 0);
	uint32_t place = hash, id;
	struct code_bytes b;
	uint64_t bytes = 0;

	while ((id = index_next(&c->depths_index, hash, &place)))
		if (AT_ID(c->depths, id).location == location)
			return AT_ID(c->depths, id).bytes;
	if (im->model.code.decoder && code_bytes(&im->model.code, location, &b) && b.from_start)
		bytes = frame_depth(im->model.code.decoder, b.code, b.len, b.at, &im->nomem);
	if (VEC_ROOM(&c->depths) && index_add(&c->depths_index, hash, c->depths.n + 1))
		c->depths.at[c->depths.n++] = (struct callers_depth){ location, bytes };
	else
		im->nomem = true;
	return bytes;
}

uint64_t callers_depth(struct import *im, uint32_t location)
{
	const struct sym_cfa cfa = callers_cfa(im, location);
	struct code_bytes b;

	if (code_bytes(&im->model.code, location, &b) && b.from_start && !b.at)
		return 0;
	if (cfa.by == SYM_CFA_SP)
		return cfa.bytes;
	return cfa.by == SYM_CFA_FP && cfa.bytes == LINKED ? depth_by_code(im, location) : 0;
}

/* Does the function call itself? */
static bool calls_itself(const struct code_bytes *b)
{
	uint64_t target;

	for (size_t end = X86_CALL_BYTES; end <= b->len; end++)
		if (x86_direct_call(b->code, end, end, &target) && !target)
			return true;
	return false;
}

/* Does a function begin with code *b, and not a part that the compiler moved out of a function? */
static bool is_entry(struct import *im, const struct location *l, const struct code_bytes *b)
{
	struct sym_file *file = code_file(&im->model.code, l->dso);
	struct sym_cfa cfa = { 0 };
	uint64_t vaddr;

	if (file && sym_vaddr_at(file, l->offset - b->at, &vaddr))
		cfa = sym_cfa_at(file, vaddr);
	return cfa.by == SYM_CFA_SP && cfa.bytes == RETURN_ADDRESS;
}

/* Finds the place from which the function at the location is called, and the depth of its caller's
 * frame there. Several calls count as one if they are in the same function and at the same
 * depth. */
static struct callers_function find_call(struct import *im, uint32_t location)
{
	static const struct callers_function unknown = { .is_looked_up = true };
	struct callers_function found = unknown;
	const struct location l = AT_ID(im->model.code.locations, location);
	struct code *c = &im->model.code;
	const struct sym_use *uses;
	struct code_bytes b, u;
	uint64_t key = 0;
	size_t n;

	if (!l.dso || !code_bytes(c, location, &b) || !b.from_start || !is_entry(im, &l, &b) ||
	    calls_itself(&b))
		return found;
	uses = sym_uses(code_file(c, l.dso), l.offset - b.at, b.len, &n);
	for (size_t i = 0; i < n; i++) {
		const uint32_t at = code_location(c, l.dso, uses[i].offset);
		uint64_t depth = at ? callers_depth(im, at) : 0;

		if (!depth || uses[i].kind == SYM_USE_ADDRESS || !code_bytes(c, at, &u) ||
		    !u.from_start || u.key == b.key || region_at(im, at))
			return unknown;
		if (uses[i].kind == SYM_USE_JUMP)
			depth -= RETURN_ADDRESS; /* the frame has ended before a tail call */
		if (i && (u.key != key || depth != found.depth))
			return unknown;
		key = u.key;
		found.depth = depth;
		found.call = at;
	}
	return found;
}

/* Returns the only place from which the function at the location is called, and sets *depth to the
 * distance between the CFAs of both functions. 0 means unknown. */
static uint32_t only_call(struct import *im, uint32_t location, uint64_t *depth)
{
	struct callers_function *f = function_at(im, location), found;

	if (!f)
		return 0;
	if (!f->is_looked_up) {
		found = find_call(im, location);
		f = function_at(im, location); /* it may have moved */
		f->is_looked_up = true;
		f->call = found.call;
		f->depth = found.depth;
	}
	*depth = f->depth;
	return f->call;
}

/* A frame whose caller is searched. */
struct step {
	uint32_t location; /* in the frame's function; of a caller: the last byte of the call */
	uint64_t cfa;
	/* the call path from the frame's caller outwards, if no caller is missing in between; 0
	 * means that the path does not show the caller */
	uint32_t path;
};

/* If the call chain has a caller at this path, returns the location of the call; otherwise 0. */
static uint32_t chained_call(struct import *im, uint32_t path)
{
	struct code *c = &im->model.code;
	const struct call_path *p = path ? &AT_ID(c->call_paths, path) : NULL;

	if (!p || p->kind != CALL_USER || !p->location || !AT_ID(c->locations, p->location).dso)
		return 0;
	return code_ends_call(c, p->location) == CALL_ENDS ? p->location : 0;
}

/* Goes from a frame to that of its caller. Returns false if the caller or its frame is unknown. A
 * chain that was walked by frame pointers has the caller of the caller only if the caller has a
 * frame pointer. */
static bool go_out(struct import *im, struct step *s)
{
	const uint32_t chained = chained_call(im, s->path);
	uint64_t depth = 0;

	if (!chained) {
		s->path = 0;
		s->location = only_call(im, s->location, &depth);
		s->cfa += depth;
		return s->location;
	}
	depth = callers_depth(im, chained);
	s->path = callers_cfa(im, chained).by == SYM_CFA_FP
			  ? AT_ID(im->model.code.call_paths, s->path).parent
			  : 0;
	s->location = chained;
	s->cfa += depth;
	return depth;
}

/* Returns the call path from the caller of the innermost user frame outwards, 0 if it is unknown.
 * `location` is the frame's instruction. */
static uint32_t path_of_caller(struct import *im, uint32_t path, uint32_t location)
{
	const struct code *c = &im->model.code;

	while (path && AT_ID(c->call_paths, path).kind == CALL_KERNEL)
		path = AT_ID(c->call_paths, path).parent;
	return path && AT_ID(c->call_paths, path).location == location
		       ? AT_ID(c->call_paths, path).parent
		       : 0;
}

uint32_t callers_path(struct import *im, const struct frame_sample *f)
{
	const uint32_t path = path_of_caller(im, f->path, f->location);
	const struct call_path *p = path ? &AT_ID(im->model.code.call_paths, path) : NULL;

	return p && (p->kind == CALL_USER || p->kind == CALL_INFERRED) && p->location ? path : 0;
}

/* Is the location in the function of libc that calls main()? Without debug symbols of libc, this
 * function has no name. */
static bool calls_main(const struct code *c, const struct location *l)
{
	const char *name = code_symbol_name(c, l->symbol);

	return runtime_is_libc(AT_ID(c->dsos, l->dso).short_name) &&
	       (!name || !*name || code_is_thread_start(name));
}

/* Does the call that ends at the location `call` directly call the function at the location
 * `called`, or is that main(), which libc calls? */
static bool is_call_of(struct import *im, uint32_t call, uint32_t called)
{
	struct code *c = &im->model.code;
	const struct location from = AT_ID(c->locations, call), to = AT_ID(c->locations, called);
	struct code_bytes b, target;
	uint64_t address;

	if (frame_is_main(im, to.symbol) && calls_main(c, &from))
		return true;
	if (from.dso != to.dso || !code_bytes(c, call, &b) ||
	    !x86_direct_call(b.code, b.at + 1, from.offset + 1, &address) ||
	    !code_bytes(c, called, &target))
		return false;
	return address == to.offset - target.at;
}

struct callers_way callers_way(struct import *im, const struct frame_sample *f)
{
	struct callers_way w = { .unwound = userstack_has(im, f->s) };
	struct leaf leaf;

	if (w.unwound || (userstack_leaf(im, f->process, f->s, &leaf) && leaf.linked))
		w.path = path_of_caller(im, f->path, f->location);
	return w;
}

uint32_t callers_chained(struct import *im, uint32_t called, struct callers_way *w)
{
	const uint32_t call = chained_call(im, w->path);

	if (call && !is_call_of(im, call, called))
		return 0;
	w->path = call && (w->unwound || callers_cfa(im, call).by == SYM_CFA_FP)
			  ? AT_ID(im->model.code.call_paths, w->path).parent
			  : 0;
	return call;
}

/* Does the function at the location keep a frame pointer? */
static bool has_frame_pointer(struct import *im, uint32_t location)
{
	const struct location l = AT_ID(im->model.code.locations, location);
	struct sym_file *file = l.dso ? code_file(&im->model.code, l.dso) : NULL;
	struct sym_frame frame;
	uint64_t vaddr;

	return file && sym_vaddr_at(file, l.offset, &vaddr) && sym_frame(file, vaddr, &frame) &&
	       !frame.bytes;
}

/* The interrupted function has not set the frame pointer, which therefore points to the frame of a
 * caller. If the call path has this caller, sets *s to its frame and returns true. The path has it
 * if it was added there (chain_skipped()), and its code shows that it was called at the return
 * address in its frame. It was not added if the interrupted function itself seems to have been
 * called there, as in a recursion. */
static bool find_linked(struct import *im, const struct frame_sample *f, uint32_t path,
			struct step *s)
{
	const struct code *c = &im->model.code;
	const struct call_path linked = path ? AT_ID(c->call_paths, path) : (struct call_path){ 0 };
	uint32_t call, skipped;
	uint64_t fp;

	if (linked.kind != CALL_USER || !linked.location)
		return false;
	call = chained_call(im, linked.parent);
	if (!call || !is_call_of(im, call, linked.location) ||
	    !has_frame_pointer(im, linked.location) ||
	    !pd_user_reg(im->in.perf, f->s, REG_X86_BP, &fp) || fp % LINKED ||
	    fp + LINKED <= s->cfa || !chain_skipped(im, f->process, f->s, &skipped) ||
	    skipped != linked.location)
		return false;
	*s = (struct step){ linked.location, fp + LINKED, linked.parent };
	return true;
}

uint64_t callers_variables(struct import *im, uint32_t location)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);
	struct sym_file *file = l->dso ? code_file(&im->model.code, l->dso) : NULL;
	const struct sym_local *v;
	uint64_t vaddr, start;
	int64_t bytes = 0;
	size_t n;

	if (!file || im->o->no_lines || !sym_vaddr_at(file, l->offset, &vaddr) ||
	    !sym_function_start(file, vaddr, &start))
		return 0;
	v = sym_locals(file, start, &n);
	for (size_t i = 0; i < n; i++) {
		if (v[i].base == SYM_LOCAL_CFA && -v[i].offset > bytes)
			bytes = -v[i].offset;
		if (v[i].base == DWARF_BP && LINKED - v[i].offset > bytes)
			bytes = LINKED - v[i].offset;
	}
	return (uint64_t)bytes;
}

static void show_callers(struct import *im, uint32_t thread, struct step s)
{
	uint64_t sp = s.cfa;

	for (int i = 0; i < MOST_CALLERS && go_out(im, &s); i++) {
		frame_add(im, thread,
			  (struct frame){
				  .sp = sp, .cfa = s.cfa, .now_sp = sp, .location = s.location });
		sp = s.cfa;
	}
}

void callers_show(struct import *im, const struct frame_sample *f)
{
	struct leaf leaf;
	struct step s;
	uint64_t sp;
	uint32_t path;

	if (userstack_is_arm(im) || !userstack_leaf(im, f->process, f->s, &leaf))
		return;
	s = (struct step){ space_location(&im->model.space, f->process, false, leaf.ip), leaf.cfa,
			   0 };
	if (!s.location)
		return;
	path = path_of_caller(im, f->path, s.location);
	if (leaf.linked)
		s.path = path;
	show_callers(im, f->thread, s);
	if (!leaf.unlinked || !find_linked(im, f, path, &s))
		return;
	sp = s.cfa - callers_variables(im, s.location);
	frame_add(im, f->thread,
		  (struct frame){ .sp = sp < leaf.cfa ? leaf.cfa : sp,
				  .cfa = s.cfa,
				  .location = s.location });
	show_callers(im, f->thread, s);
}

/* If the location is in main(), returns the CFA of main() in its thread; 0 if it is not in main(),
 * or if its frame is unknown. */
static uint64_t cfa_of_main(struct import *im, uint32_t thread, uint32_t location)
{
	const uint32_t symbol = AT_ID(im->model.code.locations, location).symbol;
	const struct thread_frames *t;

	if (!frame_is_main(im, symbol))
		return 0;
	t = frames_of(&im->model.frames, thread);
	for (uint32_t i = 0; t && i < t->n; i++)
		if (t->at[i].symbol == symbol)
			return t->at[i].cfa;
	return 0;
}

void callers_show_from_main(struct import *im, const struct frame_sample *f, uint32_t location)
{
	const uint32_t pid = space_process(&im->model.space, f->process)->pid;
	const uint32_t thread = space_thread_of(&im->model.space, pid, pid, f->s->time);
	uint32_t calls[MOST_CALLERS] = { location };
	uint64_t depths[MOST_CALLERS], cfa, depth;
	int n = 0;

	if (!thread || userstack_is_arm(im))
		return;
	while (!(cfa = cfa_of_main(im, thread, calls[n]))) {
		const uint32_t call =
			n + 1 < MOST_CALLERS ? only_call(im, calls[n], &depths[n]) : 0;

		if (!call)
			return;
		calls[++n] = call;
	}
	while (n-- > 0) {
		cfa -= depths[n];
		depth = n ? depths[n - 1] : callers_depth(im, location);
		frame_add(im, thread,
			  (struct frame){ .sp = cfa -
						(depth ? depth : callers_variables(im, location)),
					  .cfa = cfa,
					  .now_sp = depth ? cfa - depth : 0,
					  .location = calls[n] });
	}
}
