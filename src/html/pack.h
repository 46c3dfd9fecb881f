/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes bytes as text inside HTML, which the page's script decodes. */
#ifndef MEMDB_HTML_PACK_H
#define MEMDB_HTML_PACK_H

#include <stddef.h>

#include "base/err.h"

/*
 * Compresses data in zlib's format and encodes the result in base64, which is safe inside HTML. The
 * caller frees *text, which does not end with NUL. Returns 0 or MD_ENOMEM.
 */
int pack_text(const unsigned char *data, size_t size, char **text, size_t *len, struct md_err *err);

#endif
