/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb exec-target --job=FD -- PROGRAM ARG...: starts the recorded program. memdb record starts
 * perf, and perf runs this command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "record/job.h"

static int run(int argc, char **argv)
{
	static const char option[] = "--job=";
	struct md_err err;
	struct job j;
	int fd, ret;

	if (argc < 4 || strncmp(argv[1], option, sizeof(option) - 1) || strcmp(argv[2], "--")) {
		fputs("memdb exec-target: for memdb record only\n", stderr);
		return EXIT_BAD_USAGE;
	}
	fd = atoi(argv[1] + sizeof(option) - 1);
	ret = job_receive(fd, &j, &err);
	close(fd);
	if (ret)
		cmd_report_error(&cmd_exec_target, &err);
	else if (j.path.n == 1)
		ret = job_run(&j, argv + 3);
	job_release(&j);
	return ret < 0 ? EXIT_RECORD_FAILED : ret;
}

const struct cmd cmd_exec_target = {
	.name = "exec-target",
	.summary = "internal",
	.run = run,
};
