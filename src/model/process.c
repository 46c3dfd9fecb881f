/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/process.h"

#include <string.h>

void space_init(struct space *s, struct code *code)
{
	memset(s, 0, sizeof(*s));
	s->code = code;
}

void space_release(struct space *s)
{
	for (uint32_t i = 0; i < s->processes.n; i++) {
		struct process *p = &s->processes.at[i];

		rangemap_release(&p->mappings);
		rangemap_release(&p->images);
		rangemap_release(&p->blocks);
		rangemap_release(&p->tracked_maps);
	}
	free(s->processes.at);
	free(s->threads.at);
	free(s->comms.at);
	free(s->mappings.at);
	free(s->images.at);
	index_release(&s->process_index);
	index_release(&s->thread_index);
	memset(s, 0, sizeof(*s));
}

enum { MAX_ANCESTORS = 32 }; /* that are asked for names of code */

static uint32_t nomem(struct space *s)
{
	s->nomem = true;
	return 0;
}

static uint32_t process_find(const struct space *s, uint32_t pid)
{
	uint32_t hash = index_hash(pid, 0), place = hash, id;

	while ((id = index_next(&s->process_index, hash, &place)))
		if (s->processes.at[id - 1].pid == pid)
			break;
	return id;
}

static uint32_t process_new(struct space *s, uint32_t pid, uint32_t parent, uint64_t time)
{
	uint32_t old = process_find(s, pid), hash = index_hash(pid, 0), id = s->processes.n + 1;

	if (!VEC_ROOM(&s->processes) || (!old && !index_add(&s->process_index, hash, id)))
		return nomem(s);
	if (old)
		index_replace(&s->process_index, hash, old, id);
	memset(s->memo.threads, 0, sizeof(s->memo.threads));
	s->processes.at[s->processes.n++] = (struct process){
		.pid = pid,
		.parent = parent,
		.start = time,
		.mappings.owner = id,
		.images.owner = id,
		.blocks.owner = id,
		.tracked_maps.owner = id,
	};
	return id;
}

uint32_t space_process_of(struct space *s, uint32_t pid, bool create, uint64_t time)
{
	uint32_t id = process_find(s, pid);

	return id || !create ? id : process_new(s, pid, 0, time);
}

static uint32_t thread_find(const struct space *s, uint32_t process, uint32_t tid)
{
	uint32_t hash = index_hash(tid, process), place = hash, id;

	while ((id = index_next(&s->thread_index, hash, &place)))
		if (s->threads.at[id - 1].tid == tid && s->threads.at[id - 1].process == process)
			break;
	return id;
}

static bool is_alive(const struct space *s, const struct thread *t)
{
	return !t->exited && t->image == s->processes.at[t->process - 1].image;
}

/* Notes that a thread has this name from now on. The name is kept, not copied. */
static bool name_thread(struct space *s, uint32_t thread, const char *comm, bool exec,
			uint64_t time)
{
	if (!VEC_ROOM(&s->comms))
		return nomem(s);
	s->threads.at[thread - 1].comm = comm;
	s->comms.at[s->comms.n++] =
		(struct comm){ .thread = thread, .time = time, .comm = comm, .exec = exec };
	return true;
}

static uint32_t thread_new(struct space *s, uint32_t process, uint32_t tid, uint64_t time)
{
	uint32_t old = thread_find(s, process, tid), hash = index_hash(tid, process);
	struct process *p = space_process(s, process);

	if (!VEC_ROOM(&s->threads) ||
	    (!old && !index_add(&s->thread_index, hash, s->threads.n + 1)))
		return nomem(s);
	if (old)
		index_replace(&s->thread_index, hash, old, s->threads.n + 1);
	memset(s->memo.threads, 0, sizeof(s->memo.threads));
	s->threads.at[s->threads.n++] = (struct thread){
		.process = process, .pid = p->pid, .tid = tid, .start = time, .image = p->image
	};
	p->alive++;
	if (!p->pid && !tid) /* the kernel's idle thread, of which no record tells */
		name_thread(s, s->threads.n, "swapper", false, 0);
	return s->threads.n;
}

