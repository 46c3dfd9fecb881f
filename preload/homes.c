/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "clock.h"
#include "policy.h"
#include "rawcall.h"
#include "text.h"

enum { HOMES_MOST = 32 }; /* pages asked of one block: the stack may be small */

bool homes_matter(void)
{
	char text[64];

	/* "0", or a list or range of several */
	return text_read_file("/sys/devices/system/node/online", text, sizeof(text)) > 0 &&
	       (strchr(text, '-') || strchr(text, ','));
}

void homes_record(struct thread *t, uint64_t address, uint64_t size)
{
	uint64_t first = (address + 4095) & ~(uint64_t)4095,
		 pages = (address + size - first) / 4096;
	uint64_t step = 4096 * ((pages + HOMES_MOST - 1) / HOMES_MOST), asked[HOMES_MOST];
	struct track_event ev = { .ticks = clock_ticks(),
				  .address = first,
				  .size = size,
				  .stack = STACK_TRUNCATED,
				  .mode = (uint32_t)step };
	int32_t nodes[HOMES_MOST];
	uint32_t n = 0;

	if (image.sealed || !pages || step > UINT32_MAX)
		return;
	for (; n < HOMES_MOST && n * step < pages * 4096; n++)
		asked[n] = first + n * step;
	if (rawcall6(SYS_move_pages, 0, n, (long)asked, 0, (long)nodes, 0) < 0)
		return;
	ev.extra = n;
	log_event(t, &ev, TL_HOMES, TL_FN_NONE, nodes, sizeof(nodes[0]));
}
