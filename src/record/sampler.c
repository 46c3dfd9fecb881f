/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/sampler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "access_format.h"
#include "record/pmu.h"

#define DEFAULT_FREQUENCY  1000     /* samples per second */
#define TIMER_PERIOD_MIN   10000    /* ns; the kernel raises smaller values */
#define INSTRUCTION_PERIOD 10000000 /* a few hundred samples a second */
#define AUX_PERIOD         "2000000003"
#define IBS_PERIOD_MIN                                                                \
	144               /* the kernel refuses smaller values and those that are not \
			   * multiples of 16 */
#define IBS_PERIOD 500000 /* ops, of which a third touches memory */
#define SPE_PERIOD 10000  /* instructions, before the filters */

static const char *const names[SAMPLERS + 1] = {
	[SAMPLER_IBS] = "ibs",     [SAMPLER_PEBS] = "pebs",   [SAMPLER_SPE] = "spe",
	[SAMPLER_TIMER] = "timer", [SAMPLER_EXACT] = "exact", [SAMPLER_SOFT] = "soft",
	[SAMPLERS] = "none",
};

const char *sampler_name(enum sampler s)
{
	return s == SAMPLER_AUTO ? "auto" : names[s];
}

bool sampler_uses_perf(enum sampler s)
{
	return s != SAMPLER_EXACT && s != SAMPLER_SOFT;
}

enum sampler sampler_by_name(const char *name)
{
	if (!strcmp(name, "auto"))
		return SAMPLER_AUTO;
	for (int i = 0; i < SAMPLERS; i++)
		if (!strcmp(name, names[i]))
			return (enum sampler)i;
	return SAMPLERS;
}

/* "period=N" or "freq=N" for each event: a global -c would apply to page faults too. */
static void rate_term(const struct sampling *o, uint64_t period, char *out, size_t len)
{
	if (o->period || (!o->frequency && period))
		snprintf(out, len, "period=%" PRIu64, o->period ? o->period : period);
	else
		snprintf(out, len, "freq=%" PRIu64,
			 o->frequency ? o->frequency : (uint64_t)DEFAULT_FREQUENCY);
}

static struct sampler_event *add_event(struct sampler_plan *plan, const char *role)
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

static void add_software(struct sampler_plan *plan, const char *name, uint64_t config,
			 uint64_t period, const char *role)
{
	struct sampler_event *e = add_event(plan, role);

	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = config;
	snprintf(e->perf, sizeof(e->perf), "%s/period=%" PRIu64 "/%s", name, period,
		 plan->kernel ? "" : "u");
}

static int add_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
		   const char *terms, const char *rate, unsigned precise, struct md_err *err)
{
	struct sampler_event *e = add_event(plan, "access");

	e->attr.precise_ip = precise & 3;
	snprintf(e->perf, sizeof(e->perf), "%s/%s%s%s/%.*s%s", pmu, terms,
		 *terms && *rate ? "," : "", rate, (int)precise, "ppp", plan->kernel ? "" : "u");
	return pmu_encode(m->root, pmu, terms, &e->attr, err);
}

static int plan_timer(struct sampler_plan *plan, const struct sampling *o, struct md_err *err)
{
	uint64_t period = o->period      ? o->period
			  : o->frequency ? 1000000000u / o->frequency
					 : 1000000000u / DEFAULT_FREQUENCY;

	if (period < TIMER_PERIOD_MIN)
		return md_fail(err, MD_EUSAGE,
			       "the timer samples at most every %d ns, %d times a second",
			       TIMER_PERIOD_MIN, 1000000000 / TIMER_PERIOD_MIN);
	add_software(plan, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK, period, "time");
	return 0;
}

/* Loads (after the auxiliary event, if this CPU model needs one) and stores of one core PMU. */
static int plan_pebs_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
			 const struct sampling *o, struct md_err *err)
{
	char terms[64], rate[48];
	int ret;

	rate_term(o, 0, rate, sizeof(rate));
	if (pmu_has_event(m->root, pmu, "mem-loads-aux")) {
		/* It only has to be in the group: an occasional sample of its own does no harm. */
		ret = add_pmu(plan, m, pmu, "mem-loads-aux", "period=" AUX_PERIOD, 2, err);
		if (ret)
			return ret;
		plan->events[plan->count - 1].leads = true;
		plan->events[plan->count - 1].role = "other";
	}
	snprintf(terms, sizeof(terms), "mem-loads,ldlat=%u", o->latency);
	ret = add_pmu(plan, m, pmu, terms, rate, 2, err);
	if (!ret && pmu_has_event(m->root, pmu, "mem-stores"))
		ret = add_pmu(plan, m, pmu, "mem-stores", rate, 2, err);
	return ret;
}

