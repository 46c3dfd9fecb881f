/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the object at an address: what a programmer would call the variable. Births and deaths of
 * blocks arrive in time order. A query refers to the objects that are alive now. Element i of
 * `objects` has id i + 1.
 *
 * An address is searched in this order: thread-local variables, live heap blocks, static variables,
 * mappings that the tracker saw, thread stacks, other mappings. A mapping that is younger than the
 * image whose variables were at its address is searched first: that image was unloaded.
 */
#ifndef MEMDB_MODEL_OBJECTS_H
#define MEMDB_MODEL_OBJECTS_H

#include "model/process.h"

enum object_kind { OBJECT_HEAP, OBJECT_STATIC, OBJECT_STACK, OBJECT_MAPPING };

struct object {
	enum object_kind kind;
	const char *name; /* "[heap]" or a mapping's name, interned; else NULL */
	/* heap, tracked mapping: the call path that allocates its blocks, folded by code_fold() */
	uint32_t call_path;
	uint32_t dso;                        /* static, mapping of a file */
	const struct sym_variable *variable; /* static variables */
	uint32_t thread;                     /* stack, thread-local variable: the owner */
	const struct sym_local *local;       /* stack: a function's variable, … */
	/* … or, if NULL, the rest of this function's frame; 0 means the rest of the stack */
	uint32_t symbol;
	uint32_t process;  /* the process in which it was first seen */
	uint32_t function; /* enum tl_function that allocated the first block */
	bool has_address;
	/* static, stack, mapping: its address range in the first process */
	uint64_t address, extent;
	uint64_t live_bytes, peak_bytes; /* heap, tracked mapping */
	uint64_t blocks, total_bytes;
	uint64_t ended; /* number of blocks that the program ended (freed, resized or reused) */
	uint32_t first_sample, first_fault; /* row ids, 0 means none */
	/* some of its blocks stand for several, because only a sample of blocks was recorded */
	bool estimated;
};

/*
 * One heap block, or one tracked mapping, or the rest of a mapping whose middle was unmapped. Its
 * address is the key in the map that holds it. After a fork the child's map holds the parent's
 * blocks too; a block is freed when no map holds it, which may be after its end was reported.
 */
struct block {
	uint64_t size, time;
	uint32_t id;      /* allocations.id */
	uint32_t process; /* the owner; an end is reported only in this process */
	uint32_t thread, call_path, previous;
	uint32_t holds : 28;      /* number of rangemap nodes that hold it */
	uint32_t hit : 1;         /* a sample or a page fault hit it */
	uint32_t keeps : 1;       /* the block has a row, or gets one at its end */
	uint32_t previous_is : 2; /* enum block_previous */
	uint32_t split; /* position + 1 in splits, of the split mapping to which this part belongs;
			   0 means none */
	int16_t cpu;
	uint8_t function;
	uint8_t weight; /* number of blocks that it stands for, as index into objects.weights */
};

_Static_assert(sizeof(struct block) == 48, "there are as many as live allocations");

/* The meaning of block.previous. */
enum block_previous {
	PREVIOUS_ID,       /* allocations.id of the replaced block; 0 means none */
	PREVIOUS_DEFERRED, /* the replaced block's place in objects.deferred */
	PREVIOUS_OWN, /* the block's own place in objects.deferred, because its owner has ended it
		       */
};

/* How a block ended. */
enum block_end { BLOCK_LIVES, BLOCK_FREED, BLOCK_RESIZED, BLOCK_REUSED, BLOCK_PROCESS_END };

/* Returns allocations.end_reason. NULL means the block lived to the end of the recording. */
const char *block_end_name(enum block_end how);

/* A mapping that has lost a part in its middle. */
struct split_mapping {
	uint64_t start, size; /* as at birth */
	/* parts that are alive in the owning process; if free: the next free one + 1 */
	uint32_t parts;
	uint32_t blocks; /* blocks that refer to it */
};

/* The end of a block, as reported to the callbacks. */
struct ended_block {
	struct block *block;  /* when it is stored, its `previous` is an id */
	uint64_t start, size; /* as at birth */
	uint64_t time;        /* 0 means the block lived to the end of the recording */
	uint32_t object, thread, call_path;
	uint32_t weight; /* number of blocks that it stands for */
	enum block_end how;
};

/*
 * Callbacks for blocks that ended. Each block is counted once. Blocks that matter are also stored,
 * when they end or later: see deferred.c.
 */
struct block_sink {
	void (*count)(void *arg, const struct ended_block *e); /* NULL means nobody counts */
	void (*store)(void *arg, const struct ended_block *e); /* NULL means nobody stores */
	void *arg;
	uint64_t keep_bytes; /* blocks of at least this size matter, and all mappings */
};

