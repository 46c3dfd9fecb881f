/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/tls.h"

#include <stdlib.h>
#include <string.h>

#include "model/internal.h"

enum {
	/* bytes; minimum alignment in glibc of a thread's control block, to which the thread
	 * pointer points */
	TCB_ALIGN = 64,
	GENERATIONS = 8, /* maximum number of ancestors of a forked process that are searched */
};

struct tls_module {
	uint64_t code, bytes;
	int64_t at; /* bytes from the thread pointer to the thread's block of this module (file) */
};

/* The thread-local data of one process. */
struct tls {
	struct {
		struct tls_module *at;
		uint32_t n, cap;
	} modules;
	struct {
		struct tls_thread {
			uint64_t pointer;
			uint32_t thread;
		} * at; /* sorted by thread pointer */
		uint32_t n, cap;
	} threads;
	int64_t low, high; /* the blocks of all modules are in [pointer + low, pointer + high) */
	/* bytes from the thread pointer to the end of the stack, as the tracker reported them; 0
	 * means unknown */
	uint64_t to_stack_end;
	uint64_t align; /* thread pointers are multiples of this */
	/* bytes from the thread pointer to the end of the stack, measured in threads whose pointer
	 * was reported; 0 means that there is no such thread */
	uint64_t seen;
	/* whether `seen` differed between threads, so that it cannot be used for other threads */
	bool differ;
	bool asked; /* whether add_program() was called */
};

void tls_release(struct process_memory *m)
{
	if (!m->tls)
		return;
	free(m->tls->modules.at);
	free(m->tls->threads.at);
	free(m->tls);
	m->tls = NULL;
}

/* Returns the facts about the process's thread-local data; the first call creates the struct. NULL
 * means out of memory. */
static struct tls *tls_make(struct space *s, uint32_t process)
{
	struct process_memory *m = space_memory(s, process);

	if (m == &s->no_memory)
		return NULL;
	if (!m->tls) {
		m->tls = calloc(1, sizeof(*m->tls));
		if (!m->tls)
			space_nomem(s);
		else
			m->tls->align = TCB_ALIGN;
	}
	return m->tls;
}

/* Returns the struct tls that lists the modules of a process. This is the struct of the process
 * itself or of its nearest ancestor that has such a list, because a forked process has the modules
 * of its parent. Whether the process has called exec() since is not checked. NULL means unknown. */
static const struct tls *modules_of(const struct space *s, uint32_t process)
{
	for (int i = 0; process && i < GENERATIONS; i++) {
		const struct process *p = &AT_ID(s->processes, process);

		if (p->memory && p->memory->tls && p->memory->tls->modules.n)
			return p->memory->tls;
		process = p->parent;
	}
	return NULL;
}

/* Returns the position of the first thread whose thread pointer is >= p. */
static uint32_t lower_bound(const struct tls *t, uint64_t p)
{
	return VEC_LOWER_BOUND(&t->threads, pointer, p);
}

/* Stores the thread pointer of a thread. If the pointer is stored for another thread, that thread
 * has ended, and this one replaces it. */
static void set_pointer(struct space *s, struct tls *t, uint32_t thread, uint64_t pointer)
{
	uint32_t at = lower_bound(t, pointer);

	AT_ID(s->threads, thread).pointer = pointer;
	if (at < t->threads.n && t->threads.at[at].pointer == pointer) {
		t->threads.at[at].thread = thread;
		return;
	}
	if (!VEC_ROOM(&t->threads)) {
		space_nomem(s);
		return;
	}
	memmove(t->threads.at + at + 1, t->threads.at + at,
		(t->threads.n - at) * sizeof(t->threads.at[0]));
	t->threads.at[at] = (struct tls_thread){ pointer, thread };
	t->threads.n++;
}

/* Returns the end of the thread stack that contains the address, if a thread library mapped it,
 * with a guard page below it. Otherwise returns 0. */
static uint64_t stack_end(struct space *s, uint32_t process, uint64_t address)
{
	const struct mapping *m = space_mapping_at(s, process, address), *guard;
	uint64_t start, end;

	if (!m || !m->has_prot || !(m->prot & 2) ||
	    AT_ID(s->code->dsos, m->dso).kind != DSO_ANONYMOUS)
		return 0;
	start = m->start;
	end = m->own_end && address < m->own_end ? m->own_end : m->end;
	guard = space_mapping_at(s, process, start - 1);
	return guard && guard->has_prot && !guard->prot ? end : 0;
}

/* Measures the distance from a thread's pointer to the end of its stack. The pointers of other
 * threads are computed from this distance. Ignores the first thread, because the loader puts its
 * control block elsewhere. */
static void learn_distance(struct space *s, struct tls *t, const struct tls_thread_report *report)
{
	uint64_t end = stack_end(s, report->process, report->pointer);

	if (!end || AT_ID(s->threads, report->thread).tid == space_process(s, report->process)->pid)
		return;
	t->differ |= t->seen && t->seen != end - report->pointer;
	t->seen = end - report->pointer;
}

/* Stores the offsets from the thread pointer to the blocks of the modules (files). They are the
 * same in every thread, so the first report of a process is enough. */
