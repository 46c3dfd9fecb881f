/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of enum addr_reason and enum addr_source, as in the database tables addr_reasons and
 * addr_sources. */
#include "base/count.h"
#include "decode/decode.h"

const char *addr_reason_name(enum addr_reason r)
{
	static const char *const names[] = {
		[ADDR_OK] = "ok",
		[ADDR_NO_OPERAND] = "no-operand",
		[ADDR_CLOBBERED] = "clobbered",
		[ADDR_NO_CODE] = "no-code",
		[ADDR_SEGMENT] = "fs-relative",
		[ADDR_NO_REGISTERS] = "no-registers",
		[ADDR_KERNEL] = "kernel",
		[ADDR_BAD_CODE] = "bad-code",
		[ADDR_VECTOR] = "vector",
		[ADDR_NOT_SAMPLED] = "not-sampled",
		[ADDR_OPAQUE] = "opaque",
	};
	ASSERT_NAMES(names, ADDR_REASONS - 1);

	return (unsigned)r < ADDR_REASONS ? names[r] : "unknown";
}

const char *addr_source_name(enum addr_source s)
{
	static const char *const names[] = {
		[ADDR_NONE] = "none",           [ADDR_HARDWARE] = "hardware",
		[ADDR_RETIRED] = "retired",     [ADDR_NEXT] = "next",
		[ADDR_FAULT] = "fault",         [ADDR_AGAIN] = "again",
		[ADDR_RECOVERED] = "recovered", [ADDR_EARLIER] = "earlier",
		[ADDR_OBJECT] = "object",       [ADDR_NEARBY] = "nearby",
	};
	ASSERT_NAMES(names, ADDR_NEARBY);

	return (unsigned)s < ADDR_SOURCES ? names[s] : NULL;
}
