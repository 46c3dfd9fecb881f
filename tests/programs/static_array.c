/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static variables of three kinds: in .bss, in .data, and inside a function. */
#include "work.h"

enum { COUNT = 2 << 20 };

uint64_t table_bss[COUNT];
static uint64_t table_data[COUNT / 2] = { 1 };

static void use_local_static(int64_t budget)
{
	static uint64_t table_local[COUNT];

	work_on("table_local", table_local, COUNT, budget);
}

int main(int argc, char **argv)
{
	int64_t budget = work_ns(argc, argv, 0.6);

	work_on("table_bss", table_bss, COUNT, budget);
	work_on("table_data", table_data, COUNT / 2, budget);
	use_local_static(budget);
	return 0;
}
