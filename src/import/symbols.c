/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which files on this machine may be used in place of the recorded ones. Finds the symbols
 * of code without a file: the kernel, the vdso, and code generated at run time. A capture of memdb
 * contains them; for a recording made by hand they may still be on this machine. */
#include "import/symbols.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/monotonic.h"
#include "import/pipeline.h"

static const char no_time[] = "the recording does not say when it was made";

/* Sets in *o whether the recording was made on this machine, with the kernel that runs now. */
static void find_host(struct import *im, struct sym_origin *o)
{
	const struct pd_features *f = pd_features(im->in.perf);
	const char *host = first_text(f->hostname, im->in.recording.hostname);
	const char *kernel = first_text(f->osrelease, im->in.recording.kernel);
	struct utsname u;

	o->arch = first_text(f->arch, im->in.recording.arch);
	o->host = SYM_HOST_UNKNOWN;
	o->why = "the recording does not say on which machine it was made";
	if (uname(&u))
		return;
	if (pd_swapped(im->in.perf) || (host && strcmp(host, u.nodename)) ||
	    (o->arch && strcmp(o->arch, u.machine))) {
		o->host = SYM_HOST_OTHER;
	} else if (host) {
		o->why = kernel ? "recorded with another kernel"
				: "the recording does not name its kernel";
		o->host = kernel && !strcmp(kernel, u.release) ? SYM_HOST_SAME : SYM_HOST_UNKNOWN;
	}
}

static int64_t ns_of(const struct timespec *t)
{
	return t->tv_sec * INT64_C(1000000000) + t->tv_nsec;
}

/* Finds when the recording was made, from the recording itself: capture.json, or perf's CLOCK_DATA.
 * The modification time of perf.data only gives an upper bound, because everything in the file was
 * recorded before it. The recording may be much older: the modification time of a copied file is
 * the time of the copy. */
static void find_time(struct import *im, struct sym_origin *o)
{
	const struct pd_features *f = pd_features(im->in.perf);
	const struct recording *r = &im->in.recording;
	struct stat st;

	o->start_ns =
		(int64_t)(r->start_realtime_ns ? r->start_realtime_ns : f->clock_ref_realtime_ns);
	if (r->start_realtime_ns && r->end_ns > r->start_ns)
		o->end_ns = o->start_ns + (int64_t)(r->end_ns - r->start_ns);
	else if (!r->start_realtime_ns && o->start_ns && f->last_sample_ns > f->clock_ref_ns)
		o->end_ns = o->start_ns + (int64_t)(f->last_sample_ns - f->clock_ref_ns);
	else if (!stat(im->in.perf_path, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		o->end_ns = ns_of(&st.st_mtim);
}

/* Was this machine started before `start_ns`, the time of the recording? If so, the recorded kernel
 * is the one that runs now. */
static bool runs_since(int64_t start_ns)
{
	return start_ns &&
	       (int64_t)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME)) < start_ns;
}

/* Returns the build-id of the recorded kernel; NULL means that the recording has none. */
static const struct pd_build_id *recorded_build(const struct pd_features *f)
{
	for (uint32_t i = 0; i < f->nbuild_ids; i++)
		if (!strcmp(f->build_ids[i].path, "[kernel.kallsyms]"))
			return &f->build_ids[i];
	return NULL;
}

/* Is the running kernel the recorded one? If that is likely but not proven, returns true and sets
 * *doubt to the reason for the doubt. */
static bool kernel_fits(struct import *im, const char **doubt)
{
	const struct pd_build_id *recorded = recorded_build(pd_features(im->in.perf));
	struct sym_build_id here = sym_kernel_build_id();

	*doubt = NULL;
	if (im->in.origin.host != SYM_HOST_SAME)
		return false;
	if (recorded && here.size && recorded->size >= here.size)
		return !memcmp(recorded->id, here.bytes, here.size);
	if (!im->in.origin.start_ns)
		*doubt = no_time;
	else if (!runs_since(im->in.origin.start_ns))
		*doubt = "the machine was started again since the recording";
	return true;
}

/* Finds the kernel's symbols: in the capture or, for a recording made by hand on this machine, in
 * the running kernel if it is the recorded one (`fits`). */
static void find_kernel(struct import *im, bool fits, const char *doubt)
{
	struct code *c = &im->model.code;

	c->kallsyms.path = im->in.kallsyms_path;
	if (im->in.kallsyms_path)
		return;
	if (im->in.recording.json)
		c->kernel_problem = "its addresses were hidden from the user who recorded "
				    "(kernel.kptr_restrict)";
	else if (fits)
		c->kallsyms = (struct code_stand_in){ "/proc/kallsyms", doubt };
	else if (im->in.origin.host == SYM_HOST_SAME)
		c->kernel_problem = "the kernel was replaced: its build-id is another";
	else
		c->kernel_problem = "recorded on another machine or kernel, without a copy of "
				    "/proc/kallsyms";
}

/* Finds the vdso: the copy in the capture or, if the running kernel is the recorded one (`fits`),
 * the running kernel's vdso. A build-id cannot show whether that is the recorded vdso, because perf
 * record -z stores none for the vdso. */
static void find_vdso(struct import *im, bool fits, const char *doubt)
{
	im->model.code.vdso.path = im->in.vdso_path;
	if (!im->in.vdso_path && fits)
		im->model.code.vdso = (struct code_stand_in){ "[vdso]", doubt };
}

/* Finds the perf maps (/tmp/perf-PID.map) of generated code. For a recording made by hand on this
 * machine, they may still be where the processes wrote them. A map that is newer than the end of
 * the recording was written by a later process with the same pid, so it is not used. If the end of
 * the recording is unknown, every map is used. */
static void find_jit(struct import *im)
{
	const struct sym_origin *o = &im->in.origin;
	struct code *c = &im->model.code;

	c->jit.path = im->in.jit_dir;
	if (im->in.recording.json || o->host != SYM_HOST_SAME)
		return;
	c->jit = (struct code_stand_in){ "/tmp", o->start_ns ? NULL : no_time };
	c->jit_by = o->end_ns ? (o->end_ns + 999999999) / 1000000000 : INT64_MAX;
}

/* Must be called before the first address is resolved: resolving opens files, and this function
 * decides which files may be opened. */
void symbols_find(struct import *im)
{
	const char *doubt;
	bool fits;

	find_host(im, &im->in.origin);
	find_time(im, &im->in.origin);
	im->in.origin.trusted = im->o->trust_files;
	fits = kernel_fits(im, &doubt);
	find_kernel(im, fits, doubt);
	find_vdso(im, fits, doubt);
	find_jit(im);
}
