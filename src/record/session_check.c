/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the output, finds memdb's own libraries, and counts processes. A library may be next to
 * memdb in a build folder, or in the folder of an installation, which may have been moved. The
 * first library that is found is used. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "database/newfile.h"
#include "record/session.h"
#include "track_format.h"

int session_output_result(int ret, struct md_err *err)
{
	if (ret == MD_EIO)
		err->code = ret = MD_EUSAGE;
	return ret;
}

/* Refuses a path that is nearly as long as PATH_MAX, because suffixes for temporary files are
 * appended to it. */
int session_check_output(const char *output, const char *program, bool force, struct md_err *err)
{
	struct stat out, in;

	if (!*output || strlen(output) >= PATH_MAX - 64)
		return md_fail(err, MD_EUSAGE, "the output's name is empty or too long");
	if (!stat(output, &out) && !stat(program, &in) && out.st_dev == in.st_dev &&
	    out.st_ino == in.st_ino)
		return md_fail(err, MD_EUSAGE, "cannot write '%s': it is the program", output);
	return session_output_result(newfile_check(output, force, err), err);
}

/* Is the library in DIR/BELOW? Writes its real path to `out`, which has room for PATH_MAX bytes. */
static bool try_library(char *out, const char *dir, const char *below, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s%s/%s", dir, below, name) >= sizeof(path))
		return false;
	return !access(path, R_OK) && realpath(path, out);
}

/* The folders relative to memdb come first, so that an installation that was moved finds its own
 * libraries. */
int session_find_library(const char *name, const char *wanted, char *out, size_t len,
			 struct md_err *err)
{
	static const char *const below[] = { "/../preload", "/../../preload", "/../access",
					     "/../../access",
					     /* relative to memdb, for an installation that was
					      * moved */
					     "/../" MEMDB_LIBDIR_NAME "/memdb", "/../lib/memdb",
					     "/../lib64/memdb", "" };
	char self[PATH_MAX], found[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (wanted) {
		if (access(wanted, R_OK) || !realpath(wanted, found))
			return md_fail_errno(err, MD_ENOENT, "cannot read the library '%s'",
					     wanted);
		goto good;
	}
	self[n > 0 ? n : 0] = 0;
	if (strrchr(self, '/'))
		*strrchr(self, '/') = 0;
	for (size_t i = 0; i < COUNT_OF(below); i++)
		if (try_library(found, self, below[i], name))
			goto good;
	if (try_library(found, MEMDB_LIBDIR, "", name))
		goto good;
	return md_fail(err, MD_ENOENT, "cannot find %s beside '%s' or in '%s'", name, self,
		       MEMDB_LIBDIR);
good:
	if (strlen(found) >= len)
		return md_fail(err, MD_ENOTSUP, "the path '%s' is too long", found);
	strcpy(out, found);
	return 0;
}

void session_check_preload(struct session *s)
{
	const char *preload = words_env(&s->job.env, "LD_PRELOAD");

	if (preload && strstr(preload, TRACK_SANITIZER))
		s->target.untracked = TARGET_SANITIZER;
}

/* Refuses a path with a blank or a colon, because these separate paths in LD_PRELOAD. */
int session_find_tracker(const char *wanted, char *out, size_t len, struct md_err *err)
{
	int ret = session_find_library("libmemdb-track.so", wanted, out, len, err);

	if (!ret && strpbrk(out, ": \t"))
		return md_fail(
			err, MD_ENOTSUP,
			"the tracker's path '%s' has a blank or a colon, which LD_PRELOAD cannot "
			"hold",
			out);
	return ret;
}

/* Does a variable (NAME=VALUE) in the environment of process `pid` begin with the text `start`? */
static bool environment_has(const char *pid, const char *start)
{
	char name[300], *text = NULL;
	size_t cap = 0;
	bool found = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%s/environ", pid);
	f = fopen(name, "re");
	if (!f)
		return false;
	while (!found && getdelim(&text, &cap, 0, f) > 0)
		found = !strncmp(text, start, strlen(start));
	free(text);
	fclose(f);
	return found;
}

/* Identifies the recording by its number and not by the folder of the capture: processes of an
 * earlier recording in a folder of the same name may still run. */
unsigned session_count_left(const struct session *s)
{
	char start[64];
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	snprintf(start, sizeof(start), TRACK_ENV_OPTIONS "=" TRACK_RECORDING "=%0*" PRIu64 ",",
		 TRACK_DIGITS, s->start[0]);
	d = opendir("/proc");
	while (d && (e = readdir(d)))
		n += isdigit((unsigned char)e->d_name[0]) && environment_has(e->d_name, start);
	if (d)
		closedir(d);
	return n;
}
