/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the steps of an import share. One step is one file:
 *
 *   import.c      opens the inputs, merges their events by time, writes what was collected
 *   inputs.c      whose files they are, and that the output is none of them
 *   events.c      which of perf's events means what
 *   side.c        perf's side band records -> model
 *   sample.c      perf's samples -> rows
 *   home.c        where the page of a sample lives
 *   pages.c       whose it is: a process's own, or a shared file's
 *   moved.c       pages that are found elsewhere
 *   ahead.c       what the follower tells only afterwards
 *   auxtrace.c    perf inject, where an AUX trace holds the samples
 *   clock.c       perf's times -> CLOCK_MONOTONIC
 *   chain.c       call chains -> call paths
 *   site.c        call paths -> the program's own call that led into a library
 *   userstack.c   copies of user stacks -> the user's part of call chains
 *   lbr.c         stacks of branch records -> the same
 *   ended.c       rows of blocks, in order
 *   track.c       the tracker's events -> model and rows
 *   images.c      which of the programs that ran were tracked
 *   follow.c      the follower's records -> topology, homes, affinities
 *   recording.c   capture.json, header features -> the run
 *   facts.c       what the model collected -> rows
 *   losses.c      what did not get in, or is damaged
 *   phase.c       how long all this takes
 */
#ifndef MEMDB_IMPORT_PIPELINE_H
#define MEMDB_IMPORT_PIPELINE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "database/writer.h"
#include "import/import.h"
#include "import/phase.h"
#include "model/affinity.h"
#include "model/code.h"
#include "model/homes.h"
#include "model/objects.h"
#include "model/policy.h"
#include "model/process.h"
#include "model/shared.h"
#include "model/topology.h"
#include "naming/naming.h"
#include "perfdata/perfdata.h"
#include "perfdata/tracepoint.h"
#include "symbol/unwind.h"
#include "tracklog/follow.h"
#include "tracklog/tracklog.h"

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

struct import;
enum event_role event_role(struct import *im, const struct pd_evsel *e);
const char *event_role_name(enum event_role r);
/* ROLE_OTHER for an unknown name. */
enum event_role event_role_by_name(const char *name);

/* One call chain that was met: what it means while the process's and the kernel's code stay as they
 * were. */
struct chain {
	uint32_t process, n;
	enum unwind_end end; /* of the walk that found its user's part; UNWIND_ENDS: recorded so */
	bool truncated;      /* frames are missing at its outer end */
	uint64_t generation;
	const uint64_t *ips; /* n, in the arena */
	uint32_t path;       /* call_paths.id */
};

enum {
	MAX_CHAIN = 8192,   /* frames: a record is at most 64 KiB, so no chain is longer */
	LAST_CHAINS = 1024, /* a power of two */
};

struct chains {
	struct arena arena;
	struct {
		struct chain *at;
		uint32_t n, cap;
	} chains;
	uint32_t last[LAST_CHAINS]; /* position + 1 of the one found last for a thread that stood
				       there, by low bits of both; 0 none */
	struct index index;
	uint64_t *ips;    /* the chain at hand, in native byte order */
	uint32_t *frames; /* its locations, innermost first, and their kinds */
	uint8_t *kinds;
	uint64_t ends[UNWIND_ENDS]; /* chains out of stack copies that are truncated, by why */
};

/* One tracker log that is being read. */
struct track {
	struct tl_log *log; /* NULL before start_ns and after its end */
	char *name;
	uint64_t start_ns;
	struct tl_event next;    /* valid while log is open */
	struct tl_losses losses; /* complete after its end */
	uint64_t passed;         /* of its bytes, so many are in tracks.passed */
	uint32_t process;        /* id, 0 before its first event */
	uint32_t mapped_by;      /* id of the process that perf saw mapping it, 0 none */
	struct {
		uint64_t address;
		uint32_t tid, policy;
	} leaving; /* the mapping that mremap has taken away last, until it puts it elsewhere */
	struct {
		struct stack_path {
			uint64_t generation; /* of the process's code when path was found */
			uint32_t path;       /* 0: not yet */
		} * at;
		uint32_t n, cap;
	} stacks; /* by number */
};

