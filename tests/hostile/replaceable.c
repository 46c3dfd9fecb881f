/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two libraries that replaced.c loads. ROOM is larger than the gaps between libraries, and less
 * than what the kernel maps at a multiple of 2 MiB. */
#include "hostile.h"

void replaceable_run(void);

static char room[ROOM << 10];

void replaceable_run(void)
{
	keep(room);
	pairs(1);
}
