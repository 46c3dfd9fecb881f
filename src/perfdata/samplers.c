/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/samplers.h"

#include <string.h>

#include "base/count.h"

#define SAMPLER_ROW(NAME, name, pmu, run) { #name, pmu, run },
static const struct {
	const char *name, *pmu;
	enum sampler_run run;
} samplers[SAMPLERS] = { SAMPLERS_OF(SAMPLER_ROW) };

const char *sampler_name(enum sampler s)
{
	return s == SAMPLER_AUTO ? "auto" : s == SAMPLERS ? "none" : samplers[s].name;
}

enum sampler sampler_by_name(const char *name)
{
	if (!strcmp(name, "auto"))
		return SAMPLER_AUTO;
	for (int i = 0; i < SAMPLERS; i++)
		if (!strcmp(name, samplers[i].name))
			return (enum sampler)i;
	return SAMPLERS;
}

enum sampler_run sampler_run(enum sampler s)
{
	return s < SAMPLERS ? samplers[s].run : RUN_PERF;
}

bool sampler_has_pmu(const char *name, size_t len)
{
	for (int i = 0; i < SAMPLERS; i++) {
		const char *pmu = samplers[i].pmu;
		size_t n = strlen(pmu);

		if (n && len >= n && !strncmp(name, pmu, n) && (len == n || pmu[n - 1] == '_'))
			return true;
	}
	return false;
}

static const char *const roles[] = {
	[ROLE_ACCESS] = "access",
	[ROLE_TIME] = "time",
	[ROLE_CYCLES] = "cycles",
	[ROLE_FAULT] = "fault",
	[ROLE_INSTRUCTIONS] = "instructions",
	[ROLE_TRACEPOINT] = "tracepoint",
	[ROLE_OTHER] = "other",
};

ASSERT_NAMES(roles, ROLE_OTHER);

const char *event_role_name(enum event_role r)
{
	return roles[r];
}

enum event_role event_role_by_name(const char *name)
{
	enum event_role r = ROLE_ACCESS;

	while (r < ROLE_OTHER && strcmp(name, roles[r]))
		r++;
	return r;
}
