/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA policies through time: on which node the kernel puts a page that is touched for the first
 * time. Events are given in time order.
 */
#ifndef MEMDB_MODEL_POLICY_H
#define MEMDB_MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/ranges.h"

#define POLICY_WORDS 4 /* nodes 0 to 255 */

struct policy {
	int mode;                     /* MPOL_* without flags, -1: one that is not understood */
	uint64_t nodes[POLICY_WORDS]; /* bit mask */
};

/* What a kernel does with the number of a page before it takes the rest by the nodes. */
enum interleave {
	INTERLEAVE_UNKNOWN,
	INTERLEAVE_CUT,   /* to its lower 32 bits */
	INTERLEAVE_WHOLE, /* nothing */
};

/* By the release of the recording's kernel as uname(2) has it; NULL: not known. */
enum interleave policy_interleave(const char *release);

struct policies {
	uint64_t page_bytes;
	enum interleave interleave;
	uint64_t allowed[POLICY_WORDS]; /* nodes that have memory which the program may use; of a
					   policy's nodes the kernel takes these. None: not known */
	struct policy initial;          /* of threads that nothing else is known of */
	struct {
		struct policy *at;
		uint32_t n, cap;
	} policies;
	struct policy_ranges {
		struct ranges *at; /* by process - 1: position in policies + 1 */
		uint32_t n, cap;
	} ranges, files; /* files: by file - 1, of places in it */
	struct {
		uint32_t *at; /* by thread - 1: likewise, 0 the initial policy */
		uint32_t n, cap;
	} threads;
	bool nomem;
};

void policies_init(struct policies *p, uint64_t page_bytes);
void policies_release(struct policies *p);

/* mode and nodes as passed to mbind(2), set_mempolicy(2). */
struct policy policy_make(int mode, const uint64_t *nodes, uint32_t nwords);
/* From the words of numa_maps(5): "interleave:0-3", "bind=static:1", "default". */
struct policy policy_parse(const char *text);

/* mbind() of a range; a range that is mapped or unmapped has none. */
void policies_bind(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   const struct policy *policy);
/* mbind() of a part of a shared file: for all who map it, and as long as the file lives. */
void policies_bind_file(struct policies *p, uint32_t file, uint64_t start, uint64_t end,
			const struct policy *policy);
void policies_unmap(struct policies *p, uint32_t process, uint64_t start, uint64_t end);
/* mremap() takes its policy along: what the page at `address` has (0: none), and that for a range,
 * instead of what it had. */
uint32_t policies_at(const struct policies *p, uint32_t process, uint64_t address);
void policies_take(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   uint32_t policy);
/* The policy that the program was started with. */
void policies_start(struct policies *p, const struct policy *policy);
/* set_mempolicy() of a thread. */
void policies_thread(struct policies *p, uint32_t thread, const struct policy *policy);
/* A new thread has its creator's policy, a new process its parent's ranges; exec ends the latter.
 */
void policies_new_thread(struct policies *p, uint32_t creator, uint32_t thread);
void policies_new_process(struct policies *p, uint32_t parent, uint32_t process);

/* Where the kernel puts a page. */
struct placement {
	int32_t node; /* -1 cannot be told */
	bool named;   /* a policy names it; else it is the node of the CPU */
	bool strict;  /* it is there or nowhere: no other node is taken where this one is full */
};

/* A page that is touched for the first time. */
struct policy_page {
	uint32_t file; /* whose page it is: address is a place in it; 0 the process's own */
	uint64_t address;
	uint64_t bytes;   /* 0 not known */
	int32_t cpu_node; /* of the CPU that touches it, -1 unknown */
	bool numbered;    /* by which number the kernel interleaves it is known: … */
	uint64_t number;  /* … of a private page its place in the mapping plus the mapping's page
			     offset, of a shared one its place in the file plus the file's inode */
};

/* Interleaving is told of the system's pages only: larger ones are counted from where the kernel
 * thinks that the mapping begins. */
struct placement policies_place(const struct policies *p, uint32_t process, uint32_t thread,
				const struct policy_page *page);

#endif
