/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escapes untrusted text for terminals, databases, shells, CSV, TSV, JSON and Markdown. */
#ifndef MEMDB_BASE_ESCAPE_H
#define MEMDB_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Returns how many columns of a terminal s needs if escape_text() prints it. */
int escape_width(const char *s);

/* Prints s with its control characters, direction marks and invalid UTF-8 escaped. */
void escape_text(const char *s, FILE *out);

/* Prints a sentence and a newline on stderr, escaped like escape_text(). */
void escape_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints s in quotes, as one word of a shell. Escapes everything that a terminal cannot show. */
void escape_shell(const char *s, FILE *out);

/* Returns how many bytes escape_utf8() writes for s; strlen(s) if all of s is valid UTF-8. */
size_t escape_utf8_size(const char *s);

/* Writes s, with invalid UTF-8 escaped, to the buffer `to`, which must have room for
 * escape_utf8_size(s) bytes. Adds no NUL. */
void escape_utf8(const char *s, char *to);

/* Returns the width of the last word of s if it is a place in the source, FILE:LINE; otherwise 0.
 */
int escape_place(const char *s);

/* How to shorten a text: keep s[0..head), then print "…", then keep s from byte `tail` on. */
struct escape_cut {
	size_t head, tail; /* number of bytes; both are strlen(s) if nothing is cut */
	/* columns that the shortened text takes, with its "…"; at most `max` of escape_cut() */
	int width;
};

/* Finds how to shorten s in its middle to at most `max` columns (2 or more). Never cuts a
 * character, nor the escape sequence that escape_text() prints for one. If s ends with a place
 * (escape_place()), as much of the place as possible is kept. */
struct escape_cut escape_cut(const char *s, int max);

/* Like escape_cut(), but keeps `wanted` columns (less than `max`) of the start of s, or fewer if
 * its place needs them, and the end of s in the other columns. With ESCAPE_MIDDLE, it is
 * escape_cut(). */
enum { ESCAPE_MIDDLE = -1 };
struct escape_cut escape_cut_after(const char *s, int max, int wanted);

/* Prints the parts of s that escape_cut() kept, with "…" between them, escaped like
 * escape_text(). */
void escape_text_cut(const char *s, const struct escape_cut *cut, FILE *out);

/* Prints a field of a CSV file, quoted if necessary. Keeps line breaks and tabs; escapes all else
 * like escape_text(). */
void escape_csv(const char *s, FILE *out);

/*
 * Prints a field of tab-separated values, with tabs, line breaks and backslashes as \t, \n, \r and
 * \\. Escapes all else like escape_text().
 */
void escape_tsv(const char *s, FILE *out);

/*
 * Prints a cell of a Markdown table: like escape_text(), and escapes characters that have a meaning
 * in Markdown or HTML.
 */
void escape_markdown(const char *s, FILE *out);

/* Prints a JSON string with its quotes. Invalid UTF-8 becomes U+FFFD. */
void escape_json(const char *s, FILE *out);

#endif
