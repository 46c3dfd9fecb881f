/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State shared by the steps of an import. Each step is one file with its own header:
 *
 *   import.c      opens the inputs, writes what was collected
 *   replay.c      the events of all inputs, the earliest first
 *   inputs.c      checks who owns the inputs and that none is the output
 *   events.c      perf's events -> their roles
 *   side.c        perf's side-band records -> model
 *   sample.c      perf's samples -> rows
 *   kernel.c      what the kernel did for a thread in a sample
 *   held.c        rows that wait for a page fault or the birth of a block
 *   learned.c     rows that wait until the object of a lost address is known
 *   address.c     the data address of a sample and the kind of access
 *   waits.c       what a timer sample waited for
 *   asked.c       addresses and objects of the accesses that it may have waited for
 *   cached.c      waits for objects that fit the first-level cache
 *   work.c        what a thread's time was spent on
 *   home.c        the NUMA node of a sample's page
 *   page_owner.c  the owner of a page: a process, or a shared file
 *   moved.c       pages that moved to another node
 *   prescan.c     what the follower reports only afterwards
 *   auxtrace.c    runs perf inject if an AUX trace holds the samples
 *   clock.c       perf's times -> CLOCK_MONOTONIC
 *   chain.c       call chains -> call paths
 *   skipped.c     the caller that a walk by frame pointers skips
 *   frame.c       addresses on stacks -> frames and local variables
 *   pointee.c     addresses on stacks -> targets of pointers
 *   local_use.c   lost addresses on stacks -> local variables
 *   site.c        call paths -> the program's own call into a library
 *   answers.c     what names say about code locations, asked once for each
 *   userstack.c   copies of user stacks -> the user part of call chains
 *   lbr.c         branch records -> the user part of call chains
 *   ended.c       rows of blocks, sorted by id
 *   used.c        which call paths and locations have a row
 *   logs.c        the tracker's logs, merged by time
 *   track.c       the tracker's events -> model and rows
 *   images.c      which of the programs that ran were tracked
 *   policy.c      policies and advice -> model
 *   follow.c      the follower's records -> topology, homes, affinities
 *   symbols.c     where the symbols of the code are
 *   recording.c   reads capture.json
 *   run.c         capture.json, header features -> the row of the run
 *   promised.c    files that capture.json lists and that are missing or damaged
 *   types.c       types of objects -> rows
 *   lines.c       code locations, source lines -> rows
 *   facts.c       what the model collected -> rows
 *   losses.c      which data the database lacks, which inputs are damaged
 *   phase.c       how long each step takes
 */
#ifndef MEMDB_IMPORT_PIPELINE_H
#define MEMDB_IMPORT_PIPELINE_H

#include "base/progress.h"
#include "database/writer.h"
#include "import/prescan.h"
#include "import/answers.h"
#include "import/argument.h"
#include "import/auxtrace.h"
#include "import/callers.h"
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
#include "import/local_use.h"
#include "import/logs.h"
#include "import/moved.h"
#include "import/phase.h"
#include "import/pointee.h"
#include "import/region.h"
#include "import/recording.h"
#include "import/site.h"
#include "import/track.h"
#include "import/used.h"
#include "import/waits.h"
#include "import/work.h"
#include "model/affinity.h"
#include "model/code.h"
#include "model/seen_frames.h"
#include "model/homes.h"
#include "model/objects.h"
#include "model/policy.h"
#include "model/process.h"
#include "model/shared_files.h"
#include "model/topology.h"
#include "model/votes.h"
#include "perfdata/perfdata.h"
#include "perfdata/tracepoint.h"

/* A file of perf's format, read in the order of time. */
struct recorded {
	struct pd_file *file; /* NULL means there is none */
	struct pd_order *order;
	struct pd_raw next; /* borrowed from `order` until the next one is read */
	uint64_t time;      /* ns; 0 means that `next` has no time */
	bool has_next;
};

enum { RECORDED_BY_PERF, RECORDED_FAULTS, RECORDED };

/* The inputs. A path is NULL if there is no such file. */
struct inputs {
	char *perf_path, *faults_path, *track_dir, *follow_path, *kallsyms_path, *vdso_path,
		*jit_dir;
	struct pd_file *perf; /* perf's own file, whose header describes the recording */
	struct recorded recorded[RECORDED];
	/* why faults_path cannot be read; "" means that it can */
	char faults_damage[256];
	struct pd_file *reading; /* file of the current record */
	struct tp_decoder *tracepoints;
	enum event_role *roles; /* indexed by evsel index: role of each event of both files */
	uint32_t nroles;
	bool every_fault; /* whether every page fault has a record; if not, only one in several
			   * has */
	struct auxtrace aux;
	struct follow_input follow;
	struct ahead ahead;
	struct tracks tracks;
	struct recording recording;
	struct clock_map clock;
	struct sym_origin origin; /* host and time of the recording; they decide whether files
				   * without a build-id are used */
};

