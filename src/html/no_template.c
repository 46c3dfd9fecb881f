/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An empty page, for a build without npm, in which web/ cannot be built. */
#include "html/template.h"

const char html_before[] = "", html_after[] = "";
const size_t html_before_size = 0, html_after_size = 0;
