/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of accounts (waits/account.h): an account, a plan, and a count of the samples that each
 * operand gets. */
#ifndef MEMDB_TESTS_ACCOUNT_FIXTURE_H
#define MEMDB_TESTS_ACCOUNT_FIXTURE_H

#include "waits/account.h"
#include "waits/share.h"

#include "base/count.h"
#include "check_main.h"
#include "random.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const struct wait_caches *caches = &wait_caches_default;
static const struct account_sample sample = { .thread = 1 };

/* An instruction with three operands that it may have waited for. It depends on the first two; the
 * third is only near it. */
static const struct wait_candidate three[] = {
	{ .insn = 8, .how = WAIT_OWN, .bytes = 8 },
	{ .insn = 3, .how = WAIT_FLOW, .bytes = 8 },
	{ .insn = 0, .how = WAIT_WINDOW, .bytes = 8 },
};
static const struct wait_plan plan = { .ways = 1, .n = 3, .candidates = three };

static inline struct account *open_account(void)
{
	struct account *a;

	ck_assert_int_eq(account_open(caches, &a, NULL), 0);
	return a;
}

/* How many of n samples each operand got; n[3] counts samples that no operand got. */
struct dealt {
	unsigned n[4];
	struct account_deal last;
};

static inline struct dealt deal(struct account *a, uint32_t wait, unsigned n)
{
	struct dealt d = { 0 };

	for (unsigned i = 0; i < n; i++) {
		account_deal(a, wait, 1000, &d.last);
		d.n[d.last.candidate < 0 ? 3 : d.last.candidate]++;
	}
	return d;
}

static inline uint64_t next_random(void)
{
	static uint64_t state = 1;

	random_next(&state);
	return state >> 33;
}

#endif
