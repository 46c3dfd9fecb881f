/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Untrusted text for terminals, databases, shells, CSV, TSV, JSON and Markdown. */
#ifndef MEMDB_BASE_ESCAPE_H
#define MEMDB_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Number of terminal columns of escape_text(s). */
int escape_width(const char *s);

/* s with control characters, direction marks and invalid UTF-8 escaped. */
void escape_text(const char *s, FILE *out);

/* Prints a sentence and a newline on stderr, escaped as by escape_text(). */
void escape_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* s in quotes, so that a shell reads it as one word and a terminal shows it. */
void escape_shell(const char *s, FILE *out);

/* Length of s after escaping invalid UTF-8: strlen(s) if it is all valid. */
size_t escape_utf8_size(const char *s);

/* Writes that text to `to`, without a NUL. */
void escape_utf8(const char *s, char *to);

/* A text shortened to a number of columns: s[0..head), "…", then s + tail to the end. */
struct escape_cut {
	size_t head, tail; /* bytes; both are strlen(s) if nothing is cut */
	int width;         /* columns, including that of "…": at most the requested number */
};

/* Shortens s in its middle to at most max columns (2 or more), never inside a character as
 * escape_text() prints it. */
struct escape_cut escape_cut(const char *s, int max);

/* Prints s as escape_text() does, shortened. */
void escape_text_cut(const char *s, const struct escape_cut *cut, FILE *out);

/* A field of a CSV file, quoted if necessary. Line breaks and tabs are kept. */
void escape_csv(const char *s, FILE *out);

/* A field of tab-separated values: tabs, line breaks and backslashes as \t, \n, \r and \\. */
void escape_tsv(const char *s, FILE *out);

/* A cell of a table in Markdown: as by escape_text(), what Markdown and HTML give a meaning to
 * escaped. */
void escape_markdown(const char *s, FILE *out);

/* A JSON string with its quotes. Invalid UTF-8 becomes U+FFFD. */
void escape_json(const char *s, FILE *out);

#endif