static void add_instructions(struct sampler_plan *plan, const char *pmu)
{
	struct sampler_event *e = add_event(plan, "instructions");

	e->optional = true;
	e->attr.type = PERF_TYPE_HARDWARE;
	e->attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	e->attr.exclude_kernel = e->attr.exclude_hv = 1;
	snprintf(e->perf, sizeof(e->perf), "%s%sinstructions%speriod=%d/u", pmu, *pmu ? "/" : "",
		 *pmu ? "," : "/", INSTRUCTION_PERIOD);
}

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
		/* The events of one core type count nothing on another: each type has its own. */
		add_instructions(plan, i ? cores[i] : "");
	}
	if (!plan->count)
		return md_fail(
			err, MD_ENOTSUP,
			"no PMU here has the event mem-loads: not an Intel CPU with PEBS, or a "
			"virtual machine without it");
	return 0;
}

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
	/* With a fixed period each sample stands for the same number of instructions. */
	rate_term(o, IBS_PERIOD, rate, sizeof(rate));
	return add_pmu(plan, m, "ibs_op", terms, rate, 0, err);
}

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
	rate_term(o, SPE_PERIOD, rate, sizeof(rate));
	plan->inject = true;
	return add_pmu(plan, m, "arm_spe_0", terms, rate, 0, err);
}

static void add_exact(struct sampler_plan *plan, const char *name, uint64_t config,
		      const char *role)
{
	struct sampler_event *e = add_event(plan, role);

	e->attr.type = ACCESS_TYPE;
	e->attr.config = config;
	snprintf(e->perf, sizeof(e->perf), "%s", name);
}

/* Of the accesses of a program built for it nothing tells which instructions ran between them, or
 * what the kernel touched first. */
static int plan_accesses(enum sampler s, struct sampler_plan *plan, const struct sampling *o,
			 struct md_err *err)
{
	if (o->frequency)
		return md_fail(err, MD_EUSAGE,
			       "the sampler %s counts accesses: give a period (-c) and no "
			       "frequency (-F)",
			       sampler_name(s));
	add_exact(plan, "access", ACCESS_CONFIG_ACCESS, "access");
	if (s == SAMPLER_SOFT)
		return 0;
	add_exact(plan, "first-access", ACCESS_CONFIG_FAULT, "fault");
	add_exact(plan, "instructions", ACCESS_CONFIG_INSTRUCTIONS, "instructions");
	return 0;
}

int sampler_plan(enum sampler s, const struct machine *m, const struct sampling *o,
		 struct sampler_plan *plan, struct md_err *err)
{
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->sampler = s;
	if (!sampler_uses_perf(s))
		return plan_accesses(s, plan, o, err);
	plan->kernel = o->kernel && machine_kernel_allowed(m);
	switch (s) {
	case SAMPLER_IBS:
		ret = plan_ibs(plan, m, o, err);
		break;
	case SAMPLER_PEBS:
		ret = plan_pebs(plan, m, o, err);
		break;
	case SAMPLER_SPE:
		ret = plan_spe(plan, m, o, err);
		break;
	case SAMPLER_TIMER:
		ret = plan_timer(plan, o, err);
		break;
	default:
		ret = md_fail(err, MD_EUSAGE, "there is no such sampler");
	}
	if (ret)
		return ret;
	/* Physical address and page size, for page faults too: they show the node that the
	 * kernel chose, and how large the page is. */
	plan->phys_data = machine_kernel_allowed(m) && (s != SAMPLER_TIMER || m->nodes > 1);
	plan->page_size = s != SAMPLER_TIMER || o->faults;
	if (o->faults) { /* the software event page-faults fires before the page exists, these
			  * events after */
		add_software(plan, "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, "fault");
		add_software(plan, "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, "fault");
	}
	return 0;
}

int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err)
{
	int i = s == SAMPLER_AUTO ? (int)first : (int)s;
	int last = s == SAMPLER_AUTO ? SAMPLER_TIMER : (int)s;
	int ret = md_fail(err, MD_ENOTSUP, "no sampler is left to try");

	for (; i <= last && ret; i++) {
		ret = sampler_plan((enum sampler)i, m, o, plan, err);
		if (!ret && sampler_uses_perf((enum sampler)i))
			ret = sampler_probe(plan, m, err);
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
