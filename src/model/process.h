/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks processes, threads and their mappings through time. Events arrive in time order; a query
 * refers to the time of the last event. Dead processes, threads and mappings stay in their arrays,
 * because the database lists them. Element i has id i + 1.
 */
#ifndef MEMDB_MODEL_PROCESS_H
#define MEMDB_MODEL_PROCESS_H

#include "base/err.h"
#include "base/index.h"
#include "model/code.h"
#include "model/rangemap.h"

struct inherited; /* see memory.c */

/*
 * A range of pages made by one mmap, as recorded. A forked child shares its parent's mappings. When
 * either changes one, it gets a copy of its own.
 */
struct mapping {
	uint32_t process, dso;   /* process: the one for which it was first reported */
	uint64_t time, end_time; /* end_time 0 means lived to the end of the recording */
	uint64_t birth;          /* its pages are not older than this; <= time */
	uint64_t grown;          /* [heap]: time of its last growth, 0 means never */
	uint64_t start, end;
	/* pages from here to end belong to an older, similar mapping that the kernel merged with
	 * this one */
	uint64_t own_end;
	uint64_t pgoff;
	uint32_t prot, flags;
	uint32_t file; /* shared memory: id from shared_file(), and pgoff is the offset in it; 0
			  means private */
	bool has_prot, executable;
	/* the thread of `process` whose stack pointer was seen in it, 0 means none */
	uint32_t stack_thread;
};

/* A cached answer: a range of addresses that lie in one mapping, and in one image or in none. A
 * program works on few such ranges at a time, so most lookups need no search. */
struct mapping_part {
	uint64_t start, bytes;
	/* mapping: position in space.mappings; image: position + 1 in space.images, 0 means none */
	uint32_t mapping, image;
};

enum { RECENT_PARTS = 4 };

/* The memory of one process: maps of its mappings, images and blocks. */
struct process_memory {
	struct rangemap mappings; /* start -> position in space.mappings */
	struct rangemap images;   /* lowest address of a file's image -> position in space.images */
	struct rangemap blocks;   /* live heap blocks: start -> position in objects.blocks */
	/* live mappings that the tracker reported: start -> position in objects.blocks */
	struct rangemap tracked_maps;
	/* cache, cleared when a mapping changes; bytes 0 means empty */
	struct mapping_part recent[RECENT_PARTS];
	uint32_t oldest; /* the oldest entry of recent */
	/* mappings before this position may be shared with a child */
	uint32_t shared_mappings;
	uint32_t stack_mapping;            /* position + 1 of "[stack]", which is never shared */
	uint32_t anon_object, heap_object; /* objects for addresses without a better name */
	bool jit_known;                    /* jit_dso is valid */
	uint32_t jit_dso;    /* DSO with the names of its code without a file; 0 means none */
	uint32_t exec;       /* position + 1 in space.comms of the last exec, 0 means none */
	const char *command; /* interned in code.names; NULL means unknown */
	struct inherited
		*left_mappings; /* last snapshots for children, see memory.c; NULL means … */
	struct inherited *left_blocks; /* … no child without its own maps has them */
	struct tls *tls;               /* see tls.c; NULL means nothing was reported */
};

/*
 * A process known only by its fork costs less than 200 bytes, including its thread, the thread's
 * name and the index entries. Builds and scripts fork many of them: keep these structs small.
 */
struct process {
	uint32_t pid, parent;          /* parent: id */
	uint64_t start, end;           /* 0 means began before the recording, lived to its end */
	const char *exe;               /* interned in code.names; NULL means unknown */
	uint64_t code_generation;      /* grows whenever an address may mean other code */
	struct process_memory *memory; /* use space_memory(); NULL means not needed so far, … */
	struct inherited *mappings, *blocks; /* … and these are the parent's snapshots */
	uint32_t alive;                      /* known threads that have not ended */
	uint32_t image;                      /* number of its exec calls */
	uint32_t main_thread;        /* the newest thread whose tid is the pid, 0 means none */
	bool tracked : 1;            /* the process has a tracker log */
	bool missed : 1;             /* the process ran some program without the tracker */
	bool of_program : 1;         /* the process is the recorded program or a descendant of it */
	bool loaded : 1, logged : 1; /* its present program has the tracker loaded; has a log */
	bool mapped : 1;             /* a mapping of its present program's code is recorded */
	bool announced : 1;          /* its fork was recorded */
};

struct thread {
	uint32_t process, tid;
	uint64_t start, end;
	const char *comm; /* the latest one */
	uint64_t pointer; /* thread pointer, see tls.h; 0 means unknown */
	uint32_t stack_object;
	uint32_t exited : 1;
	/* the process's `image` when this thread was last started: exec ends all other threads */
	uint32_t image : 31;
};