/* From perf's clock to CLOCK_MONOTONIC. */
struct clock_map {
	struct {
		struct clock_point {
			uint64_t from, to; /* ns at the same moment */
		} * at;
		uint32_t n, cap;
	} points;          /* in order; none: times stay as they are */
	double outer_rate; /* before the first and behind the last */
	uint32_t last;     /* the point before the last time */
	uint32_t steps;    /* jumps of perf's clock forward */
	bool set_back;     /* it jumped backward */
	const char *name;  /* the clock of all times of the database */
	char how[160];     /* a sentence: how it was converted; "" where it was not */
};

/* What capture.json says; strings are owned by `json`. */
struct recording {
	struct json_object *json; /* NULL: there is none */
	bool has_file;
	struct md_err why; /* that it cannot be read, where it is there */
	const char *sampler, *perf_version, *memdb_version, *hostname, *kernel, *arch, *cwd;
	const char *emulator; /* of the CPU, as "QEMU TCG"; NULL: none is known */
	char *command, *perf_command;
	uint64_t start_ns, end_ns, start_realtime_ns;
	int64_t exit_code, exit_signal;
	bool has_exit_code, has_exit_signal, tracked;
	uint32_t pid, waiter_pid; /* the program's first process; memdb's own that started it */
};

enum { NODES_MOST = 1024 }; /* the kernel's own limit */

/* What a look of the follower says of the time since the one before. */
struct told_later {
	enum fl_kind kind; /* FL_FREE, FL_COLLAPSE */
	uint32_t id;       /* node; pid */
	uint64_t since, time, bytes;
};

/* A call by the program's own code of what is not: a standard library, an allocator, the kernel. */
struct site {
	uint32_t caller, called; /* a location; a symbol. 0: not known, or the program's own code */
};

struct import {
	const struct import_options *o;
	struct import_result *r;
	struct md_err *err;

	/* inputs */
	char *perf_path, *track_dir, *follow_path, *kallsyms_path, *vdso_path, *jit_dir;
	struct pd_file *perf;
	struct pd_order *order;
	struct tp_decoder *tracepoints;
	struct fl_log *follow;
	struct fl_record follow_next;
	bool has_follow_next;
	uint64_t follow_bytes; /* left after its first lines, which tell the topology */
	struct {
		struct told_later *at;
		uint32_t n, cap;
	} ahead;                        /* in the log's order */
	uint32_t ahead_at;              /* those before have come */
	uint64_t free_next[NODES_MOST]; /* of each node at the first look; UINT64_MAX: none */
	struct {
		struct track *at;
		uint32_t n, cap;
		uint64_t bytes, passed; /* of all logs: in all, and those that were read */
	} tracks;
	struct index track_index; /* by name */
	struct {
		uint32_t *at; /* a heap of positions in tracks: the oldest next event first */
		uint32_t n, cap;
	} next_tracks;
	uint32_t logs; /* of the tracker that are there, readable or not */
	uint64_t sample_every,
		sample_bytes; /* of smaller heap blocks one in so many was recorded */
	struct recording recording;
	struct sym_origin origin; /* of the recording, for files without a build-id */
	struct clock_map clock;
	const char *aux_kind; /* of the AUX trace; NULL: there is none */
	bool has_spe;         /* it is of Arm's SPE, whose samples perf makes of it */
	char aux_why[256];    /* why it is not in the database; "": it is */

	/* model */
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
	struct {
		struct site_memo {
			struct site site;
			bool known;
		} * at;
		uint32_t n, cap;
	} sites;       /* by call path */
	bool emulated; /* the CPU is: it was interrupted where it came to, not where it waited */
	int32_t single_node;
	bool tagged;          /* addresses may have a tag, see untagged() */
	unsigned sp_register; /* perf's number of the stack pointer on the recorded machine */

	struct {
		struct moved *at;
		uint32_t n, cap;
	} moved;              /* found by the looks at hand */
	uint64_t moved_until; /* when the last of them was over */