uint32_t space_thread_of(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	const size_t slots = sizeof(s->memo.threads) / sizeof(s->memo.threads[0]), at = tid % slots;
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

/* A mapping that begins to be seen by its process; it is the newest. */
static bool mapping_add(struct space *s, uint32_t process, const struct mapping *m)
{
	struct rangemap *map = &space_process(s, process)->mappings;

	if (!VEC_ROOM(&s->mappings) || rangemap_put(map, m->start, s->mappings.n))
		return nomem(s);
	s->mappings.at[s->mappings.n] = *m;
	s->mappings.at[s->mappings.n++].process = process;
	return true;
}

/* The mapping at this position as it was, but of this process alone from now on. */
static bool mapping_split_off(struct space *s, uint32_t process, uint32_t at, uint64_t time)
{
	struct mapping m = s->mappings.at[at];

	if (m.process == process)
		s->mappings.at[at].end_time = time;
	else
		m.stack_thread = 0;
	m.time = time;
	m.end_time = 0;
	return mapping_add(s, process, &m);
}

/* The mapping at this position of the process's map, which may be changed; NULL when out of memory.
 */
static struct mapping *mapping_own(struct space *s, uint32_t process, uint32_t at, uint64_t time)
{
	if (s->mappings.at[at].process == process &&
	    at >= space_process(s, process)->shared_mappings)
		return &s->mappings.at[at];
	if (!mapping_split_off(s, process, at, time))
		return NULL;
	return &s->mappings.at[s->mappings.n - 1];
}

/* The child sees what the parent sees now. Its stack is its own at once: it grows without a record.
 */
static void mappings_inherit(struct space *s, uint32_t parent, uint32_t child, uint64_t time)
{
	struct process *from = space_process(s, parent), *to = space_process(s, child);
	uint32_t stack = from->stack_mapping;

	rangemap_share(&to->mappings, &from->mappings);
	rangemap_share(&to->images, &from->images);
	from->shared_mappings = s->mappings.n;
	if (stack && mapping_split_off(s, child, stack - 1, time))
		to->stack_mapping = s->mappings.n;
}

/* A new thread has the name of the one that created it until it takes another. */
static bool thread_fork(struct space *s, uint32_t process, uint32_t tid, uint32_t creator,
			uint64_t time)
{
	uint32_t id = thread_new(s, process, tid, time);

	if (id && creator && s->threads.at[creator - 1].comm)
		name_thread(s, id, s->threads.at[creator - 1].comm, false, time);
	return id;
}

/* The process that a fork makes. One that was met before its fork was told is no other: perf tells
 * of running processes in the order of their pids, of a child maybe before its parent. */
static uint32_t process_fork(struct space *s, uint32_t pid, uint32_t parent, uint64_t time)
{
	uint32_t id = process_find(s, pid);

	if (!id || space_process(s, id)->announced || space_process(s, id)->end)
		id = process_new(s, pid, parent, time);
	if (!id)
		return 0;
	space_process(s, id)->announced = true;
	space_process(s, id)->parent = parent;
	space_process(s, id)->start = time;
	return id;
}

uint32_t space_fork(struct space *s, const struct task_fork *f, uint64_t time)
{
	uint32_t parent = space_process_of(s, f->ppid, true, time), id, thread;
	uint32_t creator = parent ? thread_find(s, parent, f->ptid) : 0;

	id = f->pid == f->ppid ? parent : process_fork(s, f->pid, parent, time);
	if (!id || !parent)
		return 0;
	thread = thread_find(s, id, f->tid);
	if (thread && is_alive(s, &s->threads.at[thread - 1])) {
		if (!s->threads.at[thread - 1].start) /* perf met it running, and told that first */
			s->threads.at[thread - 1].start = time;
	} else if (!thread_fork(s, id, f->tid, creator, time)) {
		return 0;
	}
	if (id == parent || !f->inherits || !rangemap_empty(&space_process(s, id)->mappings))
		return 0;
	space_process(s, id)->exe = space_process(s, parent)->exe;
	space_process(s, id)->code_generation = time;
	mappings_inherit(s, parent, id, time);
	return id;
}

/* A change of what a process sees, while its map is changed. */
struct change {
	struct space *s;
	uint32_t process;
	uint32_t dso; /* what is mapped instead, 0 nothing */
	uint64_t time, end;
	struct mapping tail; /* what remains beyond the end; its end is 0 where nothing does */
	bool code;           /* some of what ended may have been code */
};

/* Code is no longer there. Where another file (or none) takes its place, its image is gone too:
 * nothing tells of dlclose(). */
static void code_ends(struct change *c, const struct mapping *old)
{
	struct process *p = space_process(c->s, c->process);
	uint64_t key;
	uint32_t at;

	if (!old->executable)
		return;
	c->code = true;
	if (old->dso != c->dso && rangemap_le(&p->images, old->start, &key, &at) &&
	    c->s->images.at[at].dso == old->dso)
		rangemap_del(&p->images, key, NULL);
}

/* A mapping is no longer seen. */
static void mapping_ends(void *arg, uint64_t start, uint32_t at)
{
	struct change *c = arg;
	struct mapping *m = &c->s->mappings.at[at];

	if (m->process == c->process)
		m->end_time = c->time;
	if (m->end > c->end) {
		c->tail = *m;
		c->tail.time = c->time;
	}
	code_ends(c, m);
}

/* exec: of the threads only this one goes on, and nothing of what was mapped. */
static void on_exec(struct space *s, struct thread *thread, uint64_t time)
{
	struct process *p = space_process(s, thread->process);
	struct change c = { .s = s, .process = thread->process, .time = time, .end = UINT64_MAX };

	rangemap_cut(&p->mappings, 0, UINT64_MAX, mapping_ends, &c);
	rangemap_release(&p->images);
	p->stack_mapping = 0;
	p->exe = NULL; /* the first code that is mapped tells */
	p->code_generation++;
	thread->image = ++p->image;
	p->alive = 1;
}

uint32_t space_exit(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint32_t process = process_find(s, pid);
	uint32_t thread = process ? thread_find(s, process, tid) : 0;

	if (thread && is_alive(s, &s->threads.at[thread - 1])) {
		s->threads.at[thread - 1].end = time;
		s->threads.at[thread - 1].exited = true;
		space_process(s, process)->alive--;
	}
	if (!process || space_process(s, process)->alive)
		return 0;
	space_process(s, process)->end = time;
	return process;
}

uint32_t space_subject(const struct space *s, uint32_t pid, uint32_t tid)
{
	uint32_t process = process_find(s, pid), other = process_find(s, tid);
	uint32_t thread = process ? thread_find(s, process, tid) : 0;

	return thread || !other ? thread : thread_find(s, other, tid);
}

void space_ended(struct space *s, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint32_t thread = space_subject(s, pid, tid);

	if (thread && is_alive(s, &s->threads.at[thread - 1]))
		s->threads.at[thread - 1].end = time;
}

void space_comm(struct space *s, uint32_t pid, uint32_t tid, const char *comm, bool exec,
		uint64_t time)
{
	uint32_t thread = space_thread_of(s, pid, tid, time);
	uint32_t name = strings_id(&s->code->names, comm);

	if (!thread || !name ||
	    !name_thread(s, thread, strings_text(&s->code->names, name), exec, time)) {
		nomem(s);
		return;
	}
	if (exec)
		on_exec(s, &s->threads.at[thread - 1], time);
}

/* The mapping at `at` begins before start and reaches beyond it: its head lives on. */
static void keep_head(struct change *c, uint32_t at, uint64_t start)
{
	struct mapping whole = c->s->mappings.at[at], *head;

	head = mapping_own(c->s, c->process, at, c->time);
	if (head)
		head->end = start;
	code_ends(c, &whole);
	if (!head || whole.end <= c->end)
		return;
	c->tail = whole;
	c->tail.time = head->time;
}

/* What reaches beyond the end lives on. */
static void keep_tail(struct change *c)
{
	struct mapping *tail = &c->tail;

	if (!tail->end)
		return;
	if (tail->process != c->process)
		tail->stack_thread = 0;
	tail->pgoff += c->end - tail->start;
	tail->start = c->end;
	tail->end_time = 0;
	mapping_add(c->s, c->process, tail);
}

/* What is in [start, end) ends: dso is mapped there, or nothing (0). */
static void unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint32_t dso,
		  uint64_t time)
{
	struct process *p = space_process(s, process);
	struct change c = { .s = s, .process = process, .dso = dso, .time = time, .end = end };
	uint64_t key;
	uint32_t at;

	if (start >= end)
		return;
	if (rangemap_le(&p->mappings, start, &key, &at) && key < start &&
	    s->mappings.at[at].end > start)
		keep_head(&c, at, start);
	if (rangemap_cut(&p->mappings, start, end - 1, mapping_ends, &c) > 0) {
		c.code = true; /* maybe */
		rangemap_cut(&p->images, start, end - 1, NULL, NULL);
	}
	keep_tail(&c);
	p->code_generation += c.code;
	s->nomem |= p->mappings.nomem || p->images.nomem;
}

