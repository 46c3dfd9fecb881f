/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns perf's samples into rows. */
#ifndef MEMDB_IMPORT_SAMPLE_H
#define MEMDB_IMPORT_SAMPLE_H

#include <stdint.h>

struct import;
struct pd_raw;

/* Writes the row of the sample in record *rec, taken at `time`, or counts why the sample has no
 * row. */
void import_sample(struct import *im, const struct pd_raw *rec, uint64_t time);

#endif
