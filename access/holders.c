/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders.h"

#include <stddef.h>

#include "room.h"

/* A word has, from the lowest bit: one bit for each thread that holds the line, one bit that is set
 * if the line was written, and the upper part of the line's number. The lower part is the place in
 * the table. The table has 8 MiB of address space, of which only the used pages take memory. */
#define LINES   (UINT64_C(1) << 20)
#define WRITTEN (UINT64_C(1) << HOLDERS)
#define LINE_AT (HOLDERS + 1)

_Atomic uint64_t *_Atomic holders_table;

bool holders_begin(void)
{
	_Atomic uint64_t *table, *none = NULL;

	if (holders_table)
		return true;
	table = room_take(LINES * sizeof(*table));
	if (!table)
		return false;
	if (!atomic_compare_exchange_strong(&holders_table, &none, table))
		room_give(table, LINES * sizeof(*table));
	return true;
}

void holders_end(void)
{
	_Atomic uint64_t *table = holders_table;

	holders_table = NULL;
	room_give(table, LINES * sizeof(*table));
}

/* Most accesses only read the word and change nothing, because the thread holds the line
 * already. */
bool holders_use(unsigned thread, uint64_t line, bool store)
{
	const uint64_t me = UINT64_C(1) << thread % HOLDERS, number = line / LINES << LINE_AT;
	_Atomic uint64_t *table = atomic_load_explicit(&holders_table, memory_order_relaxed), *at;
	uint64_t before, after, others;
	bool moves;

	if (!table)
		return false;
	at = &table[line % LINES];
	before = atomic_load_explicit(at, memory_order_relaxed);
	do {
		const uint64_t known = before >> LINE_AT == number >> LINE_AT ? before : number;

		others = known & (WRITTEN - 1) & ~me;
		moves = others && (store || (known & WRITTEN && !(known & me)));
		after = store ? number | WRITTEN | me : known | me;
		if (after == before)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(at, &before, after, memory_order_relaxed,
							memory_order_relaxed));
	return moves;
}
