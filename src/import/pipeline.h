/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the steps of an import share. One step is one file with its header:
 *
 *   import.c      opens the inputs, merges their events by time, writes what was collected
 *   inputs.c      whose files they are, and that the output is none of them
 *   events.c      which of perf's events means what
 *   side.c        perf's side band records -> model
 *   sample.c      perf's samples -> rows
 *   kernel.c      what the kernel did when a sample found it there
 *   held.c        rows that wait for a fault or a block
 *   address.c     its data address, and what is done there
 *   work.c        what a thread's time went to
 *   home.c        where the page of a sample lives
 *   pages.c       whose it is: a process's own, or a shared file's
 *   moved.c       pages that are found elsewhere
 *   ahead.c       what the follower tells only afterwards
 *   auxtrace.c    perf inject, where an AUX trace holds the samples
 *   clock.c       perf's times -> CLOCK_MONOTONIC
 *   chain.c       call chains -> call paths
 *   frame.c       addresses on stacks -> frames and local variables
 *   site.c        call paths -> the program's own call that led into a library
 *   userstack.c   copies of user stacks -> the user's part of call chains
 *   lbr.c         stacks of branch records -> the same
 *   ended.c       rows of blocks, in order
 *   logs.c        the tracker's logs, in the order of time
 *   track.c       the tracker's events -> model and rows
 *   images.c      which of the programs that ran were tracked
 *   policy.c      policies and advice -> model
 *   follow.c      the follower's records -> topology, homes, affinities
 *   symbols.c     where the symbols of the code are
 *   recording.c   capture.json, header features -> the run
 *   facts.c       what the model collected -> rows
 *   losses.c      what did not get in, or is damaged
 *   phase.c       how long all this takes
 */
#ifndef MEMDB_IMPORT_PIPELINE_H
#define MEMDB_IMPORT_PIPELINE_H

#include "base/progress.h"
#include "database/writer.h"
#include "import/ahead.h"
#include "import/auxtrace.h"
#include "import/chain.h"
#include "import/clock.h"
#include "import/ended.h"
#include "import/events.h"
#include "import/follow.h"
#include "import/frame.h"
#include "import/held.h"
#include "import/images.h"
#include "import/import.h"
#include "import/kernel.h"
#include "import/logs.h"
#include "import/moved.h"
#include "import/phase.h"
#include "import/recording.h"
#include "import/site.h"
#include "import/track.h"
#include "import/waits.h"
#include "import/work.h"
#include "model/affinity.h"
#include "model/code.h"
#include "model/frames.h"
#include "model/homes.h"
#include "model/objects.h"
#include "model/policy.h"
#include "model/process.h"
#include "model/shared.h"
#include "model/topology.h"
#include "perfdata/perfdata.h"
#include "perfdata/tracepoint.h"

/* What is read. Paths are NULL where there is no such file. */
struct inputs {
	char *perf_path, *track_dir, *follow_path, *kallsyms_path, *vdso_path, *jit_dir;
	struct pd_file *perf;
	struct pd_order *order;
	struct tp_decoder *tracepoints;
	enum event_role *roles; /* of perf's events, by evsel index */
	uint32_t nroles;
	bool every_fault; /* page faults are all recorded */
	struct auxtrace aux;
	struct follow_input follow;
	struct ahead ahead;
	struct tracks tracks;
	struct recording recording;
	struct clock_map clock;
	struct sym_origin origin; /* of the recording, for files without a build-id */
};

/* What is known of the machine and its processes now, and what the steps remember of that. */
struct model {
	struct topology topology;
	struct code code;
	struct space space;
	struct objects objects;
	struct homes homes;        /* by process */
	struct homes shared_homes; /* by file of `shared` */
	struct shared_files shared;
	struct policies policies;
	struct affinities affinities;
	struct chains chains;
	struct frames frames;
	struct sites sites;
	struct kernel_works kernel_works;
	struct works works;
	struct moved_pages moved;
	struct import_waits waits;
	int32_t single_node;
	bool emulated; /* the CPU is: it was interrupted where it came to, not where it waited */
	bool tagged;   /* addresses may have a tag, see untagged() */
	unsigned sp_register, ip_register; /* perf's numbers of them on the recorded machine */
	bool pages_stay;                   /* the kernel moves none between nodes by itself */
	bool physical_known;               /* a page fault has told a physical address */
	bool program_began; /* exec() has replaced memdb by the program in its first process */
};

/* What is written, and counted for the losses. */
struct output {
	struct writer *w;
	struct ended_rows ended;
	struct held_rows held;
	struct untracked_programs untracked;
	uint32_t sample_id, fault_id, page_home_id, affinity_id, policy_id, tracepoint_id, loss_id;
	uint64_t own;                           /* samples of memdb itself: dropped */
	uint64_t in_tracker, faults_in_tracker; /* inside the preloaded tracker: dropped */
	uint64_t in_recorder;                   /* samples of perf at work in the kernel: dropped */
	uint64_t without_access; /* samples of instructions that touch no memory: dropped */
	uint64_t unknown_event;  /* samples whose event is not known: dropped */
	uint64_t first_time, last_time;
};

struct import {
	const struct import_options *o;
	struct import_result *r;
	struct md_err *err;
	struct inputs in;
	struct model model;
	struct output out;
	bool nomem;            /* memory ran out in a step that returns nothing */
	uint64_t silent_until; /* neither a tracker nor the follower tells of anything before */
	uint64_t steps;        /* records and events so far */
	struct phases phases;
	struct progress progress;
};

/* What follows belongs to this phase of the event at hand. Returns the one before. */
static inline enum phase phase_enter(struct import *im, enum phase p)
{
	const enum phase before = im->phases.at;

	if (im->phases.on)
		phases_switch(im, p);
	return before;
}

/*
 * AArch64 ignores the top byte of the address of an access, where allocators and MTE keep a tag:
 * what is left is an address as mappings have it, the kernel's with all bits of that byte set.
 */
static inline uint64_t untagged(const struct import *im, uint64_t address)
{
	return im->model.tagged ? (uint64_t)((int64_t)(address << 8) >> 8) : address;
}

/* Each step returns 0 or an MD_E* with im->err filled, unless it returns nothing. */

#endif
