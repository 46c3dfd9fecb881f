/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of objects: assigns blocks to objects, and finds the objects of thread-local variables,
 * of sections and of what is in stacks.
 *
 * What must stay true: all heap blocks from one call path (without its recursion) belong to one
 * object, and all anonymous mappings from that path belong to another object. So object_of() needs
 * only the block's call path.
 *
 * Mappings of files are the exception. The mappings of each file from one call path are an object
 * of their own. Processes map the same shared file at different call paths: all mappings that begin
 * at the same offset of the same shared file are one object, and the first of them determines it.
 * If the program gave the memory a name (shared_file.named), it is a new object. Otherwise it is
 * the object of the call path of this first mapping, so private mappings of the file from that path
 * belong to it, too. There are few mappings of files, so the objects of their blocks are in a list
 * (object_note()). All mappings of a shared file that the tracker did not report are one object:
 * the one for offset 0.
 */
#include "model/objects.h"

#include "model/internal.h"

uint32_t object_new(struct objects *o, const struct object *x)
{
	if (!VEC_ROOM(&o->objects)) {
		o->nomem = true;
		return 0;
	}
	o->objects.at[o->objects.n++] = *x;
	return o->objects.n;
}

/* Finds or adds the object of the pair (what, x->thread). `what` is never dereferenced. It is:
 *   - for a thread-local variable: the variable; without a known variable, the id of the file, cast
 *     to a pointer. If all threads had one object, they would seem to share the variable
 *   - for a section of a file: the section; x->thread is 0
 *   - for a local variable on a stack: the variable
 *   - for the target of a local pointer: the address of the pointer's struct sym_local + 1 byte
 *   - for the rest of a function's frame: the symbol of the function */
uint32_t objects_of_thread(struct objects *o, const void *what, const struct object *x)
{
	uint32_t hash = index_hash((uintptr_t)what, x->thread), place = hash, id;
	struct of_thread *t;

	while ((id = index_next(&o->of_thread_index, hash, &place))) {
		t = &AT_ID(o->of_thread, id);
		if (t->what != what || t->thread != x->thread)
			continue;
		if (x->has_address && !AT_ID(o->objects, t->object).has_address) {
			AT_ID(o->objects, t->object).has_address = true;
			AT_ID(o->objects, t->object).address = x->address;
		}
		return t->object;
	}
	if (!VEC_ROOM(&o->of_thread) || !index_add(&o->of_thread_index, hash, o->of_thread.n + 1)) {
		o->nomem = true;
		return 0;
	}
	id = object_new(o, x);
	o->of_thread.at[o->of_thread.n++] = (struct of_thread){ what, x->thread, id };
	return id;
}

/* Returns a pointer to the id of an object: the object of the heap blocks from this call path if
 * `kind` is OBJECT_HEAP, otherwise the object of the mappings from it. The id is 0 if there is no
 * such object yet. The pointer is valid until the next call. NULL means out of memory. */
static uint32_t *object_of_path(struct objects *o, enum object_kind kind, uint32_t call_path)
{
	bool heap = kind == OBJECT_HEAP;

	while (o->of_path[heap].n <= call_path) {
		if (!VEC_ROOM(&o->of_path[heap])) {
			o->nomem = true;
			return NULL;
		}
		o->of_path[heap].at[o->of_path[heap].n++] = 0;
	}
	return &o->of_path[heap].at[call_path];
}

bool object_note(struct objects *o, uint32_t id, uint32_t object)
{
	if (!VEC_ROOM(&o->of_block)) {
		o->nomem = true;
		return false;
	}
	o->of_block.at[o->of_block.n++] = (struct of_block){ id, object };
	return true;
}

uint32_t object_noted(const struct objects *o, uint32_t id)
{
	uint32_t i = VEC_LOWER_BOUND(&o->of_block, id, id);

	return o->of_block.at[i].object;
}

