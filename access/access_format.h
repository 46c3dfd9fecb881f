/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the exact sampler writes: a perf.data stream (pipe format, see
 * tools/perf/Documentation/perf.data-file-format.txt), so that whoever reads perf.data reads it.
 * memdb writes its head, then each process of the program appends whole records to it.
 */
#ifndef MEMDB_ACCESS_FORMAT_H
#define MEMDB_ACCESS_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* The events, by the identifier in their records. */
enum access_event {
	ACCESS_EVENT_ACCESS = 1,   /* loads and stores; the period is their number */
	ACCESS_EVENT_FAULT,        /* the first access to a page */
	ACCESS_EVENT_INSTRUCTIONS, /* the period is their number */
};

/* Their attributes: software events that the kernel has not. */
#define ACCESS_TYPE                PERF_TYPE_SOFTWARE
#define ACCESS_CONFIG_ACCESS       0x6d656d01
#define ACCESS_CONFIG_FAULT        PERF_COUNT_SW_PAGE_FAULTS_MIN
#define ACCESS_CONFIG_INSTRUCTIONS 0x6d656d02

/* Of all events, so that records without an identifier are read alike. */
#define ACCESS_SAMPLE_TYPE                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |    \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | \
	 PERF_SAMPLE_DATA_SRC)

/* In perf_mem_data_src, whose topmost bits nobody uses: the level is that of a model, not of
 * hardware. */
#define ACCESS_SOURCE_MODEL (UINT64_C(1) << 63)

/* Variables of the environment: the stream's path, and for programs that were built for it how to
 * sample (access/options.h). */
#define ACCESS_STREAM_VARIABLE  "MEMDB_ACCESS_STREAM"
#define ACCESS_OPTIONS_VARIABLE "MEMDB_ACCESS_OPTIONS"

#endif
