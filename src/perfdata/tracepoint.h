/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the fields of tracepoints: converts a sample's raw data to a JSON object. The recording
 * kernel described the fields of each event, and perf stored this description in the file.
 * The declaration of a field decides its form:
 *   integers, enumerations, pointers   a number; 2^63 and more becomes the negative number with the
 *                                      same 64 bits, like every address in a database
 *   arrays of char                     a string up to its NUL
 *   other arrays of integers           an array of numbers
 *   anything else                      a string of hexadecimal digits, two for each byte, in the
 *                                      order of the bytes in memory
 * Arrays of variable length (__data_loc, __rel_loc) have the same form as those of fixed length.
 * The fields that every tracepoint has (common_type, common_flags, common_preempt_count,
 * common_pid) are left out.
 */
#ifndef MEMDB_PERFDATA_TRACEPOINT_H
#define MEMDB_PERFDATA_TRACEPOINT_H

#include "perfdata/perfdata.h"

struct tp_decoder;

struct tp_event {
	const char *name;   /* such as "sched:sched_switch"; the decoder owns it */
	const char *fields; /* a JSON object, valid until the next call */
};

/* Numbers of samples that could not be decoded, for the table `losses`. */
struct tp_losses {
	/* samples whose event has no description, or a description that cannot be parsed */
	uint64_t no_format;
	uint64_t damaged; /* samples whose raw data are missing, or too short for the fields */
	/* why the fields of the first event whose samples are counted in no_format cannot be
	 * decoded; "" means that there is no such event */
	char what[160];
};

/* Makes a decoder for the samples of f, which must outlive the decoder. The caller frees *out with
 * tp_close(). Returns 0 or MD_ENOMEM. */
int tp_open(struct pd_file *f, struct tp_decoder **out, struct md_err *err);
void tp_close(struct tp_decoder *d); /* d may be NULL */

/*
 * Decodes the fields of a sample, whose event must be a tracepoint. Returns 0, or
 *   MD_EFORMAT  the fields cannot be decoded (counted in the losses); out->name is set,
 *               out->fields is NULL
 *   MD_ENOMEM
 */
int tp_decode(struct tp_decoder *d, const struct pd_sample *s, struct tp_event *out);

const struct tp_losses *tp_losses(const struct tp_decoder *d);

#endif
