/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Untrusted text for terminals, CSV and JSON. */
#ifndef MEMDB_DATABASE_ESCAPE_H
#define MEMDB_DATABASE_ESCAPE_H

#include <stdio.h>

/* How many columns of a terminal escape_text(s) takes. */
int escape_width(const char *s);

/* s with control characters, direction marks and bytes that are no UTF-8 escaped. */
void escape_text(const char *s, FILE *out);

/* A field of a CSV file: quoted where it must be. Line breaks and tabs stay as they are. */
void escape_csv(const char *s, FILE *out);

/* A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void escape_json(const char *s, FILE *out);

#endif