void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	unmap(s, process, start, end, 0, time);
}

/* Notes where the file's image lies, from the place of its code. */
static void image_add(struct space *s, struct process *p, const struct mapping *m, uint64_t time)
{
	struct dso *d = &s->code->dsos.at[m->dso - 1];
	struct sym_file *file;
	uint64_t bias, key;
	struct image i;
	uint32_t at;

	if (d->kind != DSO_FILE || !(file = code_file(s->code, m->dso)) || !d->has_range ||
	    !sym_load_bias(file, m->start, m->pgoff, m->executable, &bias))
		return;
	i = (struct image){ .dso = m->dso, .bias = bias, .time = time };
	i.lo = d->lo + i.bias;
	i.hi = d->hi + i.bias;
	if (rangemap_get(&p->images, i.lo, &at) && s->images.at[at].dso == i.dso)
		return;
	while (rangemap_le(&p->images, i.hi - 1, &key, &at) && s->images.at[at].hi > i.lo)
		if (!rangemap_del(&p->images, key, NULL))
			break;
	if (!VEC_ROOM(&s->images) || rangemap_put(&p->images, i.lo, s->images.n)) {
		nomem(s);
		return;
	}
	s->images.at[s->images.n++] = i;
}

/* Each growth of "[heap]" is told as a mapping of the whole: what was there before lives on. */
static bool grows_heap(struct space *s, uint32_t process, const struct mapping *m, uint64_t time)
{
	struct rangemap *map = &space_process(s, process)->mappings;
	struct mapping *heap;
	uint32_t at, next;
	uint64_t key;

	if (!s->code->dsos.at[m->dso - 1].is_heap || !rangemap_get(map, m->start, &at) ||
	    s->mappings.at[at].dso != m->dso)
		return false;
	if (rangemap_ge(map, m->start + 1, &key, &next) && key < m->end)
		return false;
	if (s->mappings.at[at].end >= m->end)
		return true;
	heap = mapping_own(s, process, at, time);
	if (heap)
		heap->end = m->end;
	return true;
}

