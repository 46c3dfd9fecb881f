/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with Arm's SPE. SPE writes loads and stores into an AUX trace, which perf inject decodes
 * after the recording.
 */
#include <stdio.h>

#include "record/pmu.h"
#include "record/sampler_parts.h"

/* Number of instructions between two samples. It counts all instructions: SPE samples all kinds of
 * instructions, and then discards samples of instructions that do not access memory. */
enum { SPE_PERIOD = 10000 };

/* Plans one event, which samples only loads and stores, with time stamps. */
static int plan_spe(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		    struct md_err *err)
{
	char terms[96], rate[48];

	if (!pmu_exists(m->root, "arm_spe_0"))
		return md_fail(err, MD_ENOTSUP,
			       "there is no PMU arm_spe_0: not an Arm CPU with SPE, its driver is "
			       "not loaded, or the firmware keeps it to itself");
	if (o->frequency)
		return md_fail(err, MD_EUSAGE,
			       "SPE counts instructions: give a period (-c) and no frequency (-F)");
	snprintf(terms, sizeof(terms), "ts_enable=1,load_filter=1,store_filter=1,min_latency=%u",
		 o->latency);
	sampler_rate_term(o, SPE_PERIOD, rate, sizeof(rate));
	plan->inject = true;
	return sampler_add_pmu(plan, m, "arm_spe_0", terms, rate, 0, err);
}

const struct sampler_kind sampler_spe = {
	.plan = plan_spe,
	.open = sampler_probe,
	.latency = true,
};
