/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The common part of all samplers: adding events, planning, and choosing the first sampler whose
 * events open on this machine. Each sampler has a file of its own for the rest. perfdata/samplers.h
 * lists the samplers. */
#include "record/sampler_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access_format.h"
#include "record/pmu.h"

#define SAMPLER_KIND(NAME, name, pmu, run) &sampler_##name,
static const struct sampler_kind *const kinds[SAMPLERS] = { SAMPLERS_OF(SAMPLER_KIND) };

const struct sampler_kind *sampler_kind(enum sampler s)
{
	static const struct sampler_kind none;

	return s < SAMPLERS ? kinds[s] : &none;
}

/* The period or frequency of the user takes precedence over the sampler's default. */
void sampler_rate_term(const struct sampling *o, uint64_t period, char *out, size_t len)
{
	if (o->period || (!o->frequency && period))
		snprintf(out, len, "period=%" PRIu64, o->period ? o->period : period);
	else
		snprintf(out, len, "freq=%" PRIu64,
			 o->frequency ? o->frequency : (uint64_t)DEFAULT_FREQUENCY);
}

/* The attributes in e->attr are only used to test whether the event opens. For the recording, perf
 * gets the text e->perf. */
struct sampler_event *sampler_add_event(struct sampler_plan *plan, enum event_role role)
{
	struct sampler_event *e = &plan->events[plan->count++];

	memset(e, 0, sizeof(*e));
	e->role = role;
	e->attr.size = sizeof(e->attr);
	e->attr.disabled = 1;
	e->attr.sample_period = INSTRUCTION_PERIOD;
	e->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR;
	e->attr.exclude_kernel = !plan->kernel;
	e->attr.exclude_hv = !plan->kernel;
	return e;
}

/* The numbers of software events are the same in every kernel, so they need not be looked up in
 * sysfs. */
void sampler_add_software(struct sampler_plan *plan, const char *name, uint64_t config,
			  uint64_t period, enum event_role role)
{
	struct sampler_event *e = sampler_add_event(plan, role);

	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = config;
	snprintf(e->perf, sizeof(e->perf), "%s/period=%" PRIu64 "/%s", name, period,
		 plan->kernel ? "" : "u");
}

/* The terms are encoded into attributes only to test whether the event opens. For the recording,
 * perf gets the terms as text. */
int sampler_add_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
		    const char *terms, const char *rate, unsigned precise, struct md_err *err)
{
	struct sampler_event *e = sampler_add_event(plan, ROLE_ACCESS);

	e->attr.precise_ip = precise & 3;
	snprintf(e->perf, sizeof(e->perf), "%s/%s%s%s/%.*s%s", pmu, terms,
		 *terms && *rate ? "," : "", rate, (int)precise, "ppp", plan->kernel ? "" : "u");
	return pmu_encode(m->root, pmu, terms, &e->attr, err);
}

void sampler_add_access_event(struct sampler_plan *plan, const char *name, uint64_t config,
			      enum event_role role)
{
	struct sampler_event *e = sampler_add_event(plan, role);

	e->attr.type = ACCESS_TYPE;
	e->attr.config = config;
	snprintf(e->perf, sizeof(e->perf), "%s", name);
}

/* A frequency (a number of samples per second) makes no sense for exact and soft: in an emulator, a
 * program runs many times as long as usual, and would get many times as many samples. */
int sampler_check_options(enum sampler s, const struct sampling *o, struct md_err *err)
{
	const bool by_perf = sampler_run(s) == RUN_PERF;

	if (s == SAMPLER_AUTO)
		return 0;
	if (o->model && by_perf)
		return md_fail(err, MD_EUSAGE,
			       "the sampler %s has no model of caches (--model-caches): exact and "
			       "soft have one",
			       sampler_name(s));
	if (o->latency_given && !sampler_kind(s)->latency)
		return md_fail(err, MD_EUSAGE,
			       "--ldlat is for pebs and spe: the sampler %s ignores it",
			       sampler_name(s));
	if (o->frequency && !by_perf)
		return md_fail(err, MD_EUSAGE,
			       "the sampler %s counts accesses: give a period (-c) and no "
			       "frequency (-F)",
			       sampler_name(s));
	return 0;
}

/* Does not test whether the planned events can be opened; sampler_choose() does. */
int sampler_plan(enum sampler s, const struct machine *m, const struct sampling *o,
		 struct sampler_plan *plan, struct md_err *err)
{
	const struct sampler_kind *kind = sampler_kind(s);
	int ret = sampler_check_options(s, o, err);

	memset(plan, 0, sizeof(*plan));
	plan->sampler = s;
	if (ret)
		return ret;
	plan->kernel = sampler_run(s) == RUN_PERF && o->kernel && machine_kernel_allowed(m);
	ret = kind->plan ? kind->plan(plan, m, o, err)
			 : md_fail(err, MD_EUSAGE, "there is no such sampler");
	if (ret || sampler_run(s) != RUN_PERF)
		return ret;
	plan->addresses = !kind->timed;
	/* on a machine with several nodes, physical addresses are also recorded if samples have no
	 * data addresses: the physical address of a page fault shows on which node the kernel has
	 * allocated the page */
	plan->phys_data = machine_kernel_allowed(m) && (plan->addresses || m->nodes > 1);
	return 0;
}

/* For SAMPLER_AUTO, tries the samplers in their order. Skips those that run only if the user names
 * them (on_demand). */
int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err)
{
	int i = s == SAMPLER_AUTO ? (int)first : (int)s;
	int last = s == SAMPLER_AUTO ? SAMPLERS - 1 : (int)s;
	int ret = md_fail(err, MD_ENOTSUP, "no sampler is left to try");

	for (; i <= last && ret; i++) {
		const struct sampler_kind *kind = sampler_kind((enum sampler)i);

		if (s == SAMPLER_AUTO && kind->on_demand)
			continue;
		ret = sampler_plan((enum sampler)i, m, o, plan, err);
		if (!ret)
			ret = kind->open(plan, m, err);
	}
	return ret;
}

bool sampler_event_argument(const struct sampler_plan *plan, unsigned *i, char *out, size_t len)
{
	const struct sampler_event *e;

	if (*i >= plan->count)
		return false;
	e = &plan->events[(*i)++];
	if (e->leads && *i < plan->count)
		snprintf(out, len, "{%s,%s}", e->perf, plan->events[(*i)++].perf);
	else
		snprintf(out, len, "%s", e->perf);
	return true;
}
