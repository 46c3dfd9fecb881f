/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the frame that contains an address on a thread's stack, and the local variable there.
 *
 * A sample shows the frames of one moment: the frame of its own function and, through the call
 * path, the frames of the callers. The address of a frame is exact only if it comes from unwind
 * rules or a frame pointer. model/seen_frames.h keeps the frames of each thread. An address is
 * attributed to a frame only if the frame is certainly still open: the sample itself shows it, it
 * is main's, or a parallel region of its function runs.
 *
 * What must stay true: a wrong variable is worse than none. If the address may belong to two
 * variables, or if the function may have returned since, the address is attributed to the stack of
 * its thread.
 */
#include "import/frame.h"

#include <string.h>

#include "import/beside.h"
#include "import/pipeline.h"
#include "import/pointee.h"
#include "import/userstack.h"

enum {
	/* bytes below the stack pointer that belong to the innermost frame (x86-64 ABI) */
	RED_ZONE = 128,
	/* bytes; the compiler may reuse the stack slot of a variable up to this size for other
	 * values */
	SPILL_BYTES = 16,
	/* maximum number of frames of a call path that are searched; limits the cost of a deep
	 * recursion */
	DEEP = 256,
};

/* Register numbers of DWARF, which differ from perf's. */
enum { DWARF_X86_BP = 6, DWARF_X86_SP = 7, DWARF_ARM64_FP = 29, DWARF_ARM64_SP = 31 };

/* Is this DWARF register the stack pointer? The address of a variable is relative to the stack
 * pointer, the frame pointer or the CFA. */
static bool is_stack_pointer(uint8_t reg, bool arm)
{
	return reg == (arm ? DWARF_ARM64_SP : DWARF_X86_SP);
}

static bool is_frame_pointer(uint8_t reg, bool arm)
{
	return reg == (arm ? DWARF_ARM64_FP : DWARF_X86_BP);
}

bool frame_is_main(const struct import *im, uint32_t symbol)
{
	const char *name = code_symbol_name(&im->model.code, symbol);

	return name && (!strcmp(name, "main") || !strcmp(name, "MAIN__"));
}

void frame_add(struct import *im, uint32_t thread, struct frame x)
{
	struct thread_frames *t = frames_of(&im->model.frames, thread);

	x.symbol = x.location ? AT_ID(im->model.code.locations, x.location).symbol : 0;
	if (x.sp >= x.cfa || x.cfa - x.sp > INT32_MAX || !x.symbol)
		return;
	if (!t || !frames_show(t, &x))
		im->nomem = true;
}

/* Adds the frame [sp, cfa) of the function at ip to the frames of the sample's thread. cfa is the
 * frame's end (DWARF's canonical frame address). */
static void add_shown_frame(struct import *im, const struct frame_sample *f, uint64_t ip,
			    uint64_t sp, uint64_t cfa)
{
	const uint32_t location = space_location(&im->model.space, f->process, false, ip);

	frame_add(im, f->thread,
		  (struct frame){ .sp = sp, .cfa = cfa, .now_sp = sp, .location = location });
}

/* Adds the frames that the sample itself shows: the frame of the interrupted function and, if a
 * copy of the stack was unwound, the frames of its callers. */
static void show_own(struct import *im, const struct frame_sample *f,
		     const struct sample_path *path, struct thread_frames *t)
{
	struct leaf leaf;
	uint32_t n = 0;

	frames_begin(t, space_process(&im->model.space, f->process)->image, f->sp);
	region_show(im, f);
	if (path->nframes) {
		while (n < path->nframes && path->cfas[n])
			n++;
		for (uint32_t i = n; i-- > 0;)
			add_shown_frame(im, f, path->ips[i] - (i > 0),
					i ? path->cfas[i - 1] : f->sp, path->cfas[i]);
	} else if (userstack_leaf(im, f->process, f->s, &leaf)) {
		add_shown_frame(im, f, leaf.ip, f->sp, leaf.cfa);
	}
}

/* A walk along the parallel regions of a call path. */
struct region_walk {
	uint32_t path; /* the rest of the path */
	int left;      /* number of frames that may still be searched */
};

/* Returns the location of the next parallel region of the call path, from the innermost one
 * outwards; 0 means that there are no more. Hardly any frame of a path is in a region. */
static uint32_t next_region(struct import *im, struct region_walk *w)
{
	while (w->path && w->left-- > 0) {
		const struct call_path *p = &AT_ID(im->model.code.call_paths, w->path);
		const uint32_t location = p->location;
		const bool is_user = p->kind == CALL_USER || p->kind == CALL_INFERRED;

		w->path = p->parent;
		if (location && is_user && region_at(im, location))
			return location;
	}
	return 0;
}

