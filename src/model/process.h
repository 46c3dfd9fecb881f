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

/* A range of pages that one mmap made, as the recording tells it. */
struct mapping {
	uint32_t process, dso;
	uint64_t time, end_time; /* end_time 0: lived to the end */
	uint64_t start, end;
	uint64_t pgoff;
	uint32_t prot, flags;
	bool has_prot, executable;
	uint32_t stack_thread; /* the thread whose stack pointer was seen in it, 0 none */
};

struct process {
	uint32_t pid, parent;      /* parent: id */
	uint64_t start, end;       /* 0: began before, lived beyond the recording */
	const char *exe, *command; /* interned in code.names; NULL unknown */
	bool tracked;
	bool exited;
	uint64_t code_generation; /* changes whenever an address may mean other code than before */
	struct rangemap mappings; /* start -> position in space.mappings */
	struct rangemap images;   /* lowest address of a file's image -> position in space.images */
	struct rangemap blocks;   /* live heap blocks: start -> position in objects.blocks */
	struct rangemap tracked_maps;      /* live mmaps of the tracker: likewise */
	uint32_t stack_mapping;            /* position + 1 of "[stack]" */
	uint32_t anon_object, heap_object; /* for what no better name is known */
};

struct thread {
	uint32_t process, pid, tid;
	uint64_t start, end;
	const char *comm; /* the last one */
	uint32_t stack_object;
	bool exited;
};

struct comm {
	uint32_t thread;
	uint64_t time;
	const char *comm;
	bool exec;
};

/* Where the image of a file lies in one process. */
struct image {
	uint32_t dso;
	uint64_t lo, hi; /* addresses */
	uint64_t bias;   /* address - address in the file */
};

struct space {
	struct code *code;
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
	struct index process_index, thread_index; /* by pid and tid; the newest counts */
	uint32_t kernel; /* the process that stands for the kernel's mappings, 0 none yet */
	bool nomem;
};

void space_init(struct space *s, struct code *code);
void space_release(struct space *s);

static inline struct process *space_process(struct space *s, uint32_t id)
{
	return &s->processes.at[id - 1];
}

/* The live process of this pid, or with `create` a new one from now on; 0 where there is none (or
 * out of memory). */
uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time);

/* The live thread; created with its process where not known. */
uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A new process or thread, made by thread ptid of process ppid. A process has its parent's
 * mappings, a thread its creator's name. *child is set to the new process's id, or 0 for a thread.
 */
void space_fork(struct space *s, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid,
		uint64_t time, uint32_t *child);
void space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time);

/* A thread's new name; with exec the process's mappings end. */
void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time);

/* A new mapping; what it covers ends there. pid -1: the kernel's. */
void space_map(struct space *s, uint32_t pid, const struct mapping *m, uint64_t time);

/* Nothing is mapped in [start, end) any more. */
void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* The mapping that contains address, or NULL. Valid until the next change. */
struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address);

/* The image that contains address, or NULL: also .bss, which no file mapping shows. */
const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address);

/* The location of a code address of a process (or, with kernel, of the kernel). */
uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip);

#endif
