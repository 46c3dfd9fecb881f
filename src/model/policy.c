/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/policy.h"

#include <numaif.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_STATIC    (1 << 15) /* MPOL_F_STATIC_NODES: the mask is not changed with the cpuset */
#define FLAG_RELATIVE  (1 << 14) /* MPOL_F_RELATIVE_NODES: it counts nodes of the cpuset */
#define FLAG_BALANCING (1 << 13) /* MPOL_F_NUMA_BALANCING */

void policies_init(struct policies *p, uint64_t page_bytes)
{
	memset(p, 0, sizeof(*p));
	p->page_bytes = page_bytes ? page_bytes : 4096;
}

void policies_release(struct policies *p)
{
	for (uint32_t i = 0; i < p->ranges.n; i++)
		ranges_release(&p->ranges.at[i]);
	free(p->ranges.at);
	free(p->policies.at);
	free(p->threads.at);
	memset(p, 0, sizeof(*p));
}

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

static void add_nodes(struct policy *policy, unsigned long first, unsigned long last)
{
	for (; first <= last && first < POLICY_WORDS * 64; first++)
		policy->nodes[first / 64] |= 1ull << first % 64;
	if (first <= last)
		policy->mode = -1;
}

/* Linux 5.15 and later say "prefer (many)"; before 3.8 "local" was "prefer" without nodes. */
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

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strlen(modes[i].name) == n && !strncmp(text, modes[i].name, n))
			return modes[i].mode;
	return -1;
}

struct policy policy_parse(const char *text)
{
	struct policy policy = { .mode = mode_of(text, strcspn(text, ":=")) };
	const char *nodes = strchr(text, ':');
	char *end;

	if (strstr(text, "=relative"))
		policy.mode = -1;
	while (nodes && *nodes) {
		unsigned long first = strtoul(nodes + 1, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		add_nodes(&policy, first, last);
		nodes = *end == ',' ? end : NULL;
	}
	return policy;
}

/* The name of a policy: its position + 1; 0 where memory is out. */
static uint32_t name_of(struct policies *p, const struct policy *policy)
{
	if (p->policies.n && !memcmp(&p->policies.at[p->policies.n - 1], policy, sizeof(*policy)))
		return p->policies.n;
	if (!VEC_ROOM(&p->policies)) {
		p->nomem = true;
		return 0;
	}
	p->policies.at[p->policies.n++] = *policy;
	return p->policies.n;
}

static struct ranges *ranges_of(struct policies *p, uint32_t process)
{
	while (p->ranges.n < process) {
		if (!VEC_ROOM(&p->ranges)) {
			p->nomem = true;
			return NULL;
		}
		memset(&p->ranges.at[p->ranges.n++], 0, sizeof(p->ranges.at[0]));
	}
	return &p->ranges.at[process - 1];
}

void policies_bind(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   const struct policy *policy)
{
	struct ranges *r = process ? ranges_of(p, process) : NULL;
	uint32_t name = policy->mode == MPOL_DEFAULT ? 0 : name_of(p, policy);

	if (r && !ranges_set(r, start, end, name))
		p->nomem = true;
}

uint32_t policies_at(const struct policies *p, uint32_t process, uint64_t address)
{
	return process && process <= p->ranges.n
		       ? (uint32_t)ranges_get(&p->ranges.at[process - 1], address)
		       : 0;
}

void policies_take(struct policies *p, uint32_t process, uint64_t start, uint64_t end,
		   uint32_t policy)
{
	if (process && process <= p->ranges.n &&
	    !ranges_set(&p->ranges.at[process - 1], start, end, policy))
		p->nomem = true;
}

void policies_unmap(struct policies *p, uint32_t process, uint64_t start, uint64_t end)
{
	policies_take(p, process, start, end, 0);
}

static void set_thread(struct policies *p, uint32_t thread, uint32_t name)
{
	while (p->threads.n < thread) {
		if (!VEC_ROOM(&p->threads)) {
			p->nomem = true;
			return;
		}
		p->threads.at[p->threads.n++] = 0;
	}
	p->threads.at[thread - 1] = name;
}

static uint32_t name_of_thread(const struct policies *p, uint32_t thread)
{
	return thread && thread <= p->threads.n ? p->threads.at[thread - 1] : 0;
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

void policies_new_thread(struct policies *p, uint32_t creator, uint32_t thread)
{
	uint32_t name = name_of_thread(p, creator);

	if (thread && (name || thread <= p->threads.n))
		set_thread(p, thread, name);
}

void policies_new_process(struct policies *p, uint32_t parent, uint32_t process)
{
	struct ranges *r;

	if (!process || !parent || parent > p->ranges.n ||
	    rangemap_empty(&p->ranges.at[parent - 1].map))
		return;
	r = ranges_of(p, process); /* may move the array */
	if (r)
		ranges_copy(r, &p->ranges.at[parent - 1]);
}

static bool has_node(const struct policy *policy, int32_t node)
{
	return node >= 0 && node < POLICY_WORDS * 64 && policy->nodes[node / 64] >> node % 64 & 1;
}

static uint32_t count_nodes(const struct policy *policy)
{
	uint32_t n = 0;

	for (int i = 0; i < POLICY_WORDS; i++)
		n += (uint32_t)__builtin_popcountll(policy->nodes[i]);
	return n;
}

/* The nth (from 0) of its nodes, of which there are more. */
static int32_t nth_node(const struct policy *policy, uint64_t n)
{
	int32_t node = 0;

	for (;; node++)
		if (has_node(policy, node) && !n--)
			return node;
}

/* The policy in force: of the range, else of the thread. */
static const struct policy *policy_of(const struct policies *p, uint32_t process, uint32_t thread,
				      uint64_t address)
{
	uint64_t name = 0;

	if (process && process <= p->ranges.n)
		name = ranges_get(&p->ranges.at[process - 1], address);
	if (!name)
		name = name_of_thread(p, thread);
	return name ? &p->policies.at[name - 1] : &p->initial;
}

static struct placement named(int32_t node)
{
	return (struct placement){ .node = node, .named = true };
}

struct placement policies_place(const struct policies *p, uint32_t process, uint32_t thread,
				const struct policy_page *page)
{
	const struct policy *policy = policy_of(p, process, thread, page->address);
	struct placement local = { .node = page->cpu_node };
	uint32_t n = count_nodes(policy);

	if (policy->mode == MPOL_DEFAULT || policy->mode == MPOL_LOCAL ||
	    (policy->mode == MPOL_PREFERRED && !n))
		return local;
	if (policy->mode == MPOL_INTERLEAVE && n > 1 &&
	    (page->shared || page->bytes > p->page_bytes))
		return named(-1);
	if (policy->mode == MPOL_INTERLEAVE && n)
		return named(nth_node(policy, page->address / p->page_bytes % n));
	if ((policy->mode == MPOL_BIND || policy->mode == MPOL_PREFERRED) && n == 1)
		return named(nth_node(policy, 0));
	/* of several nodes the kernel takes the CPU's own, or else the nearest with free memory */
	if (policy->mode == MPOL_BIND && has_node(policy, page->cpu_node))
		return local;
	return named(-1);
}
