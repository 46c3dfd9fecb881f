/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects: what a programmer would call the variable. Blocks are born and die in time order; an
 * address means the object that lives there now. Element i of `objects` has id i + 1.
 *
 * An address is looked for, in this order, among: thread-local variables, live heap blocks, static
 * variables, mappings that the tracker saw, thread stacks, other mappings. A mapping that is
 * younger than the image whose variables lay there goes first: the image was unloaded.
 */
#ifndef MEMDB_MODEL_OBJECTS_H
#define MEMDB_MODEL_OBJECTS_H

#include "model/process.h"

enum object_kind { OBJECT_HEAP, OBJECT_STATIC, OBJECT_STACK, OBJECT_MAPPING };

struct object {
	enum object_kind kind;
	const char
		*name; /* where it is not made of the rest: "[heap]", a mapping's name; interned */
	uint32_t call_path; /* heap, tracked mapping: where its blocks come from, as code_fold()
			       says */
	uint32_t dso;       /* static, mapping of a file */
	const struct sym_variable *variable; /* static */
	uint32_t thread;                     /* stack, thread-local variable: whose */
	const struct sym_local *local;       /* of a stack: a function's variable, … */
	uint32_t symbol;   /* … or (without) the rest of a function's frame; 0: the rest
			      of the stack */
	uint32_t process;  /* of its first address */
	uint32_t function; /* enum tl_function that made the first block */
	bool has_address;
	uint64_t address, extent; /* static, stack, mapping: where it lies in the first process */
	uint64_t live_bytes, peak_bytes; /* heap, tracked mapping */
	uint64_t blocks, total_bytes;
	uint32_t first_sample, first_fault; /* ids of their rows, 0 none */
	bool estimated;                     /* some of its blocks stand for several */
};

/*
 * One block of the heap, or one tracked mapping (or a part of it, where its middle was unmapped);
 * it lies where the map that holds it says. A forked child's map holds its parent's blocks too: one
 * of them goes when no map holds it any more, however it ended before that.
 */
struct block {
	uint64_t size, time;
	uint32_t id;      /* allocations.id */
	uint32_t process; /* whose it is: only there its end is told */
	uint32_t thread, call_path, previous;
	uint32_t holds; /* nodes of maps that hold it */
	uint32_t whole; /* position + 1 in wholes of what it is a part of; 0: it is whole */
	int16_t cpu;
	uint8_t function;
	uint8_t weight; /* how many blocks it stands for: place in objects.weights */
};

_Static_assert(sizeof(struct block) == 48, "there are as many as live allocations");

/* A mapping of which parts are left. */
struct whole {
	uint64_t start, size; /* as it was born */
	uint32_t parts;  /* those that live on in the process whose it is; free: the next + 1 */
	uint32_t blocks; /* that name it */
};

/* The end of a block, given to whoever keeps allocations. */
struct ended_block {
	const struct block *block;
	uint64_t start, size; /* as it was born */
	uint64_t time;        /* 0: it lived to the end */
	uint32_t object, thread, call_path;
	uint32_t weight; /* how many blocks it stands for */
	const char *reason;
};
typedef void block_end_fn(void *arg, const struct ended_block *e);

struct objects {
	struct space *space;
	block_end_fn *on_end;
	void *arg;
	struct {
		struct object *at;
		uint32_t n, cap;
	} objects;
	struct {
		struct block *at;
		uint32_t n, cap;
	} blocks;             /* slots; free ones are chained by `whole` from free_blocks */
	uint32_t free_blocks; /* position + 1 */
	struct {
		struct whole *at;
		uint32_t n, cap;
	} wholes;
	uint32_t free_wholes; /* position + 1 */
	struct {
		uint16_t at[256]; /* [0] is 1; each recording has at most one or two others */
		uint32_t n;
	} weights;
	struct rangemap_holds holds;
	struct {
		struct ended {
			uint64_t start, size, birth, time; /* time: of its end */
			uint32_t process, id;
		} * at; /* the block that each thread ended last, by threads.id */
		uint32_t n, cap;
	} ended;
	struct {
		uint32_t *at; /* by call path: the object of its blocks, 0 none yet */
		uint32_t n, cap;
	} of_path[2]; /* heap, tracked mapping */
	struct {
		uint32_t *at; /* by call path: the file whose thread-local variables the blocks
				 hold, 0 not known yet, UINT32_MAX none */
		uint32_t n, cap;
	} tls_of_path;
	struct {
		struct of_thread {
			const void *what; /* see objects_of_thread() */
			uint32_t thread, object;
		} * at;
		uint32_t n, cap;
	} of_thread;
	struct index of_thread_index;
	uint32_t next_id; /* the last allocations.id given */
	bool nomem;
};

void objects_init(struct objects *o, struct space *space, block_end_fn *on_end, void *arg);
void objects_release(struct objects *o);

struct birth {
	uint64_t start, size, time;
	uint32_t thread, call_path;
	int32_t cpu;
	uint8_t function;     /* enum tl_function */
	uint16_t weight;      /* how many blocks it stands for; 0 is 1 */
	uint64_t old_address; /* realloc, mremap: the block it replaces, which the same thread
				 ended last; 0 none */
};

/* The block that a birth which is still to be told replaces, NULL where none is known. Valid until
 * its thread ends another. */
const struct ended *objects_replaced(const struct objects *o, uint32_t process,
				     const struct birth *b);

/* A block begins to live. Where any were known to begin in it, they end ("reused"): their deaths
 * were lost. */
void objects_birth(struct objects *o, uint32_t process, const struct birth *b);

/* The block at start dies; false where none is known there (of another image, or born before the
 * tracker). */
bool objects_death(struct objects *o, uint32_t process, uint64_t start, uint64_t time,
		   uint32_t thread, uint32_t call_path, const char *reason);

/* A tracked mapping begins; nothing tracked is in [start, end) any more. */
void objects_map(struct objects *o, uint32_t process, const struct birth *b);
void objects_unmap(struct objects *o, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		   uint32_t thread, uint32_t call_path, const char *reason);

/* All blocks of a process end (exit or exec); of a child that was just forked: those of the parent
 * live on in it. */
void objects_end_process(struct objects *o, uint32_t process, uint64_t time, const char *reason);
void objects_fork(struct objects *o, uint32_t parent, uint32_t child);

/* What lives at an address. */
struct place {
	uint32_t object;     /* id, 0 none: the address is not mapped as far as we know */
	uint32_t allocation; /* id, 0 none */
	uint64_t offset;     /* from the start of the block, variable or mapping */
	uint64_t birth;      /* time from which it lives; 0 unknown */
};

/* The time before which nothing that was known of the page at address is true of what lives there
 * now: a block's pages may be older than the block. */
uint64_t objects_page_birth(struct objects *o, uint32_t process, uint64_t address,
			    const struct place *p);

/* A sample or a page fault (the other is 0) hit an object. */
static inline void objects_accessed(struct objects *o, uint32_t object, uint32_t sample,
				    uint32_t fault)
{
	struct object *x = &AT_ID(o->objects, object);

	x->first_sample = x->first_sample ? x->first_sample : sample;
	x->first_fault = x->first_fault ? x->first_fault : fault;
}

/* The id of the object of something that each thread has for itself, which `what` (a variable's
 * address, a file's id) stands for; with the first question it is made as *x says. 0 when out of
 * memory. */
uint32_t objects_of_thread(struct objects *o, const void *what, const struct object *x);

/* stack_pointer 0: not known. */
struct place objects_find(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
			  uint64_t stack_pointer);

#endif
