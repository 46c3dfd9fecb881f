/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON text in a buffer that is used again and again: for one object per record, where a tree of
 * values would cost more than the record. What is open and what needs a comma is the caller's.
 */
#ifndef MEMDB_BASE_JSON_H
#define MEMDB_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
	char *text; /* NUL-terminated after json_end() */
	size_t len, cap;
	bool failed; /* out of memory: what was added since then is missing */
};

/* { 0 } is an empty buffer. */
void json_release(struct json *j);

/* Empties the buffer, keeps its memory. */
void json_reset(struct json *j);

/* Bytes that are JSON already. */
void json_raw(struct json *j, const char *s, size_t n);

/* The n bytes of s as a string with its quotes. Bytes that are no UTF-8 become U+FFFD each. */
void json_string(struct json *j, const char *s, size_t n);

void json_int(struct json *j, int64_t v);

/* The bytes as a string of two hexadecimal digits each, in their order. */
void json_hex(struct json *j, const uint8_t *p, size_t n);

/* The text with its NUL, or NULL when memory ran out. Valid until the next call. */
const char *json_end(struct json *j);

#endif
