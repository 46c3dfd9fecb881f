/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads symbol tables that are text files. Internal to this folder. */
#ifndef MEMDB_SYMBOL_TEXT_SYMBOLS_H
#define MEMDB_SYMBOL_TEXT_SYMBOLS_H

#include "base/err.h"

/* Reads a regular file, but at most its first 256 MiB, and appends a NUL. The file may be in /proc,
 * where files have no size. The caller frees *text, also after an error. Returns 0, MD_EIO or
 * MD_ENOMEM. */
int text_read(const char *path, char **text, struct md_err *err);

/* Stores the sentence for a text file that needs more memory than there is. Returns MD_ENOMEM. */
int text_nomem(const char *path, struct md_err *err);

/* Cuts the next line off *text and returns it; NULL at the end. */
char *text_line(char **text);

#endif
