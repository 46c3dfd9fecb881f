/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of symbols that are text. Only for the sources of this folder. */
#ifndef MEMDB_SYMBOL_TEXT_H
#define MEMDB_SYMBOL_TEXT_H

#include "base/err.h"

/* Reads a regular file whole (also one of /proc, which has no size), up to 256 MiB, with a NUL
 * behind it. The caller frees *text. MD_EIO, MD_ENOMEM. */
int text_read(const char *path, char **text, struct md_err *err);

/* Cuts the next line off *text: NULL at the end. */
char *text_line(char **text);

#endif
