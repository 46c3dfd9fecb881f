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

#define POLICY_WORDS 4 /* a mask of the nodes 0 to 255 */

struct policy {
	/* MPOL_* without flags; -1 means that the effect of the policy cannot be predicted */
	int mode;
	/* the nodes that the policy names: one bit for each node number */
	uint64_t nodes[POLICY_WORDS];
};

/* How a kernel interleaves pages: the page's number modulo the number of nodes selects the node.
 * Some kernels use only the lower bits of the page's number. */
enum interleave {
	INTERLEAVE_UNKNOWN,
	INTERLEAVE_CUT,  /* only the lower 32 bits of the number */
	INTERLEAVE_FULL, /* all bits of the number */
};

/* Returns how the kernel of this release (a string as in uname(2)) interleaves pages. NULL means an
 * unknown release. */
enum interleave policy_interleave(const char *release);

struct policies {
	uint64_t page_bytes;
	enum interleave interleave;
	/* the nodes with memory that the program may use, one bit each. The kernel ignores other
	 * nodes of a policy. No bit set means unknown */
	uint64_t allowed[POLICY_WORDS];
	/* policy of threads that have not set one: the policy with which the program was started */
	struct policy initial;
	struct {
		struct policy *at;
		uint32_t n, cap;
	} policies;
	struct policy_ranges {
		/* indexed by process - 1; the value of each range is a position + 1 in policies */
		struct ranges *at;
		uint32_t n, cap;
	} ranges,
		files; /* `files` is indexed by file - 1, and its ranges are offsets in the file */
	struct {
		/* indexed by thread - 1: position + 1 in policies; 0 means that `initial`
		 * applies */
		uint32_t *at;
		uint32_t n, cap;
	} threads;
	bool nomem;
};

void policies_init(struct policies *p, uint64_t page_bytes);
void policies_release(struct policies *p);

/* Makes a policy from the arguments of mbind(2) or set_mempolicy(2); nwords is the length of
 * nodes[]. */
struct policy policy_make(int mode, const uint64_t *nodes, uint32_t nwords);
/* Makes a policy from a text of numa_maps(5): "interleave:0-3", "bind=static:1", "default". */
struct policy policy_parse(const char *text);

/* Sets the policy of a range, as mbind() does. The range loses its policy when it is unmapped or
 * mapped again. */
void policies_bind(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   const struct policy *policy);
/* Sets the policy of a part of a shared file, as mbind() does. The policy applies in all processes
 * that map the file. */
void policies_bind_file(struct policies *p, uint32_t file, uint64_t start, uint64_t end,
			const struct policy *policy);
void policies_unmap(struct policies *p, uint32_t process, uint64_t start, uint64_t end);
/* These two functions are for mremap(), which moves the policy with the pages: policies_at()
 * returns the policy at the old address (0 means none), policies_take() sets it for the new
 * range. */
uint32_t policies_at(const struct policies *p, uint32_t process, uint64_t address);
void policies_take(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   uint32_t policy);
/* Sets the policy with which the program was started. */
void policies_start(struct policies *p, const struct policy *policy);
/* Sets the policy of a thread, as set_mempolicy() does. */
void policies_thread(struct policies *p, uint32_t thread, const struct policy *policy);
/* policies_new_thread() sets the policy of a new thread to its creator's policy,
 * policies_new_process() copies the policies of the parent's ranges to a new process. */
void policies_new_thread(struct policies *p, uint32_t creator, uint32_t thread);
void policies_new_process(struct policies *p, uint32_t parent, uint32_t process);

/* The predicted node of a page. */
struct placement {
	int32_t node; /* -1 means that it cannot be predicted */
	bool named;   /* whether the policy determines the node; otherwise it is the CPU's node */
	bool strict;  /* whether the kernel uses no other node, even if this one is full */
};

/* A page that is touched for the first time. */
struct policy_page {
	/* for a page of shared memory: id from shared_file(), and `address` is an offset in that
	 * file. 0 means private memory */
	uint32_t file;
	uint64_t address;
	uint64_t bytes;   /* page size; 0 means unknown */
	int32_t cpu_node; /* node of the CPU that touches the page; -1 means unknown */
	bool numbered;    /* whether `number` is valid */
	/* the page's number, which the kernel uses to interleave. Private page: its index in the
	 * mapping plus the mapping's page offset. Shared page: its index in the file plus the inode
	 * number */
	uint64_t number;
};

/* Predicts the node on which the kernel puts a page when this thread touches it first. Interleaving
 * is predicted only for base pages: for huge pages the kernel counts from an address that is not
 * known. */
struct placement policies_place(const struct policies *p, uint32_t process, uint32_t thread,
				const struct policy_page *page);

#endif
