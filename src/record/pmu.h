/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PMU as sysfs describes it, and its events as numbers for perf_event_open(2). Just enough to
 * probe the samplers' events; perf itself opens the events of a recording.
 */
#ifndef MEMDB_RECORD_PMU_H
#define MEMDB_RECORD_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/err.h"

/* Does the PMU NAME exist below root (see machine.root)? */
bool pmu_exists(const char *root, const char *pmu);

/* Does it have an event, or a format field, of this name? */
bool pmu_has_event(const char *root, const char *pmu, const char *event);
bool pmu_has_format(const char *root, const char *pmu, const char *field);

/*
 * Fills type, config, config1 and config2 of *attr from terms as "mem-loads,ldlat=30" or
 * "ts_enable=1,min_latency=30"; "" is the PMU's default event. A first term without '=' names an
 * event, or a format field to be set to 1. Returns 0, or
 *   MD_ENOENT  the PMU, an event or a field is not there
 *   MD_EFORMAT sysfs says what makes no sense
 */
int pmu_encode(const char *root, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct md_err *err);

#endif
