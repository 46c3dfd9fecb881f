/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The role of each perf event. */
#ifndef MEMDB_IMPORT_EVENTS_H
#define MEMDB_IMPORT_EVENTS_H

#include "perfdata/samplers.h"

struct import;
struct pd_evsel;

enum event_role event_role(struct import *im, const struct pd_evsel *e);

#endif
