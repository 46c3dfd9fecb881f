/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library that loaded.c loads. */
#include "hostile.h"

void plugin_run(void);

void plugin_run(void)
{
	pairs(2);
}
