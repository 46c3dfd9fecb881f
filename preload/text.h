/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for text that use only raw system calls: files of /proc, numbers, environment
 * variables. */
#ifndef MEMDB_PRELOAD_TEXT_H
#define MEMDB_PRELOAD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads at most cap - 1 bytes of a file, and terminates them with NUL. Returns their number, or a
 * negative errno. */
long text_read_file(const char *path, char *buf, size_t cap);

/* If `entry` is "NAME=value" with this name, returns the value; otherwise NULL. */
const char *text_value(const char *entry, const char *name);

/* Returns the value of "NAME=value" in a block of strings that end with NUL; NULL if there is
 * none. */
const char *text_variable(const char *block, size_t len, const char *name);

/* Returns the decimal number after "name=" in the text "a=1,name=2,…". If the name does not occur,
 * returns `missing`. */
uint64_t text_option(const char *options, const char *name, uint64_t missing);

/* Returns the decimal number at the start of the text; 0 if there is none. */
uint64_t text_number(const char *text);

/* Does the text "a=1,name=word,…" contain "name=" followed by a word that begins with `value`? */
int text_option_is(const char *options, const char *name, const char *value);

/* Appends s to buf, which has room for cap bytes and contains a string of length *len. Cuts s if
 * necessary; buf always ends with NUL. */
void text_add(char *buf, size_t cap, size_t *len, const char *s);
void text_add_number(char *buf, size_t cap, size_t *len, uint64_t n);

/* Can this string, or this array of strings, which NULL ends, be read up to its end? NULL is not a
 * string, but it is an array. Costs a system call for each page. A sealed process makes none, and
 * believes that all can be read. */
bool text_is_readable(const char *s);
bool text_words_are_readable(char *const *words);

#endif
