/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small text work on raw system calls: files of /proc, numbers, the variables of an environment. */
#ifndef MEMDB_PRELOAD_TEXT_H
#define MEMDB_PRELOAD_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Reads at most cap - 1 bytes of a file and puts a NUL after them. Returns how many, or -errno. */
long text_read_file(const char *path, char *buf, size_t cap);

/* The value in NAME=value, or NULL where the entry is of another name. */
const char *text_value(const char *entry, const char *name);

/* The value of NAME=value in a block of NUL-terminated strings, or NULL. */
const char *text_variable(const char *block, size_t len, const char *name);

/* The number after "name=" in "a=1,name=2,…" (decimal), or missing. */
uint64_t text_option(const char *options, const char *name, uint64_t missing);

/* The word after "name=" begins with value. */
int text_option_is(const char *options, const char *name, const char *value);

/* Appends to buf, which has room for cap bytes and holds *len; cut where it does not fit, always
 * NUL-terminated. */
void text_add(char *buf, size_t cap, size_t *len, const char *s);
void text_add_number(char *buf, size_t cap, size_t *len, uint64_t n);

#endif
