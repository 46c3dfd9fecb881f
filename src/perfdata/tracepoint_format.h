/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event's description, parsed once and applied to the raw data of its samples. */
#ifndef MEMDB_PERFDATA_TRACEPOINT_FORMAT_H
#define MEMDB_PERFDATA_TRACEPOINT_FORMAT_H

#include "base/json.h"
#include "perfdata/perfdata.h"

enum tp_kind { TP_NUMBER, TP_TEXT, TP_NUMBERS, TP_BYTES };

enum {
	TP_MAX_FIELDS = 128,  /* a probe has at most so many arguments */
	TP_MAX_NAME = 64,     /* bytes of a field's name */
	TP_MAX_LINE = 512,    /* bytes of a field's declaration */
	TP_MAX_TEXT = 32768,  /* bytes of all declarations */
	TP_MAX_BYTES = 65535, /* fields of an event: no record holds more */
};

struct tp_field {
	char key[TP_MAX_NAME + 5]; /* ,"name": */
	uint8_t key_len;
	uint8_t kind;          /* enum tp_kind */
	uint8_t width;         /* of a number, 1, 2, 4 or 8 bytes */
	bool is_signed;        /* of numbers */
	bool is_dynamic;       /* the field holds the array's offset and length */
	bool is_relative;      /* that offset is relative to the end of the field */
	uint32_t offset, size; /* bytes */
};

struct tp_format {
	struct tp_field *fields;
	uint32_t count;
};

/*
 * Understands o->text. long_bytes is the size of a long of the recording kernel. Returns 0, or with
 * *out empty:
 *   MD_EFORMAT  it is not what a kernel writes, or beyond the limits above
 *   MD_ENOMEM
 */
int tp_format_parse(const struct pd_format *o, unsigned long_bytes, struct tp_format *out,
		    struct md_err *err);
void tp_format_release(struct tp_format *f);

/* Appends raw[0..size) as a JSON object. False if the data are too short for the fields.
 * j->failed says if memory ran out. */
bool tp_format_write(const struct tp_format *f, const uint8_t *raw, size_t size, bool swap,
		     struct json *j);

#endif
