/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds JSON text in a buffer, which can be emptied and used for the next text. Made for one small
 * object per record: JSON libraries first build a tree of values, which would take longer than all
 * other work for the record. The caller must write brackets and commas itself. */
#ifndef MEMDB_BASE_JSON_H
#define MEMDB_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
	char *text; /* terminated by NUL after json_end() */
	size_t len, cap;
	bool failed; /* memory ran out; nothing more is added until json_reset() */
};

/* Frees the text. A struct of zeros is an empty buffer. */
void json_release(struct json *j);

/* Empties the buffer and keeps its memory. */
void json_reset(struct json *j);

/* Appends bytes that are already JSON. */
void json_raw(struct json *j, const char *s, size_t n);

/* Appends the n bytes of s as a quoted string. Each byte of invalid UTF-8 becomes U+FFFD. */
void json_string(struct json *j, const char *s, size_t n);

void json_int(struct json *j, int64_t v);

/* Appends bytes as a string of hexadecimal digits, two for each byte. */
void json_hex(struct json *j, const uint8_t *p, size_t n);

/* Returns the text, terminated by NUL; NULL means that memory ran out. Valid until the buffer
 * changes. */
const char *json_end(struct json *j);

#endif
