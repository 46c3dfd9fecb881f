/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the object at an address. An object is what a programmer would call a variable. A block is
 * one allocation: a heap block or a mapping. All heap blocks that are allocated at one call path
 * are one object, and all mappings of anonymous memory made at one call path are one object;
 * object_table.c describes the mappings of files. Births and deaths of blocks arrive in the order
 * of time, and a query finds the objects that are alive at the time of the last event. Element i of
 * `objects` has the id i + 1.
 *
 * An address is searched in this order: thread-local variables, live heap blocks, static variables,
 * mappings that the tracker saw, thread stacks, other mappings. A mapping that the tracker saw is
 * searched before the static variables if it is younger than the image of a file at the same
 * address, because then that image has been unloaded.
 */
#ifndef MEMDB_MODEL_OBJECTS_H
#define MEMDB_MODEL_OBJECTS_H

#include "model/process.h"

enum object_kind { OBJECT_HEAP, OBJECT_STATIC, OBJECT_STACK, OBJECT_MAPPING };

struct object {
	enum object_kind kind;
	/* for a mapping that the tracker did not see: the file's name, or a text such as "[heap
	 * outside blocks]". For libc's data of a thread: "[thread descriptor]". Otherwise NULL */
	const char *name;
	/* for heap blocks and tracked mappings: the call path that allocates the blocks, folded by
	 * code_fold() */
	uint32_t call_path;
	/* for static variables and mappings of a file, or of memory with a name: the file */
	uint32_t dso;
	const struct sym_variable *variable; /* for static variables: the variable */
	/* for static data that no variable covers, such as string literals: the section */
	const struct sym_section *section;
	uint32_t thread; /* for stacks and thread-local variables: the thread */
	/* for stacks: the local variable of a function, if known */
	const struct sym_local *local;
	/* whether the object is the target of the pointer `local` or, if `local` is an array of
	 * variable length, the array */
	bool target;
	/* for stacks without `local`: the function whose frame it is; 0 means the parts of the
	 * stack that belong to no known frame */
	uint32_t symbol;
	uint32_t process;  /* the process in which it was first seen */
	uint32_t function; /* function that allocated the first block: enum tl_function */
	bool has_address;
	/* for static variables, stacks, mappings: address range in the first process that had the
	 * object */
	uint64_t address, extent;
	/* for heap blocks and tracked mappings: number of bytes that are alive now, and its maximum
	 * so far */
	uint64_t live_bytes, peak_bytes;
	uint64_t blocks, total_bytes;
	uint64_t ended; /* blocks that the program itself ended (freed, resized or reused) */
	/* ids of the first sample and of the first page fault that hit the object; 0 means that
	 * there is none */
	uint32_t first_sample, first_fault;
	/* lowest and highest address in the object that a sample accessed; both are 0 before the
	 * first sample */
	uint64_t lowest, highest;
	uint32_t user; /* the thread of the last sample that hit it; 0 means none yet */
	bool shared;   /* whether samples of several threads hit it */
	bool written;  /* whether a sample that hit it is a write */
	/* whether the tracker recorded only a fraction of the object's small blocks, so that its
	 * counts are estimates */
	bool estimated;
};

/* One heap block, or one tracked mapping, or a remaining part of a tracked mapping of which another
 * part was unmapped. The block's start address is its key in the rangemap that contains it. After a
 * fork the child's map contains the parent's blocks, too. A block is freed when no map contains it,
 * which may be after its end was reported. */
struct block {
	uint64_t size, time;
	uint32_t id; /* allocations.id */
	/* the owner: the process that allocated the block. If another process ends the block, the
	 * end is not reported */
	uint32_t process;
	uint32_t thread, call_path, previous;
	/* number of rangemap nodes that contain the block; a fork lets maps share nodes */
	uint32_t holds : 27;
	/* whether the block maps a file, so that its object is found in objects.of_block, not by
	 * the call path */
	uint32_t of_file : 1;
	uint32_t hit : 1;   /* whether a sample or a page fault hit it */
	uint32_t keeps : 1; /* whether the block gets a row of allocations, now or at its end */
	uint32_t previous_is : 2; /* enum block_previous */
	/* split mapping to which this part belongs: position + 1 in splits; 0 means none */
	uint32_t split;
	int16_t cpu;
	uint8_t function;
	/* index into objects.weights: number of allocated blocks that this recorded one represents
	 */
	uint8_t weight;
};

_Static_assert(sizeof(struct block) == 48, "there are as many as live allocations");

/* What block.previous refers to. */
enum block_previous {
	PREVIOUS_ID,       /* allocations.id of the replaced block; 0 means none */
	PREVIOUS_DEFERRED, /* position + 1 in objects.deferred of the replaced block */
	/* position + 1 in objects.deferred of the block's own end: its owner has ended it, but a
	 * forked child still has it */
	PREVIOUS_OWN,
};

