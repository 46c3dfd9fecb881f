/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributes the samples of a recording among candidates. A candidate is an access that a sample
 * may have waited for (waits.h). The caller reports each sample with its place (the sampled
 * instruction), with the ways (sequences of instructions) that may have led there, and with the
 * object that each candidate accessed. Samples at one place with the same ways and objects are one
 * *wait*. The share of a candidate is the same for all samples of a wait.
 *
 * A sample goes to the candidate that is furthest below its share so far. So at any time, the
 * number of samples of each candidate differs from its share by at most about one sample. Each
 * sample improves the estimated latencies of the operands. The shares follow these estimates, and
 * later samples correct earlier errors. Memory does not grow with the number of samples, because of
 * the limits below.
 */
#ifndef MEMDB_WAITS_ACCOUNT_H
#define MEMDB_WAITS_ACCOUNT_H

#include "waits/reach.h"
#include "waits/share.h"
#include "waits/waits.h"

enum {
	ACCOUNT_MOST = WAIT_WAYS * WAIT_CANDIDATES, /* maximum number of candidates of one place */
	/* maximum number of operands whose addresses are stored; addresses of further operands are
	 * ignored */
	ACCOUNT_OPERANDS = 1 << 15,
	ACCOUNT_THREADS = 4,     /* maximum number of threads whose addresses are stored for each
				  * operand */
	ACCOUNT_WAITS = 1 << 17, /* maximum number of different waits */
};

struct account;

/* Opens an account in *out, which the caller must free with account_close(). Copies *c, the caches
 * of the machine. Returns 0 or MD_ENOMEM. */
int account_open(const struct wait_caches *c, struct account **out, struct md_err *err);
void account_close(struct account *a); /* a may be NULL */

/* Registers a sampled instruction, described by its plan (waits.h), in the function that starts at
 * file offset `start` of dso. plan must outlive a. Returns an id for the instruction (a "place"); 0
 * means out of memory. Must be called only once for each instruction. */
uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start);
const struct wait_plan *account_plan(const struct account *a, uint32_t place);

/* account_wishes() returns a bit mask of the facts that the account needs, for the current sample,
 * about candidate `which` of the place. `which` = plan->n + i means the access
 * plan->accesses[i]. */
enum account_wish {
	/* the object of the candidate. The account needs it because the candidate may get a share
	 * of the sample, so its object decides to which wait the sample belongs */
	WISH_OBJECT = 1,
	/* the address of the candidate, for account_saw(). After many samples, the account needs it
	 * only for some of them */
	WISH_SERIES = 2,
};
unsigned account_wishes(struct account *a, uint32_t place, unsigned which);

/* The sample from which an address comes. Its time and period are in ns. */
struct account_sample {
	uint32_t thread;
	uint64_t time, period;
	/* whether the address is that of an access through the pointer that the operand loaded: it
	 * does not count for account_object() */
	bool pointee;
	/* most bytes of the address's object that were in use at one time; 0 means unknown, or that
	 * the object has small blocks, so that its cache lines have more bytes */
	uint64_t extent;
};

/* Reports an address that the operand of candidate `which` accessed, and the object that contains
 * this address (not 0; ACCOUNT_MOVED may be set in it). Must be called in the order of time. */
void account_saw(struct account *a, uint32_t place, unsigned which, const struct account_sample *s,
		 uint64_t address, uint32_t object);

/* Returns the object that contains nearly all addresses of the operand of candidate `which`; 0
 * means that there is no such object, or that none of its addresses is known yet. */
uint32_t account_object(const struct account *a, uint32_t place, unsigned which);

/* May account_object() still change much for this candidate? It may until some addresses of its
 * operand are known. account_learns_no_more() declares that the caller does not wait for more. */
bool account_may_learn(const struct account *a, uint32_t place, unsigned which);
void account_learns_no_more(struct account *a, uint32_t place, unsigned which);

