/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what the samples of a recording show about one memory operand of the program's code: the
 * object that contains its addresses, and how the addresses move through memory. Used only in
 * waits/. */
#ifndef MEMDB_WAITS_OPERAND_H
#define MEMDB_WAITS_OPERAND_H

#include "waits/account.h"
#include "waits/near.h"
#include "waits/series.h"

struct operand {
	uint32_t dso;
	uint64_t offset;         /* offset of the operand's instruction in the file */
	uint8_t bytes, elements; /* as in struct wait_candidate */
	/* as in struct wait_access, for the innermost loop; operand_steps() sets it if it depends
	 * on a register */
	int32_t step;
	/* bytes per ns by which its address moves at most, because the instructions of its loop
	 * take some time; 0 means unknown */
	double fastest;
	/* number of calls of operand_is_asked(): at places where the registers of samples yield
	 * the address [0], and where it is lost [1] */
	uint32_t asked[2];
	/* object that contains most addresses of the operand, as far as is known: the current
	 * winner of a majority vote (Boyer and Moore) */
	uint32_t object;
	/* number of addresses in `object` minus number of those in others, since it became the
	 * winner */
	uint32_t votes;
	uint32_t hits;   /* number of addresses in `object` since it became the winner */
	uint32_t voters; /* number of addresses that took part in the vote */
	bool settled;    /* see account_learns_no_more() */
	uint64_t extent; /* as in struct account_sample: of `object` */
	struct {
		uint32_t thread;
		uint64_t time; /* time of the last address */
		struct series series;
	} threads[ACCOUNT_THREADS];
	struct near_stream near;
	/* maximum number of bytes over which the operand's addresses spread, from operand_within();
	 * 0 means unknown */
	uint64_t within;
	uint64_t lowest, highest; /* the bases that operand_within() reported; 0 means none */
	/* number of addresses now, and when operand_judge() last estimated `access` */
	uint32_t seen, judged;
	uint32_t moved; /* number of these addresses that had ACCOUNT_MOVED */
	bool known;     /* whether an address of the operand, or at least its object, is known */
	/* whether it goes through several streams in turn (series_streams()). Then `step` may lead
	 * from one stream to the next, and the hardware prefetches them although it is large */
	bool streams;
	struct reach_access access;
};

void operand_release(struct operand *o);

/* Should the caller find out the operand's address for the current sample? After many addresses,
 * only some samples are needed. Counts its calls. `lost`: whether the address is lost at the
 * sampled instruction, so that at most its object is known. */
bool operand_is_asked(struct operand *o, bool lost);

/* Adds an address that the operand accessed. `object` is the object that contains the address;
 * ACCOUNT_MOVED may be set in it. Returns false when out of memory. */
bool operand_saw(struct operand *o, const struct account_sample *s, uint64_t address,
		 uint32_t object);

/* Reports that the operand's address in a sample is lost. But the address is in an object of
 * `bytes` bytes, and in the range of `span` bytes from `base` on; span 0 means unknown. */
void operand_within(struct operand *o, uint64_t base, uint64_t span, uint64_t bytes);

/* Reports by how many bytes the operand's address changes in an iteration, according to the
 * registers of a sample. Only for operands whose step is WAIT_SOME_STEP according to the code. Of
 * several steps other than 0, the smallest counts. */
void operand_steps(struct operand *o, int64_t step);

/* Is a new estimate by operand_judge() worth its time? It is if there was none yet, or if since the
 * last one the number of addresses has grown by more than half or operand_within() has raised
 * `within`. */
bool operand_is_due(const struct operand *o);

/* Estimates o->access, such as the footprint, and whether the operand goes through memory in order;
 * sets o->known. Uses the addresses of only one thread, the thread with most addresses. */
void operand_judge(struct operand *o);

/* Returns the object that contains nearly all addresses of the operand; 0 means that there is no
 * such object. Samples whose address is lost count for this object. */
uint32_t operand_object(const struct operand *o);

/* May more addresses change operand_object()? */
bool operand_may_learn(const struct operand *o);

/* Is the operand *o of candidate *c, of which little or nothing is known (then `o` may be NULL),
 * one through scattered pointers (wait_is_pointed())? Then it is expected to miss all caches. */
bool operand_is_pointed(const struct operand *o, const struct wait_candidate *c);

/* Do the ranges of the two operands' addresses overlap, in a thread from which both have
 * addresses? */
bool operand_meets(const struct operand *a, const struct operand *b);

#endif
