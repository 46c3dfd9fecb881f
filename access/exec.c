/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exec.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "access_format.h"
#include "record/emulate.h"

enum {
	PAGE = 4096,
	/* WORD_MOST: the kernel's limit on the length of one argument or environment variable,
	 * bytes */
	WORD_MOST = 128 << 10
};

static char emulator[PATH_MAX], plugin[PATH_MAX];
static struct emulation emulation = { emulator, plugin, "", "" };

/* Joins the plugin's arguments (argv) with commas, to pass them to the emulator of the new program.
 * Leaves out the arguments skip= and program=, which emulate() adds with the values for the new
 * program. Keeps seed=, so the new program gets the same seed. */
static char *join_arguments(int argc, char **argv)
{
	char *all = strdup("");

	for (int i = 0; all && i < argc; i++) {
		char *longer = NULL;

		if (!strncmp(argv[i], "skip=", 5) || !strncmp(argv[i], "program=", 8))
			continue;
		if (asprintf(&longer, "%s%s%s", all, *all ? "," : "", argv[i]) < 0)
			longer = NULL;
		free(all);
		all = longer;
	}
	return all;
}

bool exec_begin(int argc, char **argv, const char *skip)
{
	ssize_t n = readlink("/proc/self/exe", emulator, sizeof(emulator) - 1);
	Dl_info self;

	if (n < 0 || !dladdr(&emulation, &self) || !realpath(self.dli_fname, plugin))
		return false;
	emulator[n] = 0;
	emulation.tracker = skip;
	emulation.options = join_arguments(argc, argv);
	return emulation.options;
}

/* Copies n bytes at the program's address `from`. In the emulator the program's memory has the same
 * addresses, but a bad address must not crash the emulator. Returns the number of copied bytes,
 * which is less than n if a part is not mapped. */
static size_t copy_from_guest(uint64_t from, void *to, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)from, n };
	ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	return got < 0 ? 0 : (size_t)got;
}

/*
 * Copies the string at the program's address `from`. The caller frees the copy. Returns NULL when
 * out of memory, for a bad address, or if the string is too long (WORD_MOST).
 */
static char *copy_string(uint64_t from)
{
	char *s = NULL, *longer;

	for (size_t used = 0, n; used < WORD_MOST; used += n) {
		n = PAGE - (from + used) % PAGE;
		longer = realloc(s, used + n);
		if (!longer || copy_from_guest(from + used, longer + used, n) != n) {
			free(longer ? longer : s);
			return NULL;
		}
		s = longer;
		if (memchr(s + used, 0, n))
			return s;
	}
	free(s);
	return NULL;
}

/*
 * Copies the list of strings at the program's address `from`, such as argv. Returns false when out
 * of memory, for a bad address, or if a string is too long. If `from` is 0 the list is empty, as
 * for execve().
 */
static bool copy_words(uint64_t from, struct words *words)
{
	uint64_t at;

	for (; from; from += sizeof(at)) {
		char *s;

		if (copy_from_guest(from, &at, sizeof(at)) != sizeof(at))
			return false;
		if (!at)
			break;
		s = copy_string(at);
		if (!s)
			return false;
		words_add(words, s);
		free(s);
	}
	return !words->failed;
}

/* Does executing this file change the rights of the process (setuid)? In an emulator, the rights
 * would not change. */
static bool is_privileged(const struct stat *st)
{
	return (st->st_mode & S_ISUID && st->st_uid != geteuid()) ||
	       (st->st_mode & S_ISGID && st->st_gid != getegid());
}

static bool can_execute(const char *path, struct stat *st)
{
	return !stat(path, st) && S_ISREG(st->st_mode) &&
	       !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS);
}

/* Stores in `out` the name of the file to which a path leads that may go through a descriptor, such
 * as /proc/self/fd/4. Stores "" if there is none. The text of such a link may be the name of
 * another file: that of a deleted file ends with " (deleted)", and those below /proc/N/root may
 * belong to another root. */
static void resolve(const char *path, char out[PATH_MAX])
{
	struct stat wanted, found;

	if (stat(path, &wanted) || !realpath(path, out) || stat(out, &found) ||
	    found.st_dev != wanted.st_dev || found.st_ino != wanted.st_ino)
		out[0] = 0;
}

/* Stores in `out` the path of the file to which a path through a descriptor leads, because the
 * descriptor may be closed when the emulator opens the file. Stores "" if the file has no name.
 * Other paths, and those to no file, stay as they are. */
static void follow_descriptor(char out[PATH_MAX])
{
	char found[PATH_MAX];

	if ((strncmp(out, "/proc/", 6) != 0 && strncmp(out, "/dev/fd/", 8) != 0) ||
	    access(out, F_OK))
		return;
	resolve(out, found);
	snprintf(out, PATH_MAX, "%s", found);
}

/* Finds the file to execute. Stores its path in `out`, which has room for PATH_MAX bytes. Stores ""
 * if the path cannot be read, if it is empty and x->directory is AT_FDCWD, or if it leads through a
 * descriptor to no file that has a name. With the descriptor x->directory, an empty path stands for
 * its file. A program that executes /proc/self/exe means itself, while the kernel would execute the
 * emulator. */
static void find_file(const struct exec *x, char out[PATH_MAX])
{
	const char *program = getenv(EMULATE_PROGRAM_VARIABLE);
	char *path = copy_string(x->path), below[PATH_MAX + 64];

	out[0] = 0;
	if (!path)
		return;
	if (*path && (*path == '/' || x->directory == AT_FDCWD)) {
		snprintf(out, PATH_MAX, "%s",
			 program && !strcmp(path, "/proc/self/exe") ? program : path);
		follow_descriptor(out);
	} else if (x->directory != AT_FDCWD) {
		snprintf(below, sizeof(below), "/proc/self/fd/%d%s%.*s", x->directory,
			 *path ? "/" : "", PATH_MAX, path);
		resolve(below, out);
	}
	free(path);
}

/* Sets the variable with the path of the recording again, because the program may have removed it
 * from the environment. */
static void pass_stream(struct words *env)
{
	const char *stream = getenv(ACCESS_STREAM_VARIABLE);

	if (stream)
		words_set_env(env, ACCESS_STREAM_VARIABLE, stream);
}

static void execute_image(const char *path, uint64_t argv, uint64_t envp)
{
	struct words words = { 0 }, env = { 0 }, command = { 0 };

	if (copy_words(argv, &words) && copy_words(envp, &env) &&
	    !emulate(&emulation, path, words.v, &command, &env)) {
		pass_stream(&env);
		if (!command.failed && !env.failed)
			execve(emulator, command.v, env.v);
	}
	words_release(&words);
	words_release(&env);
	words_release(&command);
}

bool exec_emulated(const struct exec *x, char *name, size_t room)
{
	char file[PATH_MAX], *slash;
	struct stat st;

	find_file(x, file);
	slash = strrchr(file, '/');
	snprintf(name, room, "%s", slash ? slash + 1 : file);
	if (!can_execute(file, &st))
		return !*file;
	if (!is_privileged(&st))
		execute_image(file, x->argv, x->envp);
	return true;
}
