/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks for what a sample will need, before the events of other inputs that precede it are applied.
 * Another thread finds it meanwhile. */
#ifndef MEMDB_IMPORT_EXPECT_H
#define MEMDB_IMPORT_EXPECT_H

struct import;
struct recorded;

/* r->next is the record that follows in perf's file. If it is a timer sample, asks for the plan
 * (waits/planner.h) of its instruction. Changes nothing in the model. */
void expect_record(struct import *im, const struct recorded *r);

#endif
