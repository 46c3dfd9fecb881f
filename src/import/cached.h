/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds waits for objects that are expected to stay in the first-level cache. These are no waits:
 * the thread computed. */
#ifndef MEMDB_IMPORT_CACHED_H
#define MEMDB_IMPORT_CACHED_H

struct import;
struct row_sample;

/*
 * Sets the kind of time of a sample that waited for a small object to TIME_CACHED, and `missed` to
 * 0. It still counts in the upper limit of what the object costs (waits_uncharged()). Small are
 * stacks and objects of up to 32 KiB so far. An object is not small if, by the samples so far, one
 * thread writes it and another one uses it, or, on a stack, if they are 32 KiB apart. Must be
 * called once for each sample with an object, in the order of time.
 */
void cached_find(struct import *im, struct row_sample *row);

#endif
