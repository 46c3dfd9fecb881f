/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds waits for objects that are expected to stay in the first-level cache. Such a sample counts
 * as a hit: it gets a kind of time of its own, and is not a miss of the object. */
#ifndef MEMDB_IMPORT_CACHED_H
#define MEMDB_IMPORT_CACHED_H

struct import;
struct row_sample;

/* If the sample waited for a small object, sets its kind of time to TIME_CACHED, and `missed` to 0.
 * It still counts in the upper bound of the object's cost (waits_uncharged()). An object is small
 * if it is a stack or has at most 32 KiB, and if no sample so far contradicts that. It is not small
 * if one thread writes it and another thread uses it, or if two samples in a stack are 32 KiB
 * apart. Must be called once for each sample with an object, in the order of time. */
void cached_find(struct import *im, struct row_sample *row);

#endif
