/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks processes and threads through time. The kernel may reuse a pid. Then the new process gets
 * a new id, and the index finds the newest process with that pid. The same applies to the tids of
 * threads. exec ends all other threads of its process.
 *
 * Records may be missing or late. A thread without a fork record is created at its first event. A
 * late fork record does not change the memory of a child that has mappings already.
 */
#include "model/process.h"

#include <string.h>

#include "base/count.h"
#include "model/internal.h"

/* The page size is 4096 bytes until the import sets s->page_bytes from the topology. */
void space_init(struct space *s, struct code *code)
{
	memset(s, 0, sizeof(*s));
	s->code = code;
	s->page_bytes = 4096;
}

void space_release(struct space *s)
{
	for (uint32_t i = 0; i < s->processes.n; i++)
		memory_release(&s->processes.at[i]);
	free(s->processes.at);
	free(s->threads.at);
	free(s->reported_stacks.at);
	free(s->comms.at);
	free(s->mappings.at);
	free(s->images.at);
	index_release(&s->process_index);
	index_release(&s->thread_index);
	memset(s, 0, sizeof(*s));
}

/* Returns the newest process with this pid; 0 if there is none. */
static uint32_t process_find(const struct space *s, uint32_t pid)
{
	uint32_t hash = index_hash(pid, 0), place = hash, id;

	while ((id = index_next(&s->process_index, hash, &place)))
		if (AT_ID(s->processes, id).pid == pid)
			break;
	return id;
}

/* Adds a process. An older process with this pid remains, but can be found only by its id.
 * Returns the new id; 0 means out of memory. */
static uint32_t process_new(struct space *s, uint32_t pid, uint32_t parent, uint64_t time)
{
	uint32_t old = process_find(s, pid), hash = index_hash(pid, 0), id = s->processes.n + 1;

	if (!VEC_ROOM(&s->processes) || (!old && !index_add(&s->process_index, hash, id)))
		return space_nomem(s);
	if (old)
		index_replace(&s->process_index, hash, old, id);
	memset(s->memo.threads, 0, sizeof(s->memo.threads));
	s->processes.at[s->processes.n++] = (struct process){
		.pid = pid,
		.parent = parent,
		.start = time,
	};
	return id;
}

/* Never returns NULL; see memory_make(). */
struct process_memory *space_memory(struct space *s, uint32_t process)
{
	struct process_memory *m = space_process(s, process)->memory;

	return m ? m : memory_make(s, process);
}

/* Returns 0 if the process is unknown, or when out of memory. */
uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time)
{
	uint32_t id = process_find(s, pid);

	return id || !create ? id : process_new(s, pid, 0, time);
}

/* Returns the newest thread of the process with this tid; 0 if there is none. s->thread_index does
 * not contain first threads: process.main_thread is the thread whose tid is the pid. */
static uint32_t thread_find(const struct space *s, uint32_t process, uint32_t tid)
{
	uint32_t hash = index_hash(tid, process), place = hash, id;

	if (tid == AT_ID(s->processes, process).pid)
		return AT_ID(s->processes, process).main_thread;
	while ((id = index_next(&s->thread_index, hash, &place)))
		if (AT_ID(s->threads, id).tid == tid && AT_ID(s->threads, id).process == process)
			break;
	return id;
}

/* Is the thread alive? It is not if it has exited, or if another thread of its process has called
 * exec since: exec ends all other threads. */
static bool is_alive(const struct space *s, const struct thread *t)
{
	return !t->exited &&
	       t->image == (AT_ID(s->processes, t->process).image & THREAD_IMAGE_BITS);
}

/* Sets the name of a thread from `time` on. `comm` is an id in code.names; 0 means out of memory.
 * `exec` means that exec() has set the name. Returns false when out of memory. */
static bool name_thread(struct space *s, uint32_t thread, uint32_t comm, bool exec, uint64_t time)
{
	if (!comm || !VEC_ROOM(&s->comms))
		return space_nomem(s);
	AT_ID(s->threads, thread).comm = comm;
	s->comms.at[s->comms.n++] = (struct comm){ .time = time,
						   .comm = comm,
						   .exec = exec,
						   .tracked = -1,
						   .thread = thread & ((1u << 29) - 1) };
	return true;
}

/* Adds a thread, even if an older one has the same tid. Returns its id; 0 means out of memory. */
static uint32_t thread_new(struct space *s, uint32_t process, uint32_t tid, uint64_t time)
{
	uint32_t old = thread_find(s, process, tid), hash = index_hash(tid, process);
	struct process *p = space_process(s, process);

	if (!VEC_ROOM(&s->threads) ||
	    (tid != p->pid && !old && !index_add(&s->thread_index, hash, s->threads.n + 1)))
		return space_nomem(s);
	if (tid == p->pid)
		p->main_thread = s->threads.n + 1;
	else if (old)
		index_replace(&s->thread_index, hash, old, s->threads.n + 1);
	memset(s->memo.threads, 0, sizeof(s->memo.threads));
	s->threads.at[s->threads.n++] = (struct thread){
		.process = process, .tid = tid, .start = time, .image = p->image & THREAD_IMAGE_BITS
	};
	p->alive++;
	if (!p->pid && !tid) /* the kernel's idle thread, whose name perf never reports */
		name_thread(s, s->threads.n, strings_id(&s->code->names, "swapper"), false, 0);
	return s->threads.n;
}

