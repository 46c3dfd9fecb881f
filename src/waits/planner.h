/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the plans of waits.h ahead of time, in a thread of their own. A plan takes 100 us and
 * depends only on the code, so the thread can make it while the import applies the events that come
 * before the sample.
 *
 * The plans are the same as without the thread: they are made one at a time, in the order in which
 * they were asked for.
 */
#ifndef MEMDB_WAITS_PLANNER_H
#define MEMDB_WAITS_PLANNER_H

#include "waits/waits.h"

/* Code for whose plan was asked; the arguments of waits_plan(). */
struct planner_code {
	uint64_t key;
	const uint8_t *code;
	size_t len, at;
};

struct planner;

/* Opens *out, which the caller must free with planner_close(). Returns 0, or MD_ENOTSUP or
 * MD_ENOMEM. */
int planner_open(enum dec_arch arch, struct planner **out, struct md_err *err);
void planner_close(struct planner *p); /* p may be NULL */

/* Says that planner_plan() will probably be called for this code. */
void planner_ask(struct planner *p, const struct planner_code *code);

/* Gets the plan; see waits_plan(). Waits for it if it was asked for, and otherwise makes it now. */
int planner_plan(struct planner *p, const struct planner_code *code, const struct wait_plan **out);

#endif
