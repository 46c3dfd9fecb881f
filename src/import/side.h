/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies perf's side-band records to the model. */
#ifndef MEMDB_IMPORT_SIDE_H
#define MEMDB_IMPORT_SIDE_H

#include <stdint.h>

struct import;
struct pd_raw;

/* Applies a side-band record at `time` to the model. */
void import_side(struct import *im, const struct pd_raw *rec, uint64_t time);

#endif