/* Finds or adds the object of a call path. Paths that differ only by recursion share an object. */
static uint32_t object_for_path(struct objects *o, enum object_kind kind, uint32_t process,
				const struct birth *b)
{
	uint32_t *object = object_of_path(o, kind, b->call_path), folded, id;

	if (!object || *object)
		return object ? *object : 0;
	folded = code_fold(o->space->code, b->call_path);
	object = object_of_path(o, kind, folded);
	if (!object || (!folded && b->call_path))
		return 0;
	id = *object;
	if (!id)
		id = *object = object_new(o, &(struct object){ .kind = kind,
							       .call_path = folded,
							       .process = process,
							       .function = b->function });
	return *object_of_path(o, kind, b->call_path) = id;
}

/* Finds or adds the object of the mappings of the file b->dso from a call path. */
static uint32_t object_for_dso(struct objects *o, uint32_t process, const struct birth *b)
{
	const uint32_t path = code_fold(o->space->code, b->call_path);
	const uint32_t hash = index_hash(path, b->dso);
	uint32_t place = hash, id;

	if (!path && b->call_path)
		return 0;
	while ((id = index_next(&o->of_dso_index, hash, &place)))
		if (AT_ID(o->of_dso, id).call_path == path && AT_ID(o->of_dso, id).dso == b->dso)
			return AT_ID(o->of_dso, id).object;
	if (!VEC_ROOM(&o->of_dso) || !index_add(&o->of_dso_index, hash, o->of_dso.n + 1)) {
		o->nomem = true;
		return 0;
	}
	id = object_new(o, &(struct object){ .kind = OBJECT_MAPPING,
					     .call_path = path,
					     .dso = b->dso,
					     .process = process,
					     .function = b->function });
	o->of_dso.at[o->of_dso.n++] =
		(struct of_dso){ .call_path = path, .dso = b->dso, .object = id };
	return id;
}

/* Returns the object of the mappings that begin at this offset of a shared file; 0 means none. */
static uint32_t object_at_file(const struct objects *o, uint32_t file, uint64_t offset)
{
	const uint32_t hash = index_hash(file, offset);
	uint32_t place = hash, id;

	while ((id = index_next(&o->of_file_index, hash, &place)))
		if (AT_ID(o->of_file, id).file == file && AT_ID(o->of_file, id).offset == offset)
			return AT_ID(o->of_file, id).object;
	return 0;
}

/* Stores that the mappings which begin at this offset of a shared file belong to object `id`.
 * Returns id; 0 when out of memory, or if id is 0. */
static uint32_t set_object_at_file(struct objects *o, uint32_t file, uint64_t offset, uint32_t id)
{
	if (!id || !VEC_ROOM(&o->of_file) ||
	    !index_add(&o->of_file_index, index_hash(file, offset), o->of_file.n + 1)) {
		o->nomem = true;
		return 0;
	}
	o->of_file.at[o->of_file.n++] = (struct of_file){ file, id, offset };
	return id;
}

uint32_t objects_of_file(struct objects *o, uint32_t file, const struct object *x)
{
	const uint32_t id = object_at_file(o, file, 0);

	return id ? id : set_object_at_file(o, file, 0, object_new(o, x));
}

/* Finds or adds the object of a private mapping. */
static uint32_t object_of_mapping(struct objects *o, uint32_t process, const struct birth *b)
{
	return b->dso ? object_for_dso(o, process, b)
		      : object_for_path(o, OBJECT_MAPPING, process, b);
}

/* Finds or adds the object of the mappings that begin at offset b->file_offset of the shared file
 * b->file. If *b is the first of them, the object is a new one if the program gave the memory a
 * name, otherwise the object of the call path of *b, as for a private mapping. */
static uint32_t object_for_file(struct objects *o, uint32_t process, const struct birth *b)
{
	uint32_t id = object_at_file(o, b->file, b->file_offset);

	if (id)
		return id;
	if (b->file_named)
		id = object_new(o, &(struct object){
					   .kind = OBJECT_MAPPING,
					   .call_path = code_fold(o->space->code, b->call_path),
					   .dso = b->dso,
					   .process = process,
					   .function = b->function });
	else
		id = object_of_mapping(o, process, b);
	return set_object_at_file(o, b->file, b->file_offset, id);
}

uint32_t object_for(struct objects *o, enum object_kind kind, uint32_t process,
		    const struct birth *b)
{
	if (kind == OBJECT_HEAP)
		return object_for_path(o, kind, process, b);
	return b->file ? object_for_file(o, process, b) : object_of_mapping(o, process, b);
}
