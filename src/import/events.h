/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the role of a perf event: whether its samples are memory accesses, page faults, … */
#ifndef MEMDB_IMPORT_EVENTS_H
#define MEMDB_IMPORT_EVENTS_H

#include "perfdata/samplers.h"

struct import;
struct pd_evsel;

/* Returns the role of event e; ROLE_OTHER if it is unknown. */
enum event_role event_role(struct import *im, const struct pd_evsel *e);

#endif
