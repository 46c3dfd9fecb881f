/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/policy.h"

#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/idlist.h"

#define FLAG_STATIC (1 << 15) /* MPOL_F_STATIC_NODES: the mask has physical node numbers */
/* MPOL_F_RELATIVE_NODES: the mask numbers the nodes within the cpuset */
#define FLAG_RELATIVE  (1 << 14)
#define FLAG_BALANCING (1 << 13) /* MPOL_F_NUMA_BALANCING: the kernel may migrate the pages */

void policies_init(struct policies *p, uint64_t page_bytes)
{
	memset(p, 0, sizeof(*p));
	p->page_bytes = page_bytes ? page_bytes : 4096;
}

/* Frees the ranges of all owners (processes or files). */
static void release_ranges(struct policy_ranges *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		ranges_release(&r->at[i]);
	free(r->at);
}

void policies_release(struct policies *p)
{
	release_ranges(&p->ranges);
	release_ranges(&p->files);
	free(p->policies.at);
	free(p->threads.at);
	memset(p, 0, sizeof(*p));
}

/* The mode of the result is -1 if the effect of the mode, or of a flag in it, cannot be
 * predicted. */
struct policy policy_make(int mode, const uint64_t *nodes, uint32_t nwords)
{
	struct policy policy = { .mode = mode & ~(FLAG_STATIC | FLAG_BALANCING) };

	for (uint32_t i = 0; i < nwords; i++) {
		if (i < POLICY_WORDS)
			policy.nodes[i] = nodes[i];
		else if (nodes[i])
			policy.mode = -1;
	}
	if (policy.mode & FLAG_RELATIVE || policy.mode > MPOL_LOCAL)
		policy.mode = -1;
	return policy;
}

/*
 * Interleaving selects the node by the page's number modulo the number of nodes. Kernels differ in
 * the number of bits that they use of the page's number (mm/mempolicy.c of Linux):
 *
 *   before 6.7  the lower 32; offset_il_node(): (unsigned int)n % nnodes
 *   since 6.7   all; interleave_nid(): ilx % nnodes, an unsigned long, by commit ddc1a5cbc05d
 *               ("mempolicy: alloc_pages_mpol() for NUMA policy without vma")
 *
 * Weighted interleaving (since 6.9) is another mode and is not predicted. Red Hat's kernel 5.14
 * contains much of the mm/ code of later kernels, and more with each release.
 */
enum interleave policy_interleave(const char *release)
{
	unsigned major, minor;

	if (!release || sscanf(release, "%u.%u", &major, &minor) != 2)
		return INTERLEAVE_UNKNOWN;
	if (major == 5 && minor == 14 && strstr(release, ".el9"))
		return INTERLEAVE_UNKNOWN;
	return major > 6 || (major == 6 && minor >= 7) ? INTERLEAVE_FULL : INTERLEAVE_CUT;
}

/* Adds the nodes `first` to `last` to the policy. A number that is too large for the bit mask makes
 * the mode -1 (unknown). */
static void add_nodes(struct policy *policy, unsigned long first, unsigned long last)
{
	for (; first <= last && first < POLICY_WORDS * 64; first++)
		policy->nodes[first / 64] |= 1ull << first % 64;
	if (first <= last)
		policy->mode = -1;
}

/* Returns the mode whose name is the first n bytes of `text`; -1 for another name, such as "prefer
 * (many)", which Linux writes since 5.15. "prefer" without nodes means the same as "local". */
static int mode_of(const char *text, size_t n)
{
	static const struct {
		const char *name;
		int mode;
	} modes[] = { { "default", MPOL_DEFAULT },
		      { "prefer", MPOL_PREFERRED },
		      { "bind", MPOL_BIND },
		      { "interleave", MPOL_INTERLEAVE },
		      { "local", MPOL_LOCAL } };

	for (size_t i = 0; i < COUNT_OF(modes); i++)
		if (strlen(modes[i].name) == n && !strncmp(text, modes[i].name, n))
			return modes[i].mode;
	return -1;
}

/* Parses a policy as /proc/PID/numa_maps prints it, such as "bind=static:0-1". */
struct policy policy_parse(const char *text)
{
	struct policy policy = { .mode = mode_of(text, strcspn(text, ":=")) };
	const char *nodes = strchr(text, ':');
	struct idlist l = idlist_make(nodes ? nodes + 1 : "");
	uint32_t first, last;

