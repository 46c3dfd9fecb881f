/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes a part of the samples from a perf.data on disk, also while perf still appends to the
 * file. So a long recording stays below a given size and still covers the entire time (--max-size
 * BYTES:all).
 *
 * The file is divided into clusters of THIN_CLUSTER bytes. Of every N clusters one keeps its
 * samples. In the others, each run of samples becomes one record of a type that perf and all
 * readers skip, and its disk space is freed as a hole in the file. All other records (mappings,
 * threads, losses) stay. Which cluster is kept depends only on its number (a fixed pattern without
 * a period), and N is a power of two: so the file can be thinned again with a larger N, and records
 * that perf has appended since can be thinned with the same N. When the entire file has been
 * thinned with the same N, each sample that is left represents N samples.
 */
#ifndef MEMDB_RECORD_THIN_H
#define MEMDB_RECORD_THIN_H

#include <stdint.h>

#include "base/err.h"

enum { THIN_CLUSTER = 64 << 10, THIN_MOST = 1 << 20 };

struct thin {
	int fd; /* perf.data, opened for reading and writing; borrowed */
	/* N, a power of two up to THIN_MOST: one of N clusters keeps its samples. With 0 or 1, all
	 * samples are kept */
	uint64_t every;
	uint64_t at;      /* the records before this offset have been thinned with `every` */
	uint64_t removed; /* samples that were removed so far */
};

/*
 * Thins the records that were appended since the last call, or the entire file if `every` is larger
 * than t->every. Returns 0, or an error: then the file remains readable, and t->every is as before:
 *   MD_ENOTSUP  the file has no plain list of samples (an AUX trace, compressed or piped records)
 *   MD_EIO      the file cannot be read or written, or its file system has no holes
 *   MD_ENOMEM
 */
int thin_samples(struct thin *t, uint64_t every, struct md_err *err);

#endif
