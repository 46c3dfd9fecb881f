/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each of perf's events means. */
#ifndef MEMDB_IMPORT_EVENTS_H
#define MEMDB_IMPORT_EVENTS_H

struct import;
struct pd_evsel;

/* What an event's samples are. */
enum event_role {
	ROLE_ACCESS,       /* hardware memory samples: address, latency, data source */
	ROLE_TIME,         /* a timer: ns; the address is decoded from the registers */
	ROLE_CYCLES,       /* a cycle counter: likewise, but its periods are cycles */
	ROLE_FAULT,        /* page faults */
	ROLE_INSTRUCTIONS, /* counts instructions, for lpi */
	ROLE_TRACEPOINT,
	ROLE_OTHER,
};

enum event_role event_role(struct import *im, const struct pd_evsel *e);
const char *event_role_name(enum event_role r);
/* ROLE_OTHER for an unknown name. */
enum event_role event_role_by_name(const char *name);

#endif
