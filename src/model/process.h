/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes, threads and what their addresses meant through time. Events are given in time order; a
 * question is about now, the time of the last event. Dead processes, threads and mappings stay in
 * their arrays for the database; element i has id i + 1.
 */
#ifndef MEMDB_MODEL_PROCESS_H
#define MEMDB_MODEL_PROCESS_H

#include "base/err.h"
#include "base/index.h"
#include "model/code.h"
#include "model/rangemap.h"

struct inherited; /* memory.c */

/*
 * A range of pages that one mmap made, as the recording tells it. A forked child shares those of
 * its parent until it changes one: then it gets a mapping of its own, as the parent does for what
 * the child still sees.
 */
struct mapping {
	uint32_t process, dso;   /* process: of whom it was told first */
	uint64_t time, end_time; /* end_time 0: lived to the end */
	uint64_t birth;          /* since when its pages are these: not after time */
	uint64_t grown;          /* [heap]: when it grew last, 0 never */
	uint64_t start, end;
	uint64_t own_end; /* what lies from here up to end was there before, and is alike */
	uint64_t pgoff;
	uint32_t prot, flags;
	uint32_t file; /* of shared memory: as shared_file() says, and pgoff is the place in it; 0
			  none */
	bool has_prot, executable;
	uint32_t stack_thread; /* the thread of `process` whose stack pointer was seen in it, 0 none
				*/
};

/* Addresses that all lie in one mapping, and in one image or in none: what was asked of lately. As
 * there are few of them that a program works on, most questions need no search. */
struct stretch {
	uint64_t start, bytes;
	uint32_t mapping, image; /* mapping: position in space.mappings; image: position + 1 in
				    space.images, 0 none */
};

enum { STRETCHES = 4 };

/* What a process sees of memory. */
struct process_memory {
	struct rangemap mappings; /* start -> position in space.mappings */
	struct rangemap images;   /* lowest address of a file's image -> position in space.images */
	struct rangemap blocks;   /* live heap blocks: start -> position in objects.blocks */
	struct rangemap tracked_maps;      /* live mmaps of the tracker: likewise */
	struct stretch recent[STRETCHES];  /* bytes 0: nothing; none when a mapping changes */
	uint32_t oldest;                   /* of them */
	uint32_t shared_mappings;          /* those before this position a child may have as well */
	uint32_t stack_mapping;            /* position + 1 of "[stack]", which is never shared */
	uint32_t anon_object, heap_object; /* for what no better name is known */
	bool jit_known;                    /* jit_dso is looked up */
	uint32_t jit_dso;                  /* the names of its code without a file; 0 none */
	uint32_t exec;                   /* position + 1 in space.comms of the last exec, 0 none */
	const char *command;             /* interned in code.names; NULL unknown */
	struct inherited *left_mappings; /* what the last child began with, as long as a child */
	struct inherited *left_blocks;   /* has not looked */
	struct tls *tls;                 /* tls.c's; NULL: nothing was told */
};

/*
 * A process of which nothing but its fork is known costs less than 200 bytes, with its thread, that
 * thread's name and their places in the indexes: keep these three small.
 */
struct process {
	uint32_t pid, parent;                /* parent: id */
	uint64_t start, end;                 /* 0: began before, lived beyond the recording */
	const char *exe;                     /* interned in code.names; NULL unknown */
	uint64_t code_generation;            /* grows whenever an address may mean other code */
	struct process_memory *memory;       /* space_memory(); NULL: nobody has asked … */
	struct inherited *mappings, *blocks; /* … then what its parent saw when it forked */
	uint32_t alive;                      /* threads that are known and have not ended */
	uint32_t image;                      /* counts its calls of exec */
	uint32_t main_thread;                /* the newest thread whose tid is its pid, 0 none */
	bool tracked : 1;                    /* a log of the tracker is read, or was */
	bool missed : 1;                     /* some program that it ran was not tracked */
	bool of_program : 1;                 /* the program that was recorded, or below it */
	bool loaded : 1, logged : 1; /* the program it runs now: has the tracker in it, has a log */
	bool announced : 1;          /* its fork was told; else it was met by what it did */
};

