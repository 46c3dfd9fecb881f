/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the access that a timer sample waited for. The library in waits/ lists the candidates of
 * each instruction; the registers of the sample decide among them. */
#ifndef MEMDB_IMPORT_WAITS_H
#define MEMDB_IMPORT_WAITS_H

#include "waits/account.h"
#include "waits/lines.h"

struct import;
struct pd_sample;

struct import_waits {
	struct waits *code;      /* NULL means that the architecture is not supported */
	struct account *account; /* NULL means that the architecture is not supported */
	struct {
		/* indexed by location: 1 + the number that account_place() has returned for it; 1
		 * means that it has none, 0 that it was not looked up yet */
		uint32_t *at;
		uint32_t n, cap;
	} places;
	struct lines *lines; /* NULL means that the architecture is not supported */
	/* indexed by object: Σ period of samples that may have waited for a line of the object that
	 * other threads use, but are not charged to it */
	struct {
		uint64_t *at;
		uint32_t n, cap;
	} uncharged;
	/* number of samples that were attributed to the operand before ip, because the account had
	 * no room for them */
	uint64_t unshared;
};

/* A timer sample with registers, taken in user code of a 64-bit program. 0 means unknown for
 * process and thread. */
struct waiter {
	const struct pd_sample *sample;
	uint32_t process, thread, location;
	uint64_t sp, period; /* sp 0 means unknown */
	/* the code waits for other threads, at a fence, a lock or a flag: then the wait is none for
	 * the data */
	bool synchronizes;
};

/* What a sample waited for, as far as it is known. */
struct waited_for {
	/* the instruction and kind of the access; its address is below */
	struct wait_access operand;
	/* source of `address`; ADDR_OBJECT: only the object is known; ADDR_NONE: the address is
	 * lost, or the operand is unknown */
	enum addr_source source;
	uint64_t address; /* for ADDR_OBJECT an address in the same block; 0 means unknown */
	uint32_t object;  /* the object; set only for ADDR_OBJECT */
	/* it is certain that the instruction before ip ran last, so the thread waited for that
	 * one */
	bool certain;
	bool moved;  /* it waited for a cache line that another thread uses too (waits/lines.h) */
	bool atomic; /* the instruction that ran before ip is an atomic operation */
	/* cache level that serves everything the sample may have waited for */
	enum wait_level level;
};

/* Opens the analysis (waits/waits.h) and its account (waits/account.h). Must be called after the
 * decoder is open. Returns 0 or MD_ENOMEM. */
int waits_begin(struct import *im);
void waits_release(struct import_waits *w);

/* Finds what a sample waited for. Returns false if the instruction has no known candidates, or
 * if the account has no room for it. The caller then attributes the sample to the operand of the
 * instruction before ip. */
bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out);

/* Writes the rows of the table other_waits, and a row of losses with the number `unshared`. Call
 * at the end. Returns 0 or MD_ENOMEM. */
int waits_write(struct import *im);

#endif
