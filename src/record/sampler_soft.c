/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples accesses of a program that was built with a call of libmemdb-soft before each of them.
 * Unlike the sampler exact, it does not know which instructions ran between two accesses, nor what
 * the kernel accessed first.
 */
#include "record/sampler_parts.h"

/* Plans the event of every access. The program samples itself. */
static int plan_soft(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		     struct md_err *err)
{
	(void)m;
	return sampler_add_accesses(plan, o, err);
}

static int open_soft(struct sampler_plan *plan, const struct machine *m, struct md_err *err)
{
	(void)plan;
	(void)m;
	(void)err;
	return 0; /* only a run shows whether the program was built for it */
}

const struct sampler_kind sampler_soft = {
	.caution = "in programs built with -fsanitize=thread and linked with libmemdb-soft",
	.on_demand = true,
	.run = RUN_INSTRUMENTED,
	.plan = plan_soft,
	.open = open_soft,
};
