/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the object, and the heap block or mapping, at an address. */
#include <string.h>

#include "base/runtime.h"
#include "model/internal.h"
#include "model/objects.h"
#include "model/tls.h"

/* Returns the object for all bytes of a file that no variable or section covers. It is created at
 * the first call, with the range [lo, hi). */
static uint32_t file_object(struct objects *o, uint32_t process, uint32_t dso, uint64_t lo,
			    uint64_t hi)
{
	struct dso *d = &AT_ID(o->space->code->dsos, dso);

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

/* Returns the object of variable v of a file. All processes share the object, because the file is
 * the same. `at` is the index of v, n the number of variables in the file. */
static uint32_t variable_object(struct objects *o, uint32_t process, const struct image *i,
				const struct sym_variable *v, size_t at, size_t n)
{
	struct dso *d = &AT_ID(o->space->code->dsos, i->dso);

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

/* Finds the section of a file that contains vaddr. All bytes of a section that no variable covers
 * are one object, in all processes. Such bytes are string literals, jump tables, code, and the
 * variables of a stripped file. Returns false if no section contains it. */
static bool find_section(struct objects *o, uint32_t process, const struct image *i, uint64_t vaddr,
			 struct place *out)
{
	const struct sym_section *s = sym_section_at(code_file(o->space->code, i->dso), vaddr);

	if (!s)
		return false;
	*out = (struct place){ .object = objects_of_thread(o, s,
							   &(struct object){ .kind = OBJECT_STATIC,
									     .dso = i->dso,
									     .section = s,
									     .process = process,
									     .has_address = true,
									     .address = s->vaddr +
											i->bias,
									     .extent = s->size }),
			       .offset = vaddr - s->vaddr,
			       .birth = i->time };
	return true;
}

/* Returns the index of the variable at address vaddr of the file; n if there is none. With is_tls,
 * vaddr is an offset in the file's thread-local block. */
static size_t variable_at(const struct sym_variable *v, size_t n, uint64_t vaddr, bool is_tls)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].vaddr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo && v[lo - 1].is_tls != is_tls)
		lo--;
	return lo && vaddr - v[lo - 1].vaddr < v[lo - 1].size ? lo - 1 : n;
}

/* Finds the static variable that contains the address, or else the section, or else the file. */
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
	at = variable_at(v, n, vaddr, false);
	if (at < n) {
		*out = (struct place){ .object = variable_object(o, process, i, &v[at], at, n),
				       .offset = vaddr - v[at].vaddr,
				       .birth = i->time };
		return true;
	}
	if (find_section(o, process, i, vaddr, out))
		return true;
	*out = (struct place){ .object = file_object(o, process, i->dso, i->lo, i->hi),
			       .offset = address - i->lo,
			       .birth = i->time };
	return true;
}

/* Finds a thread's instance of a thread-local variable. Thread-local data without a known variable
 * are one object for each thread and file. libc's own data (dso 0) are one object for each
 * thread. */
static bool thread_local_place(struct objects *o, uint32_t process, const struct tls_place *p,
			       uint64_t address, struct place *out)
{
	struct object x = { .kind = OBJECT_STATIC,
			    .dso = p->dso,
			    .name = p->dso ? NULL : "[thread descriptor]",
			    .thread = p->thread,
			    .process = process,
			    .has_address = true,
			    .address = p->start,
			    .extent = p->bytes };
	struct sym_file *file = p->dso ? code_file(o->space->code, p->dso) : NULL;
	const void *what = (const void *)(uintptr_t)p->dso;
	const struct sym_variable *v = NULL;
	size_t n = 0, at;

	if (file)
		v = sym_variables(file, &n);
	at = variable_at(v, n, address - p->start, true);
	if (at < n) {
		what = x.variable = &v[at];
		x.address += v[at].vaddr;
		x.extent = v[at].size;
	}
	*out = (struct place){ .object = objects_of_thread(o, what, &x),
			       .offset = address - x.address,
			       .birth = AT_ID(o->space->threads, p->thread).start };
	return out->object != 0;
}

/* If the dynamic loader allocated at this call path because a file called __tls_get_addr(), returns
 * that file: it is assumed that the thread-local variables are its own. Otherwise returns
 * UINT32_MAX. */
static uint32_t loader_allocates_for(const struct code *c, uint32_t path)
{
	const struct call_path *p;
	bool asked = false;

	for (; path && path <= c->call_paths.n; path = p->parent) {
		const struct location *l;
		const char *symbol;

		p = &AT_ID(c->call_paths, path);
		l = p->location ? &AT_ID(c->locations, p->location) : NULL;
		if (!l || !l->dso)
			break;
		if (!runtime_is_loader(AT_ID(c->dsos, l->dso).short_name))
			return asked ? l->dso : UINT32_MAX;
		symbol = code_symbol_name(c, l->symbol);
		asked |= symbol && strstr(symbol, "tls_get_addr");
	}
	return UINT32_MAX;
}

