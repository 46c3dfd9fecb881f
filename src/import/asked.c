/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/asked.h"

#include "import/pipeline.h"
#include "model/tls.h"
#include "waits/nest.h"

enum {
	/* maximum number of bytes that malloc keeps before and after a heap block */
	HEAD = 16,
	/* blocks of at least this size in bytes share few cache lines with others */
	LARGE = 1024,
};

static uint64_t candidate_registers(const struct wait_candidate *c)
{
	return wait_registers(&c->address) |
	       (c->stride.known && c->stride.reg >= 0 ? UINT64_C(1) << c->stride.reg : 0);
}

void asked_read(struct asked *a)
{
	uint64_t need = 0;

	for (unsigned i = 0; i < a->plan->n; i++)
		need |= candidate_registers(&a->plan->candidates[i]);
	for (unsigned i = 0; i < a->plan->ahead; i++)
		need |= wait_registers(&a->plan->accesses[i].address);
	for (unsigned i = 0; i < a->plan->before; i++)
		need |= wait_registers(&a->plan->earlier[i].address);
	for (unsigned i = 0; i < a->plan->ntests; i++)
		need |= wait_test_registers(&a->plan->tests[i]);
	need |= wait_counter_registers(&a->plan->loop.counter);
	if (a->plan->nest)
		need |= a->plan->nest->registers;
	for (unsigned l = 0; a->plan->nest && l < a->plan->nest->n; l++)
		need |= wait_counter_registers(&a->plan->nest->loops[l].turns);
	for (; need; need &= need - 1) {
		unsigned r = (unsigned)__builtin_ctzll(need);

		if (pd_user_reg(a->im->in.perf, a->who->sample, r, &a->regs[r]))
			a->has |= UINT64_C(1) << r;
	}
	for (unsigned i = 0; i < a->plan->ntests; i++)
		if (!(wait_test_registers(&a->plan->tests[i]) & ~a->has) &&
		    wait_test_is_true(&a->plan->tests[i], a->regs, a->who->sample->ip))
			a->tests |= UINT32_C(1) << i;
}

bool asked_address(const struct asked *a, const struct wait_address *from, uint64_t *out)
{
	uint64_t base = 0;

	if (wait_registers(from) & ~a->has)
		return false;
	if (from->thread_relative &&
	    !(base = tls_pointer(&a->im->model.space, a->who->thread, a->who->sp)))
		return false;
	*out = base + wait_address(from, a->regs, a->who->sample->ip);
	return true;
}

uint32_t asked_object(const struct asked *a, uint64_t address)
{
	if (address >> 63 || !a->who->process)
		return 0;
	return objects_find(&a->im->model.objects, a->who->process, a->who->thread, address,
			    a->who->sp)
		.object;
}

/* May the thread have reached ip on the way of this candidate? It did not if all of the following
 * is true: the candidate is the operand of the instruction before ip (WAIT_OWN), its address is
 * known from its own registers, and that address is in no object. */
static bool is_possible(const struct asked *a, const struct wait_candidate *c)
{
	uint64_t address;

	return c->how != WAIT_OWN || c->by != WAIT_BY_ADDRESS ||
	       !asked_address(a, &c->address, &address) || asked_object(a, address);
}

unsigned asked_ways(const struct asked *a)
{
	unsigned all = (1u << a->plan->ways) - 1, left = all;

	if (a->plan->ways == 1)
		return all;
	for (unsigned i = 0; i < a->plan->n; i++)
		if (!is_possible(a, &a->plan->candidates[i]))
			left &= ~(1u << a->plan->candidates[i].way);
	return left ? left : all;
}

uint64_t asked_extent(const struct asked *a, uint32_t object)
{
	const struct object *x = &AT_ID(a->im->model.objects.objects, object);

	if (x->kind == OBJECT_STACK && !x->local)
		return 0;
	return x->blocks ? x->peak_bytes : x->extent;
}

