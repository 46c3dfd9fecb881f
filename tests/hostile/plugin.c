/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What loaded.c loads. */
#include "hostile.h"

void plugin_run(void);

void plugin_run(void)
{
	pairs(2);
}
