/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the symbols are of code that is in no file: of the kernel, the vdso, and code made at run
 * time. A recording made by hand has none of them beside it, but this machine may. */
#include "import/pipeline.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

static bool same_kernel(const struct pd_features *f)
{
	struct utsname u;

	return !uname(&u) && f->hostname && f->osrelease && !strcmp(u.nodename, f->hostname) &&
	       !strcmp(u.release, f->osrelease);
}

/* Is the kernel that runs here of the same build as the recorded one, as far as both are known? */
static bool same_kernel_build(const struct pd_features *f)
{
	struct sym_build_id here = sym_kernel_build_id();

	for (uint32_t i = 0; i < f->nbuild_ids; i++) {
		const struct pd_build_id *b = &f->build_ids[i];

		if (!strcmp(b->path, "[kernel.kallsyms]") && here.size && b->size >= here.size)
			return !memcmp(b->id, here.bytes, here.size);
	}
	return true;
}

/* Those of the capture; of a recording made by hand on this machine, those of the kernel that runs.
 */
static void find_kernel(struct import *im)
{
	const struct pd_features *f = pd_features(im->perf);

	if (im->recording.json && !im->kallsyms_path)
		im->code.kernel_problem = "its addresses were hidden from the user who recorded "
					  "(kernel.kptr_restrict)";
	else if (!im->kallsyms_path && !same_kernel(f))
		im->code.kernel_problem =
			"recorded on another machine or kernel, without a copy of "
			"/proc/kallsyms";
	else if (!im->kallsyms_path && !same_kernel_build(f))
		im->code.kernel_problem = "the kernel was replaced: its build-id is another";
	else if (!im->kallsyms_path)
		im->kallsyms_path = strdup("/proc/kallsyms");
	im->code.kallsyms = im->kallsyms_path;
}

/* Of a recording made by hand on this machine they may still be where the processes wrote them. */
static void find_jit(struct import *im)
{
	struct stat st;

	im->code.jit = im->jit_dir;
	if (im->recording.json || !same_kernel(pd_features(im->perf)) || stat(im->perf_path, &st))
		return;
	im->code.jit = "/tmp";
	im->code.jit_by = st.st_mtim.tv_sec;
}

/* perf -z notes no build-ids to find it by. */
static void find_vdso(struct import *im)
{
	const struct pd_features *f = pd_features(im->perf);

	if (!im->vdso_path && same_kernel(f) && same_kernel_build(f))
		im->vdso_path = strdup("[vdso]");
	im->code.vdso = im->vdso_path;
}

void symbols_find(struct import *im)
{
	find_kernel(im);
	find_vdso(im);
	find_jit(im);
}
