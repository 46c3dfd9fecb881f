/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the samples of a recording say about one memory operand of the program's code: in which
 * object its addresses are, and how they move through memory. Used only in waits/. */
#ifndef MEMDB_WAITS_OPERAND_H
#define MEMDB_WAITS_OPERAND_H

#include "waits/account.h"
#include "waits/series.h"

struct operand {
	uint32_t dso;
	uint64_t offset; /* offset of the instruction in the file */
	uint8_t bytes;
	uint32_t asked; /* how often its address was requested */
	/* object that contains most addresses of the operand, as far as is known: the current
	 * winner of a majority vote (Boyer and Moore) */
	uint32_t object;
	/* addresses in `object` minus addresses in others, since it became the winner */
	uint32_t votes;
	uint32_t hits; /* addresses in `object` since it became the winner */
	struct {
		uint32_t thread;
		uint64_t time; /* time of the last address */
		struct series series;
	} threads[ACCOUNT_THREADS];
	/* size of the largest object that operand_within() reported, bytes; 0 means none */
	uint64_t within;
	/* number of addresses now, and when operand_judge() last estimated `access` */
	uint32_t seen, judged;
	bool known; /* an address or an object of the operand is known */
	struct reach_access access;
};

void operand_release(struct operand *o);

/* Should the caller find out the address for the current sample? After many addresses, only some
 * samples are needed. Counts the calls. */
bool operand_is_asked(struct operand *o);

/* Adds an address and the object that contains it. Returns false when out of memory. */
bool operand_saw(struct operand *o, const struct account_sample *s, uint64_t address,
		 uint32_t object);

/* Reports that an address is not known, but that it is in an object of `bytes` bytes. */
void operand_within(struct operand *o, uint64_t bytes);

/* Has the number of addresses grown by half since the last operand_judge()? Only then is a new
 * estimate worth its time. */
bool operand_is_due(const struct operand *o);

/* Estimates the members of `access`: the footprint, and whether the operand goes through memory in
 * order. Uses only the thread with the most addresses. */
void operand_judge(struct operand *o);

/* Returns the object that contains nearly all addresses; 0 means that there is none. Samples whose
 * address is not known count for this object. */
uint32_t operand_object(const struct operand *o);

#endif
