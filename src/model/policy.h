/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks NUMA policies through time, and predicts the node on which the kernel puts a page at its
 * first touch. Events arrive in time order.
 */
#ifndef MEMDB_MODEL_POLICY_H
#define MEMDB_MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/ranges.h"

#define POLICY_WORDS 4 /* nodes 0 to 255 */

struct policy {
	int mode;                     /* MPOL_* without flags, -1: not understood */
	uint64_t nodes[POLICY_WORDS]; /* bit mask */
};

/* How a kernel reduces the number of a page before it takes that number modulo the number of nodes.
 */
enum interleave {
	INTERLEAVE_UNKNOWN,
	INTERLEAVE_CUT,  /* to its lower 32 bits */
	INTERLEAVE_FULL, /* not at all */
};

/* Derives the kind from the kernel's release, as uname(2) gives it. NULL means unknown. */
enum interleave policy_interleave(const char *release);

struct policies {
	uint64_t page_bytes;
	enum interleave interleave;
	/* nodes with memory that the program may use; the kernel ignores other nodes of a policy.
	 * Empty: not known */
	uint64_t allowed[POLICY_WORDS];
	struct policy initial; /* of threads without a known policy of their own */
	struct {
		struct policy *at;
		uint32_t n, cap;
	} policies;
	struct policy_ranges {
		struct ranges *at; /* by process - 1: position in policies + 1 */
		uint32_t n, cap;
	} ranges, files; /* files: by file - 1, for offsets in the file */
	struct {
		uint32_t *at; /* by thread - 1: position in policies + 1, 0: the initial policy */
		uint32_t n, cap;
	} threads;
	bool nomem;
};

void policies_init(struct policies *p, uint64_t page_bytes);
void policies_release(struct policies *p);

/* Makes a policy from mode and nodes, as passed to mbind(2) or set_mempolicy(2). */
struct policy policy_make(int mode, const uint64_t *nodes, uint32_t nwords);
/* Makes a policy from the text in numa_maps(5): "interleave:0-3", "bind=static:1", "default". */
struct policy policy_parse(const char *text);

/* Sets the policy of a range, as mbind() does. A range loses its policy when it is mapped again or
 * unmapped. */
void policies_bind(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   const struct policy *policy);
/* Sets the policy of a part of a shared file, as mbind() does: valid in all processes that map the
 * file, as long as the file exists. */
void policies_bind_file(struct policies *p, uint32_t file, uint64_t start, uint64_t end,
			const struct policy *policy);
void policies_unmap(struct policies *p, uint32_t process, uint64_t start, uint64_t end);
/* Move a policy, as mremap() does with the pages. policies_at() returns the policy of the pages at
 * `address`, 0 if there is none. policies_take() sets it for the new range. */
uint32_t policies_at(const struct policies *p, uint32_t process, uint64_t address);
void policies_take(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   uint32_t policy);
/* Sets the policy with which the program was started. */
void policies_start(struct policies *p, const struct policy *policy);
/* Sets the policy of a thread, as set_mempolicy() does. */
void policies_thread(struct policies *p, uint32_t thread, const struct policy *policy);
/* Let a new thread inherit its creator's policy, or a new process its parent's ranges. */
void policies_new_thread(struct policies *p, uint32_t creator, uint32_t thread);
void policies_new_process(struct policies *p, uint32_t parent, uint32_t process);

/* The node on which the kernel puts a page. */
struct placement {
	int32_t node; /* -1: cannot be predicted */
	bool named;   /* a policy names the node; otherwise it is the node of the CPU */
	bool strict;  /* the kernel uses no other node, even if this one is full */
};

/* A page at its first touch. */
struct policy_page {
	uint32_t file; /* shared file, and address is an offset in it; 0 means private memory */
	uint64_t address;
	uint64_t bytes;   /* page size, 0 means not known */
	int32_t cpu_node; /* node of the CPU that touches the page, -1: unknown */
	bool numbered;    /* `number` is valid */
	/* the page's number for interleaving: for a private page its place in the mapping plus the
	 * mapping's page offset, for a shared page its place in the file plus the inode number */
	uint64_t number;
};

/* Predicts the node of a page. Predicts interleaving only for pages of the system's base size: the
 * kernel counts huge pages from an address that is not known. */
struct placement policies_place(const struct policies *p, uint32_t process, uint32_t thread,
				const struct policy_page *page);

#endif
