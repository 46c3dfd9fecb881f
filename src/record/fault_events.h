/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the kernel's page-fault events, and the ring buffers to which the kernel writes their
 * records. */
#ifndef MEMDB_RECORD_FAULT_EVENTS_H
#define MEMDB_RECORD_FAULT_EVENTS_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "record/faults.h"

enum { FAULT_EVENTS = 3 };

/* The events of one CPU. All of them write to one buffer. */
struct fault_ring {
	int fds[FAULT_EVENTS];
	uint64_t ids[FAULT_EVENTS];
	struct perf_event_mmap_page *page;
	size_t bytes; /* size of the buffer after the control page, a power of two */
};

struct fault_rings {
	struct perf_event_attr attrs[FAULT_EVENTS];
	unsigned nattrs;
	struct fault_ring *at;
	unsigned n;
};

/* Fills attrs with the events that the options ask for. Returns their number. */
unsigned fault_attrs(const struct faults_options *o, struct perf_event_attr attrs[FAULT_EVENTS]);

/* Opens the events and their buffers. Returns 0, MD_ESYS or MD_ENOMEM. After an error nothing needs
 * to be released. */
int fault_rings_open(struct fault_rings *r, const struct faults_options *o, int32_t pid,
		     struct md_err *err);
void fault_rings_release(struct fault_rings *r);

/* Pauses the events of minor faults in all processes, or continues them. Processes that start
 * during a pause are paused, too. */
void fault_rings_pause(const struct fault_rings *r, bool pause);

#endif
