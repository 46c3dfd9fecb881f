/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds waits for objects that are expected to stay in the first-level cache. A sample with such a
 * wait counts as a hit: its kind of time becomes TIME_CACHED, and it is not a miss of the object.
 */
#ifndef MEMDB_IMPORT_CACHED_H
#define MEMDB_IMPORT_CACHED_H

struct import;
struct row_sample;

/* If the sample waited for a small object, sets its kind of time to TIME_CACHED, and `missed` to 0.
 * It still counts in the upper bound of the object's cost (waits_uncharged()). An object is small
 * if it is a thread's stack as a whole, or if its size is known and at most 32 KiB, with two
 * exceptions: an object that was written and that two threads accessed, and an object on a stack if
 * two accesses to it were at least 32 KiB apart. The samples up to this one show both. Must be
 * called once for each sample with an object, in the order of time; only samples whose address is
 * lost may come later (learned.h). */
void cached_find(struct import *im, struct row_sample *row);

#endif
