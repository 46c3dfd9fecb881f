/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the accesses for which a cache line must move from one thread to another. The rule is that
 * of coherent caches, under the assumption that each thread has a CPU of its own and that no line
 * is ever evicted: a store takes the line from all other threads that hold it, and a load takes it
 * from the thread that has written it since the last access of the loading thread.
 *
 * The table has one word for each line: the threads that hold it, and whether it was written. Lines
 * that have the same place in the table replace each other. A replaced line is unknown until its
 * next access, so a movement may be missed, but none is added. Threads with the same number count
 * as one thread, so movements between them are missed, too. If more than HOLDERS threads are alive,
 * some share a number. A new thread may get the number of an ended one. It then counts as holding
 * that thread's lines.
 */
#ifndef MEMDB_ACCESS_HOLDERS_H
#define MEMDB_ACCESS_HOLDERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Number of threads that a word can distinguish. */
enum { HOLDERS = 40 };

/* The table; NULL until the process has a second thread, because before that no line moves. Always
 * NULL if accesses are sampled and not counted. */
extern _Atomic uint64_t *_Atomic holders_table;

/* Makes the table, if there is none. Returns false when out of memory. */
bool holders_begin(void);

/* Releases the table in a forked child, which has one thread. */
void holders_end(void);

/* Records that thread number `thread` loads from or stores to the line with this number (address >>
 * CACHE_LINE_BITS). Returns true if the line must move. Always returns false if there is no
 * table. */
bool holders_use(unsigned thread, uint64_t line, bool store);

#endif