/* The state of the recorded machine and its processes at the time of the current event, and the
 * caches of the import's steps. */
struct model {
	struct topology topology;
	struct code code;
	struct space space;
	struct objects objects;
	struct homes homes;        /* homes of private pages, by process */
	struct homes shared_homes; /* homes of shared pages, by file in `shared` */
	struct shared_files shared;
	struct policies policies;
	struct affinities affinities;
	struct chains chains;
	struct frames frames;
	struct pointees pointees;
	struct local_uses local_uses;
	struct arguments arguments;
	struct regions regions;
	struct callers callers;
	struct sites sites;
	struct kernel_works kernel_works;
	struct answers is_lock, is_service;
	struct moved_pages moved;
	struct import_waits waits;
	struct votes votes;
	int32_t single_node; /* the only node with memory; -1: several, or not known (topology.h) */
	/* whether an emulator ran the program: then the ip of a sample shows where the program was
	 * interrupted, but not what it waited for */
	bool emulated;
	bool tagged; /* whether addresses may have tags in their top byte; see import_untag() */
	/* perf's numbers of the registers for stack pointer and ip, on the recorded machine */
	unsigned sp_register, ip_register;
	/* whether the kernel leaves pages where they are unless the program moves them */
	bool pages_stay;
	bool physical_known; /* whether a page fault with a physical address has been read */
	/* whether the first process of the recording has executed the program; before that, it runs
	 * memdb's code */
	bool program_began;
};

/* The writer, rows that are not yet written, and counters of samples without a row, for the table
 * `losses`. */
struct output {
	struct writer *w;
	struct ended_rows ended;
	struct held_rows held;
	struct learned_rows learned; /* after those of `held` */
	struct used_code used;
	struct untracked_programs untracked;
	uint32_t sample_id, fault_id, page_home_id, affinity_id, policy_id, tracepoint_id, loss_id;
	uint64_t own; /* number of samples of memdb's own code */
	/* number of samples and of page faults inside the preloaded tracker */
	uint64_t in_tracker, faults_in_tracker;
	uint64_t in_recorder; /* number of samples of the kernel while it worked for perf */
	/* number of samples of instructions that access no memory; they only count as executed
	 * instructions */
	uint64_t without_access;
	uint64_t second_libcs;  /* number of times that a tracked program mapped a second libc */
	uint64_t unknown_event; /* number of samples of events that the file does not describe */
	/* number of page faults whose node was predicted, indexed by enum topology_room, which says
	 * whether that node had free memory */
	uint64_t predicted_homes[ROOM_UNOBSERVED + 1];
	uint64_t first_time, last_time;
	uint64_t perf_last_time; /* time of the last record in perf's own file */
	bool perf_saw_end;       /* whether perf's own file has the exit of the program's first
				  * process */
};

struct import {
	const struct import_options *o;
	struct import_result *r;
	struct md_err *err;
	struct inputs in;
	struct model model;
	struct output out;
	bool nomem; /* whether memory ran out in a function that returns no error code */
	/* the tracker's logs and the follower's log have no further event before this time */
	uint64_t silent_until;
	uint64_t steps; /* records and events handled so far */
	struct phases phases;
	struct progress progress;
};

/* Did memory run out in a part of the model? That part sets a flag and goes on with the current
 * event, so it is enough to check the flags between events. */
bool import_out_of_memory(const struct import *im);

/* Begins phase p. Returns the previous phase, so that the caller can enter it again. */
static inline enum phase phase_enter(struct import *im, enum phase p)
{
	const enum phase before = im->phases.at;

	if (im->phases.on)
		phases_switch(im, p);
	return before;
}

/* Removes the tag from a data address. AArch64 ignores the top byte of data addresses (TBI), and
 * allocators and MTE store a tag there. Returns the address as mappings have it: its top byte is
 * 0x00, or 0xff in the kernel. */
static inline uint64_t import_untag(const struct import *im, uint64_t address)
{
	return im->model.tagged ? (uint64_t)((int64_t)(address << 8) >> 8) : address;
}

/* All steps that return int return 0, or an MD_E* with im->err filled in. */

#endif
