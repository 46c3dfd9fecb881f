/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with a timer. The kernel's cpu-clock interrupts each thread after a fixed CPU time. It
 * needs no PMU. The import computes data addresses from code and registers.
 */
#include "record/sampler_parts.h"

#define TIMER_PERIOD_MIN 10000 /* ns; the kernel uses this period instead of a shorter one */

/* Plans one clock event. The import decodes the code at the sampled address, to find the access for
 * which the thread was waiting. */
static int plan_timer(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		      struct md_err *err)
{
	uint64_t period = o->period      ? o->period
			  : o->frequency ? 1000000000u / o->frequency
					 : 1000000000u / DEFAULT_FREQUENCY;

	(void)m;
	if (period < TIMER_PERIOD_MIN)
		return md_fail(err, MD_EUSAGE,
			       "the timer samples at most every %d ns, %d times a second",
			       TIMER_PERIOD_MIN, 1000000000 / TIMER_PERIOD_MIN);
	sampler_add_software(plan, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK, period, ROLE_TIME);
	return 0;
}

const struct sampler_kind sampler_timer = {
	.timed = true,
	.plan = plan_timer,
	.open = sampler_probe,
};
