/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The role of each perf event. */
#ifndef MEMDB_IMPORT_EVENTS_H
#define MEMDB_IMPORT_EVENTS_H

struct import;
struct pd_evsel;

/* What the samples of an event are. */
enum event_role {
	ROLE_ACCESS,       /* hardware memory samples: address, latency, data source */
	ROLE_TIME,         /* a timer, period in ns; addresses are computed from registers */
	ROLE_CYCLES,       /* a cycle counter: as ROLE_TIME, but its periods are cycles */
	ROLE_FAULT,        /* page faults */
	ROLE_INSTRUCTIONS, /* an instruction counter, used for lpi (latency per instruction) */
	ROLE_TRACEPOINT,
	ROLE_OTHER,
};

enum event_role event_role(struct import *im, const struct pd_evsel *e);
const char *event_role_name(enum event_role r);
/* ROLE_OTHER if the name is unknown. */
enum event_role event_role_by_name(const char *name);

#endif