struct objects {
	struct space *space;
	struct block_sink sink;
	struct {
		struct object *at;
		uint32_t n, cap;
	} objects;
	struct {
		struct block *at;
		uint32_t n, cap;
	} blocks;             /* slots; free ones are chained by `split`, starting at free_blocks */
	uint32_t free_blocks; /* position + 1 */
	struct {
		struct split_mapping *at;
		uint32_t n, cap;
	} splits;
	uint32_t free_splits; /* position + 1 */
	struct {
		uint16_t at[256]; /* [0] is 1; a recording has only a few different weights */
		uint32_t n;
	} weights;
	struct rangemap_holds holds;
	struct {
		struct ended {
			uint64_t start, size, birth, time; /* time: when it ended */
			uint32_t process, id;
			uint32_t deferred; /* its place in objects.deferred; 0 means it is not there
					    */
			bool stored;
		} * at; /* the block that each thread ended last; by threads.id */
		uint32_t n, cap;
	} ended;
	struct {
		struct deferred *at;
		uint32_t n, cap;
	} deferred;             /* ends that may have to be stored later */
	uint32_t free_deferred; /* position + 1 */
	struct {
		uint32_t *at; /* by call path: the object of its blocks, 0 means none yet */
		uint32_t n, cap;
	} of_path[2]; /* for heap blocks and for tracked mappings */
	struct {
		/* by call path: the file whose thread-local variables the blocks hold; 0 means not
		 * computed yet, UINT32_MAX means none */
		uint32_t *at;
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
	uint32_t next_id; /* the last allocations.id that was assigned */
	bool nomem;
};

/* Makes *o empty. *sink is copied, its arg is borrowed. */
void objects_init(struct objects *o, struct space *space, const struct block_sink *sink);
void objects_release(struct objects *o);

struct birth {
	uint64_t start, size, time;
	uint32_t thread, call_path;
	int32_t cpu;
	uint8_t function; /* enum tl_function */
	uint16_t weight;  /* number of blocks that it stands for; 0 means 1 */
	/* realloc, mremap: address of the replaced block, which the same thread ended last; 0 means
	 * none
	 */
	uint64_t old_address;
};

/* Returns the block that the pending birth replaces, or NULL. Valid until the birth's thread ends
 * another block. */
const struct ended *objects_replaced(const struct objects *o, uint32_t process,
				     const struct birth *b);

/* Adds a new block. Blocks that are still alive in its range end now ("reused"), because their
 * deaths were lost. */
void objects_birth(struct objects *o, uint32_t process, const struct birth *b);

/* Ends the block at start. False if no block is known there: it belongs to an earlier program
 * image, or is older than the tracker. */
bool objects_death(struct objects *o, uint32_t process, uint64_t start, uint64_t time,
		   uint32_t thread, uint32_t call_path, enum block_end how);

/* Adds a tracked mapping, or ends all tracked mappings in [start, end). */
void objects_map(struct objects *o, uint32_t process, const struct birth *b);
void objects_unmap(struct objects *o, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		   uint32_t thread, uint32_t call_path, enum block_end how);

/* objects_end_process() ends all blocks of a process (exit or exec). In a child, inherited blocks
 * disappear, but stay alive in the parent. objects_fork() lets a child inherit its parent's blocks.
 */
void objects_end_process(struct objects *o, uint32_t process, uint64_t time, enum block_end how);
void objects_fork(struct objects *o, uint32_t parent, uint32_t child);

/* The object and the block that live at an address. */
struct place {
	uint32_t object;     /* id, 0 means the address is not mapped, as far as is known */
	uint32_t allocation; /* id, 0 means none */
	uint32_t block;  /* position + 1 in objects.blocks until the next birth or death, 0 means
			    none */
	uint64_t offset; /* from the start of the block, variable or mapping */
	uint64_t birth;  /* start of its lifetime; 0 means unknown */
};

/* Returns the birth of the page at address: reports about the page from before this time are no
 * longer valid. A block's pages may be older than the block. */
uint64_t objects_page_birth(struct objects *o, uint32_t process, uint64_t address,
			    const struct place *p);

/* Sets the object's first sample or first fault, if it has none yet. Pass 0 for the other one. */
static inline void objects_accessed(struct objects *o, uint32_t object, uint32_t sample,
				    uint32_t fault)
{
	struct object *x = &AT_ID(o->objects, object);

	x->first_sample = x->first_sample ? x->first_sample : sample;
	x->first_fault = x->first_fault ? x->first_fault : fault;
}

/* Returns the id of the object that stands for one thread's instance of `what` (the address of a
 * variable, the id of a file). The first call creates the object as a copy of *x. Returns 0 when
 * out of memory. */
uint32_t objects_of_thread(struct objects *o, const void *what, const struct object *x);

/* Finds the object at an address for an access by this thread. stack_pointer 0 means unknown. */
struct place objects_find(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
			  uint64_t stack_pointer);

/* Says that a sample or a page fault hit the block at this place, if there is one. The block will
 * be stored. */
void objects_hit(struct objects *o, const struct place *p);

#endif