	if (strstr(text, "=relative") || (nodes && !*l.p))
		policy.mode = -1;
	while (idlist_range(&l, &first, &last))
		add_nodes(&policy, first, last);
	if (l.bad)
		policy.mode = -1;
	return policy;
}

/* Appends a policy to p->policies, unless the last policy there is equal. Returns position + 1 of
 * the appended or equal policy, the number that ranges and threads store; 0 means out of memory. */
static uint32_t name_of(struct policies *p, const struct policy *policy)
{
	if (p->policies.n && !memcmp(&AT_ID(p->policies, p->policies.n), policy, sizeof(*policy)))
		return p->policies.n;
	if (!VEC_ROOM(&p->policies)) {
		p->nomem = true;
		return 0;
	}
	p->policies.at[p->policies.n++] = *policy;
	return p->policies.n;
}

/* Returns the policies of a process's or file's address ranges. The first call creates the entry.
 * NULL means out of memory. */
static struct ranges *ranges_of(struct policies *p, struct policy_ranges *all, uint32_t owner)
{
	if (!VEC_REACH(all, owner)) {
		p->nomem = true;
		return NULL;
	}
	return &AT_ID(*all, owner);
}

/* Sets the policy of a range. The default policy is stored as 0 (no policy), because then the
 * thread's policy applies. */
static void bind_range(struct policies *p, struct policy_ranges *all, uint32_t owner,
		       uint64_t start, uint64_t end, const struct policy *policy)
{
	struct ranges *r = owner ? ranges_of(p, all, owner) : NULL;
	uint32_t name = policy->mode == MPOL_DEFAULT ? 0 : name_of(p, policy);

	if (r && !ranges_set(r, start, end, name))
		p->nomem = true;
}

/* Stores the policy of a range of private memory in one process. */
void policies_bind(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   const struct policy *policy)
{
	bind_range(p, &p->ranges, process, start, end, policy);
}

/* Stores the policy of shared memory. The policy applies in all processes that map the file. */
void policies_bind_file(struct policies *p, uint32_t file, uint64_t start, uint64_t end,
			const struct policy *policy)
{
	bind_range(p, &p->files, file, start, end, policy);
}

/* Returns the policy of an address (position + 1 in policies); 0 means that the address has no
 * policy, so that the thread's policy applies. */
static uint32_t bound_at(const struct policy_ranges *all, uint32_t owner, uint64_t address)
{
	return owner && owner <= all->n ? (uint32_t)ranges_get(&AT_ID(*all, owner), address) : 0;
}

uint32_t policies_at(const struct policies *p, uint32_t process, uint64_t address)
{
	return bound_at(&p->ranges, process, address);
}

/* If the process has no policies, stores nothing: the old range had no policy either, so `policy`
 * is 0. */
void policies_take(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   uint32_t policy)
{
	if (process && process <= p->ranges.n &&
	    !ranges_set(&AT_ID(p->ranges, process), start, end, policy))
		p->nomem = true;
}

/* A new mapping begins without a policy, so the policy of the range is removed. */
void policies_unmap(struct policies *p, uint32_t process, uint64_t start, uint64_t end)
{
	policies_take(p, process, start, end, 0);
}

/* Stores a thread's policy (position + 1 in p->policies). `thread` must not be 0. */
static void set_thread(struct policies *p, uint32_t thread, uint32_t name)
{
	while (p->threads.n < thread) {
		if (!VEC_ROOM(&p->threads)) {
			p->nomem = true;
			return;
		}
		p->threads.at[p->threads.n++] = 0;
	}
	AT_ID(p->threads, thread) = name;
}

/* Returns a thread's policy (position + 1 in p->policies); 0 stands for the initial policy. */
static uint32_t name_of_thread(const struct policies *p, uint32_t thread)
{
	return thread && thread <= p->threads.n ? AT_ID(p->threads, thread) : 0;
}

void policies_start(struct policies *p, const struct policy *policy)
{
	p->initial = *policy;
}

void policies_thread(struct policies *p, uint32_t thread, const struct policy *policy)
{
	if (thread)
		set_thread(p, thread, name_of(p, policy));
}

/* A thread inherits the policy of its creator. */
void policies_new_thread(struct policies *p, uint32_t creator, uint32_t thread)
{
	uint32_t name = name_of_thread(p, creator);

	if (thread && (name || thread <= p->threads.n))
		set_thread(p, thread, name);
}

