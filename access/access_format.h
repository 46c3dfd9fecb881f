/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output format of the samplers exact and soft: a perf.data stream in the pipe format
 * (tools/perf/Documentation/perf.data-file-format.txt), which every reader of perf.data can read.
 * memdb writes the head. Then each process of the program appends complete records.
 */
#ifndef MEMDB_ACCESS_FORMAT_H
#define MEMDB_ACCESS_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* The events. Each record contains the number of its event. */
enum access_event {
	/* loads and stores; the period of a sample is the number of accesses that it represents */
	ACCESS_EVENT_ACCESS = 1,
	ACCESS_EVENT_FAULT, /* the first access to a page */
	/* executed instructions; the period of a sample is their number */
	ACCESS_EVENT_INSTRUCTIONS,
};

/* type and config (struct perf_event_attr) of the events. The accesses and instructions that a
 * sampler sees are not events of the kernel, so they are declared as software events, with numbers
 * that the kernel does not use. */
#define ACCESS_TYPE                PERF_TYPE_SOFTWARE
#define ACCESS_CONFIG_ACCESS       0x6d656d01
#define ACCESS_CONFIG_FAULT        PERF_COUNT_SW_PAGE_FAULTS_MIN
#define ACCESS_CONFIG_INSTRUCTIONS 0x6d656d02

/* The fields of a sample (perf_event_attr.sample_type). All three events have the same fields, so a
 * reader can decode a record before it knows to which event the record belongs. */
#define ACCESS_SAMPLE_TYPE                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |    \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | \
	 PERF_SAMPLE_DATA_SRC)

/*
 * A bit of perf_mem_data_src that the kernel does not use. If set, the memory level comes from
 * simulated caches and not from hardware.
 */
#define ACCESS_SOURCE_MODEL (UINT64_C(1) << 63)

/* Another bit that the kernel does not use. If set, the cache line had to move from another thread
 * (access/holders.h). */
#define ACCESS_SOURCE_MOVED (UINT64_C(1) << 62)

/*
 * A record PERF_RECORD_MMAP2 with the name "[stack:TID]" says which memory is the stack of thread
 * TID; the length is 0 if that is unknown. Its file offset is the thread pointer of the thread, 0
 * if unknown. Old kernels report mappings under this name, too, with an offset of 0.
 * ACCESS_STACK_NAME is the size of a buffer for the name.
 */
#define ACCESS_STACK_NAME  32
#define ACCESS_STACK_BEGIN "[stack:"

/*
 * A record PERF_RECORD_MMAP2 with the name "[killed:SIGNAL]" says that this signal has ended the
 * process of the record. It is written by the process that has waited for it; its length is 0.
 */
#define ACCESS_KILLED_BEGIN "[killed:"

/*
 * The last record of the head (what memdb writes at the start of the file) is this
 * PERF_RECORD_LOST. When a sampler cannot write records, it adds their number to the member `lost`
 * of this record, because on a full disk it could not append a new record. The option lost=
 * contains the offset of this member in the file.
 */
struct access_lost {
	struct perf_event_header header;
	uint64_t id, lost;
	/* this member and those that follow are the sample_id of the record */
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t identifier;
};

/*
 * Environment variables: the path of the stream, and the options for instrumented programs
 * (access/options.h).
 */
#define ACCESS_STREAM_VARIABLE  "MEMDB_ACCESS_STREAM"
#define ACCESS_OPTIONS_VARIABLE "MEMDB_ACCESS_OPTIONS"

#endif