/* Returns the frame of the function around the region at this location, on the stack of one thread.
 * If the function has several frames, because it calls itself, or because an earlier call has
 * returned, this is the one that was shown last. NULL means that the stack has none. */
static struct frame *frame_around(struct import *im, struct thread_frames *t, uint32_t region)
{
	struct frame *found = NULL;

	for (uint32_t i = 0; i < t->n; i++)
		if ((!found || t->at[i].shown >= found->shown) &&
		    region_is_of(im, region, t->at[i].symbol))
			found = &t->at[i];
	return found;
}

/* Marks those frames of earlier samples that are certainly still open: main's, and the frames of
 * functions whose parallel region runs. The call path alone does not prove that a frame is open,
 * because the function may have returned and been called again. An adjacent open frame does not
 * prove it either, because functions called in turn often have frames of equal size. */
static void confirm_running(struct import *im, const struct frame_sample *f,
			    struct thread_frames *t)
{
	struct region_walk w = { f->path, DEEP };
	struct frame *around;
	uint32_t region;

	for (uint32_t i = 0; i < t->n; i++)
		if (frame_is_main(im, t->at[i].symbol))
			t->at[i].seen = t->now;
	while (t->n && (region = next_region(im, &w)))
		if ((around = frame_around(im, t, region)))
			around->seen = t->now;
}

/* Finds the frame of main(), from which other frames are found (callers_show_from_main()). Few
 * samples show it: main() itself seldom runs. */
static void learn_main(struct import *im, const struct frame_sample *f)
{
	const struct thread_frames *t = frames_of(&im->model.frames, f->thread);
	const struct thread *thread = &AT_ID(im->model.space.threads, f->thread);

	if (thread->tid != space_pid(&im->model.space, thread))
		return;
	for (uint32_t i = 0; i < t->n; i++)
		if (frame_is_main(im, t->at[i].symbol))
			return;
	callers_show(im, f);
}

/* Must be called for every sample and page fault of a thread, in the order of time: each of them
 * shows which earlier frames have ended. */
void frame_see(struct import *im, const struct frame_sample *f, const struct sample_path *path)
{
	struct thread_frames *t = frames_of(&im->model.frames, f->thread);

	if (!t) {
		im->nomem = true;
		return;
	}
	show_own(im, f, path, t);
	learn_main(im, f);
	confirm_running(im, f, frames_of(&im->model.frames, f->thread));
}

/* Returns the address in frame *x to which the offset of variable *v is added; 0 means unknown. */
static uint64_t base_of(const struct frame *x, const struct sym_local *v, bool arm)
{
	if (v->base == SYM_LOCAL_CFA)
		return x->cfa;
	if (is_stack_pointer(v->base, arm))
		return x->now_sp;
	return is_frame_pointer(v->base, arm) && !arm ? x->cfa - 16 : 0;
}

/* Result of the search for the variable at an address of a frame. */
struct found {
	/* the variable's first record in the debug information; NULL means none */
	const struct sym_local *v;
	uint64_t start;
	bool several; /* whether the address may belong to several variables */
};

/* Returns the first record of the variable that v[i] describes. Debug information may have several
 * records of one variable, one for each block; the first record represents all of them. */
static const struct sym_local *first_of(const struct sym_local *v, size_t i)
{
	while (i && v[i - 1].variable == v[i].variable)
		i--;
	return &v[i];
}

/* Searches the function's variables v[0..n) for the one in frame *x that contains the address. With
 * in_code, only variables in scope at the instruction vaddr are searched. Without it, the variables
 * of all blocks are searched, because the compiler moves code out of its block. But then variables
 * of up to SPILL_BYTES are skipped, because the compiler reuses their stack slots. */
static struct found find_local(const struct sym_local *v, size_t n, const struct frame *x, bool arm,
			       uint64_t address, uint64_t vaddr, bool in_code)
{
	struct found f = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint64_t base = base_of(x, &v[i], arm), start = base + (uint64_t)v[i].offset;

		if (!base || address - start >= v[i].size ||
		    (in_code ? vaddr < v[i].lo || vaddr >= v[i].hi : v[i].size <= SPILL_BYTES))
			continue;
		f.several |= f.v && first_of(v, i) != f.v;
		f.v = first_of(v, i);
		f.start = start;
	}
	return f;
}

/* The variables of the function of a frame. */
struct locals {
	struct sym_file *file;
	const struct sym_local *v; /* NULL means unknown */
	size_t n;
	uint64_t vaddr; /* of the frame's instruction */
};

static struct locals locals_of(struct import *im, const struct frame *x)
{
	const struct location *l = &AT_ID(im->model.code.locations, x->location);
	struct locals at = { .file = l->dso ? code_file(&im->model.code, l->dso) : NULL };
	uint64_t start;