struct thread {
	uint32_t process, tid;
	uint64_t start, end;
	const char *comm; /* the last one */
	uint64_t pointer; /* see tls.h; 0 unknown */
	uint32_t stack_object;
	uint32_t exited : 1;
	uint32_t image : 31; /* the process's when it was last seen to begin: exec ends all threads
				but one */
};

struct comm {
	uint64_t time;
	const char *comm;
	uint32_t exec : 1;
	int32_t tracked : 2; /* of the program that exec began: 0 or 1, -1 not known */
	uint32_t thread : 29;
};

/* Where the image of a file lies in one process. */
struct image {
	uint32_t dso;
	uint64_t lo, hi; /* addresses */
	uint64_t bias;   /* address - address in the file */
	uint64_t time;   /* when its code was mapped */
};

/* What was asked last, by the low bits of what it was asked for: most samples are of few places. */
struct space_memo {
	struct {
		uint32_t pid, tid, thread; /* thread 0: nothing */
	} threads[64];
	struct {
		uint64_t ip, generation;
		uint32_t process, location; /* process 0: nothing */
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
	struct index process_index;      /* by pid: the newest */
	struct index thread_index;       /* by tid and process: the newest; none of main threads */
	struct process_memory no_memory; /* stands in where memory is out */
	uint64_t page_bytes;             /* the system's page size */
	uint32_t kernel; /* the process that stands for the kernel's mappings, 0 none yet */
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

/* What the process sees of memory: made when it is asked for. Valid until space_release(). */
struct process_memory *space_memory(struct space *s, uint32_t process);

/* The newest process of this pid (it may have ended: what is told late is about it), or with
 * `create` a new one from now on; 0 where there is none (or out of memory). */
uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time);

/* The newest thread of this tid, likewise; created with its process where not known. */
uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* As perf tells of a fork. */
struct task_fork {
	uint32_t pid, ppid, tid, ptid;
	bool inherits; /* false: perf found the process running, its own mappings follow */
};

/* A new process or thread, made by thread ptid of process ppid. A thread has its creator's name. A
 * process that inherits has its parent's mappings, at no cost; its id is returned, 0 for all
 * others. */
uint32_t space_fork(struct space *s, const struct task_fork *f, uint64_t time);

/* A thread ends. Returns its process's id where it was the last one that is known to live, else 0:
 * a process outlives its first thread. */
uint32_t space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A thread of this process, or the first thread of another one; 0 where neither is known: it is
 * none of the run. */
uint32_t space_subject(const struct space *s, uint32_t pid, uint32_t tid);

/* A thread has told of its own end: that is its end unless space_exit() comes. */
void space_ended(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A thread's new name; with exec the process's mappings end. */
void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time);

/* A new mapping; what it covers ends there. pid -1: the kernel's. */
void space_map(struct space *s, uint32_t pid, const struct mapping *m, uint64_t time);

/* Code that the kernel made at run time, or, with gone, threw away. */
struct kernel_code {
	uint64_t start;
	uint32_t size;
	const char *name;
	bool gone;
};

void space_ksymbol(struct space *s, const struct kernel_code *k, uint64_t time);

/* Nothing is mapped in [start, end) any more. */
void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* The mapping that contains address, or NULL. Valid until the next change. */
const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address);

/* Notes the thread of the process whose stack the mapping at this address is; the one noted so far,
 * 0 none. */
void space_set_stack(struct space *s, uint32_t process, uint64_t address, uint32_t thread);
uint32_t space_stack_of(const struct mapping *m, uint32_t process);

/* The image that contains address, or NULL: also .bss, which no file mapping shows. */
const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address);

/* Changes whenever an address of the process (0: none) or of the kernel may mean other code. */
uint64_t space_code_generation(const struct space *s, uint32_t process);

/* The location of a code address of a process (or, with kernel, of the kernel). */
uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip);

#endif