/* Parent and child share the tree nodes of the ranges until one of them changes a policy. */
void policies_new_process(struct policies *p, uint32_t parent, uint32_t process)
{
	struct ranges *r;

	if (!process || !parent || parent > p->ranges.n ||
	    rangemap_empty(&AT_ID(p->ranges, parent).map))
		return;
	/* this call may reallocate p->ranges.at, so the parent's ranges are looked up afterwards */
	r = ranges_of(p, &p->ranges, process);
	if (r)
		ranges_copy(r, &AT_ID(p->ranges, parent));
}

/* Does the policy name this node? It never names -1 (unknown). */
static bool has_node(const struct policy *policy, int32_t node)
{
	return node >= 0 && node < POLICY_WORDS * 64 && policy->nodes[node / 64] >> node % 64 & 1;
}

/* Returns the number of nodes that the policy names; some may not exist. */
static uint32_t count_nodes(const struct policy *policy)
{
	uint32_t n = 0;

	for (int i = 0; i < POLICY_WORDS; i++)
		n += (uint32_t)__builtin_popcountll(policy->nodes[i]);
	return n;
}

/* Returns the n-th node that the policy names, counted from 0. It must name more than n nodes. */
static int32_t nth_node(const struct policy *policy, uint64_t n)
{
	int32_t node = 0;

	for (;; node++)
		if (has_node(policy, node) && !n--)
			return node;
}

/* Returns the policy in force for a page: the policy of its range if it has one, otherwise the
 * thread's policy. */
static const struct policy *policy_of(const struct policies *p, uint32_t process, uint32_t thread,
				      const struct policy_page *page)
{
	uint32_t name = page->file ? bound_at(&p->files, page->file, page->address)
				   : bound_at(&p->ranges, process, page->address);

	if (!name)
		name = name_of_thread(p, thread);
	return name ? &AT_ID(p->policies, name) : &p->initial;
}

static struct placement placement_on(int32_t node)
{
	return (struct placement){ .node = node, .named = true };
}

/* Returns the node on which an interleaved page is placed. Kernels use all bits of the page's
 * number or only the lower 32. Returns -1 if this makes a difference for the page and if it is
 * unknown which bits this kernel uses. Also returns -1 for a huge page and for a page without a
 * known number, unless n, the number of nodes in the policy, is 1. */
static int32_t interleaved_node(const struct policies *p, const struct policy *policy, uint32_t n,
				const struct policy_page *page)
{
	int32_t full = nth_node(policy, page->number % n);
	int32_t cut = nth_node(policy, (uint32_t)page->number % n);

	if (n == 1 || (page->numbered && page->bytes <= p->page_bytes && full == cut))
		return full;
	if (!page->numbered || page->bytes > p->page_bytes || p->interleave == INTERLEAVE_UNKNOWN)
		return -1;
	return p->interleave == INTERLEAVE_CUT ? cut : full;
}

/* Returns the policy in force, restricted to the nodes that the program may use. */
static struct policy effective_policy(const struct policies *p, uint32_t process, uint32_t thread,
				      const struct policy_page *page)
{
	struct policy policy = *policy_of(p, process, thread, page);
	uint64_t any = 0;

	for (int i = 0; i < POLICY_WORDS; i++)
		any |= p->allowed[i];
	for (int i = 0; any && i < POLICY_WORDS; i++)
		policy.nodes[i] &= p->allowed[i];
	return policy;
}

/* Assumes that the node has free memory. If the node is full, the kernel uses another node, unless
 * placement.strict is set. */
struct placement policies_place(const struct policies *p, uint32_t process, uint32_t thread,
				const struct policy_page *page)
{
	const struct policy policy = effective_policy(p, process, thread, page);
	struct placement local = { .node = page->cpu_node };
	uint32_t n = count_nodes(&policy);

	if (policy.mode == MPOL_DEFAULT || policy.mode == MPOL_LOCAL ||
	    (policy.mode == MPOL_PREFERRED && !n))
		return local;
	if (policy.mode == MPOL_INTERLEAVE && n)
		return placement_on(interleaved_node(p, &policy, n, page));
	if ((policy.mode == MPOL_BIND || policy.mode == MPOL_PREFERRED) && n == 1)
		return (struct placement){ .node = nth_node(&policy, 0),
					   .named = true,
					   .strict = policy.mode == MPOL_BIND };
	/* MPOL_BIND with several nodes: the kernel prefers the CPU's own node. If the policy does
	 * not name that node, the kernel takes the nearest named node with free memory */
	if (policy.mode == MPOL_BIND && has_node(&policy, page->cpu_node))
		return local;
	return placement_on(-1);
}