	/* output and its counters */
	struct writer *w;
	struct {
		struct row_allocation *at;
		uint32_t n, cap;
	} ended; /* rows held back */
	struct {
		struct untracked *at;
		uint32_t n, cap;
	} untracked;            /* images.c's */
	enum event_role *roles; /* by evsel index */
	uint32_t nroles;
	uint32_t sample_id, fault_id, page_home_id, affinity_id, policy_id, tracepoint_id, loss_id;
	bool physical_known; /* a page fault has told a physical address */
	bool program_began;  /* exec() has replaced memdb by the program in its first process */
	uint64_t own;        /* samples of memdb itself: dropped */
	uint64_t in_tracker, faults_in_tracker; /* inside the preloaded tracker: dropped */
	uint64_t without_access;  /* samples of instructions that touch no memory: dropped */
	uint64_t unknown_event;   /* samples whose event is not known: dropped */
	uint64_t unpaired_deaths; /* of blocks whose birth was not seen */
	uint64_t unknown_tids;    /* events of threads that perf knows by another number */
	uint64_t unsound_lines;   /* records of the follower that name what cannot be */
	uint64_t unsound_looks;   /* likewise looks at pages by the tracker */
	bool nomem;               /* memory ran out in a step that returns nothing */
	uint64_t first_time, last_time;
	uint64_t silent_until; /* neither a tracker nor the follower tells of anything before */
	uint64_t steps;        /* records and events so far */
	struct phases phases;
	struct progress progress;
};

/* What the first source says, else the second; NULL: neither says it. */
static inline const char *either(const char *a, const char *b)
{
	return a ? a : b;
}

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
	return im->tagged ? (uint64_t)((int64_t)(address << 8) >> 8) : address;
}

/* Each step returns 0 or an MD_E* with im->err filled, unless it returns nothing. */

/* Before anything is read: may the output be written, and the inputs be believed? */
int inputs_check(struct import *im);

void import_side(struct import *im, const struct pd_raw *rec, uint64_t time);
void import_sample(struct import *im, const struct pd_raw *rec, uint64_t time);

/* Has the samples that are in an AUX trace made, which may put another file into im->perf. */
int auxtrace_open(struct import *im);

/* What perf calls the clock it recorded by. */
const char *clock_name(const struct pd_features *f);
/* Finds out how perf's times become those of the tracker's logs, which are open. Where they cannot,
 * the logs are closed and losses say why. */
int clock_open(struct import *im);
void clock_release(struct clock_map *c);
/* A time of perf's as one of the database; 0, none, stays 0. */
uint64_t clock_time(struct import *im, uint64_t time);

/* The call path of a sample. */
struct sample_path {
	uint32_t id;  /* call_paths.id, 0 where it has no chain */
	bool unwound; /* by unwind rules: walks by frame pointers leave out who called a function
			 that keeps none */
};
struct sample_path chain_path(struct import *im, uint32_t process, const struct pd_sample *s);

/* The innermost such call on a path that was unwound; none where its innermost frame is the
 * program's own. */
struct site site_of_path(struct import *im, uint32_t path);
/* Of the frames lines[0..n) of one location the innermost that is the program's own; 0: none. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n);

/* Has the sample what a walk through the user's stack needs? */
bool userstack_has(struct import *im, const struct pd_sample *s);
/* As unwind(), for the user's part of a sample. process is not 0. */
enum unwind_end userstack_walk(struct import *im, uint32_t process, const struct pd_sample *s,
			       uint64_t *ips, uint32_t max, uint32_t *n);
/* Are the sample's branches a stack of calls? */
bool lbr_has(const struct pd_sample *s);
/* The user's part of its chain, innermost first, with return addresses as in the kernel's chains;
 * innermost: the address where the thread stood in user code, 0 unknown. Returns how many. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max);
int chains_init(struct chains *c, struct md_err *err);
void chains_release(struct chains *c);

/* The call path of a frame with this return address below the path of its caller; what lies in no
 * code is no frame, and nothing beyond it is believed. 0 when out of memory. */
uint32_t chain_frame(struct import *im, uint32_t process, uint32_t caller, uint64_t pc);

int tracks_open(struct import *im);
void tracks_close(struct import *im);
/* The log whose next event is the oldest, or NULL; it is opened when its time comes and closed at
 * its end, so those of the processes that live are open. */
int tracks_oldest(struct import *im, struct track **oldest);
/* Takes the next event of the oldest log. */
int track_step(struct import *im, struct track *t);
/* A process maps a file: perhaps the tracker's library, or a log. */
void images_map(struct import *im, uint32_t process, const char *path, bool executable);
/* A process begins by fork: it is tracked as its parent was. */
void images_fork(struct import *im, uint32_t parent, uint32_t child);
/* The program that the process runs gives way to another one by exec. */
void images_end(struct import *im, uint32_t process);
/* All logs and records are read: processes and comms say from now on whether they were tracked. */
void images_finish(struct import *im);
void images_write_losses(struct import *im);

