/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: takes arbitrary bytes as a function, and finds for each byte the operands that
 * an instruction there may wait for. It aborts if a result contradicts itself.
 */
#include <stdlib.h>
#include <string.h>

#include "waits/share.h"
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
	wait_share(c, p->n);
	for (unsigned i = 0; i < p->n; i++)
		sum += c[i].share;
	if (!(sum < 1.000001))
		abort();
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
	}
	waits_close(w);
	decoder_close(d);
	return 0;
}
