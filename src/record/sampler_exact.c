/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples accesses, on average every n-th one, of a program that runs in an emulator; see
 * record/exact.h. */
#include "access_format.h"
#include "record/exact.h"
#include "record/sampler_parts.h"

/* Plans three events: accesses, instructions, and the first access to each page. First accesses are
 * sampled instead of page faults, because the emulator itself causes many of the page faults. */
static int plan_exact(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		      struct md_err *err)
{
	(void)m;
	(void)o;
	(void)err;
	sampler_add_access_event(plan, "access", ACCESS_CONFIG_ACCESS, ROLE_ACCESS);
	sampler_add_access_event(plan, "first-access", ACCESS_CONFIG_FAULT, ROLE_FAULT);
	sampler_add_access_event(plan, "instructions", ACCESS_CONFIG_INSTRUCTIONS,
				 ROLE_INSTRUCTIONS);
	return 0;
}

/* Checks that emulator and plugin exist. This sampler has no kernel events to open. */
static int open_exact(struct sampler_plan *plan, const struct machine *m, struct md_err *err)
{
	struct exact x;

	(void)plan;
	(void)m;
	return exact_find(&x, err);
}

const struct sampler_kind sampler_exact = {
	.caution = "runs x86-64 programs and their scripts, with instructions up to AVX2, in a "
		   "multiple of their time",
	.on_demand = true,
	.plan = plan_exact,
	.open = open_exact,
};