/* Where objects_* tells that a block ended: writes its row. arg is the import. */
void track_block_end(void *arg, const struct ended_block *e);

/* What the kernel and its nodes mean for policies; once, when they are known. */
void policies_know(struct import *im);

/* What a call of the tracker's TL_POLICY changes for pages; thread is who called. */
void policy_call(struct import *im, uint32_t process, uint32_t thread, const struct tl_event *e);
/* Pages of a process's addresses, and what they are in the model of homes. */
struct pages {
	struct homes *homes;
	uint32_t owner;                 /* `process` of that model */
	const struct shared_file *file; /* NULL: the process's own */
	uint64_t address, bytes;        /* in the process; pages_at(): bytes is 0 */
	uint64_t to;                    /* what the model calls that address */
};

/* The page of an address. */
struct pages pages_at(struct import *im, uint32_t process, uint64_t address);
/* The next part of [*at, end) that is of one owner; *at moves behind it. False at the end. */
bool pages_next(struct import *im, uint32_t process, uint64_t *at, uint64_t end, struct pages *p);

/* Where the policy in force puts a page that the thread touches now. */
struct placement policy_placement(struct import *im, uint32_t process, uint32_t thread,
				  const struct policy_page *page);

/* An access to memory, as far as its page goes. */
struct access {
	uint32_t process, thread; /* 0 unknown */
	uint64_t address, time;
	uint64_t physical;   /* 0 unknown */
	uint64_t page_bytes; /* as recorded, 0 unknown */
	int32_t cpu_node;    /* -1 unknown */
	int32_t opcode;      /* memory_opcodes.id, -1 unknown */
	bool major;          /* a fault for which the kernel read from a disk */
	bool kernel;         /* the kernel made it, for a call */
	bool no_page;        /* the kernel told no physical address where it tells others */
};

/* A page fault at the place p: to the model. True where it is the first touch of the page. */
bool home_fault(struct import *im, const struct access *a, const struct place *p);
/* What is known of its page: the home, what placed it, its size. The columns of *out are NULL. */
void home_find(struct import *im, const struct access *a, const struct place *p,
	       struct access_kind *out);

/* Rows of blocks that ended: held back, so that they reach the writer in order as far as memory
 * goes. `reason` must be a constant. */
void ended_put(struct import *im, const struct row_allocation *row);
void ended_flush(struct import *im);

/* Reads what the log has of that; what it tells of the time up to now comes about; the least that a
 * node has from the start, when it had so many bytes, until the first look. */
int ahead_read(struct import *im);
void ahead_reach(struct import *im, uint64_t time);
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes);

/* homes.changed of im->homes, of im->shared_homes; arg is the import. */
void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since);
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since);
/* What was written of these pages until the looks were over has no home any more. */
void moved_take_back(struct import *im);

int follow_open(struct import *im);
int follow_step(struct import *im);
void follow_close(struct import *im);
/* A look at pages, from time on for `took`: to the model, and as rows with equal neighbours in one.
 * MD_EFORMAT where no machine has such a node, and nothing is taken; MD_ENOMEM. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source);
/* The CPUs a thread may use from now on, in list format: to the model, and as a row. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source);

/* capture.json of the folder: what it cannot say, somebody else's recording cannot either. */
void recording_read(struct import *im);
/* Says what of it could not be read, and what it promises that is not there. */
void recording_losses(struct import *im);
void recording_release(struct recording *r);
/* The role of the events of this type and config, -1 where it says nothing of them. */
int recording_role(const struct recording *r, uint32_t type, uint64_t config);

/* Which local files can be the recorded ones, into im->origin; where the names of kernel, vdso and
 * code made at run time are, into im->code. */
void symbols_find(struct import *im);

/* Topology from the file's header features, as far as the follower said nothing. */
int recording_topology(struct import *im);
void recording_write(struct import *im);

/* Everything that was collected: processes to locations, objects, losses, the run. */
int facts_write(struct import *im);

/* All that is missing by the end of the import. */
void losses_write(struct import *im);

/* A row of losses; nothing where count is 0. detail: a sentence or the file's name, or NULL. */
void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail);
/* Likewise, of what the user has to know of even if he asked for silence: samples and events that
 * are not in the database; and an input that is damaged, which the table runs says too. */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
