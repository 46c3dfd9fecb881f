/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the role of an event (enum event_role): whether its samples show time, instructions, memory
 * accesses, page faults, … An event's numbers mean something only together with its PMU, and the
 * user of perf chooses the event's name. So three sources are used, in this order: capture.json,
 * which memdb's own recordings have; the event's numbers together with its PMU; the event's name,
 * if the file does not identify the PMU, or if the number of a core PMU's event is not in
 * core_events. */
#include "import/events.h"

#include <string.h>

#include "base/count.h"
#include "import/pipeline.h"

enum { UNKNOWN = ROLE_OTHER + 1 };

/* Returns the role of a software event of the kernel. Its clock events sample time. */
static int software_role(uint64_t config)
{
	switch (config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return ROLE_TIME;
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return ROLE_FAULT;
	default:
		return ROLE_OTHER;
	}
}

/* Returns the role of a generic hardware event. These events mean the same on every CPU. */
static int hardware_role(uint64_t config)
{
	/* the upper half of config selects one of a hybrid CPU's PMUs */
	switch (config & 0xffffffff) {
	case PERF_COUNT_HW_INSTRUCTIONS:
		return ROLE_INSTRUCTIONS;
	case PERF_COUNT_HW_CPU_CYCLES:
	case PERF_COUNT_HW_REF_CPU_CYCLES:
		return ROLE_CYCLES;
	default:
		return ROLE_OTHER;
	}
}

/* A part of an event's name; it does not end with a NUL. */
struct word {
	const char *at;
	size_t len;
};

/* Returns the text as a word. NULL becomes the empty word, which matches no name. */
static struct word word_of(const char *text)
{
	return (struct word){ text, text ? strlen(text) : 0 };
}

/* Is the word equal to the entire text? `mem-loads` is not `mem-loads-aux`. */
static bool is_word(struct word w, const char *text)
{
	return w.len == strlen(text) && !strncmp(w.at, text, w.len);
}

/* Does the word begin with the text? Ignores case, because vendors' ids are written in upper and in
 * lower case. */
static bool word_begins(struct word w, const char *text)
{
	return w.len >= strlen(text) && !strncasecmp(w.at, text, strlen(text));
}

/* The vendor of the CPU, who defines its event numbers. */
enum maker { INTEL = 1, AMD = 2, ARM = 4 };

/* Returns the possible vendors of the CPU (enum maker), as a mask. An old x86 recording does not
 * name the vendor. Then Intel and AMD are both possible. This does no harm: no number in the table
 * below means one event for Intel and a different one for AMD. */
static unsigned cpu_makers(const struct pd_features *f, struct word pmu)
{
	const struct word arch = word_of(f->arch), cpu = word_of(f->cpuid);

	if (word_begins(pmu, "armv") || word_begins(arch, "aarch64") || word_begins(arch, "arm"))
		return ARM;
	if (word_begins(cpu, "GenuineIntel"))
		return INTEL;
	if (word_begins(cpu, "AuthenticAMD") || word_begins(cpu, "HygonGenuine"))
		return AMD;
	return !f->arch || strstr(f->arch, "86") ? INTEL | AMD : 0; /* x86_64, i686 */
}

/* The roles of events of core PMUs, by their config in the format of sysfs: umask << 8 | event. */
static const struct {
	uint64_t config;
	unsigned makers;
	/* an entry with `precise` applies only to events with precise_ip: without it, samples have
	 * no addresses */
	bool precise;
	enum event_role role;
} core_events[] = {
	{ 0x00c0, INTEL | AMD, false, ROLE_INSTRUCTIONS },
	{ 0x003c, INTEL, false, ROLE_CYCLES },
	{ 0x0300, INTEL, false, ROLE_CYCLES }, /* cycles of the reference clock */
	{ 0x0076, AMD, false, ROLE_CYCLES },
	{ 0x0008, ARM, false, ROLE_INSTRUCTIONS },
	{ 0x0011, ARM, false, ROLE_CYCLES },
	{ 0x01cd, INTEL, true, ROLE_ACCESS }, /* mem-loads since Sandy Bridge */
	{ 0x02cd, INTEL, true, ROLE_ACCESS }, /* mem-stores: Sandy Bridge, Ivy Bridge, Sapphire
					       * Rapids */
	/* mem-stores, on models between Ivy Bridge and Sapphire Rapids */
	{ 0x82d0, INTEL, true, ROLE_ACCESS },
	{ 0x05d0, INTEL, true, ROLE_ACCESS }, /* mem-loads of Intel's efficient cores */
	{ 0x06d0, INTEL, true, ROLE_ACCESS }, /* mem-stores of Intel's efficient cores */
	{ 0x100b, INTEL, true, ROLE_ACCESS }, /* mem-loads: Nehalem, Westmere */
	/* mem-loads-aux: a helper event whose samples have no addresses */
	{ 0x8203, INTEL, false, ROLE_OTHER },
};

/* Returns the name of the event's PMU; the empty word if the file does not describe the PMU. */
static struct word pmu_of(const struct pd_evsel *e)
{
	return word_of(e->pmu ? e->pmu->name : NULL);
}

/* Returns the role of a core PMU's event (an enum event_role) from core_events; UNKNOWN if no entry
 * fits. An entry with `precise` does not fit an event that was recorded without precise_ip, because
 * the event's samples have no addresses. */
