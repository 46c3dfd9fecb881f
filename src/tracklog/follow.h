/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads follow.log. The recorder writes this file while the program runs: topology, page homes,
 * thread affinity.
 *
 * It is a text file with one record per line. Tabs separate the fields. The first field is a word
 * that names the kind. Times are CLOCK_MONOTONIC ns, addresses are hexadecimal without 0x, masks
 * are in list format ("0-3,8"). In strings, tab, newline and backslash are written as \t \n \\. The
 * last line may be cut short. The reader skips and counts records of unknown kinds.
 *
 *   memdb-follow   1                                    first line: the format's version
 *   node           NODE  CPUS  MEM_TOTAL  MEM_FREE      bytes; CPUS "" for a node without CPUs
 *   distance       FROM  TO  DISTANCE                   as in sysfs; 10 from a node to itself
 *   cpu            CPU  NODE  CORE  SOCKET
 *   memory         NODE  START  END                     physical addresses
 *   page           BYTES                                the system's page size
 *   policy         POLICY                               the NUMA policy of memdb, which the program
 *                                                       inherits
 *   affinity       CPUS                                 the affinity of memdb, inherited likewise
 *   mems           NODES                                the nodes whose memory the program may use
 *   balancing      MODE                                 kernel.numa_balancing; 0 means off
 *   process        TIME  PID  START_TICKS  PPID  EXE    a new process; again when it executes
 *                                                       another program
 *   thread         TIME  PID  TID  COMM  CPUS           name and affinity; again after a change
 *   homes          TIME  PID  ADDRESS  STEP  NODES  NS  node of the page at ADDRESS + i * STEP,
 *                                                       STEP in bytes, decimal; the query began at
 *                                                       TIME and lasted NS
 *   foreign        TIME  NODE  PAGES  NS                how many pages the kernel has placed on
 *                                                       other nodes since boot, because this
 *                                                       node had no free memory; the query began
 *                                                       at TIME and lasted NS
 *   collapse       TIME  PID  SINCE                     khugepaged made huge pages between SINCE
 *                                                       and TIME, maybe in this process; with
 *                                                       PID 0, maybe in any process
 *   numa_maps      TIME  PID  START  POLICY  TEXT       the mapping at START; TEXT is the rest of
 *                                                       the line
 *   hugepage       TIME  PID  START  END  BYTES         a mapping with pages larger than the
 *                                                       system's
 *
 * POLICY is in the words of numa_maps(5): "default", "interleave:0-3", "bind=static:1". In `homes`,
 * NODES is a list with commas: "3" is a node, "0x16" stands for 16 times node 0, "-" for a page
 * that is not present. In `mems`, it is a mask.
 */
#ifndef MEMDB_TRACKLOG_FOLLOW_H
#define MEMDB_TRACKLOG_FOLLOW_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum fl_kind {
	FL_NODE = 1,
	FL_DISTANCE,
	FL_CPU,
	FL_PAGE,
	FL_PROCESS,
	FL_THREAD,
	FL_HOMES,
	FL_NUMA_MAPS,
	FL_HUGEPAGE,
	FL_MEMORY,
	FL_POLICY,
	FL_AFFINITY,
	FL_BALANCING,
	FL_MEMS,
	FL_FOREIGN,
	FL_COLLAPSE,
};

/* One record; strings and arrays are borrowed until the next fl_next(). */
struct fl_record {
	enum fl_kind kind;
	uint64_t time;
	uint32_t pid, tid, ppid;
	uint64_t start_ticks;
	uint64_t address, end; /* HOMES and NUMA_MAPS do not use `end` */
	/* in PAGE and HUGEPAGE the field BYTES, in HOMES the field STEP, in NODE the field
	 * MEM_TOTAL, in BALANCING the field MODE */
	uint64_t bytes;
	uint64_t free_bytes;
	uint64_t pages; /* in FOREIGN the field PAGES */
	uint64_t took;  /* in HOMES and FOREIGN the field NS */
	uint64_t since; /* in COLLAPSE the field SINCE */
	uint32_t node, to, distance, cpu;
	int32_t core, socket;
	const char *text; /* the field EXE, COMM or POLICY */
	/* the field CPUS of NODE, THREAD and AFFINITY, NODES of MEMS, TEXT of NUMA_MAPS */
	const char *more;
	const int32_t *nodes; /* in HOMES the nodes; -1 means that the page is not present */
	uint32_t count;
};

struct fl_log;

/* Opens a follow log. buf is borrowed and must outlive *out. The caller owns *out and frees it with
 * fl_close(). Returns 0, or with *out NULL MD_EFORMAT (not a follow log), MD_ENOTSUP (another
 * version), MD_EIO or MD_ENOMEM. */
int fl_open_path(const char *path, struct fl_log **out, struct md_err *err);
int fl_open_mem(const char *buf, size_t len, struct fl_log **out, struct md_err *err);
void fl_close(struct fl_log *l);

/* Gets the next record in the order of the file, which is nearly the order of time. Invalid lines
 * are skipped and counted. Returns 1 and sets *r, 0 at the end, or MD_ENOMEM. */
int fl_next(struct fl_log *l, struct fl_record *r, struct md_err *err);
uint64_t fl_skipped(const struct fl_log *l);

/* Returns how many bytes are not read yet, for the progress display. */
uint64_t fl_left(const struct fl_log *l);

#endif
