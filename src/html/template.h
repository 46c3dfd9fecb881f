/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page that is built from web/: the parts before and after the data. Both are empty if memdb
 * was built without the page.
 */
#ifndef MEMDB_HTML_TEMPLATE_H
#define MEMDB_HTML_TEMPLATE_H

#include <stddef.h>

extern const char html_before[], html_after[];
extern const size_t html_before_size, html_after_size; /* bytes, without the NUL at the end */

#endif
