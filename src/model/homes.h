/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the home of each page: the NUMA node on which the page is. The evidence is looks (queries
 * of the page tables: on which nodes are these pages?) and touches (page faults). Both are added in
 * the order of time, and for each page the latest look or touch counts: a fault after a look means
 * that the page seen by the look no longer exists. */
#ifndef MEMDB_MODEL_HOMES_H
#define MEMDB_MODEL_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/look.h"
#include "model/ranges.h"
#include "model/touch.h"

/* If two threads touch a page at the same time, both fault, but only one of them places the page. A
 * second fault, by another thread, within this time (ns) counts as such a case. */
#define HOMES_RACE_NS 1000000

/* Called when a look finds pages on a different node than the known one. `since` is the last time
 * at which a touch or a look showed them on the known node; if that time differs between the pages,
 * the earliest one. */
typedef void homes_changed_fn(void *arg, uint32_t process, uint64_t start, uint64_t end,
			      uint64_t since);

/* Number of forked processes whose effect on their parents homes_borrowed() can take back. A parent
 * waits until its child of vfork() executes something, so there are few of these at a time. */
enum { HOMES_FORKS = 256 };

struct homes {
	homes_changed_fn *changed; /* NULL means no callback */
	void *arg;
	uint64_t page_bytes;
	/* whether the struct describes the pages of shared files, not of processes; each "process"
	 * in it is then a file. A fault does not prove that it placed such a page: another process
	 * may have placed the page before, and only the entry in this process's page table was
	 * missing */
	bool shared;
	/* until this time khugepaged may make huge pages in each process */
	uint64_t collapsing;
	/* number of huge pages made by madvise(); limited, see homes_collapse() */
	uint32_t collapsed;
	struct looks looks;
	struct touches touches;
	struct {
		struct homes_remap *at;
		uint32_t n, cap;
	} remaps;
	struct {
		struct homes_process {
			/* for each range, the time of the last call that may have moved its
			 * pages */
			struct ranges moves;
			/* for each range, the time of the last look that showed that its pages had
			 * left their nodes */
			struct ranges left;
			/* for each range, the time of the last call that dropped its pages */
			struct ranges drops;
			/* for each range, the time of the last call that allowed the kernel to drop
			 * its pages */
			struct ranges frees;
			struct ranges sizes; /* for each range, its page size in bytes, if it was
					      * reported */
			/* for each range, the time since which its size in `sizes` is valid;
			 * earlier touches were of pages of other sizes */
			struct ranges resized;
			/* for each range, the mremap() that moved pages to it: position + 1 in
			 * homes.remaps */
			struct ranges came;
			/* for each range, the time when mremap() moved its pages away */
			struct ranges went;
			uint64_t collapsing; /* until this time khugepaged may make huge pages */
			/* indexed by process - 1; NULL means that nothing was reported */
		} * *at;
		uint32_t n, cap;
	} processes;
	struct {
		/* facts about a process from its forks, exec and exit. They are not in struct
		 * homes_process, because that is larger, and a process about which nothing else is
		 * reported needs none */
		struct homes_family {
			uint64_t born;      /* time of the fork that created it */
			uint64_t last_fork; /* time of its own last fork; 0 means none */
			/* the process from which it was forked and whose pages it inherited; 0
			 * means none */
			uint32_t parent;
			uint32_t children : 30; /* number of its forked children that are alive
						 * and share its pages */
			uint32_t ended : 1;     /* whether it has exited */
			uint32_t separate : 1;  /* see homes_separate() */
		} * at;                         /* indexed by process - 1 */
		uint32_t n, cap;
	} families;
	/* for the processes forked last, each at the index of its id modulo HOMES_FORKS: last_fork
	 * of the parent before it forked the process */
	struct {
		uint32_t child; /* 0: none */
		uint64_t time;
	} earlier_forks[HOMES_FORKS];
	bool nomem;
};

void homes_init(struct homes *h, uint64_t page_bytes);
void homes_release(struct homes *h);
bool homes_nomem(const struct homes *h);

