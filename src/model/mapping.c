/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the mappings of processes, as records add and remove them, and the images of files. An
 * image is the address range at which a process has loaded a file. */
#include "model/process.h"

#include <string.h>

#include "model/internal.h"

/* Adds a mapping to a process. Returns false when out of memory. */
static bool mapping_add(struct space *s, uint32_t process, const struct mapping *m)
{
	struct rangemap *map = &space_memory(s, process)->mappings;

	forget_parts(space_memory(s, process));
	if (!VEC_ROOM(&s->mappings) || rangemap_put(map, m->start, s->mappings.n))
		return space_nomem(s);
	s->mappings.at[s->mappings.n] = *m;
	s->mappings.at[s->mappings.n++].process = process;
	return true;
}

/* Gives the process a copy of the mapping s->mappings.at[at], which it has shared with its parent
 * or children since a fork. Returns false when out of memory. */
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

/* Returns the mapping s->mappings.at[at] of the process, so that the caller can change it. If other
 * processes share the mapping, first makes a copy for this process. NULL means out of memory. */
static struct mapping *mapping_own(struct space *s, uint32_t process, uint32_t at, uint64_t time)
{
	if (s->mappings.at[at].process == process &&
	    at >= space_memory(s, process)->shared_mappings)
		return &s->mappings.at[at];
	if (!mapping_split_off(s, process, at, time))
		return NULL;
	return &AT_ID(s->mappings, s->mappings.n);
}

/* A stack grows in each process separately, so a forked child needs a stack mapping of its own. */
void mappings_adopt_stack(struct space *s, uint32_t child, uint32_t parents)
{
	if (parents && mapping_split_off(s, child, parents - 1, space_process(s, child)->start))
		space_memory(s, child)->stack_mapping = s->mappings.n;
}

/* The state of one change of a process's mappings (mmap or munmap). */
struct change {
	struct space *s;
	uint32_t process;
	uint32_t dso; /* the file that is mapped over the old mappings; 0 means none */
	uint64_t time;
	uint64_t start, end; /* the changed range */
	/* the part of an old mapping after the changed range, which stays alive; tail.end 0 means
	 * that there is none */
	struct mapping tail;
	bool code; /* code may have been unmapped, so code addresses may change their meaning */
};

/* Does the changed range contain code of the image? If it does not, the image does not end: a
 * loader first maps the entire file, perhaps with the right to execute it, and then maps other
 * memory over the part of .bss. */
static bool reaches_code(const struct change *c, const struct image *i)
{
	const uint64_t lo = c->start > i->lo ? c->start : i->lo;
	const uint64_t hi = c->end < i->hi ? c->end : i->hi;

	return lo < hi && sym_has_code(code_file(c->s->code, i->dso), lo - i->bias, hi - i->bias);
}

/* Handles the end of a mapping that contained code. perf has no record of dlclose(). So if a
 * different file or no file is mapped there now, the image of the old file ends, too. */
static void code_ends(struct change *c, const struct mapping *old)
{
	struct rangemap *images = &space_memory(c->s, c->process)->images;
	uint64_t key;
	uint32_t at;

	if (!old->executable)
		return;
	c->code = true;
	if (old->dso != c->dso && rangemap_le(images, old->start, &key, &at) &&
	    c->s->images.at[at].dso == old->dso && reaches_code(c, &c->s->images.at[at]))
		rangemap_del(images, key, NULL);
}

/* Called by rangemap_cut() for each mapping, or part of one, that ends. The mapping or part begins
 * at `start`; `at` is the mapping's position in s->mappings. */
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

/* Ends all mappings of the process, at exec. The caller must end the process's heap blocks. */
void mappings_end(struct space *s, uint32_t process, uint64_t time)
{
	struct process_memory *m = space_memory(s, process);
	struct change c = { .s = s, .process = process, .time = time, .end = UINT64_MAX };

	forget_parts(m);
	tls_release(m);
	rangemap_cut(&m->mappings, 0, UINT64_MAX, mapping_ends, &c);
	rangemap_release(&m->images);
	m->stack_mapping = 0;
}

