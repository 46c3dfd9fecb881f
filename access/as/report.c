/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the accesses that the checks in a program report (as/entry.S). A check makes a report
 * when its counter, the number of accesses that need no report, has become negative. */
#ifdef __x86_64__
#include "as/report.h"

#include <cpuid.h>

#include "as/entry.h"
#include "as/vdso.h"
#include "soft.h"

uint8_t soft_xsave;
uint64_t soft_source[2];

static void learn_xsave(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return;
	soft_xsave = XSAVE_PLAIN;
	if (__get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & bit_XSAVEC))
		soft_xsave = XSAVE_COMPACT;
}

__attribute__((constructor(101))) static void prepare(void)
{
	for (int store = 0; store < 2; store++)
		soft_source[store] = source_of(store, LEVEL_ANY, false, MOVEMENT_UNKNOWN);
	vdso_find();
	learn_xsave();
}

void soft_report(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame)
{
	const struct access a = { ip, address, entry_bytes(what),
				  what & (ACCESS_LOAD | ACCESS_STORE) };

	soft_look(&a, what >> ENTRY_LANE_SHIFT, soft_find_path, frame);
}

void soft_report_repeated(uint64_t address, uint64_t ip, unsigned what, uint64_t n,
			  const void *frame)
{
	const unsigned bytes = entry_bytes(what);

	memdb_soft_far[0] += (int64_t)n;
	if (memdb_soft_far[0] > memdb_soft_granted[0])
		memdb_soft_far[0] = memdb_soft_granted[0];
	for (; n; n--, address += bytes)
		if (--memdb_soft_far[0] < 0)
			soft_report(address, ip, what, n, frame);
}
#endif