/* Did the dynamic loader allocate block b for a thread's thread-local variables? The loader does so
 * for files that are loaded after the start of the program. If it did, fills in *p. */
static bool is_thread_local(struct objects *o, const struct block *b, struct tls_place *p)
{
	while (o->tls_of_path.n <= b->call_path) {
		if (!VEC_ROOM(&o->tls_of_path)) {
			o->nomem = true;
			return false;
		}
		o->tls_of_path.at[o->tls_of_path.n++] = 0;
	}
	p->dso = o->tls_of_path.at[b->call_path];
	if (!p->dso)
		p->dso = o->tls_of_path.at[b->call_path] =
			loader_allocates_for(o->space->code, b->call_path);
	p->thread = b->thread;
	return p->dso != UINT32_MAX && b->thread;
}

/* Finds the live block that contains the address in `map`: a process's heap blocks or tracked
 * mappings, as `kind` says. Returns false if there is none. */
static bool find_block(struct objects *o, enum object_kind kind, const struct rangemap *map,
		       uint64_t address, struct place *out)
{
	const struct block *b;
	struct tls_place tls;
	uint64_t start;
	uint32_t at;

	if (rangemap_empty(map) || !rangemap_le(map, address, &start, &at))
		return false;
	b = &o->blocks.at[at];
	if (address - start >= b->size)
		return false;
	if (b->split)
		start = AT_ID(o->splits, b->split).start;
	if (kind == OBJECT_HEAP && is_thread_local(o, b, &tls)) {
		tls.start = start;
		tls.bytes = b->size;
		if (!thread_local_place(o, b->process, &tls, address, out))
			return false;
		out->block = at + 1;
		return true;
	}
	*out = (struct place){ .object = object_of(o, kind, b),
			       .allocation = b->id,
			       .block = at + 1,
			       .offset = address - start,
			       .birth = b->time };
	return true;
}

/* Returns the object at an address in m, the stack mapping of a thread. If the stack has grown,
 * enlarges the object's address range. */
static struct place stack_place(struct objects *o, uint32_t thread, const struct mapping *m,
				uint64_t address)
{
	struct thread *t = &AT_ID(o->space->threads, thread);
	struct object *x;

	if (!t->stack_object)
		t->stack_object = object_new(o, &(struct object){ .kind = OBJECT_STACK,
								  .thread = thread,
								  .process = t->process,
								  .has_address = true,
								  .address = m->start,
								  .extent = m->end - m->start });
	x = t->stack_object ? &AT_ID(o->objects, t->stack_object) : NULL;
	/* m is the stack for which the object was created, but it has grown downwards since */
	if (x && x->address + x->extent == m->end && m->start < x->address) {
		x->address = m->start;
		x->extent = m->end - m->start;
	}
	return (struct place){ .object = t->stack_object,
			       .offset = address - m->start,
			       .birth = m->birth };
}

/* Returns the first thread of a process, whose tid is the pid. */
static uint32_t main_thread(struct objects *o, uint32_t process, uint64_t time)
{
	uint32_t pid = space_process(o->space, process)->pid;

	return space_thread_of(o->space, pid, pid, time);
}

/* Can a mapping of this DSO be a stack? Stacks are not backed by files. */
static bool can_be_stack(const struct dso *d)
{
	return d->kind == DSO_ANONYMOUS && !d->is_heap;
}

/* bytes below the end of a main stack that the kernel keeps free for it, at least (gap_min in the
 * kernel's arch/x86/mm/mmap.c) */
enum { STACK_GAP = 128 << 20 };

/* The address is in no known mapping. Has the stack of the main thread, m, grown to it? No other
 * mapping is between the two then. The main thread's stack pointer `sp` is below the address or
 * near it; that of another thread is in a stack of its own, so only the distance counts. */
static bool has_grown(const struct process_memory *p, const struct mapping *m, uint64_t address,
		      uint64_t sp, bool is_main, uint64_t page)
{
	uint64_t start;
	uint32_t at;

	if (!sp || sp > m->end || address + page < sp || (!is_main && m->end - address > STACK_GAP))
		return false;
	return rangemap_ge(&p->mappings, address, &start, &at) && at + 1 == p->stack_mapping;
}

/* Finds the thread stack that contains the address, in mapping m. "[stack]" is the main thread's
 * stack, which grows downwards without a record. Any other anonymous mapping without code, except
 * "[heap]", that contains a thread's stack pointer is the stack of this thread. The exception is a
 * mapping that the tracker knows: the stack of a coroutine is an object of its own. Returns false
 * if m is not a stack, or if its thread has exited. */
