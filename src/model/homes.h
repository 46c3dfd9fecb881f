/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Homes: on which node a page lives, from looks at the page tables and from touches, all given in
 * time order. What is told last of a page counts: a fault after a look means that the page that was
 * looked at has gone.
 */
#ifndef MEMDB_MODEL_HOMES_H
#define MEMDB_MODEL_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/look.h"
#include "model/ranges.h"
#include "model/touch.h"

/* Two threads that touch a page at once both fault; only one of them places it. */
#define HOMES_RACE_NS 1000000

/* A look has found pages elsewhere than they were known to be since a time before. */
typedef void homes_changed_fn(void *arg, uint32_t process, uint64_t start, uint64_t end,
			      uint64_t since);

struct homes {
	homes_changed_fn *changed; /* NULL: nobody wants to know */
	void *arg;
	uint64_t page_bytes;
	bool shared; /* the pages belong to files that several processes map: a fault shows one more
			of them a page, and moves none */
	uint32_t collapsed; /* huge pages that calls made, as far as they are told one by one */
	struct looks looks;
	struct touches touches;
	struct {
		struct homes_remap *at;
		uint32_t n, cap;
	} remaps;
	struct {
		struct homes_process {
			struct ranges moves;   /* when a call moved pages */
			struct ranges drops;   /* when a call gave them back */
			struct ranges frees;   /* when a call let the kernel take them back */
			struct ranges sizes;   /* bytes of a page, where they were told */
			struct ranges resized; /* since when they are that, whatever touches say */
			struct ranges came;    /* from elsewhere: position in remaps + 1 */
			struct ranges went;    /* when pages left for elsewhere */
			uint64_t collapsing;   /* khugepaged may make huge pages until then */
			uint64_t forks;        /* the last time that it forked itself */
			uint32_t children;     /* that live on with its pages */
			bool ended;            /* it uses none of these pages any more */
		} * *at;                       /* by process - 1; NULL: nothing was told */
		uint32_t n, cap;
	} processes;
	struct {
		struct homes_fork {
			uint64_t time;
			uint32_t parent; /* whose pages it began with; 0 none */
		} * at;                  /* by process - 1 */
		uint32_t n, cap;
	} forks;
	bool nomem;
};

void homes_init(struct homes *h, uint64_t page_bytes);
void homes_release(struct homes *h);
bool homes_nomem(const struct homes *h);

/* A look at count pages of a process; nodes below 0: the page is not there. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time);

struct homes_fault {
	uint32_t process, thread;
	uint64_t address, time;
	uint64_t birth; /* since when the page's block or mapping lives; 0 unknown */
	int32_t node;   /* where the kernel puts it, -1 unknown */
	enum touch_chosen chosen;
	uint64_t renewed; /* the allocator may have given the page back until then, and if so, this
			     is a new one; 0: it has not */
	bool exact;       /* the node was seen, it is not what a policy says */
	bool reads;       /* of private memory: shows zeros or a file's page, places none */
	bool major;       /* the kernel has read the page from a disk, so it is a new one */
	bool uncertain;   /* it may be such a read, or place the page somewhere */
	bool present;     /* the page was there before, whoever placed it */
	uint64_t page_bytes; /* 0: what homes_size() has said */
};

/* A page fault: true if it is the first touch since birth. */
bool homes_touch(struct homes *h, const struct homes_fault *f);

/* The last touch of a page was made for a block that is born only now. */
void homes_born(struct homes *h, uint32_t process, uint64_t address, uint64_t time);

/* A call may have moved these pages: what was known of them is out of date. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Pages that got other addresses by one call, as they were. */
struct homes_remap {
	uint64_t from, to, bytes; /* whole pages */
	uint64_t birth;           /* since when what was at `from` lived */
	uint64_t began, time;     /* the call */
};
void homes_remap(struct homes *h, uint32_t process, const struct homes_remap *r);

/* A call has given these pages back: the next touch of each is a first one. */
void homes_drop(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* The kernel may take these pages back when it needs memory (MADV_FREE): the next fault of each
 * shows that it has. */
void homes_free(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* The pages of a range were made huge ones by a call, as many as fit in it; `done`: all of them.
 * Of more than a machine has the homes are unknown: a log is hostile, and each takes time. */
void homes_collapse(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		    bool done);

/* The kernel may make huge pages of any small ones from now until that time. */
void homes_collapsing(struct homes *h, uint32_t process, uint64_t until);

/* The pages of a range are of this size. */
void homes_size(struct homes *h, uint32_t process, uint64_t start, uint64_t end,
		uint64_t page_bytes);
/* They were made so at that time: what touches said of their size before is out of date. */
void homes_resize(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* A new process has the pages of its parent, until one of them writes: that one gets a copy, as
 * long as the other is there. */
void homes_fork(struct homes *h, uint32_t parent, uint32_t child, uint64_t time);

/* A process ends; with exec it goes on without the pages it had. */
void homes_end(struct homes *h, uint32_t process, bool exec);

struct home {
	int32_t node;        /* -1 unknown */
	bool looked;         /* the node comes from a look */
	uint64_t touched;    /* when the page was placed, 0 unknown; of a child's page: the fork */
	uint64_t confirmed;  /* when the node was told last: by its touch or a look, 0 never */
	uint64_t page_bytes; /* 0 unknown */
	enum touch_chosen chosen;
};

/*
 * What is known of a page, by nothing older than birth. The last of a look at the page itself and
 * its touch counts. Where a look skipped the page, a neighbour that was looked at stands for it if
 * nothing is known of the page, or if that neighbour has left the node of its own touch.
 */
struct home homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth);

#endif
