/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides what the samples of each perf event are. */
#ifndef MEMDB_IMPORT_EVENTS_H
#define MEMDB_IMPORT_EVENTS_H

#include "perfdata/samplers.h"

struct import;
struct pd_evsel;

/* Says what the samples of an event show. Returns ROLE_OTHER if that is unknown. */
enum event_role event_role(struct import *im, const struct pd_evsel *e);

#endif
