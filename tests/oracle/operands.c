/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads instructions, one per line of standard input. Prints for each how many bytes of memory it
 * accesses according to the assembler of the sampler soft; 0 if none. */
#include <stdio.h>
#include <string.h>

#include "as/x86.h"

int main(void)
{
	char line[4096];
	struct x86 x;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		x86_parse(line, &x);
		printf("%u\n", x.naccesses ? x.access[0].bytes : 0);
	}
	return 0;
}
