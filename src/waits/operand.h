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
	/* object in which most addresses of the operand are, as far as is known: the present
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
	/* size of the largest object reported by account_within(), bytes; 0 means none */
	uint64_t within;
	/* number of addresses now, and at the last estimate of `access` */
	uint32_t seen, judged;
	bool known; /* an address or an object of the operand is known */
	struct reach_access access;
};

void operand_release(struct operand *o);

/* Should the next sample pass its address? Counts the questions. */
bool operand_is_asked(struct operand *o);

/* Adds an address and the object that contains it. Returns false when out of memory. */
bool operand_saw(struct operand *o, const struct account_sample *s, uint64_t address,
		 uint32_t object);

/* An address is lost, but it is in an object of this size. */
void operand_within(struct operand *o, uint64_t bytes);

/* Has the number of addresses grown by half since the last estimate? Then a new estimate is
 * worthwhile. */
bool operand_is_due(const struct operand *o);

/* Estimates `access`: how the operand moves through memory. Uses the thread with the most
 * addresses. */
void operand_judge(struct operand *o);

/* Returns the object in which nearly all addresses are; 0 means that there is none. It stands for
 * addresses that are lost. */
uint32_t operand_object(const struct operand *o);

#endif