uint64_t asked_room(const struct asked *a, uint32_t object)
{
	const struct object *x = &AT_ID(a->im->model.objects.objects, object);

	return x->blocks && x->total_bytes / x->blocks >= LARGE ? x->peak_bytes : 0;
}

bool asked_was_skipped(const struct asked *a, const struct wait_candidate *c)
{
	return c->how != WAIT_OWN && (c->by == WAIT_BY_ADDRESS || c->by == WAIT_BY_COPY) &&
	       a->who->process && space_process(&a->im->model.space, a->who->process)->tracked;
}

static bool is_kind(const struct asked *a, uint32_t object, enum object_kind kind)
{
	return object && AT_ID(a->im->model.objects.objects, object).kind == kind;
}

/* Is the address next to the heap block at the address *of, where malloc keeps the sizes of blocks?
 */
static bool is_next_to_block_of(const struct asked *a, const struct wait_address *of,
				uint64_t address)
{
	struct objects *o = &a->im->model.objects;
	struct place p;
	uint64_t at, size;

	if (!asked_address(a, of, &at) || at >> 63)
		return false;
	p = objects_find(o, a->who->process, a->who->thread, at, a->who->sp);
	if (!p.block || !is_kind(a, p.object, OBJECT_HEAP))
		return false;
	size = AT_ID(o->blocks, p.block).size;
	return address - (at - p.offset) + HEAD < size + 2 * HEAD;
}

/* Is the address next to the heap block that an access after ip goes to? */
static bool is_next_to_block_ahead(const struct asked *a, uint64_t address)
{
	for (unsigned i = 0; i < a->plan->ahead; i++)
		if (is_next_to_block_of(a, &a->plan->accesses[i].address, address))
			return true;
	return false;
}

int asked_instead(const struct asked *a, const struct wait_candidate *c, uint64_t address,
		  uint32_t object)
{
	if (!asked_was_skipped(a, c) || !is_kind(a, object, OBJECT_MAPPING))
		return -1;
	for (unsigned i = 0; i < a->plan->n; i++) {
		const struct wait_candidate *own = &a->plan->candidates[i];

		if (own->how != WAIT_OWN || own->way != c->way)
			continue;
		return (own->by == WAIT_BY_ADDRESS &&
			is_next_to_block_of(a, &own->address, address)) ||
				       is_next_to_block_ahead(a, address)
			       ? (int)i
			       : -1;
	}
	return -1;
}

/* Is the step smaller than the object at the address or, if the size of the object is unknown, than
 * 2 GiB? A larger step is wrong. For example, if a loop adds a negative 32-bit number, the 64-bit
 * register that contains it seems to contain a large positive number. */
static bool is_inside(const struct asked *a, int64_t step, uint64_t address)
{
	const uint64_t bytes = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
	const uint32_t object = asked_object(a, address);
	const uint64_t extent = object ? asked_extent(a, object) : 0;

	return bytes < (extent ? extent : INT32_MAX) && bytes <= INT64_MAX;
}

/* Returns the size of the heap block at the address; 0 if there is none, or if it is the only block
 * of its object. */
static int64_t row_bytes(const struct asked *a, uint64_t address)
{
	struct objects *o = &a->im->model.objects;
	const struct place p =
		objects_find(o, a->who->process, a->who->thread, address, a->who->sp);

	if (!p.block || AT_ID(o->objects, p.object).blocks < 2)
		return 0;
	return (int64_t)AT_ID(o->blocks, p.block).size;
}

int64_t asked_step(const struct asked *a, const struct wait_candidate *c, uint64_t address)
{
	int64_t step = 0;

	if (c->row)
		step = row_bytes(a, address);
	else if (c->stride.known && (c->stride.reg < 0 || a->has >> c->stride.reg & 1))
		step = wait_stride_bytes(&c->stride, a->regs);
	return step && is_inside(a, step, address) ? step : 0;
}
