/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include "gap.h"
#include "holders.h"

#define INSTRUCTIONS_PERIOD 1000000

static void flush_buffer(struct thread *t, uint64_t now)
{
	stream_flush(&t->stream);
	t->flushed = now;
}

/* Writes a sample of an access. Leaves out accesses to the data of the tracker's library: the
 * loader makes them when it loads that library. */
static void write_sample(struct thread *t, enum access_event event, const struct access *a,
			 uint64_t period, uint64_t source)
{
	uint64_t callers[STREAM_CALLERS];
	struct stream_sample s = {
		.event = event,
		.ip = a->ip,
		.address = a->address,
		.period = period,
		.time = stream_now(),
		.source = source,
		.ncallers = thread_callers(t, callers, STREAM_CALLERS),
		.callers = callers,
	};

	if (thread_is_trackers(a->address))
		return;
	stream_sample(&t->stream, &s);
	if (s.time - t->flushed > SAMPLER_FLUSH_NS)
		flush_buffer(t, s.time);
}

static enum level use_line(struct thread *t, uint64_t line)
{
	if (cache_use(&t->cache[0], line))
		return LEVEL_L1;
	if (cache_use(&t->cache[1], line))
		return LEVEL_L2;
	return thread_use_shared(line) ? LEVEL_L3 : LEVEL_RAM;
}

/* Simulates an access in the caches and returns the level at which its line was found; LEVEL_ANY if
 * no caches are simulated. If the operand is in two lines, returns the level that is farther from
 * the core. */
static enum level model_level(struct thread *t, const struct access *a)
{
	const uint64_t first = a->address >> CACHE_LINE_BITS;
	const uint64_t last = (a->address + a->bytes - 1) >> CACHE_LINE_BITS;
	enum level level, other;

	if (!thread_options.model)
		return LEVEL_ANY;
	level = use_line(t, first);
	if (first == last)
		return level;
	other = use_line(t, last);
	return other > level ? other : level;
}

/* Ends the interval of the thread's counts. Also writes the buffer: otherwise a few counts, which
 * do not fill it, would be lost if a signal killed the process. */
static void write_counts(struct thread *t)
{
	counts_flush(&t->counts, &t->stream);
	flush_buffer(t, t->counts.from);
	turns_look(&t->turns);
}

/* Must the line of an access, or one of its two lines, move from another thread? Also records the
 * access in the table of holders, so holders_use() must be called for both lines, whatever its
 * first result is. An atomic update is a store. */
static bool line_moves(const struct thread *t, const struct access *a)
{
	const uint64_t first = a->address >> CACHE_LINE_BITS;
	const uint64_t last = (a->address + a->bytes - 1) >> CACHE_LINE_BITS;
	const bool store = a->kind & ACCESS_STORE;
	const bool here = holders_use(t->number, first, store);

	return (last != first && holders_use(t->number, last, store)) || here;
}

static void count_access(struct thread *t, const struct access *a, enum level level)
{
	const bool moves = holders_table && line_moves(t, a);

	for (unsigned kind = ACCESS_LOAD; kind <= ACCESS_STORE; kind++) {
		const bool store = kind == ACCESS_STORE;
		const struct counted one = { a->ip, a->address, a->bytes,
					     store, level,      moves && store == a->kind >> 1 };

		if (a->kind & kind && !counts_add(&t->counts, &one))
			stream_lose(1);
	}
	turns_count(&t->turns);
	if (counts_due(&t->counts))
		write_counts(t);
}

static void sample_access(struct thread *t, const struct access *a, enum level level)
{
	for (unsigned kind = ACCESS_LOAD; kind <= ACCESS_STORE; kind++) {
		if (!(a->kind & kind) || --t->left)
			continue;
		write_sample(t, ACCESS_EVENT_ACCESS, a, thread_options.period,
			     source_of(kind == ACCESS_STORE, level, thread_options.model,
				       MOVEMENT_UNKNOWN));
		t->left = gap_next(&t->random);
	}
}

static void take_access(struct thread *t, const struct access *a, enum level level)
{
	if (!thread_enter(t))
		return;
	if (thread_options.first_accesses && pages_first(a->address))
		write_sample(t, ACCESS_EVENT_FAULT, a, 1,
			     source_of(a->kind & ACCESS_STORE, LEVEL_ANY, false, MOVEMENT_UNKNOWN));
	if (thread_options.period > 1)
		sample_access(t, a, level);
	else if (!thread_is_trackers(a->address))
		count_access(t, a, level);
	thread_leave(t);
}

void sampler_pause(struct thread *t)
{
	if (!thread_enter(t))
		return;
	turns_pass(&t->turns);
	if (counts_worth_writing(&t->counts))
		write_counts(t);
	else if (t->stream.used && stream_now() - t->flushed > SAMPLER_PAUSE_NS)
		flush_buffer(t, stream_now());
	thread_leave(t);
}

void sampler_look(struct thread *t, const struct access *a)
{
	take_access(t, a, model_level(t, a));
}

void sampler_part(struct thread *t, const struct access *a, bool first)
{
	const bool new_line = first || a->address % (1u << CACHE_LINE_BITS) < a->bytes;
	const enum level level = new_line ? model_level(t, a) : LEVEL_ANY;

	if (first) {
		t->parts.address = a->address;
		t->parts.ip = a->ip;
		t->parts.bytes = a->bytes;
		t->parts.kind = a->kind;
		t->parts.level = level;
	} else if (level > t->parts.level) {
		t->parts.level = level;
	}
}

void sampler_finish_operand(struct thread *t)
{
	const struct access a = { t->parts.ip, t->parts.address, t->parts.bytes, t->parts.kind };

	t->parts.kind = 0;
	take_access(t, &a, t->parts.level);
}

/* `slot` is the address of the stored return address. Removes this call and all calls inside it.
 * For calls deeper than CALLS_MOST, only their number is stored. While this number is not 0, each
 * return is assumed to be from one of them. */
void sampler_return(struct thread *t, uint64_t slot)
{
	if (t->depth > CALLS_MOST)
		t->depth--;
	else
		while (t->depth && t->calls[t->depth - 1].slot <= slot)
			t->depth--;
}

void sampler_call(struct thread *t, uint64_t slot, uint64_t back)
{
	if (t->depth >= CALLS_MOST && t->calls[CALLS_MOST - 1].slot > slot) {
		t->depth++;
		return;
	}
	t->depth = t->depth < CALLS_MOST ? t->depth : CALLS_MOST;
	sampler_return(t, slot);
	t->calls[t->depth].slot = slot;
	t->calls[t->depth++].back = back;
}

void sampler_instructions(struct thread *t, uint64_t ip, uint32_t n)
{
	t->instructions += n;
	if (t->instructions < INSTRUCTIONS_PERIOD || !thread_enter(t))
		return;
	write_sample(t, ACCESS_EVENT_INSTRUCTIONS, &(struct access){ .ip = ip }, t->instructions,
		     0);
	t->instructions = 0;
	thread_leave(t);
}