/* How a block ended. BLOCK_REUSED: another block was born at its address. */
enum block_end { BLOCK_LIVES, BLOCK_FREED, BLOCK_RESIZED, BLOCK_REUSED, BLOCK_PROCESS_END };

/* Returns the text of allocations.end_reason; NULL if the block was alive at the end of the
 * recording. */
const char *block_end_name(enum block_end how);

/* A tracked mapping of which a part was unmapped: its start, its middle or its end. */
struct split_mapping {
	uint64_t start, size; /* address range of the entire mapping at its birth */
	/* number of parts that are alive in the owning process. In a free element: position + 1 of
	 * the next free element */
	uint32_t parts;
	uint32_t blocks; /* number of blocks (parts) that refer to it */
};

/* The end of a block, as reported to the callbacks. */
struct ended_block {
	struct block *block;  /* when passed to store(), its `previous` is an allocations.id */
	uint64_t start, size; /* address range at its birth */
	uint64_t time;        /* when it ended; 0 means that it was alive at the end of the
			       * recording */
	uint32_t object, thread;
	uint32_t call_path; /* call path of the call that ended it; valid only in store() */
	/* argument for block_sink.call_path(), which finds call_path; NULL means that call_path has
	 * been set */
	const void *site;
	uint32_t weight; /* number of allocated blocks that this recorded one represents */
	enum block_end how;
};

/*
 * Callbacks for blocks that ended. Each block is passed to count() once. Some blocks, which
 * deferred.c chooses, are also passed to store(), when they end or later. Only store() needs the
 * call path that ended a block.
 */
struct block_sink {
	/* Returns the call path that ended a block, for the `site` that was passed to
	 * objects_death(). The callback may be NULL if no death has a site. */
	uint32_t (*call_path)(void *arg, const void *site);
	/* NULL means that blocks are not counted */
	void (*count)(void *arg, const struct ended_block *e);
	/* NULL means that blocks are not stored */
	void (*store)(void *arg, const struct ended_block *e);
	void *arg;
	/* of each object, the first `keep_most` blocks are stored if they have at least
	 * `keep_bytes` bytes; mappings always are. keep_most 0 means no limit */
	uint64_t keep_bytes, keep_most;
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
		/* free slots form a list: `split` has the next one, free_blocks the first */
	} blocks;
	uint32_t free_blocks; /* position + 1 of the first free slot */
	struct {
		struct split_mapping *at;
		uint32_t n, cap;
	} splits;
	uint32_t free_splits; /* position + 1 of the first free element */
	struct {
		/* the different weights (number of blocks that one recorded block represents);
		 * at[0] is 1. A recording has only a few */
		uint16_t at[256];
		uint32_t n;
	} weights;
	struct rangemap_holds holds;
	struct {
		struct ended {
			uint64_t start, size, birth, time; /* time: when it ended */
			uint32_t process, id;
			/* position + 1 in objects.deferred; 0 means that the end is not deferred */
			uint32_t deferred;
			bool stored;
		} * at; /* indexed by threads.id: the block that the thread ended last */
		uint32_t n, cap;
	} ended;
	struct {
		struct deferred *at;
		uint32_t n, cap;
	} deferred;             /* ends of blocks that may have to be stored later */
	uint32_t free_deferred; /* position + 1 of the first free element */
	struct {
		uint32_t *at; /* indexed by call path: the object of its blocks; 0 means none yet */
		uint32_t n, cap;
	} of_path[2]; /* [0] for tracked mappings, [1] for heap blocks */
	struct {
		/* indexed by call path: the DSO whose thread-local variables the blocks contain; 0
		 * means not determined yet, UINT32_MAX means that they contain none */
		uint32_t *at;
		uint32_t n, cap;
	} tls_of_path;
	struct {
		struct of_thread {
			/* identifies the object together with `thread`; see objects_of_thread() */
			const void *what;
			uint32_t thread, object;
		} * at;
		uint32_t n, cap;
	} of_thread;
	struct index of_thread_index;
	struct {
		struct of_file {
			uint32_t file; /* id from shared_file() */
			uint32_t object;
			uint64_t offset; /* offset in the file at which the mapping begins */
		} * at;
		uint32_t n, cap;
	} of_file; /* the objects of mappings of shared files, by file and offset */
	struct index of_file_index;
	struct {
		struct of_dso {
			uint32_t call_path, dso; /* call_path is folded by code_fold() */
			uint32_t object;
		} * at;
		uint32_t n, cap;
	} of_dso; /* the objects of mappings of private files, by call path and file */
	struct index of_dso_index;
	struct {
		struct of_block {
			uint32_t id, object; /* id: allocations.id */
		} * at;
		uint32_t n, cap;
	} of_block;       /* objects of blocks that map a file; sorted by allocations.id */
	uint32_t last_id; /* the allocations.id that was assigned last; 0 means none yet */
	bool nomem;
};

