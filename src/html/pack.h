/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes as text that a browser unpacks. */
#ifndef MEMDB_HTML_PACK_H
#define MEMDB_HTML_PACK_H

#include <stddef.h>

#include "base/err.h"

/*
 * Compresses data (zlib's format) and writes it in base64, which no HTML parser trips over. The
 * caller frees *text, which is not terminated. MD_ENOMEM.
 */
int pack_text(const unsigned char *data, size_t size, char **text, size_t *len, struct md_err *err);

#endif