/* Stands for the kernel. It is not found by its pid, -1, which samples of dying threads have too.
 */
static uint32_t kernel_process(struct space *s)
{
	if (s->kernel)
		return s->kernel;
	if (!VEC_ROOM(&s->processes))
		return nomem(s);
	s->processes.at[s->processes.n++] = (struct process){ .pid = UINT32_MAX };
	return s->kernel = s->processes.n;
}

/* Is `old`, at one end of m, a part of it? The kernel makes one mapping of what lies side by side
 * and is alike, and tells the whole of it when the second part is mapped. */
static bool is_part(const struct space *s, const struct mapping *old, const struct mapping *m)
{
	return old->dso == m->dso && s->code->dsos.at[m->dso - 1].kind == DSO_ANONYMOUS &&
	       old->prot == m->prot && old->flags == m->flags &&
	       old->end - old->start < m->end - m->start &&
	       (old->start == m->start || old->end == m->end);
}

/* Since when the oldest of its pages may be there. */
static uint64_t birth_of(struct space *s, uint32_t process, const struct mapping *m, uint64_t time)
{
	const struct mapping *first = space_mapping_at(s, process, m->start);
	const struct mapping *last = space_mapping_at(s, process, m->end - 1);

	if (first && is_part(s, first, m) && first->birth < time)
		time = first->birth;
	return last && is_part(s, last, m) && last->birth < time ? last->birth : time;
}

void space_map(struct space *s, uint32_t pid, const struct mapping *m, uint64_t time)
{
	uint32_t process =
		pid == UINT32_MAX ? kernel_process(s) : space_process_of(s, pid, true, time);
	struct mapping fresh = *m;
	struct process *p;

	if (!process || m->start >= m->end || !m->dso || grows_heap(s, process, m, time))
		return;
	fresh.time = time;
	fresh.birth = birth_of(s, process, m, time);
	unmap(s, process, m->start, m->end, m->dso, time);
	if (process == s->kernel)
		code_kernel_at(s->code, m->dso, m->pgoff);
	p = space_process(s, process);
	if (!mapping_add(s, process, &fresh))
		return;
	if (!strcmp(s->code->dsos.at[m->dso - 1].path, "[stack]"))
		p->stack_mapping = s->mappings.n;
	if (m->executable) {
		p->code_generation++;
		image_add(s, p, m, time);
		if (!p->exe && s->code->dsos.at[m->dso - 1].kind == DSO_FILE)
			p->exe = s->code->dsos.at[m->dso - 1].path;
	}
}

void space_ksymbol(struct space *s, const struct kernel_code *k, uint64_t time)
{
	struct mapping m = { .start = k->start,
			     .end = k->start + k->size,
			     .executable = true,
			     .dso = k->gone ? 0 : code_ksymbol(s->code, k->name, k->size) };

	if (m.dso)
		space_map(s, UINT32_MAX, &m, time);
	else if (s->kernel && k->gone && m.start < m.end)
		space_unmap(s, s->kernel, m.start, m.end, time);
}

