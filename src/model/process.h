/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks processes, threads and their mappings through time. Events arrive in the order of time,
 * and a query refers to the time of the last event. Processes, threads and mappings that have ended
 * stay in their arrays, because the database lists them. Element i of an array has the id i + 1.
 */
#ifndef MEMDB_MODEL_PROCESS_H
#define MEMDB_MODEL_PROCESS_H

#include "base/err.h"
#include "base/index.h"
#include "model/code.h"
#include "model/rangemap.h"

struct inherited; /* a snapshot of a parent's maps at a fork; see memory.c */

/*
 * A range of pages that one mmap() created. A forked child shares its parent's mappings. When
 * either process changes a mapping, it gets a copy of the mapping.
 */
struct mapping {
	uint32_t process, dso;   /* process: the first process for which the mapping was reported */
	uint64_t time, end_time; /* end_time 0 means that it existed to the end of the recording */
	uint64_t birth;          /* no page in the mapping is older than this; birth <= time */
	uint64_t grown;          /* for "[heap]": time of its last growth; 0 means never */
	uint64_t start, end;
	/* end of the pages that this mmap() created; [own_end, end) are pages of an older,
	 * similar mapping, which the kernel merged with this one */
	uint64_t own_end;
	uint64_t pgoff;
	uint32_t prot, flags;
	/* shared memory: id from shared_file(), and pgoff is the offset in that file. 0 means
	 * private memory */
	uint32_t file;
	bool has_prot, executable;
	bool is_reported_stack; /* whether only stack_report() (reported_stacks.h) knows of this
				   mapping */
	/* the thread of `process` that uses this mapping as its stack: its stack pointer was seen
	 * there, or the thread was reported by stack_report(). 0 means none */
	uint32_t stack_thread;
};

/* A cached result of mapping_part.c: a range of addresses that lies in one mapping, and in one
 * file's image or in no image. A program accesses few such ranges at a time, so most lookups need
 * no search. */
struct mapping_part {
	uint64_t start, bytes;
	/* mapping: position in space.mappings; image: position + 1 in space.images, 0 means none */
	uint32_t mapping, image;
};

enum { RECENT_PARTS = 4 };

/* The memory of one process: maps of its mappings, images and blocks. */
struct process_memory {
	/* for each mapping: its start address → position in space.mappings */
	struct rangemap mappings;
	/* for each file's image: its lowest address → position in space.images */
	struct rangemap images;
	struct rangemap blocks; /* for each live heap block: its start → position in
				 * objects.blocks */
	/* for each live mapping that the tracker reported: its start → position in objects.blocks
	 */
	struct rangemap tracked_maps;
	/* results of the last lookups, cleared when a mapping changes; in an empty entry bytes is 0
	 */
	struct mapping_part recent[RECENT_PARTS];
	uint32_t oldest; /* index in `recent` of the entry that the next result replaces */
	/* the process's mappings before this position in space.mappings may be shared with
	 * children, so they must be copied before they change */
	uint32_t shared_mappings;
	uint32_t stack_mapping; /* position + 1 in space.mappings of "[stack]", a mapping that no
				 * child shares; 0 means none */
	/* ids of two objects: one represents mappings without a name, the other "[heap]". They
	 * cover only addresses without a more exact object */
	uint32_t anon_object, heap_object;
	bool jit_known; /* whether jit_dso has been determined */
	/* DSO with the names of the code that the process generated at run time; 0 means none */
	uint32_t jit_dso;
	uint32_t exec;       /* the last exec: position + 1 in space.comms; 0 means none */
	const char *command; /* interned in code.names; NULL means unknown */
	/* the last snapshots of these maps for forked children (memory.c); NULL if every child has
	 * maps of its own */
	struct inherited *left_mappings;
	struct inherited *left_blocks;
	/* thread-local data (tls.c); NULL means that nothing was reported about such data */
	struct tls *tls;
};

/* A process. If only its fork is known, it takes less than 200 bytes, including its thread, the
 * thread's name and the index entries. Builds and scripts fork many such processes, so these
 * structs must stay small. */
struct process {
	uint32_t pid, parent; /* parent: id of the process */
	/* start: 0 means that it began before the recording; end: 0 means that it was alive at the
	 * end */
	uint64_t start, end;
	/* its program; 0 means unknown: exe is the id of its path in code.names (space_exe()),
	 * program its dso */
	uint32_t exe, program;
	/* changes whenever code is mapped or unmapped; cached locations are valid while it has the
	 * same value */
	uint64_t code_generation;
	struct process_memory *memory; /* NULL until the maps are needed; use space_memory() */
	/* snapshots of the parent's mappings and blocks, which are used while `memory` is NULL */
	struct inherited *mappings, *blocks;
	uint32_t alive; /* number of the process's threads that are known
			 * and alive */
	/* number of exec() calls so far; it changes when another program begins to run */
	uint32_t image : 31;
	uint32_t loses_children : 1; /* whether forked children without a log are not tracked */
	uint32_t main_thread;        /* the newest thread whose tid is the pid; 0 means none */
	bool tracked : 1;            /* whether it has a log of the tracker */
	bool missed : 1;     /* whether it ran a program into which the tracker was not loaded */
	bool of_program : 1; /* whether it is the recorded program or a descendant of it */
	/* loaded: whether its current program has loaded the tracker's library; logged: whether a
	 * log of the tracker was found for this program */
	bool loaded : 1, logged : 1;
	bool mapped : 1;    /* whether a mapping of its current program's code was recorded */
	bool announced : 1; /* whether its fork was recorded */
	/* whether SIGILL has ended it, perhaps at an instruction that the emulator does not know */
	bool unknown_instruction : 1;
	/* where its current program has mapped the start of libc's file: the lowest 24 bits of the
	 * page number; 0 means not mapped yet */
	uint32_t libc_page : 24;
};

