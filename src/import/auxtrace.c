/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts AUX traces to samples. Arm's SPE (Statistical Profiling Extension) writes memory samples
 * into such a trace, in a format of its own. perf inject converts the trace into a temporary file
 * next to the output. memdb unlinks that file as soon as it is open. If perf inject fails, the rest
 * of the recording is imported, and the reason is written to the table `losses`. Traces of other
 * hardware contain no memory samples. */
#include "import/auxtrace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/count.h"
#include "base/tempfile.h"
#include "import/pipeline.h"
#include "perfdata/inject.h"

/* PERF_AUXTRACE_* of tools/perf/util/auxtrace.h */
enum {
	AUXTRACE_INTEL_PT = 1,
	AUXTRACE_INTEL_BTS,
	AUXTRACE_CS_ETM,
	AUXTRACE_ARM_SPE,
	AUXTRACE_S390_CPUMSF,
	AUXTRACE_HISI_PTT,
};

/* Returns the name of the hardware that wrote a trace of this kind (PERF_AUXTRACE_*). Returns
 * "another kind" if memdb does not know the kind, and NULL for 0, which means that there is no
 * trace. */
static const char *kind_name(uint32_t kind)
{
	static const char *const names[] = {
		[AUXTRACE_INTEL_PT] = "Intel PT",       [AUXTRACE_INTEL_BTS] = "Intel BTS",
		[AUXTRACE_CS_ETM] = "CoreSight",        [AUXTRACE_ARM_SPE] = "Arm SPE",
		[AUXTRACE_S390_CPUMSF] = "S390 CPUMSF", [AUXTRACE_HISI_PTT] = "HiSilicon PTT",
	};
	ASSERT_NAMES(names, AUXTRACE_HISI_PTT);

	return kind < COUNT_OF(names) ? names[kind] : "another kind";
}

/* Replaces the recording to import with the file at `path`, which perf inject has written. If that
 * file cannot be read, keeps the recording and sets aux.why. */
static void reopen_injected(struct import *im, const char *path)
{
	struct md_err why = { 0 };
	struct pd_file *f;

	if (pd_open_path(path, NULL, &f, &why)) {
		snprintf(im->in.aux.why, sizeof(im->in.aux.why), "what perf inject made: %.200s",
			 why.msg);
		return;
	}
	pd_close(im->in.perf);
	im->in.perf = f;
	im->in.aux.why[0] = 0;
}

/* Runs perf inject, which writes to `path` a copy of the recording with samples in place of the
 * trace. Returns 0 or MD_EINTR. */
static int inject_samples(struct import *im, const char *path)
{
	struct pd_inject j = {
		.perf = "perf",
		.from = im->in.perf_path,
		.to = path,
		.log_fd = memfd_create("perf", MFD_CLOEXEC),
		.idle_seconds = im->o->inject_idle_seconds,
		.stop = im->o->stop,
	};
	struct md_err why = { 0 };
	int ret = pd_inject(&j, &why);

	close(j.log_fd);
	if (ret == MD_EINTR)
		return md_fail(im->err, MD_EINTR, "%s", why.msg);
	snprintf(im->in.aux.why, sizeof(im->in.aux.why), "%.250s", why.msg);
	if (!ret)
		reopen_injected(im, path);
	return 0;
}

/* Must run before the records are sorted, because the converted file replaces the recording. If a
 * trace cannot be converted, its samples are reported as lost, and the import goes on. */
int auxtrace_open(struct import *im)
{
	uint32_t kind = pd_features(im->in.perf)->auxtrace;
	struct tempfile made;
	int ret;

	im->in.aux.kind = kind_name(kind);
	im->in.aux.has_spe = kind == AUXTRACE_ARM_SPE;
	if (!im->in.aux.kind)
		return 0;
	snprintf(im->in.aux.why, sizeof(im->in.aux.why), "it holds no memory samples");
	if (kind != AUXTRACE_ARM_SPE)
		return 0;
	snprintf(im->in.aux.why, sizeof(im->in.aux.why),
		 "save the recording in a file: perf reads it again");
	if (!strcmp(im->o->input, "-"))
		return 0;
	ret = tempfile_create(im->o->output, &made, im->err);
	if (ret)
		return ret;
	ret = inject_samples(im, made.path);
	tempfile_remove(&made);
	return ret;
}