	if (at.file && !im->o->no_lines && sym_vaddr_at(at.file, l->offset, &at.vaddr) &&
	    sym_function_start(at.file, at.vaddr, &start))
		at.v = sym_locals(at.file, start, &at.n);
	return at;
}

/* Searches the variables in scope at the frame's instruction first, then those of the entire
 * function: in optimised code, a variable may have its value in its slot before its block begins
 * and after it ends. */
static struct found find_variable(struct import *im, const struct frame *x, uint64_t address)
{
	const struct locals at = locals_of(im, x);
	const bool arm = userstack_is_arm(im);
	struct found f = { 0 };

	if (!at.v)
		return f;
	f = find_local(at.v, at.n, x, arm, address, at.vaddr, true);
	if (!f.v)
		f = find_local(at.v, at.n, x, arm, address, at.vaddr, false);
	return f;
}

/* May the address be meant as an element of an array that is next to it or behind it? */
static bool is_beside_array(struct import *im, const struct frame *x, uint64_t address)
{
	const struct locals at = locals_of(im, x);

	for (size_t i = 0; at.v && i < at.n; i++) {
		const struct sym_local *v = &at.v[i];
		const uint64_t base = base_of(x, v, userstack_is_arm(im));
		const uint64_t distance = address - (base + (uint64_t)v->offset);

		if (base && distance >= v->size &&
		    ((at.vaddr >= v->lo && at.vaddr < v->hi) || v->size > SPILL_BYTES) &&
		    (beside_array(at.file, v, (int64_t)distance) ||
		     before_array(at.file, v, -distance)))
			return true;
	}
	return false;
}

static bool is_truncated(const struct code *c, uint32_t path)
{
	while (path > CALL_PATH_TRUNCATED)
		path = AT_ID(c->call_paths, path).parent;
	return path != CALL_PATH_ROOT;
}

/* Is *x, a frame on the stack of another thread, open while this thread runs the call path of the
 * sample? If the path contains a parallel region, the frame of the function around the region is
 * open. Frames farther out are open, too, if the other thread's last sample showed them together
 * with that frame. But other frames of that sample may have ended since. Without a region, a
 * complete call path shows that this thread works for the function that it began with, which the
 * other thread usually waits for. */
static bool is_open_for(struct import *im, const struct frame_sample *f, struct thread_frames *t,
			const struct frame *x)
{
	struct region_walk w = { f->path, DEEP };
	bool in_region = false;
	uint32_t region;

	if (frame_is_main(im, x->symbol))
		return true;
	while ((region = next_region(im, &w))) {
		const struct frame *around = frame_around(im, t, region);

		in_region = true;
		if (around == x ||
		    (around && around->cfa < x->cfa && around->seen == t->now && x->seen == t->now))
			return true;
	}
	return !in_region && x->seen == t->now && !is_truncated(&im->model.code, f->path);
}

/* Adds the frames that follow from the code: those of callers, and those of the functions around
 * parallel regions. */
static void show_others(struct import *im, const struct frame_sample *f, uint32_t owner)
{
	struct region_walk w = { f->path, DEEP };
	uint32_t region, user;

	if (owner == f->thread)
		callers_show(im, f);
	while ((region = next_region(im, &w)))
		if ((user = region_user(im, region)))
			callers_show_from_main(im, f, user);
}

/* Returns the frame that contains the address on the stack of the thread `owner`, if that frame is
 * certainly open; otherwise NULL. */
static const struct frame *open_frame(struct import *im, const struct frame_sample *f,
				      uint32_t owner, uint64_t address)
{
	struct thread_frames *t = frames_of(&im->model.frames, owner);
	const struct frame *x;

	x = t ? frames_at(t, address, owner == f->thread ? RED_ZONE : 0) : NULL;
	if (!x || !(owner == f->thread ? x->seen == t->now : is_open_for(im, f, t, x)))
		return NULL;
	return x;
}

/* Sets in *x the range of frame *at, with the red zone below it. If the unwind rules show the size
 * of the frame, this size is used, so that the range does not depend on where in the function the
 * sample is. */
static void set_frame(struct import *im, const struct frame *at, struct object *x)
{
	const struct location *l = &AT_ID(im->model.code.locations, at->location);
	struct sym_file *file = l->dso ? code_file(&im->model.code, l->dso) : NULL;
	uint64_t vaddr, bytes = at->cfa - at->sp;
	struct sym_frame frame;

	if (file && sym_vaddr_at(file, l->offset, &vaddr) && sym_frame(file, vaddr, &frame) &&
	    frame.bytes)
		bytes = frame.bytes;
	x->symbol = at->symbol;
	x->extent = bytes + RED_ZONE;
	x->address = at->cfa - x->extent;
}

