/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the description of an event once, and applies it to the raw data of its samples. */
#ifndef MEMDB_PERFDATA_TRACEPOINT_FORMAT_H
#define MEMDB_PERFDATA_TRACEPOINT_FORMAT_H

#include "base/json.h"
#include "perfdata/perfdata.h"

enum tp_kind { TP_NUMBER, TP_TEXT, TP_NUMBERS, TP_BYTES };

enum {
	/* maximum number of fields, including the common ones; the kernel has the same limit for
	 * the arguments of a probe */
	TP_MAX_FIELDS = 128,
	TP_MAX_NAME = 64,     /* maximum length of a field's name */
	TP_MAX_LINE = 512,    /* maximum length of the line of a field */
	TP_MAX_TEXT = 32768,  /* maximum length of a format's text */
	TP_MAX_BYTES = 65535, /* maximum size of an event's fields; no record can have more */
};

struct tp_field {
	char key[TP_MAX_NAME + 5]; /* the JSON key with its punctuation: ,"name": */
	uint8_t key_len;
	uint8_t kind;          /* a value of enum tp_kind */
	uint8_t width;         /* size of a number: 1, 2, 4 or 8 bytes */
	bool is_signed;        /* the number is signed */
	bool is_dynamic;       /* the field contains the offset and length of an array */
	bool is_relative;      /* that offset is relative to the end of the field */
	uint32_t offset, size; /* where the field is in the raw data, and its size, bytes */
};

struct tp_format {
	struct tp_field *fields;
	uint32_t count;
};

/*
 * Parses o->text. long_bytes is the size of a long in the recorded kernel. The caller frees *out
 * with tp_format_release(). Returns 0, or with *out empty:
 *   MD_EFORMAT  the text is not what a kernel writes, or exceeds the limits above
 *   MD_ENOMEM
 */
int tp_format_parse(const struct pd_format *o, unsigned long_bytes, struct tp_format *out,
		    struct md_err *err);
void tp_format_release(struct tp_format *f);

/* Appends raw[0..size) to j as a JSON object. Returns false if the data are too short for the
 * fields. When out of memory, j->failed is set. */
bool tp_format_write(const struct tp_format *f, const uint8_t *raw, size_t size, bool swap,
		     struct json *j);

#endif
