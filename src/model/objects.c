/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/objects.h"

#include <string.h>

void objects_init(struct objects *o, struct space *space, block_end_fn *on_end, void *arg)
{
	memset(o, 0, sizeof(*o));
	o->space = space;
	o->on_end = on_end;
	o->arg = arg;
}

void objects_release(struct objects *o)
{
	free(o->objects.at);
	free(o->blocks.at);
	free(o->ended.at);
	index_release(&o->heap_index);
	memset(o, 0, sizeof(*o));
}

static uint32_t object_new(struct objects *o, const struct object *x)
{
	if (!VEC_ROOM(&o->objects)) {
		o->nomem = true;
		return 0;
	}
	o->objects.at[o->objects.n++] = *x;
	return o->objects.n;
}

/* The object of all blocks that one call path allocated. */
static uint32_t object_of_path(struct objects *o, enum object_kind kind, uint32_t process,
			       const struct birth *b)
{
	uint32_t hash = index_hash(b->call_path, kind), place = hash, id;

	while ((id = index_next(&o->heap_index, hash, &place)))
		if (o->objects.at[id - 1].call_path == b->call_path &&
		    o->objects.at[id - 1].kind == kind)
			return id;
	id = object_new(o, &(struct object){ .kind = kind,
					     .call_path = b->call_path,
					     .process = process,
					     .function = b->function });
	if (!id || !index_add(&o->heap_index, hash, id)) {
		o->nomem = true;
		return 0;
	}
	return id;
}

/* A slot for one more block: position + 1. */
static uint32_t slot_take(struct objects *o)
{
	uint32_t slot = o->free_blocks;

	if (slot) {
		o->free_blocks = o->blocks.at[slot - 1].rest;
		return slot;
	}
	if (!VEC_ROOM(&o->blocks)) {
		o->nomem = true;
		return 0;
	}
	return ++o->blocks.n;
}

static void slot_give(struct objects *o, uint32_t at)
{
	o->blocks.at[at].rest = o->free_blocks;
	o->free_blocks = at + 1;
}

/* The part in slot `at` ends; false where it was the last one of its block, or all of it. */
static bool part_leave(struct objects *o, uint32_t at)
{
	uint32_t parts = o->blocks.at[at].rest;

	if (!parts)
		return false;
	if (--o->blocks.at[parts - 1].rest)
		return true;
	slot_give(o, parts - 1);
	return false;
}

/* The block in slot `at` gets one more part: the slot + 1 that counts them, 0 when out of memory.
 */
static uint32_t part_join(struct objects *o, uint32_t at)
{
	uint32_t parts = o->blocks.at[at].rest;

	if (!parts) {
		parts = slot_take(o);
		if (!parts)
			return 0;
		o->blocks.at[parts - 1].rest = 1;
		o->blocks.at[at].rest = parts;
	}
	o->blocks.at[parts - 1].rest++;
	return parts;
}

static void forget_bytes(struct objects *o, const struct block *b, uint64_t bytes)
{
	struct object *x = &o->objects.at[b->object - 1];

	if (!b->inherited)
		x->live_bytes -= bytes < x->live_bytes ? bytes : x->live_bytes;
}

/* For the birth that may follow: realloc and mremap end a block, then begin its successor. */
static void remember_end(struct objects *o, uint32_t process, const struct block *b,
			 uint32_t thread)
{
	while (o->ended.n <= thread) {
		if (!VEC_ROOM(&o->ended)) {
			o->nomem = true;
			return;
		}
		o->ended.at[o->ended.n++] = (struct ended){ 0 };
	}
	o->ended.at[thread] =
		(struct ended){ .start = b->whole_start, .process = process, .id = b->id };
}

/* allocations.id of the block that this birth is the successor of; 0: of none that is known. */
static uint32_t predecessor(const struct objects *o, uint32_t process, const struct birth *b)
{
	const struct ended *e;

	if (!b->old_address || b->thread >= o->ended.n)
		return 0;
	e = &o->ended.at[b->thread];
	return e->process == process && e->start == b->old_address ? e->id : 0;
}

/* Ends the block in slot `at`, which its map no longer holds, if no other part of it lives. */
static void block_end(struct objects *o, uint32_t process, uint32_t at, uint64_t time,
		      uint32_t thread, uint32_t call_path, const char *reason)
{
	struct block *b = &o->blocks.at[at];

	forget_bytes(o, b, b->size);
	if (!part_leave(o, at) && !b->inherited && o->on_end)
		o->on_end(o->arg, process, b, time, thread, call_path, reason);
	remember_end(o, process, b, thread);
	slot_give(o, at);
}