static int core_role(const struct pd_features *f, const struct pd_evsel *e)
{
	const unsigned by = cpu_makers(f, pmu_of(e));

	for (size_t i = 0; i < COUNT_OF(core_events); i++)
		if (e->attr.config == core_events[i].config && (by & core_events[i].makers) &&
		    (e->attr.precise_ip || !core_events[i].precise))
			return (int)core_events[i].role;
	return UNKNOWN;
}

/* Is this the name of a core PMU? On hybrid CPUs each kind of core has a PMU of its own. */
static bool is_core_pmu(struct word pmu)
{
	return is_word(pmu, "cpu") || is_word(pmu, "cpu_core") || is_word(pmu, "cpu_atom") ||
	       word_begins(pmu, "armv");
}

/* Do all events of this PMU, with every config, sample memory accesses? */
static bool samples_memory(struct word pmu)
{
	return pmu.len && sampler_has_pmu(pmu.at, pmu.len);
}

/* Does the event belong to a core PMU? All events of the raw type (PERF_TYPE_RAW) do. */
static bool is_core(const struct pd_evsel *e)
{
	return e->attr.type == PERF_TYPE_RAW || is_core_pmu(pmu_of(e));
}

/* Returns the role that follows from the event's PMU and config; UNKNOWN if they do not determine
 * it. */
static int pmu_role(const struct pd_features *f, const struct pd_evsel *e)
{
	if (samples_memory(pmu_of(e)))
		return ROLE_ACCESS;
	return is_core(e) ? core_role(f, e) : UNKNOWN;
}

/* Splits "PMU/event,term=N/modifiers" or "event:modifiers" into PMU and event. In the second
 * form the PMU is empty. */
static void split_name(const char *name, struct word *pmu, struct word *event)
{
	size_t n = strcspn(name, "/:");

	*pmu = (struct word){ name, name[n] == '/' ? n : 0 };
	event->at = pmu->len ? name + n + 1 : name;
	event->len = strcspn(event->at, ",/:");
}

/* Returns the role that the event's name implies; UNKNOWN if it implies none. Must be called only
 * if neither PMU nor config determines the role, because a user may give an event an arbitrary
 * name, such as `cycles`. */
static int name_role(const struct pd_evsel *e)
{
	struct word pmu, event;

	split_name(e->name, &pmu, &event);
	if (samples_memory(pmu))
		return ROLE_ACCESS;
	if (pmu.len && !is_core_pmu(pmu))
		return ROLE_OTHER;
	if (is_word(event, "mem-loads") || is_word(event, "mem-stores") ||
	    word_begins(event, "mem_trans_retired.")) /* Intel's load latency and precise stores */
		return ROLE_ACCESS;
	if (is_word(event, "instructions"))
		return ROLE_INSTRUCTIONS;
	if (is_word(event, "cycles") || is_word(event, "cpu-cycles") ||
	    is_word(event, "ref-cycles"))
		return ROLE_CYCLES;
	return is_word(event, "mem-loads-aux") ? ROLE_OTHER : UNKNOWN;
}

/* Does the event record an address together with the kind of access? Page faults and tracepoints
 * record only addresses. */
static bool has_addresses(const struct pd_evsel *e)
{
	const uint64_t type = e->attr.sample_type;

	return (type & PERF_SAMPLE_ADDR) && (type & PERF_SAMPLE_DATA_SRC);
}

/* Does the file contain a trace of Arm's SPE (Statistical Profiling Extension), or samples that
 * perf converted from one? */
static bool has_spe(struct import *im)
{
	struct word pmu, event;

	for (uint32_t i = 0; !im->in.aux.has_spe && i < pd_evsel_count(im->in.perf); i++) {
		const struct pd_evsel *e = pd_evsel_at(im->in.perf, i);

		split_name(e->name, &pmu, &event);
		im->in.aux.has_spe = word_begins(e->pmu ? pmu_of(e) : pmu, SPE_PMU);
	}
	return im->in.aux.has_spe;
}

/* Did perf inject create the event from a trace of Arm's SPE? Such an event records addresses, has
 * no period, and its type is not PERF_TYPE_RAW. */
static bool is_made_by_perf(struct import *im, const struct pd_evsel *e)
{
	return !e->attr.sample_period && has_addresses(e) && e->attr.type != PERF_TYPE_RAW &&
	       has_spe(im);
}

/* Does the event record all fields of memory sampling, with precise_ip? No other event does. Used
 * only if neither the PMU nor the name shows the role. */
static bool samples_loads(const struct pd_evsel *e)
{
	const uint64_t latency = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

	return has_addresses(e) && (e->attr.sample_type & latency) && e->attr.precise_ip;
}

/* Tracepoints and events made by perf inject are recognized by their attributes. The role of any
 * other event comes from the first of these sources that shows it: capture.json; the type, or the
 * PMU and config; the name; the fields of the samples. */
enum event_role event_role(struct import *im, const struct pd_evsel *e)
{
	int role = recording_role(&im->in.recording, e->attr.type, e->attr.config);

	if (e->attr.type == PERF_TYPE_TRACEPOINT)
		return ROLE_TRACEPOINT;
	if (is_made_by_perf(im, e))
		return ROLE_ACCESS;
	if (role >= 0)
		return (enum event_role)role;
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return (enum event_role)software_role(e->attr.config);
	if (e->attr.type == PERF_TYPE_HARDWARE)
		return (enum event_role)hardware_role(e->attr.config);
	role = pmu_role(pd_features(im->in.perf), e);
	if (role == UNKNOWN && (!e->pmu || is_core(e)))
		role = name_role(e);
	if (role == UNKNOWN)
		role = samples_loads(e) ? ROLE_ACCESS : ROLE_OTHER;
	return (enum event_role)role;
}
