/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX traces. Arm's SPE writes its memory samples into one, in packets of its own: perf inject
 * turns them into samples, into a file beside the output that has no name any more while it is
 * read. Where perf cannot, the rest of the recording is imported and losses say why. Traces of
 * other kinds hold no memory samples.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import/pipeline.h"

enum { AUXTRACE_ARM_SPE = 4 };

/* PERF_AUXTRACE_* of tools/perf/util/auxtrace.h */
static const char *kind_name(uint32_t kind)
{
	static const char *const names[] = { NULL,      "Intel PT",    "Intel BTS",    "CoreSight",
					     "Arm SPE", "S390 CPUMSF", "HiSilicon PTT" };

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "another kind";
}

/* The environment without LD_PRELOAD, which is for programs under test; to be freed. */
static char **environment(void)
{
	size_t n = 0, kept = 0;
	char **copy;

	while (environ[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11))
			copy[kept++] = environ[i];
	return copy;
}

/* Runs it with its words going to `said`: its status as of wait(), -1 where it could not be run. */
static int run_perf(char *const argv[], int said)
{
	posix_spawn_file_actions_t files;
	char **env = environment();
	int status = -1;
	pid_t pid;

	if (!env || posix_spawn_file_actions_init(&files)) {
		free(env);
		return -1;
	}
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, said, 1);
	posix_spawn_file_actions_adddup2(&files, said, 2);
	if (posix_spawnp(&pid, argv[0], &files, NULL, argv, env) || waitpid(pid, &status, 0) < 0)
		status = -1;
	posix_spawn_file_actions_destroy(&files);
	free(env);
	return status;
}

/* What perf said first, or how it ended. */
static void explain(int said, int status, char *line, size_t size)
{
	FILE *f = said >= 0 ? fdopen(said, "r") : NULL;
	bool found = false;

	if (f)
		rewind(f);
	while (f && !found && fgets(line, (int)size, f)) {
		line[strcspn(line, "\n")] = 0;
		found = line[strspn(line, " \t")];
	}
	if (!found && status < 0)
		snprintf(line, size, "it could not be run");
	else if (!found && WIFSIGNALED(status))
		snprintf(line, size, "it died of signal %d", WTERMSIG(status));
	else if (!found)
		snprintf(line, size, "it failed without a word");
	if (f)
		fclose(f);
	else if (said >= 0)
		close(said);
}

/* Makes perf write the recording with samples to path. */
static bool inject(struct import *im, const char *path)
{
	const char *argv[] = {
		"perf", "inject", "--itrace=M", "-i", im->perf_path, "-o", path, NULL
	};
	int said = memfd_create("perf", MFD_CLOEXEC), status = -1;
	char line[200];

	if (said >= 0)
		status = run_perf((char *const *)argv, said);
	explain(said, status, line, sizeof(line));
	snprintf(im->aux_why, sizeof(im->aux_why), "perf inject --itrace: %s", line);
	return !status;
}

/* Goes on with the file at path instead. */
static void reopen(struct import *im, const char *path)
{
	struct md_err why = { 0 };
	struct pd_file *f;

	if (pd_open_path(path, &f, &why)) {
		snprintf(im->aux_why, sizeof(im->aux_why), "what perf inject made: %.200s",
			 why.msg);
		return;
	}
	pd_close(im->perf);
	im->perf = f;
	im->aux_why[0] = 0;
}

int auxtrace_open(struct import *im)
{
	uint32_t kind = pd_features(im->perf)->auxtrace;
	char *path = NULL;
	int fd;

	im->aux_kind = kind_name(kind);
	if (!im->aux_kind)
		return 0;
	snprintf(im->aux_why, sizeof(im->aux_why), "it holds no memory samples");
	if (kind != AUXTRACE_ARM_SPE)
		return 0;
	snprintf(im->aux_why, sizeof(im->aux_why),
		 "save the recording in a file: perf reads it again");
	if (!strcmp(im->o->input, "-"))
		return 0;
	if (asprintf(&path, "%s.inject-XXXXXX", im->o->output) < 0)
		return md_fail(im->err, MD_ENOMEM, "out of memory");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0) {
		md_fail_errno(im->err, MD_EIO, "cannot create '%s'", path);
		free(path);
		return MD_EIO;
	}
	close(fd); /* empty, and readable for its owner only: perf writes into it */
	if (inject(im, path))
		reopen(im, path);
	unlink(path);
	free(path);
	return 0;
}
