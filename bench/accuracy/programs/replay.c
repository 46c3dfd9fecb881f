/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays a log whose records have different lengths, so that where a record begins depends on the
 * record before (48 MiB, in order). Each record adds its amount to an account (128 MiB, at random)
 * and reads the fee of its kind (256 KiB, at random). */
// held out
// object log -DLOG_MASK=1023 log_slots
// object accounts -DACCOUNT_MASK=63
// object fees -DFEE_MASK=7
#include "program.h"

enum { SLOTS = 3 << 20, ACCOUNTS = 1 << 24, FEES = 1 << 16, RECORDS = 12000000 };
#ifndef LOG_MASK
#define LOG_MASK UINT32_MAX
#endif
#ifndef ACCOUNT_MASK
#define ACCOUNT_MASK (ACCOUNTS - 1)
#endif
#ifndef FEE_MASK
#define FEE_MASK (FEES - 1)
#endif

/* A record is at the start of one to four slots. All slots could be the start of a record, so the
 * walk through a local log is possible from any slot. */
struct slot {
	uint32_t slots, account;
	double amount;
};
static struct slot *log_slots;
static double *accounts;
static float *fees;

void init(void)
{
	log_slots = malloc(SLOTS * sizeof(*log_slots));
	accounts = malloc(ACCOUNTS * sizeof(*accounts));
	fees = malloc(FEES * sizeof(*fees));
	for (int i = 0; i < SLOTS; i++)
		log_slots[i] = (struct slot){ 1 + random_number() % 4, random_number(), 1 };
	for (int i = 0; i < ACCOUNTS; i++)
		accounts[i] = 0;
	for (int i = 0; i < FEES; i++)
		fees[i] = 0.25f;
}

double kernel(void)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < RECORDS; i++) {
		const struct slot *s = &log_slots[at & LOG_MASK];
		uint32_t account = MIX(s->account, i);

		account ^= account >> 15;
		accounts[account & ACCOUNT_MASK] +=
			s->amount - (double)fees[account >> 9 & FEE_MASK];
		at += s->slots;
		at = at < SLOTS ? at : 0;
	}
	return accounts[5];
}