enum { THREAD_IMAGE_BITS = (1 << 30) - 1 };

struct thread {
	uint32_t process, tid;
	uint64_t start, end;
	uint64_t pointer; /* the thread pointer (see tls.h); 0 means unknown */
	uint32_t comm;    /* the latest name: id in code.names; 0 means unknown */
	uint32_t stack_object;
	uint32_t exited : 1;
	uint32_t stack_reported : 1; /* whether stack_report() (reported_stacks.h) reported it */
	/* the bits THREAD_IMAGE_BITS of the process's `image` when the thread was started or called
	 * exec: if they differ from the present ones, the exec of another thread has ended this
	 * one */
	uint32_t image : 30;
};

struct comm {
	uint64_t time;
	uint32_t comm; /* id in code.names */
	uint32_t exec : 1;
	/* 1 if the program that this exec started was tracked, 0 if not, -1 if unknown */
	int32_t tracked : 2;
	uint32_t thread : 29;
};

/* The range of addresses at which a process has loaded a file. */
struct image {
	uint32_t dso;
	uint64_t lo, hi; /* hi is exclusive */
	uint64_t bias;   /* address in memory minus address in the file */
	uint64_t time;   /* when the file's code was mapped */
};

/* Results of the last lookups, because most samples concern few threads and locations. The index is
 * computed from the tid or the ip. */
struct space_memo {
	struct {
		uint32_t pid, tid, thread; /* thread 0 means an empty entry */
	} threads[64];
	struct {
		uint64_t ip, generation;
		uint32_t process, location; /* process 0 means an empty entry */
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
	/* indexed by thread - 1: an address on the stack that stack_report() reported for the
	 * thread; 0 means none. The last threads may have no element. This is not a member of
	 * struct thread, because few recordings have such reports */
	struct {
		uint64_t *at;
		uint32_t n, cap;
	} reported_stacks;
	struct index process_index; /* maps a pid to the newest process with that pid */
	/* maps process and tid to the newest such thread; does not contain first threads */
	struct index thread_index;
	/* the memory of all processes for which allocation failed */
	struct process_memory no_memory;
	uint64_t page_bytes; /* page size of the recorded machine */
	uint32_t kernel;     /* the process that has the kernel's mappings; 0 means none yet */
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

/* Returns the memory of a process. The first call creates the struct. It is valid until
 * space_release(). */
struct process_memory *space_memory(struct space *s, uint32_t process);

/* Returns the newest process with this pid, even if it has ended, because records may come late. If
 * there is none, creates it if `create` is set. Returns 0 if it does not exist, or when out of
 * memory. */
uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time);

/* Returns the newest thread with this tid in process pid, even if it has ended. If there is none,
 * creates it (and the process). Returns 0 when out of memory. */
uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A fork, as perf records it: thread ptid of process ppid created thread tid of process pid. */
struct task_fork {
	uint32_t pid, ppid, tid, ptid;
	/* whether perf saw the fork. If not, perf found the process running, and records its
	 * mappings next */
	bool inherits;
};

/* Adds the new process or thread. A thread begins with the name of its creator. If f->inherits is
 * set and a new process has no mappings yet, gives it its parent's mappings and returns its id.
 * Otherwise returns 0. */
uint32_t space_fork(struct space *s, const struct task_fork *f, uint64_t time);

/* Ends a thread. If no other thread of its process is known to be alive, returns the id of the
 * process; otherwise 0. A process may outlive its first thread. */
uint32_t space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Returns the thread of process pid that has this tid. If there is none, returns the first thread
 * of the process whose pid equals `tid`. If there is no such process either, returns 0: the thread
 * is then not a part of the recorded run. */
uint32_t space_subject(const struct space *s, uint32_t pid, uint32_t tid);

/* Sets the end of a thread, as the tracker reported it. space_exit() may set a later one
 * afterwards. */
void space_ended(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* Sets the name of a thread. With `exec`, exec() has set the name, so the mappings of the thread's
 * process end. */
void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time);

/* Adds a mapping, which replaces the mappings in its range. pid UINT32_MAX stands for the
 * kernel. */
void space_map(struct space *s, uint32_t pid, const struct mapping *m, uint64_t time);

/* Code that the kernel has generated at run time or, if `gone` is set, discarded. */
struct kernel_code {
	uint64_t start;
	uint32_t size;
	const char *name;
	bool gone;
};

void space_ksymbol(struct space *s, const struct kernel_code *k, uint64_t time);

/* Ends all mappings in [start, end). */
void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Returns the mapping that contains the address, or NULL. The pointer is valid until a mapping
 * changes. */
const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address);

/* space_set_stack() marks the mapping at this address as the stack of a thread. space_stack_of()
 * returns that thread; 0 if the mapping is not marked for this process. */
void space_set_stack(struct space *s, uint32_t process, uint64_t address, uint32_t thread);
uint32_t space_stack_of(const struct mapping *m, uint32_t process);

/* Returns the image of a file that contains the address, or NULL. An image includes .bss, which no
 * mapping of the file contains. */
const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address);

/* Returns a number that changes whenever code is mapped or unmapped in the process or in the
 * kernel. While it stays the same, results of space_location() are valid. process 0 means the
 * kernel alone. */
uint64_t space_code_generation(const struct space *s, uint32_t process);

/* Finds or adds the location of the code address ip: in the kernel if `kernel` is set, otherwise in
 * the process. Returns 0 when out of memory. */
uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip);

/* Returns the path of the program that the process runs; NULL means unknown. */
const char *space_exe(const struct space *s, const struct process *p);

/* Returns the image of the program that the process runs, or NULL. */
const struct image *space_program(struct space *s, uint32_t process);

#endif
