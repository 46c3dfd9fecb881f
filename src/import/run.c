/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/pipeline.h"

/* Returns the time of day at `start`; 0 if perf stored no reading of the wall clock together with a
 * reading of its own clock. */
static uint64_t started_realtime(struct import *im, uint64_t start)
{
	const struct pd_features *f = pd_features(im->in.perf);
	uint64_t ref = clock_time(im, f->clock_ref_ns);

	return ref && start ? f->clock_ref_realtime_ns + (start - ref) : 0;
}

/* Returns perf's command line, joined by blanks; the caller frees it. NULL means unknown. */
static char *perf_words(const struct pd_features *f)
{
	char *all = NULL;
	size_t len = 0;
	FILE *out = f->ncmdline ? open_memstream(&all, &len) : NULL;

	if (!out)
		return NULL;
	for (uint32_t i = 0; i < f->ncmdline; i++)
		fprintf(out, "%s%s", i ? " " : "", f->cmdline[i]);
	fclose(out);
	return all;
}

/* Returns the CPU's name, with a remark if it is emulated; the caller frees it. NULL means unknown.
 */
static char *cpu_words(const struct import *im)
{
	const char *cpu = pd_features(im->in.perf)->cpudesc, *emulator = im->in.recording.emulator;
	char *all = NULL;

	if (!emulator || (cpu && strstr(cpu, emulator)))
		return cpu ? strdup(cpu) : NULL;
	return asprintf(&all, "%s, emulated by %s", cpu ? cpu : "CPU", emulator) < 0 ? NULL : all;
}

/* Fills in the values that may be unknown or assumed. */
static void fill_optional(struct row_run *row, const struct recording *r, bool sampled_blocks)
{
	struct wait_caches caches = wait_caches_default;

	wait_caches_set(&caches, r->cache_bytes);
	row->l1_bytes = (int64_t)caches.level[0].bytes;
	row->l2_bytes = (int64_t)caches.level[1].bytes;
	row->l3_bytes = (int64_t)caches.level[2].bytes;
	if (sampled_blocks)
		row->has |= HAS_RUN_SAMPLE;
	if (r->has_exit_code)
		row->has |= HAS_RUN_EXIT_CODE;
	if (r->has_exit_signal)
		row->has |= HAS_RUN_EXIT_SIGNAL;
}

void run_write(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);
	const struct recording *r = &im->in.recording;
	char *perf_command = perf_words(f), *cpu = cpu_words(im);
	struct row_run row = {
		.id = 1,
		.command = r->command,
		.directory = r->cwd,
		.hostname = first_text(f->hostname, r->hostname),
		.osrelease = first_text(f->osrelease, r->kernel),
		.arch = first_text(f->arch, r->arch),
		.cpudesc = cpu,
		.memdb_version = MEMDB_VERSION,
		.perf_version = first_text(f->version, r->perf_version),
		.perf_command = first_text(perf_command, r->perf_command),
		.sampler = r->sampler,
		.caches = r->caches ? r->caches : "assumed",
		.clock = im->in.clock.name,
		.recorded_clock = clock_name(f),
		.clock_conversion = im->in.clock.how[0] ? im->in.clock.how : NULL,
		.started_realtime_ns =
			(int64_t)(r->start_realtime_ns ? r->start_realtime_ns
						       : started_realtime(im, im->out.first_time)),
		.start_ns = (int64_t)(r->start_ns ? r->start_ns : im->out.first_time),
		.end_ns = (int64_t)(r->end_ns ? r->end_ns : im->out.last_time),
		.tracked = im->in.tracks.n > 0,
		.damaged = im->r->damage[0],
		.sample_every = im->in.tracks.sample_every,
		.sample_bytes = (int64_t)im->in.tracks.sample_bytes,
		.page_bytes = (int64_t)im->model.topology.page_bytes,
		.exit_code = r->exit_code,
		.exit_signal = r->exit_signal,
		.keep_bytes = (int64_t)im->o->keep_bytes,
		.keep_most = (int64_t)im->o->keep_most,
	};

	fill_optional(&row, r, im->in.tracks.sample_every);
	writer_put_run(im->out.w, &row);
	free(perf_command);
	free(cpu);
}
