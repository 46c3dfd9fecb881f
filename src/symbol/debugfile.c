/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/file.h"

void file_find_debug(struct sym_file *f)
{
	if (f->debug_searched)
		return;
	f->debug_searched = true;
}
