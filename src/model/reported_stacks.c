/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/reported_stacks.h"

#include <sys/mman.h>

#include "model/internal.h"
#include "model/tls.h"

/* Adds the stack as a mapping. Samplers inside the program do not report anonymous mappings, so at
 * these addresses no mapping is known, or only that of an older stack. */
static void map_stack(struct space *s, uint32_t process, const struct stack_thread_report *t,
		      uint64_t time)
{
	const struct mapping m = { .start = t->low,
				   .end = t->high,
				   .prot = PROT_READ | PROT_WRITE,
				   .flags = MAP_PRIVATE | MAP_ANONYMOUS,
				   .has_prot = true,
				   .is_reported_stack = true,
				   .dso = code_dso(s->code, "//anon", NULL) };

	space_map(s, space_process(s, process)->pid, &m, time);
}

static void set_stack(struct space *s, const struct stack_thread_report *t, uint64_t time)
{
	const uint32_t process = AT_ID(s->threads, t->thread).process;
	/* an address that is certainly in the stack's mapping. The kernel may have merged the ends
	 * of the range with other mappings */
	const uint64_t at = t->pointer - t->low < t->high - t->low ? t->pointer : t->high - 1;
	const struct mapping *m = space_mapping_at(s, process, at);

	if (!m || (m->is_reported_stack && (m->start != t->low || m->end != t->high)))
		map_stack(s, process, t, time);
	space_set_stack(s, process, at, t->thread);
	if (VEC_REACH(&s->reported_stacks, t->thread))
		AT_ID(s->reported_stacks, t->thread) = at;
	else
		s->nomem = true;
}

static void report_pointer(struct space *s, uint32_t thread, uint64_t pointer)
{
	tls_report(s, &(struct tls_thread_report){ .process = AT_ID(s->threads, thread).process,
						   .thread = thread,
						   .pointer = pointer });
}

void stack_report(struct space *s, const struct stack_thread_report *t, uint64_t time)
{
	if (!t->thread)
		return;
	AT_ID(s->threads, t->thread).stack_reported = true;
	if (t->low < t->high)
		set_stack(s, t, time);
	if (t->pointer)
		report_pointer(s, t->thread, t->pointer);
}

void stack_inherit(struct space *s, uint32_t creator, uint32_t child)
{
	const struct thread from = AT_ID(s->threads, creator);

	/* If samples have stack pointers, these show the child's stack. Then nothing is copied
	 * here. */
	if (!from.stack_reported || AT_ID(s->threads, child).pointer ||
	    AT_ID(s->threads, child).process == from.process)
		return;
	if (from.pointer)
		report_pointer(s, child, from.pointer);
	if (creator <= s->reported_stacks.n && AT_ID(s->reported_stacks, creator))
		space_set_stack(s, AT_ID(s->threads, child).process,
				AT_ID(s->reported_stacks, creator), child);
}