/* Reports that the address of the candidate's operand is lost. But the address is in an object of
 * `bytes` bytes; `base` is the address without the index. So the operand's addresses spread over at
 * most `bytes` bytes, and over fewer if a constant in the code bounds the index
 * (wait_candidate.span). */
void account_within(struct account *a, uint32_t place, unsigned which, uint64_t base,
		    uint64_t bytes);

/* Reports by how many bytes the candidate's address changes in an iteration of the innermost loop,
 * if the plan does not contain this number (WAIT_SOME_STEP). */
void account_steps(struct account *a, uint32_t place, unsigned which, int64_t step);

/* Reports the registers of the current sample; `has` is a mask of those that it contains. They show
 * how long an iteration of plan->loop takes (its counter and `fixed`), and how often the loops of
 * plan->nest run and how far they move addresses (nest->registers). Must be called in the order of
 * time. */
void account_loops(struct account *a, uint32_t place, const struct account_sample *s,
		   const uint64_t regs[64], uint64_t has);

/* Passed to account_wait() in place of a candidate's object: the candidate did not run, so it gets
 * no share. */
#define ACCOUNT_SKIPPED UINT32_MAX

/* A bit that the caller of account_wait() or account_saw() may set in a candidate's object: the
 * candidate waits for its cache line, because another thread also uses the line (cache_lines.h). */
#define ACCOUNT_MOVED (UINT32_C(1) << 31)

/* Returns the id of the wait to which a sample belongs: all samples at one place with the same
 * ways, whose possible candidates on these ways have the same objects, are one wait. Returns 0 if
 * the wait is new and there are already ACCOUNT_WAITS waits, or when out of memory. `ways` is a bit
 * mask of the ways (sequences of instructions) by which the thread may have reached the place.
 * objects[] is indexed by candidate: 0 means unknown, ACCOUNT_SKIPPED means that the candidate did
 * not run. ACCOUNT_MOVED may be set in an object. */
uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects);

/* The candidate to which a sample is charged, and facts about the wait. */
struct account_deal {
	int candidate;         /* position in plan->candidates; -1 means no known candidate */
	enum wait_level level; /* the slowest access that the sample may have waited for */
	bool moved;            /* the candidate waited for a cache line that another thread also
				* uses */
	/* an atomic operation ran just before ip. WAIT_HITS then means that the sample counts as
	 * time that the operation takes even without a cache miss, or as the loop's arithmetic */
	bool atomic;
	/* a conditional jump ran just before ip, and the loads that decide it are expected to take
	 * less time than a mispredicted jump takes; or the sample is in the part of the loop's time
	 * that mispredicted jumps may take. Then `level` is WAIT_UNCLEAR */
	bool jumped;
	/* arithmetic of the loop takes this part of the time on a usual CPU, but not on the fastest
	 * one. Then `level` is WAIT_UNCLEAR */
	bool unsure;
	/* it is not clear whether the sample is a wait (WAIT_UNCLEAR, neither `moved` nor `jumped`
	 * nor `atomic`), and it belongs to the half of such samples that cost nothing */
	bool costless;
	/* all misses that the sample may have waited for are streams, and nothing is known of their
	 * loop: an instruction that computes did not wait for them */
	bool streams;
};

/* Chooses the candidate that gets a sample of this wait. `period` is that of the sample. */
void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out);

/* account_others() calls fn for each pair of a wait and an object that samples of the wait may have
 * waited for, and for each stream whose transfer may have made the wait longer. `period` is the sum
 * of the periods of those samples that were charged to something else: to candidates in other
 * objects, to no candidate, to the loop's arithmetic, or to an atomic operation's own time. `dealt`
 * is the part of it that was charged to candidates in other objects. */
typedef void account_others_fn(void *arg, uint32_t object, double period, double dealt);
void account_others(struct account *a, account_others_fn *fn, void *arg);

/* Did memory run out? */
bool account_nomem(const struct account *a);

#endif