/* The range to unmap begins in the middle of the mapping s->mappings.at[at]: keeps the part before
 * `start`. */
static void keep_head(struct change *c, uint32_t at, uint64_t start)
{
	struct mapping old = c->s->mappings.at[at], *head;

	head = mapping_own(c->s, c->process, at, c->time);
	if (head)
		head->end = start;
	code_ends(c, &old);
	if (!head || old.end <= c->end)
		return;
	c->tail = old;
	c->tail.time = head->time;
}

/* Keeps c->tail, the part of a mapping after the unmapped range, if there is one. */
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

/* Ends all mappings in [start, end). `dso` is the file that is mapped there instead; 0 means none.
 */
static void unmap_range(struct space *s, uint32_t process, uint64_t start, uint64_t end,
			uint32_t dso, uint64_t time)
{
	struct process_memory *m = space_memory(s, process);
	struct change c = {
		.s = s, .process = process, .dso = dso, .time = time, .start = start, .end = end
	};
	uint64_t key;
	uint32_t at;

	if (start >= end)
		return;
	forget_parts(m);
	if (rangemap_le(&m->mappings, start, &key, &at) && key < start &&
	    s->mappings.at[at].end > start)
		keep_head(&c, at, start);
	if (rangemap_cut(&m->mappings, start, end - 1, mapping_ends, &c) > 0) {
		/* some of the ended mappings were inherited by a fork and not reported; they may
		 * have contained code */
		c.code = true;
		rangemap_cut(&m->images, start, end - 1, NULL, NULL);
	}
	keep_tail(&c);
	space_process(s, process)->code_generation += c.code;
	s->nomem |= m->mappings.nomem || m->images.nomem;
}

/* Ends the mappings in the range. Parts of mappings that are outside the range stay alive. */
void space_unmap(struct space *s, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	unmap_range(s, process, start, end, 0, time);
}

/* If m maps code of a file, adds the image of the file: the address range of all its segments,
 * which can be computed from the address of m. Removes older images that overlap it. */
static void image_add(struct space *s, struct process_memory *memory, const struct mapping *m,
		      uint64_t time)
{
	const struct sym_mapped mapped = { m->start, m->end - m->start, m->pgoff, m->executable };
	struct dso *d = &AT_ID(s->code->dsos, m->dso);
	struct sym_file *file;
	uint64_t bias, key;
	struct image i;
	uint32_t at;

	if (d->kind != DSO_FILE || !(file = code_file(s->code, m->dso)) || !d->has_range ||
	    !sym_load_bias(file, &mapped, &bias))
		return;
	i = (struct image){ .dso = m->dso, .bias = bias, .time = time };
	i.lo = d->lo + i.bias;
	i.hi = d->hi + i.bias;
	if (rangemap_get(&memory->images, i.lo, &at) && s->images.at[at].dso == i.dso)
		return;
	forget_parts(memory);
	while (rangemap_le(&memory->images, i.hi - 1, &key, &at) && s->images.at[at].hi > i.lo)
		if (!rangemap_del(&memory->images, key, NULL))
			break;
	if (!VEC_ROOM(&s->images) || rangemap_put(&memory->images, i.lo, s->images.n)) {
		space_nomem(s);
		return;
	}
	s->images.at[s->images.n++] = i;
}

/* Handles growth of "[heap]". perf reports each growth as a mapping of the entire heap, but the
 * older pages stay alive. perf does not report when the heap shrinks. Returns false if m is not
 * such a report. */
static bool grows_heap(struct space *s, uint32_t process, const struct mapping *m, uint64_t time)
{
	struct rangemap *map = &space_memory(s, process)->mappings;
	struct mapping *heap;
	uint32_t at, next;
	uint64_t key;

	if (!AT_ID(s->code->dsos, m->dso).is_heap || !rangemap_get(map, m->start, &at) ||
	    s->mappings.at[at].dso != m->dso)
		return false;
	if (rangemap_ge(map, m->start + 1, &key, &next) && key < m->end)
		return false;
	heap = mapping_own(s, process, at, time);
	if (!heap)
		return true;
	heap->grown = time;
	if (heap->end < m->end)
		heap->end = m->end;
	return true;
}

