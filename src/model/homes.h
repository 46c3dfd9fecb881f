/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds homes: the node on which each page lives. Homes are derived from looks at the page tables
 * and from page faults (touches), all given in time order. The latest report about a page counts: a
 * fault after a look means that the page seen by the look is gone.
 */
#ifndef MEMDB_MODEL_HOMES_H
#define MEMDB_MODEL_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/look.h"
#include "model/ranges.h"
#include "model/touch.h"

/* Two threads that touch a page at the same time both fault; only one of them places it. */
#define HOMES_RACE_NS 1000000

/* Called when a look finds pages on another node than the known one. `since`: when the known node
 * was last confirmed. */
typedef void homes_changed_fn(void *arg, uint32_t process, uint64_t start, uint64_t end,
			      uint64_t since);

struct homes {
	homes_changed_fn *changed; /* NULL means no callback */
	void *arg;
	uint64_t page_bytes;
	bool shared; /* the "process" is a file that several processes map: a fault may only add the
			page to one more process, and it moves nothing */
	uint32_t collapsed; /* huge pages made by calls, counted against a limit */
	struct looks looks;
	struct touches touches;
	struct {
		struct homes_remap *at;
		uint32_t n, cap;
	} remaps;
	struct {
		struct homes_process {
			struct ranges moves; /* time of the last call that moved pages */
			struct ranges drops; /* time of the last call that dropped pages */
			/* time of the last call that allowed the kernel to drop pages */
			struct ranges frees;
			struct ranges sizes; /* page size in bytes, where reported */
			/* time from which `sizes` is valid and overrides touches */
			struct ranges resized;
			/* mremap() that brought pages: position in remaps + 1 */
			struct ranges came;
			struct ranges went;  /* time at which pages left by mremap() */
			uint64_t collapsing; /* khugepaged may make huge pages until this time */
			uint64_t forks;      /* time of the process's last fork */
			uint32_t children;   /* live children that share the process's pages */
			bool ended;          /* the process no longer uses any of these pages */
		} * *at;                     /* by process - 1; NULL means nothing was reported */
		uint32_t n, cap;
	} processes;
	struct {
		struct homes_fork {
			uint64_t time;
			uint32_t parent; /* the process whose pages the child inherited; 0 means
					    none */
		} * at;                  /* by process - 1 */
		uint32_t n, cap;
	} forks;
	bool nomem;
};

void homes_init(struct homes *h, uint64_t page_bytes);
void homes_release(struct homes *h);
bool homes_nomem(const struct homes *h);

/* Adds a look at count pages of a process. A node below 0 means that the page is not present.
 * Reports changed nodes to the callback. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time);

struct homes_fault {
	uint32_t process, thread;
	uint64_t address, time;
	uint64_t birth; /* start of the lifetime of the block or mapping; 0 means unknown */
	int32_t node;   /* where the kernel puts the page, -1: unknown */
	enum touch_chosen chosen;
	/* the allocator may have returned the page to the kernel up to this time, which would make
	 * it a new page; 0 means it did not */
	uint64_t renewed;
	bool exact; /* the node was observed; it is not derived from a policy */
	/* a read of private memory: maps the zero page or a file's page and places nothing */
	bool reads;
	/* a major fault: the kernel read the page from disk, so it is a new page */
	bool major;
	bool uncertain;      /* unknown whether the fault was such a read or placed a page */
	bool present;        /* the page existed before, whoever placed it */
	uint64_t page_bytes; /* 0 means as reported by homes_size() */
};

/* Adds a page fault. Returns true if it is, or may be, the first touch since birth. */
bool homes_touch(struct homes *h, const struct homes_fault *f);

/* Says that the last touch of a page belongs to a block whose birth is reported only now. */
void homes_born(struct homes *h, uint32_t process, uint64_t address, uint64_t time);

/* Forgets the nodes of these pages, because a call may have moved the pages. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Pages that one mremap() moved to other addresses. */
struct homes_remap {
	uint64_t from, to, bytes; /* multiples of the page size */
	uint64_t birth;           /* start of the lifetime of what was at `from` */
	uint64_t began, time;     /* start and end of the call */
};
void homes_remap(struct homes *h, uint32_t process, const struct homes_remap *r);

/* Says that a call has returned these pages to the kernel: the next touch of each is a first touch.
 */
void homes_drop(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Says that the kernel may reclaim these pages when it needs memory (MADV_FREE). The next fault of
 * a page shows that the kernel reclaimed the page. */
void homes_free(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Says that a call turned the pages of a range into as many huge pages as fit. If not `done`, it
 * converted only some, and the homes become unknown. They also become unknown beyond a limit (more
 * huge pages than a machine has), because a damaged log could otherwise make the import take
 * arbitrarily long. */
void homes_collapse(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		    bool done);

/* Says that from now until that time the kernel may turn any small pages into huge pages. */
void homes_collapsing(struct homes *h, uint32_t process, uint64_t until);

/* Sets the page size of a range, in bytes. 0 means unknown. */
void homes_size(struct homes *h, uint32_t process, uint64_t start, uint64_t end,
		uint64_t page_bytes);
/* Says that the pages of a range got their size at this time: page sizes from earlier touches are
 * out of date. */
void homes_resize(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Lets a new process share the pages of its parent until one of the two writes to a page. The
 * writer then gets a copy, if the other process still exists. */
void homes_fork(struct homes *h, uint32_t parent, uint32_t child, uint64_t time);

/* Ends the use of all pages by a process. With exec the process continues without its old pages. */
void homes_end(struct homes *h, uint32_t process, bool exec);

struct home {
	int32_t node; /* -1: unknown */
	bool looked;  /* the node comes from a look */
	/* when the page was placed, 0 means unknown; for an inherited page the time of the fork */
	uint64_t touched;
	uint64_t confirmed;  /* when a touch or a look last reported the node; 0 means never */
	uint64_t page_bytes; /* 0 means unknown */
	enum touch_chosen chosen;
};

/*
 * Returns what is known about a page from reports not older than birth. The later one of a look at
 * the page and its touch counts. If a look skipped the page, the answer for a neighbour is used
 * instead, provided that nothing else is known about the page or that the neighbour has left the
 * node of its own touch.
 */
struct home homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth);

#endif
