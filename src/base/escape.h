/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Untrusted text for terminals, databases, shells, CSV and JSON. */
#ifndef MEMDB_BASE_ESCAPE_H
#define MEMDB_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* How many columns of a terminal escape_text(s) takes. */
int escape_width(const char *s);

/* s with control characters, direction marks and bytes that are no UTF-8 escaped. */
void escape_text(const char *s, FILE *out);

/* Prints a sentence and the end of the line on stderr, as escape_text() does. */
void escape_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* s in quotes, so that a shell reads it as one word and a terminal shows it. */
void escape_shell(const char *s, FILE *out);

/* How many bytes s takes where those that are no UTF-8 are escaped: as many as it has where all of
 * it is UTF-8. */
size_t escape_utf8_size(const char *s);

/* Writes it to `to`, without a NUL. */
void escape_utf8(const char *s, char *to);

/* A text cut to a number of columns: s[0..head), "…", s + tail to its end. */
struct escape_cut {
	size_t head, tail; /* bytes; both are strlen(s) where nothing is cut */
	int width;         /* columns, that of "…" included: at most what was asked for */
};

/* Cuts s in its middle to at most max columns (2 or more), between characters as escape_text()
 * prints them. */
struct escape_cut escape_cut(const char *s, int max);

/* s as escape_text() prints it, cut. */
void escape_text_cut(const char *s, const struct escape_cut *cut, FILE *out);

/* A field of a CSV file: quoted where it must be. Line breaks and tabs stay as they are. */
void escape_csv(const char *s, FILE *out);

/* A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void escape_json(const char *s, FILE *out);

#endif
