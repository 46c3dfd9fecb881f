/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer target: reads arbitrary bytes as a log of the tracker, with the stack of each event. */
#include <stdlib.h>
#include <string.h>

#include "tracklog/tracklog.h"

#include "../unit/tracklog_stack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

static void read_words(const uint64_t *words, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sink += words[i];
}

static void use_event(struct tl_log *log, const struct tl_event *e)
{
	read_words(e->policy.nodes, e->policy.nwords);
	read_words(e->cpus, e->ncpuwords);
	for (uint32_t i = 0; i < e->homes.count; i++)
		sink += (uint64_t)e->homes.nodes[i];
	if (e->name)
		sink += strlen(e->name);
	if (e->stack) {
		const struct log_stack s = log_stack(log, e->stack);

		read_words(s.pcs, s.n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tl_log *log = NULL;
	struct tl_event e;

	if (tl_open_mem(data, size, &log, NULL))
		return 0;
	sink += strlen(tl_info(log)->exe) + strlen(tl_info(log)->command);
	while (tl_next(log, &e, NULL) == 1)
		use_event(log, &e);
	tl_close(log);
	return 0;
}