static bool find_stack(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
		       uint64_t sp, const struct mapping *m, struct place *out)
{
	const uint64_t page = o->space->page_bytes;
	struct process_memory *p = space_memory(o->space, process);
	struct mapping *main_stack =
		p->stack_mapping ? &AT_ID(o->space->mappings, p->stack_mapping) : NULL;
	const bool is_main = thread && AT_ID(o->space->threads, thread).tid ==
					       space_process(o->space, process)->pid;
	uint32_t owner;

	if (main_stack && !main_stack->end_time && address < main_stack->end &&
	    (m == main_stack || (!m && has_grown(p, main_stack, address, sp, is_main, page)))) {
		owner = main_thread(o, process, main_stack->time);
		main_stack = &AT_ID(o->space->mappings, p->stack_mapping);
		if (address < main_stack->start)
			main_stack->start = address / page * page;
		if (owner)
			*out = stack_place(o, owner, main_stack, address);
		return owner != 0;
	}
	if (!m || m->executable || !can_be_stack(&AT_ID(o->space->code->dsos, m->dso)))
		return false;
	owner = space_stack_of(m, process);
	if (thread && sp >= m->start && sp < m->end && owner != thread) {
		space_set_stack(o->space, process, address, owner = thread);
		m = space_mapping_at(o->space, process, address);
	}
	if (!owner || AT_ID(o->space->threads, owner).exited)
		return false;
	*out = stack_place(o, owner, m, address);
	return true;
}

/* Returns the object of an address in a shared mapping that the tracker did not report: the object
 * of the file. Files with the same name may be different objects: files of memfd_create(), or files
 * that are unlinked at once. The place's offset is counted from the start of the file, because
 * processes may map different parts of the file. */
static struct place shared_place(struct objects *o, uint32_t process, const struct mapping *m,
				 uint64_t address)
{
	const uint64_t end = m->pgoff + (m->end - m->start);
	const uint32_t id =
		objects_of_file(o, m->file,
				&(struct object){
					.kind = OBJECT_MAPPING,
					.name = AT_ID(o->space->code->dsos, m->dso).short_name,
					.dso = m->dso,
					.process = process,
					.has_address = !m->pgoff,
					.address = m->pgoff ? 0 : m->start });

	if (id && AT_ID(o->objects, id).extent < end)
		AT_ID(o->objects, id).extent = end;
	return (struct place){ .object = id,
			       .offset = m->pgoff + (address - m->start),
			       .birth = m->birth };
}

/* Is the mapping a part of the heap: the kernel's "[heap]", or anonymous memory in which malloc has
 * placed blocks, such as the arena of a thread? Between the blocks is what malloc itself keeps: the
 * heads of blocks, and the lists of free ones. */
static bool is_heap_part(const struct process_memory *p, const struct dso *d,
			 const struct mapping *m)
{
	uint64_t at;

	return d->is_heap || (rangemap_ge(&p->blocks, m->start, &at, NULL) && at < m->end);
}

/* Returns the object of an address for which only the mapping is known. Each file is one object.
 * Each process has one object for its heap and one for all its other anonymous mappings. The
 * tracker's log is not an object of the program: only libc functions that the tracker calls access
 * it. */
static struct place mapping_place(struct objects *o, uint32_t process, const struct mapping *m,
				  uint64_t address)
{
	const struct dso *d = &AT_ID(o->space->code->dsos, m->dso);
	struct process_memory *p = space_memory(o->space, process);
	uint64_t start = m->start;
	uint32_t *id;

	if (d->is_tracker_log)
		return (struct place){ 0 };
	if (m->file)
		return shared_place(o, process, m, address);
	if (!d->is_anonymous && !d->is_heap)
		return (struct place){ .object = file_object(o, process, m->dso, m->start, m->end),
				       .offset = address - start,
				       .birth = m->birth };
	id = is_heap_part(p, d, m) ? &p->heap_object : &p->anon_object;
	if (!*id)
		*id = object_new(o, &(struct object){ .kind = OBJECT_MAPPING,
						      .name = id == &p->heap_object
								      ? "[heap outside blocks]"
								      : "[mappings outside blocks]",
						      .dso = m->dso,
						      .process = process });
	return (struct place){ .object = *id, .offset = address - start, .birth = m->birth };
}

struct place objects_find(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
			  uint64_t stack_pointer)
{
	struct process_memory *p = space_memory(o->space, process);
	struct place place = { 0 }, tracked = { 0 };
	const struct image *i;
	const struct mapping *m;
	struct tls_place tls;

	if (thread)
		tls_pointer(o->space, thread, stack_pointer);
	if (tls_at(o->space, process, address, &tls) &&
	    thread_local_place(o, process, &tls, address, &place))
		return place;
	if (find_block(o, OBJECT_HEAP, &p->blocks, address, &place))
		return place;
	i = space_image_at(o->space, process, address);
	if (find_block(o, OBJECT_MAPPING, &p->tracked_maps, address, &tracked) &&
	    (!i || tracked.birth > i->time))
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

/* Returns the birth of the mapping, not the birth of the heap block: malloc reuses memory, so pages
 * may be older than the blocks on them. */
uint64_t objects_page_birth(struct objects *o, uint32_t process, uint64_t address,
			    const struct place *p)
{
	const struct mapping *m =
		p->allocation ? space_mapping_at(o->space, process, address) : NULL;

	return m && m->birth < p->birth ? m->birth : p->birth;
}
