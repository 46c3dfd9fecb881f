/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the description of a PMU from sysfs, and encodes its events for perf_event_open(2).
 * Supports only what is needed to test whether the samplers' events can be opened; perf opens the
 * events of a recording. */
#ifndef MEMDB_RECORD_PMU_H
#define MEMDB_RECORD_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/err.h"

/* Does sysfs below root (see machine.root) have this PMU? */
bool pmu_exists(const char *root, const char *pmu);

/* Does the PMU have an event, or a format field, with this name? */
bool pmu_has_event(const char *root, const char *pmu, const char *event);
bool pmu_has_format(const char *root, const char *pmu, const char *field);

/*
 * Fills type, config, config1 and config2 of *attr from terms such as "mem-loads,ldlat=30" or
 * "ts_enable=1,min_latency=30". "" stands for the PMU's default event. A term without '=' is the
 * name of an event, or of a field that is set to 1. Returns 0, or
 *   MD_ENOENT  the PMU, an event or a field does not exist
 *   MD_EUSAGE  a value is too large for its field
 *   MD_EFORMAT sysfs describes a field in a way that makes no sense, or the terms are too long
 */
int pmu_encode(const char *root, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct md_err *err);

#endif
