/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with Intel's PEBS: loads that take longer than a limit, and stores, with address, latency
 * and data source.
 */
#include <stdio.h>

#include "base/count.h"
#include "record/pmu.h"
#include "record/sampler_parts.h"

#define AUX_PERIOD "2000000003"

/*
 * Plans the loads and stores of one core PMU. Some CPU models need an auxiliary event in the group
 * before the loads.
 */
static int plan_pebs_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
			 const struct sampling *o, struct md_err *err)
{
	char terms[64], rate[48];
	int ret;

	sampler_rate_term(o, 0, rate, sizeof(rate));
	if (pmu_has_event(m->root, pmu, "mem-loads-aux")) {
		/* the kernel requires the auxiliary event in the group, but its samples are not
		 * needed. So its period is so long that it has hardly any samples */
		ret = sampler_add_pmu(plan, m, pmu, "mem-loads-aux", "period=" AUX_PERIOD, 2, err);
		if (ret)
			return ret;
		plan->events[plan->count - 1].leads = true;
		plan->events[plan->count - 1].role = ROLE_OTHER;
	}
	snprintf(terms, sizeof(terms), "mem-loads,ldlat=%u", o->latency);
	ret = sampler_add_pmu(plan, m, pmu, terms, rate, 2, err);
	if (!ret && pmu_has_event(m->root, pmu, "mem-stores"))
		ret = sampler_add_pmu(plan, m, pmu, "mem-stores", rate, 2, err);
	return ret;
}

/* Adds an optional event that counts instructions in user mode. The database needs it for lpi, the
 * latency per instruction. */
static void add_instructions(struct sampler_plan *plan, const char *pmu)
{
	struct sampler_event *e = sampler_add_event(plan, ROLE_INSTRUCTIONS);

	e->optional = true;
	e->attr.type = PERF_TYPE_HARDWARE;
	e->attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	snprintf(e->perf, sizeof(e->perf), "%s%sinstructions%speriod=%d/u", pmu, *pmu ? "/" : "",
		 *pmu ? "," : "/", INSTRUCTION_PERIOD);
}

/* Plans the events of each core PMU: a hybrid CPU has one for each kind of core. */
static int plan_pebs(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		     struct md_err *err)
{
	static const char *const cores[] = { "cpu", "cpu_core", "cpu_atom" };
	int ret;

	for (size_t i = 0; i < COUNT_OF(cores); i++) {
		if (!pmu_has_event(m->root, cores[i], "mem-loads"))
			continue;
		ret = plan_pebs_pmu(plan, m, cores[i], o, err);
		if (ret)
			return ret;
		/* each kind of core needs an event of its own, because an event of one kind counts
		 * nothing on the others */
		add_instructions(plan, i ? cores[i] : "");
	}
	if (!plan->count)
		return md_fail(
			err, MD_ENOTSUP,
			"no PMU here has the event mem-loads: not an Intel CPU with PEBS, or a "
			"virtual machine without it");
	return 0;
}

const struct sampler_kind sampler_pebs = {
	.branches = true,
	.latency = true,
	.plan = plan_pebs,
	.open = sampler_probe,
};