/* Like open_frame(), but if no sample has shown the frame, also searches those that follow from the
 * code. */
static const struct frame *certain_frame(struct import *im, const struct frame_sample *f,
					 uint32_t owner, uint64_t address)
{
	const struct frame *at = open_frame(im, f, owner, address);

	if (at)
		return at;
	show_others(im, f, owner);
	return open_frame(im, f, owner, address);
}

/* Sets the variable in *x to the one at the address in frame *at, if it is certain. */
static bool set_variable(struct import *im, const struct frame *at, uint64_t address,
			 struct object *x)
{
	const struct found v = find_variable(im, at, address);

	if (!v.v || v.several)
		return false;
	x->local = v.v;
	x->dso = AT_ID(im->model.code.locations, at->location).dso;
	x->address = v.start;
	x->extent = v.v->size;
	return true;
}

uint32_t frame_variable(struct import *im, const struct frame_sample *f, uint64_t address,
			uint32_t stack, bool *is_own)
{
	struct object x = { .kind = OBJECT_STACK, .process = f->process, .has_address = true };
	const struct frame *at;

	x.thread = AT_ID(im->model.objects.objects, stack).thread;
	at = certain_frame(im, f, x.thread, address);
	if (!at || !set_variable(im, at, address, &x))
		return 0;
	*is_own = x.thread == f->thread &&
		  at->symbol == AT_ID(im->model.code.locations, f->location).symbol;
	return objects_of_thread(&im->model.objects, x.local, &x);
}

/* Returns the local variable in which all known addresses of the instruction are; 0 if unknown. */
static uint32_t used_local(struct import *im, const struct frame_sample *f,
			   const struct accessor *by, uint32_t stack)
{
	return by && by->known && by->from_start ? local_use_find(im, f, (uint32_t)by->insn, stack)
						 : 0;
}

/* If the variable at the address is certain, sets *place to it. Otherwise, if the target of a
 * pointer is certain, sets *place to that. Otherwise, if the frame is certain, sets *place to the
 * object that represents the rest of its function's frame. Otherwise leaves *place unchanged. */
static void place_by_address(struct import *im, const struct frame_sample *f, uint64_t address,
			     const struct accessor *by, struct place *place)
{
	const struct object *stack = &AT_ID(im->model.objects.objects, place->object);
	struct object x = { .kind = OBJECT_STACK, .process = f->process, .has_address = true };
	const void *what;
	const struct frame *at;
	struct pointed target;
	uint32_t id;

	if (stack->kind != OBJECT_STACK || stack->local || stack->symbol)
		return;
	x.thread = stack->thread;
	at = certain_frame(im, f, x.thread, address);
	if (at && !(by && by->is_base && is_beside_array(im, at, address)) &&
	    set_variable(im, at, address, &x)) {
		what = x.local;
	} else if (pointee_find(im, f, by, address, &target)) {
		x.local = target.pointer;
		what = (const char *)target.pointer + 1; /* not the pointer itself */
		x.target = true;
		x.dso = target.dso;
		x.address = target.element;
	} else if (at) {
		set_frame(im, at, &x);
		if (address < x.address)
			return;
		what = AT_ID(im->model.code.symbols, at->symbol).sym;
	} else {
		return;
	}
	id = objects_of_thread(&im->model.objects, what, &x);
	if (!id)
		return;
	place->object = id;
	place->offset = address - x.address;
}

void frame_place(struct import *im, const struct frame_sample *f, uint64_t address,
		 const struct accessor *by, struct place *place)
{
	const uint32_t id = by && by->is_base ? used_local(im, f, by, place->object) : 0;

	if (id)
		*place = (struct place){ .object = id };
	else
		place_by_address(im, f, address, by, place);
}

uint32_t frame_target(struct import *im, const struct frame_sample *f, const struct accessor *by,
		      uint32_t object)
{
	const struct object *stack = &AT_ID(im->model.objects.objects, object);
	struct object x = { .kind = OBJECT_STACK, .process = f->process, .target = true };
	struct pointed target;
	uint32_t id;
	bool known;

	if (stack->kind != OBJECT_STACK || stack->local)
		return object;
	known = pointee_known(im, f, by, &target);
	id = used_local(im, f, by, object);
	if (id && known && target.is_target &&
	    AT_ID(im->model.objects.objects, id).local != target.pointer)
		return object; /* they contradict each other */
	if (id)
		return id;
	if (!known)
		return object;
	x.thread = stack->thread;
	x.local = target.pointer;
	x.target = !target.is_target;
	x.extent = target.is_target ? target.pointer->size : 0;
	x.dso = target.dso;
	id = objects_of_thread(&im->model.objects, (const char *)target.pointer + x.target, &x);
	return id ? id : object;
}
