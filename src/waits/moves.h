/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges how much of a loop's time a thread waits for cache lines that another thread also uses
 * (cache_lines.h). Such a wait may be hidden:
 *
 *   - A plain store retires at once. It stays in the store buffer until the line arrives, and then
 *     all stores to the line complete together. A load of the same address gets its value from the
 *     store buffer. So a loop that only stores to the line, or adds to counters there, loses only a
 *     few cycles for each store, and none if its arithmetic takes longer than the stores.
 *   - Any other load of the line waits until the line arrives. If the loop contains no branch, as
 *     many iterations as fit into the reorder buffer wait together.
 *
 * A mispredicted jump takes about as long as several such stores, and samples do not show how often
 * jumps are mispredicted. So in a loop with branches, the verdict may be PACE_UNCLEAR. Atomic
 * operations hide nothing.
 */
#ifndef MEMDB_WAITS_MOVES_H
#define MEMDB_WAITS_MOVES_H

#include "waits/operand.h"
#include "waits/pace.h"

/* The cycles until a cache line arrives from the cache of another core. The last cache level first
 * finds out which core has the line, then that core must answer. */
#define MOVED_CYCLES 100.0

/* Judges the loop of the plan. operands[] has the operands of the plan's candidates, then of
 * plan->accesses; NULL if nothing is known about an operand. Only accesses to lines that move count
 * as waits. If there are none, or if one of them is an atomic operation, the verdict is
 * PACE_MEMORY. If the plan has no loop, the verdict is PACE_UNCLEAR if these accesses only store,
 * otherwise PACE_MEMORY. In all these cases, pace.other is 0. */
struct pace moves_pace(const struct wait_plan *plan, struct operand *const *operands);

#endif