static void block_add(struct objects *o, enum object_kind kind, uint32_t process,
		      struct rangemap *map, const struct birth *b)
{
	uint32_t object = object_of_path(o, kind, process, b);
	uint32_t slot = object ? slot_take(o) : 0;
	struct object *x;

	if (!slot || rangemap_put(map, b->start, slot - 1)) {
		o->nomem = true;
		return;
	}
	o->blocks.at[slot - 1] = (struct block){
		.start = b->start,
		.size = b->size,
		.time = b->time,
		.id = ++o->next_id,
		.object = object,
		.thread = b->thread,
		.call_path = b->call_path,
		.previous = predecessor(o, process, b),
		.cpu = b->cpu,
		.function = b->function,
		.whole_start = b->start,
		.whole_size = b->size,
	};
	x = &o->objects.at[object - 1];
	x->blocks++;
	x->total_bytes += b->size;
	x->live_bytes += b->size;
	if (x->live_bytes > x->peak_bytes)
		x->peak_bytes = x->live_bytes;
}

void objects_birth(struct objects *o, uint32_t process, const struct birth *b)
{
	struct process *p = space_process(o->space, process);
	uint32_t at;

	uint64_t key = b->start;

	while (rangemap_ge(&p->blocks, key, &key, &at) &&
	       (key == b->start || key - b->start < b->size)) {
		rangemap_del(&p->blocks, key, NULL);
		block_end(o, process, at, b->time, b->thread, b->call_path, "reused");
	}
	block_add(o, OBJECT_HEAP, process, &p->blocks, b);
}

bool objects_death(struct objects *o, uint32_t process, uint64_t start, uint64_t time,
		   uint32_t thread, uint32_t call_path, const char *reason)
{
	uint32_t at;

	if (!rangemap_del(&space_process(o->space, process)->blocks, start, &at))
		return false;
	block_end(o, process, at, time, thread, call_path, reason);
	return true;
}

/* Splits the tracked mapping in slot `at` around [start, end), which lies inside it. */
static void map_split(struct objects *o, struct rangemap *map, uint32_t at, uint64_t start,
		      uint64_t end)
{
	uint32_t tail = slot_take(o);
	struct block *b;

	if (!tail || !part_join(o, at) || rangemap_put(map, end, tail - 1)) {
		o->nomem = true;
		return;
	}
	b = &o->blocks.at[at];
	o->blocks.at[tail - 1] = *b;
	o->blocks.at[tail - 1].start = end;
	o->blocks.at[tail - 1].size = b->start + b->size - end;
	b->size = start - b->start;
	forget_bytes(o, b, end - start);
}

/* Cuts [start, end) out of the tracked mapping in slot `at`; what remains before and after lives
 * on. */
static void map_cut(struct objects *o, uint32_t process, uint32_t at, uint64_t start, uint64_t end,
		    uint64_t time, uint32_t thread, uint32_t call_path, const char *reason)
{
	struct rangemap *map = &space_process(o->space, process)->tracked_maps;
	struct block *b = &o->blocks.at[at];
	uint64_t b_end = b->start + b->size;

	if (b->start < start && b_end > end) {
		map_split(o, map, at, start, end);
	} else if (b->start < start) {
		forget_bytes(o, b, b_end - start);
		b->size = start - b->start;
	} else if (b_end > end) {
		forget_bytes(o, b, end - b->start);
		rangemap_del(map, b->start, NULL);
		b->start = end;
		b->size = b_end - end;
		o->nomem |= rangemap_put(map, end, at) != 0;
	} else {
		rangemap_del(map, b->start, NULL);
		block_end(o, process, at, time, thread, call_path, reason);
	}
}

void objects_unmap(struct objects *o, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		   uint32_t thread, uint32_t call_path, const char *reason)
{
	struct rangemap *map = &space_process(o->space, process)->tracked_maps;
	uint64_t key;
	uint32_t at;

	if (start >= end)
		return;
	if (rangemap_le(map, start, &key, &at) && key < start &&
	    o->blocks.at[at].start + o->blocks.at[at].size > start)
		map_cut(o, process, at, start, end, time, thread, call_path, reason);
	while (!o->nomem && rangemap_ge(map, start, &key, &at) && key < end)
		map_cut(o, process, at, start, end, time, thread, call_path, reason);
}

void objects_map(struct objects *o, uint32_t process, const struct birth *b)
{
	if (!b->size || b->size > UINT64_MAX - b->start)
		return; /* no range of addresses */
	objects_unmap(o, process, b->start, b->start + b->size, b->time, b->thread, b->call_path,
		      "reused");
	block_add(o, OBJECT_MAPPING, process, &space_process(o->space, process)->tracked_maps, b);
}