/* Adds a look: a query of the kernel that found the pages at start, start + step, ... on
 * nodes[0..count). A node below 0 means that the page is not present. Calls h->changed for pages on
 * a different node than the known one. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time);

struct homes_fault {
	uint32_t process, thread;
	uint64_t address, time;
	uint64_t birth; /* birth of the block or mapping; 0 means unknown */
	int32_t node;   /* node on which the kernel puts a page for this fault; -1 means unknown */
	enum touch_chosen chosen;
	/* latest time at which the allocator may have returned the page to the kernel, so that the
	 * fault makes a new page; 0 means that it did not */
	uint64_t renewed;
	bool exact; /* whether `node` was observed, not predicted from a policy */
	/* whether the fault is a read of private memory: it maps the zero page or a page of a file,
	 * and places nothing */
	bool reads;
	/* whether the fault is a major one: the kernel read the page from disk, so the page is
	 * new */
	bool major;
	/* whether it is unknown if the fault is a read in the sense of `reads` */
	bool uncertain;
	/* whether the page existed before the fault, because the kernel had it in its page cache
	 * (pages of ordinary files) */
	bool present;
	uint64_t page_bytes; /* 0 means the size that homes_size() reported */
};

/* Adds a page fault. Returns false if it certainly is not the first touch of the page since
 * `birth`. */
bool homes_touch(struct homes *h, const struct homes_fault *f);

/* Must be called when the tracker logs the birth of a block at `time`, and malloc had touched this
 * page of the block before. Sets the time of that touch to `time`, because touches before the birth
 * do not count. */
void homes_born(struct homes *h, uint32_t process, uint64_t address, uint64_t time);

/* Reports a call that may have moved these pages to other nodes. Their nodes become unknown. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Pages that one mremap() moved to other addresses. */
struct homes_remap {
	uint64_t from, to, bytes; /* all three are multiples of the page size */
	uint64_t birth;           /* birth of the memory that was at `from` */
	uint64_t began, time;     /* start and end of the call */
};
void homes_remap(struct homes *h, uint32_t process, const struct homes_remap *r);

/*
 * Reports a call that returned these pages to the kernel. The next touch of each is a first touch.
 */
void homes_drop(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Reports MADV_FREE: the kernel may reclaim these pages when it needs memory. If a page faults
 * again, the kernel has reclaimed it. */
void homes_free(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Reports that madvise() has turned the pages of a range into huge pages, as many as fit. If `done`
 * is false, the call may have stopped early, and the homes become unknown. They also become unknown
 * when the log reports more huge pages than a machine can have: otherwise a damaged log could make
 * the import arbitrarily slow. */
void homes_collapse(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		    bool done);

/* Reports that until the time `until`, the kernel's thread khugepaged may turn small pages of the
 * process, at unknown addresses, into huge pages. process 0 stands for all processes. */
void homes_collapsing(struct homes *h, uint32_t process, uint64_t until);

/* Sets the page size of a range, in bytes; 0 means unknown. */
void homes_size(struct homes *h, uint32_t process, uint64_t start, uint64_t end,
		uint64_t page_bytes);
/* Reports when the pages of a range got their present size. Touches before that were of pages of
 * other sizes. */
void homes_resize(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Reports a fork. The child shares the pages of its parent until one of the two writes to a page.
 * Then the writer gets a copy, if the other process still exists. */
void homes_fork(struct homes *h, uint32_t parent, uint32_t child, uint64_t time);

/* Returns the time of the fork that created the process; 0 if it was not forked, or no longer uses
 * its parent's pages. */
uint64_t homes_fork_time(const struct homes *h, uint32_t process);

/* Reports that the process may have page tables of its own, as after fork(). */
void homes_separate(struct homes *h, uint32_t process);

/* Reports that the process has run in its parent's memory, as after vfork(): unless it is separate,
 * its fork does not count. Must be called before homes_end(). */
void homes_borrowed(struct homes *h, uint32_t process);

/* Reports that the process no longer uses its pages. If `exec` is set, the process continues with
 * new pages. */
void homes_end(struct homes *h, uint32_t process, bool exec);

struct home {
	int32_t node; /* -1 means unknown */
	bool looked;  /* whether the node comes from a look (a query of the kernel), not from a
		       * touch */
	/* when the page was placed; for a page inherited by fork, the time of the fork. 0 means
	 * unknown */
	uint64_t touched;
	/* when a touch or a look last showed the page on this node; 0 means never */
	uint64_t confirmed;
	uint64_t page_bytes; /* 0 means unknown */
	enum touch_chosen chosen;
};

/* Returns the home of a page, from evidence that is not older than `birth`. If there is both a look
 * at the page and a touch of it, the later one counts. If the look skipped the page, the page is
 * assumed to be on the node that looks_node() derives from a queried page next to it. This
 * assumption is made in two cases only, and never in a range that was passed to homes_collapse():
 * if no touch shows the node of the page, or if the queried page is no longer on the node of its
 * own touch. In the second case both pages have probably been moved. */
struct home homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth);

#endif
