/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of tracepoints: from a sample's raw data to a JSON object, by the description of the
 * event that the recording kernel gave and perf stored in the file.
 *
 * A field is, by its declaration:
 *   integers, enumerations, pointers   a number; a pointer or an unsigned value from 2^63 on is the
 *                                      negative number of the same 64 bits, as all addresses are
 *   arrays of char                     a string up to its NUL
 *   other arrays of integers           an array of numbers
 *   anything else                      a string of hexadecimal digits, two per byte as they lie
 * Arrays of variable length (__data_loc, __rel_loc) are as those of fixed length. The fields that
 * every tracepoint has (common_type, common_flags, common_preempt_count, common_pid) are left out.
 */
#ifndef MEMDB_PERFDATA_TRACEPOINT_H
#define MEMDB_PERFDATA_TRACEPOINT_H

#include "perfdata/perfdata.h"

struct tp_decoder;

struct tp_event {
	const char *name;   /* "sched:sched_switch", owned by the decoder */
	const char *fields; /* the JSON object, valid until the next call */
};

/* Samples that could not be decoded, for the table losses. */
struct tp_losses {
	uint64_t no_format; /* samples whose event has no description, or one that cannot be
			     * parsed */
	uint64_t damaged;   /* samples without raw data, or with less than their fields need */
	char what[160];     /* the first event without a format, and why; "" if none */
};

/* A decoder for the samples of f, which must outlive it. Returns 0, or MD_ENOMEM. */
int tp_open(struct pd_file *f, struct tp_decoder **out, struct md_err *err);
void tp_close(struct tp_decoder *d); /* NULL is fine */

/*
 * The fields of a sample, whose event must be a tracepoint. Returns 0, or
 *   MD_EFORMAT  they cannot be decoded (counted in the losses); out->fields is NULL, out->name the
 *               event's name as in pd_evsel
 *   MD_ENOMEM
 */
int tp_decode(struct tp_decoder *d, const struct pd_sample *s, struct tp_event *out);

const struct tp_losses *tp_losses(const struct tp_decoder *d);

#endif
