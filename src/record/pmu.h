/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PMU as sysfs describes it, and its events as numbers for perf_event_open(2). Only so much as it
 * takes to open the samplers' events; recordings are opened by perf itself.
 */
#ifndef MEMDB_RECORD_PMU_H
#define MEMDB_RECORD_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/err.h"

/* Is there a PMU NAME below root (see machine.root)? */
bool pmu_exists(const char *root, const char *pmu);

/* Has it an event, or a field of its format, of this name? */
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
