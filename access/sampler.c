/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include "maps.h"
#include "pages.h"

#define INSTRUCTIONS_PERIOD 1000000
#define FLUSH_NS            UINT64_C(100000000) /* what a killed process loses at most */

static struct thread *self(void)
{
	return thread_self ? thread_self : thread_begin();
}

static void put(struct thread *t, enum access_event event, const struct insn *in, uint64_t address,
		uint64_t period, uint64_t source)
{
	uint64_t callers[STREAM_CALLERS];
	struct stream_sample s = {
		.event = event,
		.ip = in->ip,
		.address = address,
		.period = period,
		.time = stream_now(),
		.source = source,
		.ncallers = thread_callers(t, callers, STREAM_CALLERS),
		.callers = callers,
	};

	stream_sample(&t->stream, &s);
	if (s.time - t->flushed > FLUSH_NS) {
		stream_flush(&t->stream);
		t->flushed = s.time;
	}
}

static enum level use_line(struct thread *t, uint64_t line)
{
	if (cache_use(&t->cache[0], line))
		return LEVEL_L1;
	if (cache_use(&t->cache[1], line))
		return LEVEL_L2;
	return thread_use_shared(line) ? LEVEL_L3 : LEVEL_RAM;
}

/* The farther of the levels of both lines that an operand may lie in. */
static enum level model(struct thread *t, uint64_t address, unsigned bytes)
{
	const uint64_t first = address >> CACHE_LINE_BITS;
	const uint64_t last = (address + bytes - 1) >> CACHE_LINE_BITS;
	enum level level, other;

	if (!thread_options.model)
		return LEVEL_ANY;
	level = use_line(t, first);
	if (first == last)
		return level;
	other = use_line(t, last);
	return other > level ? other : level;
}

static void count(struct thread *t, const struct insn *in, uint64_t address, unsigned rw,
		  enum level level)
{
	struct cell *cell = counts_find(&t->counts, in, address);

	if (cell && rw & QEMU_PLUGIN_MEM_R)
		cell->n[0][level]++;
	if (cell && rw & QEMU_PLUGIN_MEM_W)
		cell->n[1][level]++;
	if (t->counts.used > CELLS_MOST || (cell && cell->time - t->counts.from > CELLS_NS))
		counts_flush(&t->counts, &t->stream);
}

/* An atomic update is a load and a store. */
static void draw(struct thread *t, const struct insn *in, uint64_t address, unsigned rw,
		 enum level level)
{
	for (unsigned kind = QEMU_PLUGIN_MEM_R; kind <= QEMU_PLUGIN_MEM_W; kind++) {
		if (!(rw & kind) || --t->left)
			continue;
		put(t, ACCESS_EVENT_ACCESS, in, address, thread_options.period,
		    source_of(kind == QEMU_PLUGIN_MEM_W, level, thread_options.model));
		t->left = thread_gap(t);
	}
}

static inline unsigned rw_of(qemu_plugin_meminfo_t info)
{
	const unsigned rw = MEMINFO_RW(info);

	return rw ? rw : qemu_plugin_mem_is_store(info) ? QEMU_PLUGIN_MEM_W : QEMU_PLUGIN_MEM_R;
}

static void see(struct thread *t, const struct insn *in, uint64_t address, unsigned bytes,
		unsigned rw)
{
	const enum level level = model(t, address, bytes);

	if (pages_first(address))
		put(t, ACCESS_EVENT_FAULT, in, address, 1,
		    source_of(rw & QEMU_PLUGIN_MEM_W, LEVEL_ANY, false));
	if (thread_options.period > 1)
		draw(t, in, address, rw, level);
	else
		count(t, in, address, rw, level);
}

static unsigned bytes_of(qemu_plugin_meminfo_t info)
{
	return 1u << qemu_plugin_mem_size_shift(info);
}

void sampler_whole(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = self();

	if (!thread_stopped)
		see(t, insn, address, bytes_of(info), rw_of(info));
}

void sampler_begin_parts(unsigned int cpu, void *insn)
{
	if (thread_self)
		thread_self->operand = NULL;
}

void sampler_parts(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = self();
	const unsigned bytes = bytes_of(info), rw = rw_of(info);

	if (thread_stopped)
		return;
	if (t->operand == insn && t->operand_end == address && t->operand_rw == rw) {
		if (address % (1u << CACHE_LINE_BITS) < bytes)
			model(t, address, bytes);
	} else {
		see(t, insn, address, bytes, rw);
	}
	t->operand = insn;
	t->operand_end = address + bytes;
	t->operand_rw = rw;
}

/* Calls whose return addresses lie at or below are over: they returned, or were left by longjmp().
 */
static void unwind(struct thread *t, uint64_t slot)
{
	while (t->depth && t->calls[t->depth - 1].slot <= slot)
		t->depth--;
}

static void learn_stack(struct thread *t, uint64_t address)
{
	t->main_known = true;
	if (t->stream.pid == t->stream.tid)
		maps_write_stack(&t->stream, address);
}

/* A call may load its target before it stores the return address. */
void sampler_call(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = self();
	const struct insn *in = insn;

	if (thread_stopped)
		return;
	see(t, in, address, bytes_of(info), rw_of(info));
	if (!(rw_of(info) & QEMU_PLUGIN_MEM_W))
		return;
	if (!t->main_known)
		learn_stack(t, address);
	unwind(t, address);
	if (t->depth == CALLS_MOST)
		return;
	t->calls[t->depth].slot = address;
	t->calls[t->depth++].back = in->next;
}

void sampler_return(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = self();

	if (thread_stopped)
		return;
	see(t, insn, address, bytes_of(info), rw_of(info));
	unwind(t, address);
}

void sampler_block(unsigned int cpu, void *data)
{
	struct thread *t = self();
	const struct block *b = data;

	t->instructions += b->instructions;
	if (t->instructions < INSTRUCTIONS_PERIOD || thread_stopped)
		return;
	put(t, ACCESS_EVENT_INSTRUCTIONS, &(struct insn){ .ip = b->ip }, 0, t->instructions, 0);
	t->instructions = 0;
}