/* Initializes *o. *sink is copied; sink->arg must outlive *o. */
void objects_init(struct objects *o, struct space *space, const struct block_sink *sink);
void objects_release(struct objects *o);

struct birth {
	uint64_t start, size, time;
	uint32_t thread, call_path;
	int32_t cpu;
	uint8_t function; /* a value of enum tl_function */
	/* number of allocated blocks that this recorded one represents; 0 means 1 */
	uint16_t weight;
	/* for realloc and mremap: address of the block that the new block replaces; 0 means none.
	 * The same thread has just ended the old block */
	uint64_t old_address;
	/* for a mapping of shared memory: id from shared_file(), and where the mapping begins in
	 * the file; file 0 means that the memory is private */
	uint32_t file;
	uint64_t file_offset;
	/* whether the program gave the shared memory a name (shared_file.named). Then its mappings
	 * that begin at file_offset are an object of their own; otherwise they belong to the object
	 * of the call path of the first of them */
	bool file_named;
	/* for a mapping of a file, or of memory with a name (dso_is_named()): that file. The
	 * mappings of another file from the same call path are another object. 0 means none */
	uint32_t dso;
};

/* Returns the block that the new block *b replaces (by realloc or mremap), or NULL. The pointer is
 * valid until the next birth or death. */
const struct ended *objects_replaced(const struct objects *o, uint32_t process,
				     const struct birth *b);

/* Adds a new block. Blocks that begin in its range and are still alive end as BLOCK_REUSED: their
 * deaths were lost, or are logged later. */
void objects_birth(struct objects *o, uint32_t process, const struct birth *b);

/* Ends the block that begins at `start`; `site` is passed to block_sink.call_path(). Returns false
 * if no block is known there, for example because it was allocated before the tracker started. */
bool objects_death(struct objects *o, uint32_t process, uint64_t start, uint64_t time,
		   uint32_t thread, const void *site, enum block_end how);

/* objects_map() adds a mapping that the tracker reported, objects_unmap() ends all such mappings
 * in [start, end). */
void objects_map(struct objects *o, uint32_t process, const struct birth *b);
void objects_unmap(struct objects *o, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		   uint32_t thread, uint32_t call_path, enum block_end how);

/* objects_end_process() ends all blocks of a process, at exit or exec. Blocks that it inherited
 * from its parent stay alive in the parent. objects_fork() gives a child its parent's blocks. */
void objects_end_process(struct objects *o, uint32_t process, uint64_t time, enum block_end how);
void objects_fork(struct objects *o, uint32_t parent, uint32_t child);

/* The object and the block at an address. */
struct place {
	uint32_t object;     /* id of the object; 0 means none, for example because no known
			      * mapping contains the address */
	uint32_t allocation; /* allocations.id; 0 means none */
	/* position + 1 in objects.blocks, valid until the next birth or death; 0 means none */
	uint32_t block;
	uint64_t offset; /* bytes from the start of the block, variable or mapping */
	uint64_t birth;  /* birth of the block or mapping; 0 means unknown */
};

/* Returns the earliest time at which the page at the address can have been created. Facts about the
 * address from before that time concern an earlier page. The page may be older than the block on
 * it. */
uint64_t objects_page_birth(struct objects *o, uint32_t process, uint64_t address,
			    const struct place *p);

/* Stores the id of a sample or of a page fault that hit the object, if it is the first sample or
 * the first page fault: the two are stored separately. For a sample, `fault` is 0; for a page
 * fault, `sample` is 0. */
static inline void objects_accessed(struct objects *o, uint32_t object, uint32_t sample,
				    uint32_t fault)
{
	struct object *x = &AT_ID(o->objects, object);

	x->first_sample = x->first_sample ? x->first_sample : sample;
	x->first_fault = x->first_fault ? x->first_fault : fault;
}

/* Returns the id of the object of the pair (what, x->thread). `what` is a pointer that identifies a
 * thread-local variable, a section, or something in a stack: a local variable, the target of a
 * local pointer, or the frame of a function. The first call for a pair creates the object as a copy
 * of *x. Gives the object the address of *x if it has none. Returns 0 when out of memory. */
uint32_t objects_of_thread(struct objects *o, const void *what, const struct object *x);

/* Returns the id of the object of a shared file, for a mapping that the tracker did not report. The
 * first call for a file creates the object as a copy of *x, unless a tracked mapping begins at the
 * start of the file: then the file's object is the object of that mapping. Returns 0 when out of
 * memory. */
uint32_t objects_of_file(struct objects *o, uint32_t file, const struct object *x);

/* Finds the object at an address that this thread accesses. stack_pointer is the stack pointer at
 * the access; 0 means unknown. */
struct place objects_find(struct objects *o, uint32_t process, uint32_t thread, uint64_t address,
			  uint64_t stack_pointer);

/* Must be called for each sample or page fault; *p is what objects_find() returned for its address.
 * If a block is there, the block will get a row in allocations. */
void objects_hit(struct objects *o, const struct place *p);

#endif