struct comm {
	uint64_t time;
	const char *comm;
	uint32_t exec : 1;
	/* was the program that this exec started tracked? 0 or 1, -1: not known */
	int32_t tracked : 2;
	uint32_t thread : 29;
};

/* The place of a file's image in one process. */
struct image {
	uint32_t dso;
	uint64_t lo, hi; /* addresses */
	uint64_t bias;   /* address in memory - address in the file */
	uint64_t time;   /* time at which its code was mapped */
};

/* Cache of the latest lookups, by the low bits of the key: most samples concern few threads and
 * locations. */
struct space_memo {
	struct {
		uint32_t pid, tid, thread; /* thread 0 means empty */
	} threads[64];
	struct {
		uint64_t ip, generation;
		uint32_t process, location; /* process 0 means empty */
	} locations[1024];
};

struct space {
	struct code *code;
	struct space_memo memo;
	struct {
		struct process *at;
		uint32_t n, cap;
	} processes;
	struct {
		struct thread *at;
		uint32_t n, cap;
	} threads;
	struct {
		struct comm *at;
		uint32_t n, cap;
	} comms;
	struct {
		struct mapping *at;
		uint32_t n, cap;
	} mappings;
	struct {
		struct image *at;
		uint32_t n, cap;
	} images;
	struct index process_index; /* by pid: the newest process */
	/* by tid and process: the newest thread; without main threads */
	struct index thread_index;
	struct process_memory no_memory; /* returned when out of memory */
	uint64_t page_bytes;             /* the system's page size */
	uint32_t kernel; /* the process that holds the kernel's mappings, 0 means none yet */
	bool nomem;
};

void space_init(struct space *s, struct code *code);
void space_release(struct space *s);

static inline struct process *space_process(struct space *s, uint32_t id)
{
	return &AT_ID(s->processes, id);
}

static inline uint32_t space_pid(const struct space *s, const struct thread *t)
{
	return AT_ID(s->processes, t->process).pid;
}

/* Returns the memory of a process, created on first use. Valid until space_release(). */
struct process_memory *space_memory(struct space *s, uint32_t process);

/* Returns the newest process with this pid, also one that has ended, because late records refer to
 * it. If there is none, creates one with `create`, else returns 0. Returns 0 when out of memory. */
uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time);

/* Returns the newest thread with this tid, also one that has ended. Creates the thread, and its
 * process, if not known. Returns 0 when out of memory. */
uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A fork as perf records it. */
struct task_fork {
	uint32_t pid, ppid, tid, ptid;
	bool inherits; /* false: perf found the process running and records its mappings next */
};

/* Adds a new process or thread, made by thread ptid of process ppid. A thread starts with its
 * creator's name. A process that inherits gets its parent's mappings, at no cost, and its id is
 * returned; otherwise 0. */
uint32_t space_fork(struct space *s, const struct task_fork *f, uint64_t time);

/* Ends a thread. Returns the id of its process if it was the last thread known to live, else 0. A
 * process can outlive its first thread. */
uint32_t space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Returns the thread of this process with this tid, or else the first thread of the process `tid`.
 * Returns 0 if neither is known: then the tid does not belong to the recorded run. */
uint32_t space_subject(const struct space *s, uint32_t pid, uint32_t tid);

/* Sets the end of a thread that reported its own end. A later space_exit() may set a later end. */
void space_ended(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Sets a thread's new name. With exec, ends the process's mappings. */
void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time);

/* Adds a mapping, which replaces the mappings in its range. pid -1: the kernel's. */
void space_map(struct space *s, uint32_t pid, const struct mapping *m, uint64_t time);

/* Code that the kernel generated at run time, or (`gone`) discarded. */
struct kernel_code {
	uint64_t start;
	uint32_t size;
	const char *name;
	bool gone;
};

void space_ksymbol(struct space *s, const struct kernel_code *k, uint64_t time);

/* Ends all mappings in [start, end). */
void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Returns the mapping that contains address, or NULL. Valid until the next change. */
const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address);

/* space_set_stack() records that the mapping at this address is the stack of a thread.
 * space_stack_of() returns that thread, 0 if there is none. */
void space_set_stack(struct space *s, uint32_t process, uint64_t address, uint32_t thread);
uint32_t space_stack_of(const struct mapping *m, uint32_t process);

/* Returns the image that contains address, or NULL. An image includes .bss, which no file mapping
 * shows. */
const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address);

/* Returns a number that changes whenever other code may be at an address of the process (0 means
 * none) or of the kernel. */
uint64_t space_code_generation(const struct space *s, uint32_t process);

/* Finds or adds the location of a code address of a process, or with `kernel` of the kernel.
 * Returns 0 when out of memory. */
uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip);

#endif
