/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with AMD's IBS. IBS samples micro-operations. About a third of them access memory; only
 * these have an address and a data source.
 */
#include <stdio.h>
#include <string.h>

#include "record/pmu.h"
#include "record/sampler_parts.h"

enum {
	/* the smallest period that the kernel accepts; periods are multiples of 16 */
	IBS_PERIOD_MIN = 144,
	IBS_PERIOD = 500000, /* micro-operations between two samples; cycles if IBS cannot count
			      * micro-operations */
};

/* Plans the event of IBS. Only newer kernels can restrict the event to user mode. With an older
 * kernel, the sampler is refused if kernel mode must not be sampled. */
static int plan_ibs(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		    struct md_err *err)
{
	bool counts_ops = pmu_has_format(m->root, "ibs_op", "cnt_ctl");
	char terms[64], rate[48];

	if (!pmu_exists(m->root, "ibs_op"))
		return md_fail(err, MD_ENOTSUP,
			       "there is no PMU ibs_op: not an AMD CPU with IBS, or a virtual "
			       "machine without it");
	snprintf(terms, sizeof(terms), "%s", counts_ops ? "cnt_ctl=1" : "");
	if (!plan->kernel) {
		if (!pmu_has_format(m->root, "ibs_op", "swfilt"))
			return md_fail(
				err, MD_ENOTSUP,
				"IBS cannot leave out the kernel here and "
				"kernel.perf_event_paranoid is %d: it needs level 1 or lower, "
				"or CAP_PERFMON",
				m->paranoid);
		snprintf(terms + strlen(terms), sizeof(terms) - strlen(terms), "%sswfilt=1",
			 *terms ? "," : "");
	}
	if (o->period % 16 || (o->period && o->period < IBS_PERIOD_MIN))
		return md_fail(err, MD_EUSAGE,
			       "IBS takes periods that are multiples of 16, from %d",
			       IBS_PERIOD_MIN);
	/* the default is a period and not a frequency: with a fixed period, every sample represents
	 * the same number of operations */
	sampler_rate_term(o, IBS_PERIOD, rate, sizeof(rate));
	return sampler_add_pmu(plan, m, "ibs_op", terms, rate, 0, err);
}

const struct sampler_kind sampler_ibs = {
	.plan = plan_ibs,
	.open = sampler_probe,
};