static void end_map(struct objects *o, uint32_t process, struct rangemap *map, uint64_t time,
		    const char *reason)
{
	uint64_t key = 0;
	uint32_t at;

	while (rangemap_ge(map, key, &key, &at)) {
		block_end(o, process, at, time, 0, 0, reason);
		if (key++ == UINT64_MAX)
			break;
	}
	rangemap_release(map);
}

void objects_end_process(struct objects *o, uint32_t process, uint64_t time, const char *reason)
{
	struct process *p = space_process(o->space, process);

	end_map(o, process, &p->blocks, time, reason);
	end_map(o, process, &p->tracked_maps, time, reason);
}

static void copy_map(struct objects *o, const struct rangemap *from, struct rangemap *to)
{
	uint64_t key = 0;
	uint32_t at, slot;

	while (!o->nomem && rangemap_ge(from, key, &key, &at)) {
		slot = slot_take(o);
		if (!slot || rangemap_put(to, key, slot - 1)) {
			o->nomem = true;
			return;
		}
		o->blocks.at[slot - 1] = o->blocks.at[at];
		o->blocks.at[slot - 1].inherited = true;
		o->blocks.at[slot - 1].rest = 0;
		if (key++ == UINT64_MAX)
			break;
	}
}

void objects_fork(struct objects *o, uint32_t parent, uint32_t child)
{
	struct process *from = space_process(o->space, parent);
	struct process *to = space_process(o->space, child);

	copy_map(o, &from->blocks, &to->blocks);
	copy_map(o, &from->tracked_maps, &to->tracked_maps);
}

/* The live block of a map that contains address. */
static bool find_block(const struct objects *o, const struct rangemap *map, uint64_t address,
		       struct place *out)
{
	const struct block *b;
	uint32_t at;

	if (!rangemap_le(map, address, NULL, &at))
		return false;
	b = &o->blocks.at[at];
	if (address - b->start >= b->size)
		return false;
	*out = (struct place){ .object = b->object,
			       .allocation = b->id,
			       .offset = address - b->whole_start,
			       .birth = b->time };
	return true;
}

/* The rest of a file's data and code: one object for each file. */
static uint32_t file_object(struct objects *o, uint32_t process, uint32_t dso, uint64_t lo,
			    uint64_t hi)
{
	struct dso *d = &o->space->code->dsos.at[dso - 1];

	if (!d->data_object)
		d->data_object = object_new(o, &(struct object){ .kind = OBJECT_MAPPING,
								 .name = d->short_name,
								 .dso = dso,
								 .process = process,
								 .has_address = true,
								 .address = lo,
								 .extent = hi - lo });
	return d->data_object;
}

static uint32_t variable_object(struct objects *o, uint32_t process, const struct image *i,
				const struct sym_variable *v, size_t at, size_t n)
{
	struct dso *d = &o->space->code->dsos.at[i->dso - 1];

	if (!d->variables_to_object) {
		d->variables_to_object = calloc(n, sizeof(*d->variables_to_object));
		if (!d->variables_to_object) {
			o->nomem = true;
			return 0;
		}
	}
	if (!d->variables_to_object[at])
		d->variables_to_object[at] =
			object_new(o, &(struct object){ .kind = OBJECT_STATIC,
							.dso = i->dso,
							.variable = v,
							.process = process,
							.has_address = true,
							.address = v->vaddr + i->bias,
							.extent = v->size });
	return (uint32_t)d->variables_to_object[at];
}

/* The last variable that starts at or before vaddr and is not thread-local; n where there is none.
 */
static size_t variable_before(const struct sym_variable *v, size_t n, uint64_t vaddr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].vaddr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo && v[lo - 1].is_tls)
		lo--;
	return lo ? lo - 1 : n;
}

static bool find_static(struct objects *o, uint32_t process, const struct image *i,
			uint64_t address, struct place *out)
{
	const struct sym_variable *v;
	struct sym_file *file;
	uint64_t vaddr;
	size_t n, at;

	if (!(file = code_file(o->space->code, i->dso)))
		return false;
	v = sym_variables(file, &n);
	vaddr = address - i->bias;
	at = variable_before(v, n, vaddr);
	if (at < n && vaddr - v[at].vaddr < v[at].size) {
		*out = (struct place){ .object = variable_object(o, process, i, &v[at], at, n),
				       .offset = vaddr - v[at].vaddr,
				       .birth = i->time };
		return true;
	}
	*out = (struct place){ .object = file_object(o, process, i->dso, i->lo, i->hi),
			       .offset = address - i->lo,
			       .birth = i->time };
	return true;
}

