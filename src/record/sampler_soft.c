/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples the accesses of a program that was built to report them to libmemdb-soft. Unlike the
 * sampler exact, it does not see the instructions between two accesses, nor first accesses to
 * pages.
 */
#include "access_format.h"
#include "record/sampler_parts.h"

/* Plans one event, which represents every access. It is not opened: libmemdb-soft, in the program,
 * takes the samples. */
static int plan_soft(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		     struct md_err *err)
{
	(void)m;
	(void)o;
	(void)err;
	sampler_add_access_event(plan, "access", ACCESS_CONFIG_ACCESS, ROLE_ACCESS);
	return 0;
}

static int open_soft(struct sampler_plan *plan, const struct machine *m, struct md_err *err)
{
	(void)plan;
	(void)m;
	(void)err;
	/* whether the program was built for this sampler is known only when it runs */
	return 0;
}

const struct sampler_kind sampler_soft = {
	.caution = "in programs built with the flags of pkg-config memdb-checks or memdb-soft "
		   "(their shared libraries: those of memdb-soft)",
	.on_demand = true,
	.plan = plan_soft,
	.open = open_soft,
};