static void add_modules(struct space *s, struct tls *t, const struct tls_thread_report *report)
{
	t->modules.n = 0;
	t->to_stack_end = report->to_stack_end < INT32_MAX ? report->to_stack_end : 0;
	t->low = 0;
	t->high = (int64_t)t->to_stack_end;
	for (uint32_t i = 0; i < report->count; i++) {
		const struct track_tls *m = &report->modules[i];
		int64_t at = (int64_t)(m->block - report->pointer);

		if (!m->bytes || m->bytes > INT32_MAX || at > INT32_MAX || at < INT32_MIN)
			continue;
		if (!VEC_ROOM(&t->modules)) {
			space_nomem(s);
			return;
		}
		t->modules.at[t->modules.n++] = (struct tls_module){ m->code, m->bytes, at };
		t->low = at < t->low ? at : t->low;
		t->high = at + (int64_t)m->bytes > t->high ? at + (int64_t)m->bytes : t->high;
		if (m->align > t->align && !(m->align & (m->align - 1)))
			t->align = m->align;
	}
}

/* Stores a thread pointer and the offsets of thread-local blocks, as the tracker or stack_report()
 * reported them in one thread. */
void tls_report(struct space *s, const struct tls_thread_report *report)
{
	struct tls *t = tls_make(s, report->process);

	if (!t || !report->thread || !report->pointer)
		return;
	if (report->count)
		add_modules(s, t, report);
	learn_distance(s, t, report);
	set_pointer(s, t, report->thread, report->pointer);
}

/* For a thread whose pointer was not reported, computes it from the thread's stack: in all threads
 * of a process, the pointer has the same distance from the end of the stack. Returns 0 if unknown.
 */
uint64_t tls_pointer(struct space *s, uint32_t thread, uint64_t sp)
{
	struct thread *x = thread ? &AT_ID(s->threads, thread) : NULL;
	const struct tls *known;
	uint64_t end, pointer;
	struct tls *t;

	if (!x || x->pointer || !sp)
		return x ? x->pointer : 0;
	known = modules_of(s, x->process);
	if (!known || known->differ || !(known->seen || known->to_stack_end))
		return 0;
	end = stack_end(s, x->process, sp);
	if (!end)
		return 0;
	pointer =
		known->seen ? end - known->seen : (end - known->to_stack_end) & ~(known->align - 1);
	if (pointer <= sp || pointer >= end)
		return 0;
	t = tls_make(s, x->process);
	if (t)
		set_pointer(s, t, thread, pointer);
	return pointer;
}

/* Finds the module (file) whose thread-local block in thread t contains the address, or libc's own
 * data (dso 0), which begin at the thread pointer. `modules` lists the modules of the process.
 * Returns false if the address is in neither. */
static bool place_of(struct space *s, uint32_t process, const struct tls *modules,
		     const struct tls_thread *t, uint64_t address, struct tls_place *out)
{
	const struct image *image;

	for (uint32_t i = 0; i < modules->modules.n; i++) {
		const struct tls_module *m = &modules->modules.at[i];
		uint64_t start = t->pointer + (uint64_t)m->at;

		if (address - start >= m->bytes)
			continue;
		image = space_image_at(s, process, m->code);
		if (!image)
			return false;
		*out = (struct tls_place){ t->thread, image->dso, start, m->bytes };
		return true;
	}
	*out = (struct tls_place){ t->thread, 0, t->pointer, modules->to_stack_end };
	return address - t->pointer < modules->to_stack_end;
}

const char *space_exe(const struct space *s, const struct process *p)
{
	return strings_text(&s->code->names, p->exe);
}

const struct image *space_program(struct space *s, uint32_t process)
{
	const struct rangemap *images = &space_memory(s, process)->images;
	const uint32_t program = space_process(s, process)->program;
	uint64_t key = 0;
	uint32_t at;

	for (; program && rangemap_ge(images, key, &key, &at); key++)
		if (s->images.at[at].dso == program)
			return &s->images.at[at];
	return NULL;
}

/* If the tracker reported no modules, because the program is static, adds the program as the only
 * module. Its block is at a place that follows from its file. */
static void add_program(struct space *s, struct tls *t, uint32_t process)
{
	const struct image *image = t->asked ? NULL : space_program(s, process);
	struct tls_module m;

	t->asked = true;
	if (!image || !sym_program_tls(code_file(s->code, image->dso), &m.at, &m.bytes))
		return;
	m.code = image->lo;
	t->low = m.at < 0 ? m.at : 0;
	t->high = m.at + (int64_t)m.bytes > 0 ? m.at + (int64_t)m.bytes : 0;
	if (VEC_ROOM(&t->modules))
		t->modules.at[t->modules.n++] = m;
	else
		space_nomem(s);
}

bool tls_at(struct space *s, uint32_t process, uint64_t address, struct tls_place *out)
{
	const struct process_memory *m = space_process(s, process)->memory;
	struct tls *t = m ? m->tls : NULL;
	const struct tls *modules;

	if (!t || !t->threads.n)
		return false;
	modules = modules_of(s, process);
	if (!modules) {
		add_program(s, t, process);
		if (!t->modules.n)
			return false;
		modules = t;
	}
	for (uint32_t i = lower_bound(t, address - (uint64_t)modules->high); i < t->threads.n;
	     i++) {
		const struct tls_thread *x = &t->threads.at[i];

		if (x->pointer > address - (uint64_t)modules->low)
			break;
		if (!AT_ID(s->threads, x->thread).exited &&
		    place_of(s, process, modules, x, address, out))
			return true;
	}
	return false;
}