static struct place stack_place(struct objects *o, uint32_t thread, const struct mapping *m,
				uint64_t address)
{
	struct thread *t = &o->space->threads.at[thread - 1];
	struct object *x;

	if (!t->stack_object)
		t->stack_object = object_new(o, &(struct object){ .kind = OBJECT_STACK,
								  .thread = thread,
								  .process = t->process,
								  .has_address = true,
								  .address = m->start,
								  .extent = m->end - m->start });
	x = t->stack_object ? &o->objects.at[t->stack_object - 1] : NULL;
	if (x && x->address + x->extent == m->end && m->start < x->address) { /* it has grown */
		x->address = m->start;
		x->extent = m->end - m->start;
	}
	return (struct place){ .object = t->stack_object,
			       .offset = address - m->start,
			       .birth = m->time };
}

/* The thread of the process whose tid is its pid. */
static uint32_t main_thread(struct objects *o, uint32_t process, uint64_t time)
{
	uint32_t pid = space_process(o->space, process)->pid;

	return space_thread_of(o->space, pid, pid, time);
}

static bool can_be_stack(const struct dso *d)
{
	return d->kind == DSO_ANONYMOUS && strcmp(d->path, "[heap]") != 0;
}

/*
 * Stacks: "[stack]" is the main thread's, and it grows downward without a record; a mapping that
 * holds a thread's stack pointer is that thread's, as long as the tracker does not know it as
 * something else (a coroutine's stack is an object of its own).
 */
static bool find_stack(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
		       uint64_t sp, struct mapping *m, struct place *out)
{
	struct process *p = space_process(o->space, process);
	struct mapping *main_stack =
		p->stack_mapping ? &o->space->mappings.at[p->stack_mapping - 1] : NULL;

	if (main_stack && !main_stack->end_time && address < main_stack->end &&
	    (m == main_stack || (!m && sp && sp <= main_stack->end && address + 4096 >= sp))) {
		uint32_t owner = main_thread(o, process, main_stack->time);

		main_stack = &o->space->mappings.at[p->stack_mapping - 1];
		if (address < main_stack->start)
			main_stack->start = address & ~(uint64_t)4095;
		if (owner)
			*out = stack_place(o, owner, main_stack, address);
		return owner != 0;
	}
	if (!m || m->executable || !can_be_stack(&o->space->code->dsos.at[m->dso - 1]))
		return false;
	if (thread && sp >= m->start && sp < m->end)
		m->stack_thread = thread;
	if (!m->stack_thread || o->space->threads.at[m->stack_thread - 1].exited)
		return false;
	*out = stack_place(o, m->stack_thread, m, address);
	return true;
}

/* Mappings without a better name: one object for each file, one for the heap and one for the rest
 * of each process. */
static struct place mapping_place(struct objects *o, uint32_t process, const struct mapping *m,
				  uint64_t address)
{
	const struct dso *d = &o->space->code->dsos.at[m->dso - 1];
	struct process *p = space_process(o->space, process);
	uint64_t start = m->start;
	uint32_t *id;

	if (d->kind != DSO_ANONYMOUS || strncmp(d->path, "//anon", 6))
		if (strcmp(d->path, "[heap]"))
			return (struct place){ .object = file_object(o, process, m->dso, m->start,
								     m->end),
					       .offset = address - start,
					       .birth = m->time };
	id = strcmp(d->path, "[heap]") ? &p->anon_object : &p->heap_object;
	if (!*id)
		*id = object_new(o, &(struct object){ .kind = OBJECT_MAPPING,
						      .name = id == &p->heap_object ? "[heap]"
										    : "[anonymous]",
						      .dso = m->dso,
						      .process = process });
	return (struct place){ .object = *id, .offset = address - start, .birth = m->time };
}

struct place objects_find(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
			  uint64_t stack_pointer)
{
	struct process *p = space_process(o->space, process);
	struct place place = { 0 }, tracked = { 0 };
	const struct image *i;
	struct mapping *m;

	if (find_block(o, &p->blocks, address, &place))
		return place;
	i = space_image_at(o->space, process, address);
	if (find_block(o, &p->tracked_maps, address, &tracked) && (!i || tracked.birth > i->time))
		return tracked;
	if (i && find_static(o, process, i, address, &place))
		return place;
	if (tracked.object)
		return tracked;
	m = space_mapping_at(o->space, process, address);
	if (find_stack(o, process, thread, address, stack_pointer, m, &place))
		return place;
	return m ? mapping_place(o, process, m, address) : place;
}

uint64_t objects_page_birth(struct objects *o, uint32_t process, uint64_t address,
			    const struct place *p)
{
	const struct mapping *m =
		p->allocation ? space_mapping_at(o->space, process, address) : NULL;

	return m && m->time < p->birth ? m->time : p->birth;
}
