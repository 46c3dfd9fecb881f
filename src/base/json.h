/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds JSON text in a reusable buffer. It is meant for one object per record, where a tree of
 * values would cost more than the record itself. The caller keeps track of open brackets and
 * commas.
 */
#ifndef MEMDB_BASE_JSON_H
#define MEMDB_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
	char *text; /* NUL-terminated after json_end() */
	size_t len, cap;
	bool failed; /* out of memory: later additions are missing */
};

/* Frees the text and leaves an empty buffer. { 0 } is an empty buffer. */
void json_release(struct json *j);

/* Empties the buffer but keeps its memory. */
void json_reset(struct json *j);

/* Appends bytes that are already JSON. */
void json_raw(struct json *j, const char *s, size_t n);

/* Appends the n bytes of s as a quoted string. Each byte of invalid UTF-8 becomes U+FFFD. */
void json_string(struct json *j, const char *s, size_t n);

void json_int(struct json *j, int64_t v);

/* Appends the bytes as a string of hexadecimal digits, two per byte, in order. */
void json_hex(struct json *j, const uint8_t *p, size_t n);

/* Returns the NUL-terminated text, or NULL if memory ran out. Valid until the next call. */
const char *json_end(struct json *j);

#endif