/* Returns the id of the process that has the kernel's mappings; it is created at the first call. 0
 * means out of memory. The index of pids does not contain this process, because samples of dying
 * threads have the same pid, -1. */
static uint32_t kernel_process(struct space *s)
{
	if (s->kernel)
		return s->kernel;
	if (!VEC_ROOM(&s->processes))
		return space_nomem(s);
	s->processes.at[s->processes.n++] = (struct process){ .pid = UINT32_MAX };
	return s->kernel = s->processes.n;
}

/* When a program maps memory next to a mapping with the same properties, the kernel merges the two
 * and reports the merged range m. Returns true if `old`, an older mapping at one end of m, is one
 * of the merged mappings. */
static bool is_part(const struct space *s, const struct mapping *old, const struct mapping *m)
{
	return old->dso == m->dso && AT_ID(s->code->dsos, m->dso).kind == DSO_ANONYMOUS &&
	       old->prot == m->prot && old->flags == m->flags &&
	       old->end - old->start < m->end - m->start &&
	       (old->start == m->start || old->end == m->end);
}

/* Returns the earliest time at which a page of m may have been created: `time`, or the birth of an
 * older mapping that the kernel merged with m. */
static uint64_t birth_of(struct space *s, uint32_t process, const struct mapping *m, uint64_t time)
{
	const struct mapping *first = space_mapping_at(s, process, m->start);
	const struct mapping *last = space_mapping_at(s, process, m->end - 1);

	if (first && is_part(s, first, m) && first->birth < time)
		time = first->birth;
	return last && is_part(s, last, m) && last->birth < time ? last->birth : time;
}

/* Returns the end of the pages that this mmap() call itself mapped: the end of m or, if the kernel
 * merged m with a mapping after it, the start of that mapping. */
static uint64_t own_end_of(struct space *s, uint32_t process, const struct mapping *m)
{
	const struct mapping *last = space_mapping_at(s, process, m->end - 1);

	return last && is_part(s, last, m) && last->end == m->end ? last->start : m->end;
}

/* Ends older mappings in the range of m, unless m reports that "[heap]" has grown. pid UINT32_MAX
 * stands for the kernel. */
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
	fresh.own_end = own_end_of(s, process, m);
	unmap_range(s, process, m->start, m->end, m->dso, time);
	if (process == s->kernel)
		code_kernel_at(s->code, m->dso, m->pgoff);
	p = space_process(s, process);
	if (!mapping_add(s, process, &fresh))
		return;
	if (!strcmp(AT_ID(s->code->dsos, m->dso).path, "[stack]"))
		space_memory(s, process)->stack_mapping = s->mappings.n;
	if (m->executable) {
		p->code_generation++;
		image_add(s, space_memory(s, process), m, time);
		if (!p->program && AT_ID(s->code->dsos, m->dso).kind == DSO_FILE)
			p->program = m->dso;
		if (!p->exe && p->program)
			p->exe = strings_id(&s->code->names, AT_ID(s->code->dsos, p->program).path);
	}
}

/* Maps or unmaps code that the kernel generated, such as a BPF program. */
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

void space_set_stack(struct space *s, uint32_t process, uint64_t address, uint32_t thread)
{
	const struct process *p = space_process(s, process);
	struct mapping *m;
	uint64_t time;
	uint32_t at;

	if (!rangemap_le(&space_memory(s, process)->mappings, address, NULL, &at))
		return;
	time = s->mappings.at[at].time;
	m = mapping_own(s, process, at, time > p->start ? time : p->start);
	if (m)
		m->stack_thread = thread;
}

/* Returns 0 if the process shares the mapping with its parent. Such a mapping counts as a stack of
 * this process only after a sample has shown that a stack pointer of its threads is there. */
uint32_t space_stack_of(const struct mapping *m, uint32_t process)
{
	return m->process == process ? m->stack_thread : 0;
}
