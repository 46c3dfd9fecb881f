/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces the page in a build without npm, which web/ needs: both parts are empty. */
#include "html/template.h"

const char html_before[] = "", html_after[] = "";
const size_t html_before_size = 0, html_after_size = 0;