const struct mapping *space_mapping_at(struct space *s, uint32_t process, uint64_t address)
{
	uint32_t at;

	if (!rangemap_le(&space_process(s, process)->mappings, address, NULL, &at) ||
	    address >= s->mappings.at[at].end)
		return NULL;
	return &s->mappings.at[at];
}

void space_set_stack(struct space *s, uint32_t process, uint64_t address, uint32_t thread)
{
	struct process *p = space_process(s, process);
	struct mapping *m;
	uint64_t time;
	uint32_t at;

	if (!rangemap_le(&p->mappings, address, NULL, &at))
		return;
	time = s->mappings.at[at].time;
	m = mapping_own(s, process, at, time > p->start ? time : p->start);
	if (m)
		m->stack_thread = thread;
}

uint32_t space_stack_of(const struct mapping *m, uint32_t process)
{
	return m->process == process ? m->stack_thread : 0;
}

const struct image *space_image_at(struct space *s, uint32_t process, uint64_t address)
{
	uint32_t at;

	if (!rangemap_le(&space_process(s, process)->images, address, NULL, &at) ||
	    address >= s->images.at[at].hi)
		return NULL;
	return &s->images.at[at];
}

/* A sample may be said to be of the kernel while its address is still, or again, the program's: the
 * kernel has the upper half of the addresses, on 32-bit machines what its mappings say. */
static bool is_kernel(struct space *s, uint64_t ip)
{
	return ip >> 63 || (s->kernel && space_mapping_at(s, s->kernel, ip));
}

/* A process that was forked off has its parent's code, and maybe told no names of its own. */
static uint32_t jit_dso(struct space *s, uint32_t process)
{
	struct process *p = space_process(s, process), *from = p;

	if (p->jit_known)
		return p->jit_dso;
	p->jit_known = true;
	p->jit_dso = code_jit(s->code, p->pid);
	for (int i = 0; i < MAX_ANCESTORS && !p->jit_dso && from->parent && !from->image; i++) {
		from = space_process(s, from->parent);
		p->jit_dso = code_jit(s->code, from->pid);
	}
	return p->jit_dso;
}

/* Where the process itself told names of its code, they are better than its memory's. 0: not so. */
static uint32_t jit_location(struct space *s, uint32_t process, const struct mapping *m,
			     uint64_t ip)
{
	struct sym_file *f;
	uint32_t dso;

	if (m && s->code->dsos.at[m->dso - 1].kind != DSO_ANONYMOUS)
		return 0;
	dso = jit_dso(s, process);
	f = dso ? code_file(s->code, dso) : NULL;
	if (!f || !((m && m->executable) || sym_symbol_at(f, ip)))
		return 0;
	return code_location(s->code, dso, ip);
}

/* In the kernel, one of its modules, or code that it made. */
static uint32_t kernel_location(struct space *s, uint64_t ip)
{
	const struct mapping *m = s->kernel ? space_mapping_at(s, s->kernel, ip) : NULL;
	enum dso_kind kind = m ? s->code->dsos.at[m->dso - 1].kind : DSO_KERNEL;

	if (kind == DSO_KSYMBOL)
		return code_location(s->code, m->dso, ip - m->start);
	if (kind == DSO_MODULE)
		return code_location(s->code, m->dso, ip);
	return code_location(s->code, is_kernel(s, ip) ? code_kernel(s->code) : 0, ip);
}

static uint32_t user_location(struct space *s, uint32_t process, uint64_t ip)
{
	const struct mapping *m = process ? space_mapping_at(s, process, ip) : NULL;
	uint32_t jit = process && s->code->jit ? jit_location(s, process, m, ip) : 0;

	if (jit)
		return jit;
	if (!m || !m->executable) /* data: an address that an unwinder took for code */
		return code_location(s->code, 0, ip);
	return code_location(s->code, m->dso, ip - m->start + m->pgoff);
}

uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip)
{
	const size_t slots = sizeof(s->memo.locations) / sizeof(s->memo.locations[0]);
	const size_t at = (ip ^ ip >> 10) % slots;
	uint64_t generation;

	if (kernel)
		return kernel_location(s, ip);
	generation = process ? space_process(s, process)->code_generation : 0;
	if (s->memo.locations[at].ip != ip || s->memo.locations[at].process != process ||
	    s->memo.locations[at].generation != generation || !process) {
		s->memo.locations[at].location = user_location(s, process, ip);
		s->memo.locations[at].ip = ip;
		s->memo.locations[at].process = process;
		s->memo.locations[at].generation = generation;
	}
	return s->memo.locations[at].location;
}
