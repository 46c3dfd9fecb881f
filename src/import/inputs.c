/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files that an import reads, and checks them. None of them may be the output. A file of
 * a user who is not trusted (base/owner.h) is refused, unless the user gives --force. */
#include "import/inputs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/doomed.h"
#include "base/owner.h"
#include "database/newfile.h"
#include "import/pipeline.h"

/* Returns "dir/name"; the caller frees it. NULL when out of memory. */
static char *join_path(const char *dir, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

/* Returns `path` if the file is readable. Otherwise frees `path` and returns NULL. */
static char *if_there(char *path)
{
	if (path && !access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* Returns the path of perf's recording: the directory itself if it contains a file `data`, as
 * perf record --threads makes it, otherwise its perf.data. NULL means out of memory. */
static char *directory_of_perf(const char *dir)
{
	char *data = if_there(join_path(dir, "data"));
	char *path = data ? strdup(dir) : join_path(dir, "perf.data");

	free(data);
	return path;
}

/* A damaged recording or one that cannot be read is the right one, so there is no advice. */
int inputs_advise(struct import *im, int failure)
{
	if (im->err && (im->err->sys == ENOENT || strstr(im->err->msg, "not a perf.data file")))
		md_advise(im->err, "name a capture, which `memdb record --raw` makes, or a "
				   "perf.data of perf record");
	return failure;
}

int inputs_find(struct import *im)
{
	const struct import_options *o = im->o;
	struct stat st;

	if (!strcmp(o->input, "-")) {
		im->in.perf_path = strdup("/dev/stdin");
		im->in.track_dir = o->track_dir ? strdup(o->track_dir) : NULL;
		return im->in.perf_path ? 0 : md_nomem(im->err);
	}
	if (stat(o->input, &st)) {
		md_fail_errno(im->err, MD_EIO, "cannot open '%s'", o->input);
		return inputs_advise(im, MD_EIO);
	}
	if (S_ISDIR(st.st_mode)) {
		im->in.perf_path = if_there(join_path(o->input, "perf.data"));
		if (!im->in.perf_path)
			im->in.perf_path = directory_of_perf(o->input);
		im->in.track_dir = o->track_dir ? strdup(o->track_dir)
						: if_there(join_path(o->input, "track"));
		im->in.follow_path = if_there(join_path(o->input, "follow.log"));
		im->in.faults_path = if_there(join_path(o->input, "faults.data"));
		im->in.kallsyms_path = if_there(join_path(o->input, "kallsyms"));
		im->in.vdso_path = if_there(join_path(o->input, "vdso.so"));
		im->in.jit_dir = if_there(join_path(o->input, "jit"));
	} else {
		im->in.perf_path = strdup(o->input);
		im->in.track_dir = o->track_dir ? strdup(o->track_dir) : NULL;
	}
	return im->in.perf_path ? 0 : md_nomem(im->err);
}

/* Callback for one input, a file or a folder. `name` is the file's name in an input folder; NULL
 * for the paths that each_input() lists. A non-zero result ends the walk through the inputs. */
typedef int input_fn(struct import *im, const char *path, const char *name, const struct stat *st);

/* Calls fn for each file in a folder. Skips its subfolders: each_input() itself lists those that
 * contain inputs. */
static int each_in(struct import *im, const char *folder, input_fn *fn)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	struct stat st;
	int ret = 0;

	while (d && !ret && (e = readdir(d))) {
		char *path;

		if (fstatat(dirfd(d), e->d_name, &st, 0) || S_ISDIR(st.st_mode))
			continue;
		if (asprintf(&path, "%s/%s", folder, e->d_name) < 0)
			path = NULL;
		ret = path ? fn(im, path, e->d_name, &st) : md_nomem(im->err);
		free(path);
	}
	if (d)
		closedir(d);
	return ret;
}

/* Calls fn for the file at `path`; if `path` is a folder, for the folder and each file in it. */
static int each_of(struct import *im, const char *path, input_fn *fn)
{
	struct stat st;
	int ret;

	if (!path || stat(path, &st))
		return 0;
	ret = fn(im, path, NULL, &st);
	return ret || !S_ISDIR(st.st_mode) ? ret : each_in(im, path, fn);
}

/* Calls fn for each input: the path that the user gave, perf's recording, the folder of the
 * tracker's logs and the folder of the perf maps. If an input is a folder, fn gets the folder
 * itself and each file in it, even a file that the import does not read. It may get a file twice. A
 * new input outside these folders must be added here; if it is a folder, to will_not_be_input(),
 * too. A new file name in an input folder must be added to is_read(). */
static int each_input(struct import *im, input_fn *fn)
{
	const char *const paths[] = { im->o->input, im->in.perf_path, im->in.track_dir,
				      im->in.jit_dir };
	int ret = 0;

	for (size_t i = 0; i < COUNT_OF(paths) && !ret; i++)
		ret = each_of(im, paths[i], fn);
	return ret;
}

/* Fails if writing the output would replace or remove the file (base/doomed.h). A database in an
 * input folder is not an input, nor are SQLite's files next to it: an earlier import wrote them
 * there, and they may be replaced. */
static int is_not_output(struct import *im, const char *path, const char *name,
			 const struct stat *st)
{
	if (!doomed_is(st) || (name && (newfile_is_database(path) || newfile_is_beside(path))))
		return 0;
	return md_fail(im->err, MD_EUSAGE, "cannot write '%s': it is a part of the recording",
		       im->o->output);
}

/* Does the import read files of this name from an input folder? */
static bool is_read(const char *name)
{
	static const char *const fixed[] = { "perf.data", "faults.data", "capture.json", "kallsyms",
					     "vdso.so" };
	static const char *const ends[] = { ".log", ".map" };
	size_t len = strlen(name);

	for (size_t i = 0; i < COUNT_OF(fixed); i++)
		if (!strcmp(name, fixed[i]))
			return true;
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		if (len > 4 && !strcmp(name + len - 4, ends[i]))
			return true;
	/* the files of perf record --threads: data.0, data.1, ... */
	return !strcmp(name, "data") ||
	       (!strncmp(name, "data.", 5) && isdigit((unsigned char)name[5]));
}

static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && S_ISDIR(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Fails if the output would get a name under which the next import reads a part of the recording,
 * such as cap/track/new.log. */
static int will_not_be_input(struct import *im)
{
	const char *const folders[] = { im->o->input, im->in.track_dir, im->in.jit_dir };
	const char *output = im->o->output, *slash = strrchr(output, '/');
	char *folder = slash ? strndup(output, (size_t)(slash + 1 - output)) : strdup(".");
	bool becomes = false;

	if (!folder)
		return md_nomem(im->err);
	for (size_t i = 0; i < COUNT_OF(folders); i++)
		becomes |= folders[i] && is_read(slash ? slash + 1 : output) &&
			   same_folder(folder, folders[i]);
	free(folder);
	return becomes ? md_fail(im->err, MD_EUSAGE,
				 "cannot write '%s': the next import would read it as a part of "
				 "the recording",
				 output)
		       : 0;
}

/* Fails if the owner of an input folder, or of a file that the import reads, is not trusted
 * (base/owner.h). A recording contains names of further files, which memdb opens with the rights of
 * the current user. So the recording must come from a trusted user; perf has the same rule. A pipe
 * on standard input is not checked, because its owner may not have written its bytes. */
static int is_trusted(struct import *im, const char *path, const char *name, const struct stat *st)
{
	if (owner_is_trusted(st->st_uid) || (name && !is_read(name)) ||
	    (path == im->in.perf_path && !strcmp(im->o->input, "-") && !S_ISREG(st->st_mode)))
		return 0;
	return md_fail(im->err, MD_EIO,
		       "cannot import '%s': it belongs to user %u, not to you or root, and files "
		       "that it names would be opened with your rights (--force imports it)",
		       path, (unsigned)st->st_uid);
}

/* Runs before any file is opened for writing. A capture that this process has just made
 * (options.own) is trusted. */
int inputs_check(struct import *im)
{
	int ret;

	doomed_clear();
	newfile_doom(im->o->output);
	ret = each_input(im, is_not_output);
	if (!ret)
		ret = will_not_be_input(im);
	if (!ret)
		ret = newfile_check(im->o->output, im->o->force, im->err);
	if (!ret && !im->o->force && !im->o->own)
		ret = each_input(im, is_trusted);
	return ret;
}

/* Will the output replace the file at root/path or at `path`? */
static bool is_doomed(const char *root, const char *path)
{
	char below[PATH_MAX];
	struct stat st;

	if (!stat(path, &st) && doomed_is(&st))
		return true;
	return root && (size_t)snprintf(below, sizeof(below), "%s/%s", root, path) < PATH_MAX &&
	       !stat(below, &st) && doomed_is(&st);
}

/* Fails if the import has read the file that the output would replace (base/doomed.h), or if the
 * recorded processes had mapped that file: a later import may need it. Succeeds if the file is a
 * database of memdb, because no import needs one. */
int inputs_spared(struct import *im)
{
	const struct code *c = &im->model.code;
	bool doomed = doomed_was_read();

	if (!doomed_any() || newfile_is_database(im->o->output))
		return 0;
	for (uint32_t i = 0; i < c->dsos.n && !doomed; i++)
		doomed = c->dsos.at[i].kind == DSO_FILE &&
			 is_doomed(im->o->symfs, c->dsos.at[i].path);
	return doomed ? md_fail(im->err, MD_EUSAGE,
				"cannot write '%s': it is a file that the recording refers to",
				im->o->output)
		      : 0;
}
