/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <argp.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "record/machine.h"
#include "record/sampler.h"

static int run(int argc, char **argv)
{
	struct sampling sampling = SAMPLING_DEFAULT;
	struct machine m;
	bool any = false;

	machine_read(&m, "");
	for (int i = 0; i < SAMPLERS; i++) {
		struct sampler_plan plan;
		struct md_err err;
		int ret = sampler_choose((enum sampler)i, 0, &m, &sampling, &plan, &err);

		printf("%-6s %s\n", sampler_name((enum sampler)i), ret ? err.msg : "works");
		any |= !ret;
	}
	return any ? EXIT_OK : EXIT_FAILED;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "say what recording needs here and what is missing",
	.run = run,
};