/* Searches the last results in s->memo first, because events of one thread come in bursts. */
uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	const size_t slots = COUNT_OF(s->memo.threads), at = tid % slots;
	uint32_t process, id;

	if (s->memo.threads[at].thread && s->memo.threads[at].tid == tid &&
	    s->memo.threads[at].pid == pid)
		return s->memo.threads[at].thread;
	process = space_process_of(s, pid, true, time);
	if (!process)
		return 0;
	id = thread_find(s, process, tid);
	if (!id)
		id = thread_new(s, process, tid, time);
	s->memo.threads[at].pid = pid;
	s->memo.threads[at].tid = tid;
	s->memo.threads[at].thread = id;
	return id;
}

/* Adds a new thread with the name of its creator. The thread has this name until it sets another
 * one. */
static bool thread_fork(struct space *s, uint32_t process, uint32_t tid, uint32_t creator,
			uint64_t time)
{
	uint32_t id = thread_new(s, process, tid, time);

	if (id && creator && AT_ID(s->threads, creator).comm)
		name_thread(s, id, AT_ID(s->threads, creator).comm, false, time);
	return id;
}

/* Is this fork of `parent` the one that has begun the process? In a program that has the sampler
 * soft twice, in itself and with a library, each of the two reports the fork, the second a moment
 * later. No parent gives a pid to a second child so soon. */
static bool is_told_again(const struct process *p, uint32_t parent, uint64_t time)
{
	const uint64_t moment = 1000000000; /* ns */

	return p->announced && !p->end && p->parent == parent && time - p->start < moment;
}

/* Returns the process that a fork creates. This process may be known already: when a recording
 * begins, perf lists the running processes by pid, so it may list a child before its parent. */
static uint32_t process_fork(struct space *s, uint32_t pid, uint32_t parent, uint64_t time)
{
	uint32_t id = process_find(s, pid);

	if (id && is_told_again(space_process(s, id), parent, time))
		return id;
	if (!id || space_process(s, id)->announced || space_process(s, id)->end)
		id = process_new(s, pid, parent, time);
	if (!id)
		return 0;
	space_process(s, id)->announced = true;
	space_process(s, id)->parent = parent;
	space_process(s, id)->start = time;
	return id;
}

static bool has_mappings(const struct process *p)
{
	return p->memory ? !rangemap_empty(&p->memory->mappings) : p->mappings != NULL;
}

uint32_t space_fork(struct space *s, const struct task_fork *f, uint64_t time)
{
	uint32_t parent = space_process_of(s, f->ppid, true, time), id, thread;
	uint32_t creator = parent ? thread_find(s, parent, f->ptid) : 0;

	id = f->pid == f->ppid ? parent : process_fork(s, f->pid, parent, time);
	if (!id || !parent)
		return 0;
	thread = thread_find(s, id, f->tid);
	if (thread && is_alive(s, &AT_ID(s->threads, thread))) {
		/* perf found the running thread and listed it before this fork record */
		if (!AT_ID(s->threads, thread).start)
			AT_ID(s->threads, thread).start = time;
	} else if (!thread_fork(s, id, f->tid, creator, time)) {
		return 0;
	}
	if (id == parent || !f->inherits || has_mappings(space_process(s, id)))
		return 0;
	space_process(s, id)->exe = space_process(s, parent)->exe;
	space_process(s, id)->program = space_process(s, parent)->program;
	space_process(s, id)->code_generation = time;
	memory_inherit_mappings(s, parent, id);
	return id;
}

/* Handles exec by `thread`: ends all mappings of its process and all other threads. */
static void on_exec(struct space *s, struct thread *thread, uint64_t time)
{
	struct process *p = space_process(s, thread->process);

	mappings_end(s, thread->process, time);
	/* set by the first executable mapping that follows */
	p->exe = p->program = 0;
	/* position + 1 of the COMM record that reports the exec */
	space_memory(s, thread->process)->exec = s->comms.n;
	p->code_generation++;
	thread->image = ++p->image & THREAD_IMAGE_BITS;
	p->alive = 1;
}

uint32_t space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint32_t process = process_find(s, pid);
	uint32_t thread = process ? thread_find(s, process, tid) : 0;

	if (thread && is_alive(s, &AT_ID(s->threads, thread))) {
		AT_ID(s->threads, thread).end = time;
		AT_ID(s->threads, thread).exited = true;
		space_process(s, process)->alive--;
	}
	if (!process || space_process(s, process)->alive)
		return 0;
	space_process(s, process)->end = time;
	return process;
}

/* If the process pid has no such thread, searches for a process whose pid equals tid, and returns
 * its first thread: a system call may name such a thread. */
uint32_t space_subject(const struct space *s, uint32_t pid, uint32_t tid)
{
	uint32_t process = process_find(s, pid), other = process_find(s, tid);
	uint32_t thread = process ? thread_find(s, process, tid) : 0;

	return thread || !other ? thread : thread_find(s, other, tid);
}

/* Stores the end that the tracker reported. If perf reports the end of the thread later, that end
 * replaces it. */
void space_ended(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint32_t thread = space_subject(s, pid, tid);

	if (thread && is_alive(s, &AT_ID(s->threads, thread)))
		AT_ID(s->threads, thread).end = time;
}

/* `exec` is a flag of the COMM record with which perf reports the new name. */
void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time)
{
	uint32_t thread = space_thread_of(s, pid, tid, time);
	uint32_t name = strings_id(&s->code->names, comm);

	if (!thread || !name_thread(s, thread, name, exec, time)) {
		space_nomem(s);
		return;
	}
	if (exec)
		on_exec(s, &AT_ID(s->threads, thread), time);
}
