/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer target: reads arbitrary bytes as a follow.log, and uses every field of its records. */
#include <stdlib.h>
#include <string.h>

#include "tracklog/follow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

static void use(const struct fl_record *r)
{
	if (r->kind < FL_NODE || r->kind > FL_BALANCING)
		abort();
	sink += r->text ? strlen(r->text) : 0;
	sink += r->more ? strlen(r->more) : 0;
	for (uint32_t i = 0; i < r->count; i++)
		sink += (uint64_t)r->nodes[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct md_err err = { 0 };
	struct fl_record r;
	struct fl_log *log;
	/* exactly as large as the input, so that sanitizers detect a read outside of it */
	char *text = malloc(size ? size : 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (fl_open_mem(text, size, &log, &err)) {
		if (log || !err.msg[0])
			abort();
		free(text);
		return 0;
	}
	while (fl_next(log, &r, NULL) == 1)
		use(&r);
	sink += fl_skipped(log);
	fl_close(log);
	free(text);
	return 0;
}
