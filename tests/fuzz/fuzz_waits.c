/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: takes arbitrary bytes as a function, and finds for each byte the operands that
 * an instruction there may wait for, and the sources of pointers. It aborts if a result contradicts
 * itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/nest.h"
#include "waits/reuse.h"
#include "waits/share.h"
#include "waits/source.h"
#include "waits/waits.h"

enum { MOST_CODE = 4096, GENERAL = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void check_address(const struct wait_address *a, size_t at)
{
	static const uint64_t regs[64] = { 1, 2, 3 };

	if (a->base.reg < -1 || a->base.reg >= GENERAL || a->index.reg < -1 ||
	    a->index.reg >= GENERAL || wait_registers(a) >> GENERAL)
		abort();
	sink += wait_address(a, regs, at);
}

/* Computes the reuse in a nest for registers that depend on `at`. */
static void check_nest(const struct nest *nest, size_t at, size_t size)
{
	static struct nest n;
	double runs[NEST_LOOPS], most[NEST_ACCESSES];
	uint64_t regs[64];
	struct reuse r;

	if (nest->n < 2 || nest->n > NEST_LOOPS || nest->naccesses > NEST_ACCESSES ||
	    nest->registers >> GENERAL)
		abort();
	memcpy(&n, nest, nest_bytes(nest));
	for (unsigned i = 0; i < 64; i++)
		regs[i] = (at + i) * UINT64_C(0x9e3779b97f4a7c15) >> i;
	nest_learn(&n, regs);
	for (unsigned l = 0; l < n.n; l++) {
		runs[l] = (double)((at + 1) % (l + 3));
		if (nest_left(&n, l, regs, &runs[l]) && !(runs[l] >= 0))
			abort();
	}
	for (unsigned i = 0; i < n.naccesses; i++) {
		most[i] = i % 2 ? INFINITY : (double)at;
		if (n.accesses[i].insn >= size || n.accesses[i].loop >= n.n)
			abort();
	}
	reuse_find(&n, runs, most, &wait_caches_default, &r);
	for (unsigned i = 0; r.known && i < n.naccesses; i++)
		for (int level = 0; level < CACHE_LEVELS; level++) {
			const struct reach_fetched *f = &r.fetched[i];

			if (!(f->least[level] >= 0 && f->least[level] <= f->most[level] &&
			      f->most[level] <= 1 && r.jumps[i] >= 0 && r.jumps[i] <= 1))
				abort();
		}
}

static void check_plan(const struct wait_plan *p, size_t at, size_t size)
{
	struct wait_choice c[WAIT_WAYS * WAIT_CANDIDATES];
	double sum = 0;

	if (p->ways > WAIT_WAYS || p->n > p->ways * WAIT_CANDIDATES || p->ahead > WAIT_AHEAD)
		abort();
	for (unsigned i = 0; i < p->n; i++) {
		const struct wait_candidate *x = &p->candidates[i];

		if (x->insn >= size || x->way >= p->ways || x->how > WAIT_ENTRY ||
		    x->by > WAIT_BY_BASE || (i && x->way < p->candidates[i - 1].way))
			abort();
		if (x->by != WAIT_BY_NOTHING)
			check_address(&x->address, at);
		c[i] = (struct wait_choice){ .object = i,
					     .how = x->how,
					     .way = x->way,
					     .loop = x->loop,
					     .stream = x->insn & 1,
					     .wait = x->insn % 7 };
	}
	for (unsigned i = 0; i < p->ahead; i++)
		check_address(&p->accesses[i].address, at);
	if (p->nest)
		check_nest(p->nest, at, size);
	wait_share(c, p->n);
	for (unsigned i = 0; i < p->n; i++)
		sum += c[i].share;
	if (!(sum < 1.000001))
		abort();
}

/* Finds the sources of a register and of a word of the frame at byte `at`. */
static void check_source(struct decoder *d, const uint8_t *data, size_t size, size_t at)
{
	const struct source_place places[] = {
		{ .insn = (uint32_t)at, .reg = (int8_t)(at % GENERAL), .used = (uint32_t)at },
		{ .insn = (uint32_t)at,
		  .reg = (int8_t)(6 + at % 2),
		  .in_slot = true,
		  .slot = 8 * (int64_t)(at % 16) - 64,
		  .used = (uint32_t)at + 3 },
	};
	struct source found;

	for (size_t i = 0; i < 2; i++) {
		if (source_find(d, data, size, &places[i], NULL, NULL, &found))
			abort();
		if (found.kind > SOURCE_ARGUMENT || found.reg < 0 || found.reg >= GENERAL)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct wait_plan *plan;
	struct decoder *d;
	struct waits *w;

	if (size < 2 || size > MOST_CODE)
		return 0;
	if (decoder_open(DEC_X86_64, &d, NULL) || waits_open(d, DEC_X86_64, &w, NULL))
		abort();
	for (size_t at = 0; at <= size; at++) {
		if (waits_plan(w, 1, data, size, at, &plan))
			abort();
		check_plan(plan, at, size);
		check_source(d, data, size, at);
	}
	waits_close(w);
	decoder_close(d);
	return 0;
}
