/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks for calls that start programs. Each hook adds the tracker's variables to the environment if
 * they are missing, so that every image of the process tree is tracked. But if the program must
 * start without the library (change_of()), for example because it cannot run with it (fit.h), the
 * hook removes the library. The environment is changed in a copy, never in the caller's memory. All
 * this also happens in vfork children, which use the memory of their parent. */
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fit.h"
#include "exec.h"
#include "rawcall.h"
#include "real.h"
#include "record.h"
#include "samplers.h"
#include "seal.h"
#include "start.h"
#include "text.h"

#define PRELOAD "LD_PRELOAD="

enum {
	/* bytes; the library and a program need at least this much in RLIMIT_AS and in
	 * RLIMIT_DATA */
	LEAST_SPACE = 32 << 20,
	/* A program may execute itself again and again until LD_PRELOAD is not in its environment.
	 * So the library is not added any more after this number of successive images has removed
	 * it from the environment. */
	REMOVED_MOST = 16,
};

extern char **environ;

static struct {
	char *dir, *options; /* each is "NAME=value" */
	const char *library;
	/* number of successive images, up to this one, that were executed by an image that had
	 * removed the library from the environment. The option TRACK_REMOVED passes this number on
	 * from image to image */
	uint64_t removed;
} ours START_STATE;

void exec_init(char *dir, char *options)
{
	char *removed = strstr(options, "," TRACK_REMOVED "=");

	ours.dir = dir;
	ours.options = options;
	ours.library = real_own_path();
	if (!removed)
		return;
	ours.removed = text_option(removed + 1, TRACK_REMOVED, 0);
	*removed = 0;
}

static bool is_variable(const char *entry, const char *name_and_equals)
{
	return !strncmp(entry, name_and_equals, strlen(name_and_equals));
}

/* Like text_is_readable() and text_words_are_readable(), but a sealed vfork child makes no system
 * call, and believes that all can be read. */
static bool is_readable(const char *s)
{
	return seal_of_child || text_is_readable(s);
}

static bool are_readable(char *const *words)
{
	return seal_of_child || text_words_are_readable(words);
}

/* Does the environment contain the tracker's directory and library? *count is the number of all
 * variables of the environment; *preload is the value of LD_PRELOAD, or NULL: if there are several,
 * that of the last one, which the loader uses. */
static bool has_all(char *const *envp, size_t *count, const char **preload)
{
	bool dir = false;

	*preload = NULL;
	for (*count = 0; envp && envp[*count]; ++*count) {
		dir = dir || is_variable(envp[*count], TRACK_ENV_DIR "=");
		if (is_variable(envp[*count], PRELOAD))
			*preload = envp[*count] + strlen(PRELOAD);
	}
	return dir && *preload && strstr(*preload, ours.library);
}

/* Can the program load the library? Otherwise the loader would print an error. In a chroot or in a
 * container, the library's file may not exist, or the user may have no right to read it. The system
 * call checks the rights of the real user, without the capabilities that exec takes from users
 * other than root. If the effective user differs, the loader ignores LD_PRELOAD. */
static bool is_in_reach(const char *library)
{
	return !rawcall4(SYS_faccessat, AT_FDCWD, (long)library, R_OK, 0);
}

static bool limit_has_space(int kind)
{
	uint64_t limit[2] = { UINT64_MAX, UINT64_MAX };

	rawcall4(SYS_prlimit64, 0, kind, 0, (long)limit);
	return limit[0] >= LEAST_SPACE;
}

/* Do the limits on address space and on private writable memory leave room for the library? A
 * limit that is enough for a small program may be too low for the program with the library. */
static bool has_space(void)
{
	return limit_has_space(RLIMIT_AS) && limit_has_space(RLIMIT_DATA);
}

/* Will the loader only print the libraries of the program, as ldd asks it to? It would print the
 * tracker's library, too. */
static bool lists_libraries(char *const *envp)
{
	for (; envp && *envp; envp++)
		if (is_variable(*envp, "LD_TRACE_LOADED_OBJECTS="))
			return true;
	return false;
}

/* Does the program preload AddressSanitizer's library? It ends a program in which another library
 * comes before it. */
static bool preloads_sanitizer(const char *preload)
{
	return preload && strstr(preload, TRACK_SANITIZER);
}

/* How to change the environment of a new program: leave it unchanged, add the tracker's variables,
 * remove the tracker's library from LD_PRELOAD, or remove the library and the variables. */
enum change { CHANGE_NONE, CHANGE_ADD, CHANGE_REMOVE, CHANGE_CLEAR };

static enum change change_of(fit_refuses refuses_preload, const char *path, char *const *argv,
			     char *const *envp)
{
	const char *preload;
	size_t count;
	bool all, is_there;

	/* The kernel will refuse what cannot be read. */
	if (!ours.library || !*ours.library || !is_readable(path) || !are_readable(envp))
		return CHANGE_NONE;
	all = has_all(envp, &count, &preload);
	is_there = preload && strstr(preload, ours.library);
	/* A seccomp filter stays in force after exec, and may forbid system calls that the library
	 * makes at its start. So a program started by a sealed process gets no library. */
	if (!seal_of_child && !lists_libraries(envp) && !preloads_sanitizer(preload) &&
	    (is_there || ours.removed < REMOVED_MOST) && is_in_reach(ours.library) && has_space() &&
	    !refuses_preload(path, argv))
		return all ? CHANGE_NONE : CHANGE_ADD;
	return is_there ? CHANGE_REMOVE : CHANGE_NONE;
}

#include "exec_environment.h"

/* If the copy of the environment (its array of pointers, and the text of LD_PRELOAD) is larger than
 * this number of bytes, it is not made on the stack, unless take_room() returns NULL. The stack is
 * used for up to about 500 variables. */
enum { ROOM_ON_STACK = 4096 };

/* The memory for a copy that is larger than ROOM_ON_STACK. A vfork child that executes another
 * program cannot free it. Its parent, which uses the same memory, frees it in its own next call of
 * give_room_back(). */
static __thread struct rawcall_range large __attribute__((tls_model("initial-exec")));

static void give_room_back(void)
{
	if (large.bytes && !seal_of_child)
		rawcall4(SYS_munmap, (long)large.at, (long)large.bytes, 0, 0);
	large.bytes = 0;
}

/* Returns memory for a copy of the environment that is too large for the stack. NULL means that the
 * copy is made on the stack. */
static void *take_room(size_t bytes)
{
	long p;

	if (bytes <= ROOM_ON_STACK || seal_of_child)
		return NULL;
	give_room_back();
	p = rawcall6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (rawcall_failed(p))
		return NULL;
	large = (struct rawcall_range){ (uint64_t)p, bytes };
	return (void *)p;
}

/*
 * The environment with a change. It is envp itself if nothing must be changed. Otherwise it is a
 * copy, in memory from take_room() or on the stack of the function that uses this macro.
 */
#define CHANGED(how, envp)                                                                        \
	__extension__({                                                                           \
		char *const *changed_envp = (envp);                                               \
		enum change changed_how = (how);                                                  \
                                                                                                  \
		if (changed_how) {                                                                \
			size_t changed_bytes = environment_room(changed_envp);                    \
			void *changed_room = take_room(changed_bytes);                            \
                                                                                                  \
			if (!changed_room)                                                        \
				changed_room = alloca(changed_bytes);                             \
			changed_envp = fill_environment(changed_how, changed_envp, changed_room); \
		}                                                                                 \
		(char **)changed_envp;                                                            \
	})

/* The environment for the new program: with the tracker's variables or, if the program must start
 * without the library, without the library. */
#define TRACKED(refuses, path, argv, envp) CHANGED(change_of(refuses, path, argv, envp), envp)

/* The environment without everything that the tracker adds; see is_too_long(). */
#define UNTRACKED(envp) CHANGED(CHANGE_CLEAR, envp)

/* Has the kernel refused a program because its arguments and its environment are too long? Then
 * they may fit without the tracker's variables. A sealed vfork child must not try that, because
 * UNTRACKED() may make a system call. */
static bool is_too_long(int error, char *const *envp)
{
	return error == E2BIG && ours.library && *ours.library && are_readable(envp);
}

/* Is the process sealed, even if no hook saw the call that sealed it? If so, sets seal_of_child,
 * also if the process is no vfork child: another system call would be needed to find that out. */
static bool is_sealed(void)
{
	seal_of_child = seal_of_child || seal_is_in_force();
	return seal_of_child;
}

/* What after_failed_exec() restores. */
struct before {
	bool sealed;      /* seal_of_child */
	unsigned stopped; /* the samplers that have stopped, see samplers.h */
};

/* Called before another program is executed. The caller clears seal_of_child before the exec: if
 * the process is a vfork child, its parent, which is not sealed, then continues in the same memory.
 * If the exec fails, after_failed_exec() restores the flag. */
static struct before before_exec(void)
{
	const bool sealed = is_sealed();
	const unsigned stopped = sealed ? 0 : samplers_before_exec();

	life_before_end();
	return (struct before){ sealed, stopped };
}

static int after_failed_exec(int ret, struct before before)
{
	seal_of_child = before.sealed;
	give_room_back();
	samplers_after_exec(before.stopped);
	return ret;
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	const struct before before = before_exec();
	char **env = TRACKED(fit_refuses_preload, path, argv, envp);
	int ret = -1;

	seal_of_child = false;
	if (real_ready() && real.execve) {
		ret = real.execve(path, argv, env);
		if (!before.sealed && is_too_long(errno, envp))
			ret = real.execve(path, argv, UNTRACKED(envp));
	}
	return after_failed_exec(ret, before);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	const struct before before = before_exec();
	char **env = TRACKED(fit_refuses_preload_in_path, file, argv, envp);
	int ret = -1;

	seal_of_child = false;
	if (real_ready() && real.execvpe) {
		ret = real.execvpe(file, argv, env);
		if (!before.sealed && is_too_long(errno, envp))
			ret = real.execvpe(file, argv, UNTRACKED(envp));
	}
	return after_failed_exec(ret, before);
}

/* Returns a path of the file that execveat(fd, path) executes: `path` itself, or one that begins
 * with FIT_DESCRIPTORS and is stored in `room`. If `path` is empty, the file is fd itself. */
static const char *path_at(int fd, const char *path, char *room, size_t cap)
{
	size_t n = 0;

	if (!is_readable(path) || *path == '/' || (fd == AT_FDCWD && *path))
		return path;
	text_add(room, cap, &n, FIT_DESCRIPTORS);
	text_add_number(room, cap, &n, (uint64_t)fd);
	if (*path)
		text_add(room, cap, &n, "/");
	text_add(room, cap, &n, path);
	return room;
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	const struct before before = before_exec();
	char path[64], **env = TRACKED(fit_refuses_preload, path_at(fd, "", path, sizeof(path)),
				       argv, envp);
	int ret = -1;

	seal_of_child = false;
	if (real_ready() && real.fexecve) {
		ret = real.fexecve(fd, argv, env);
		if (!before.sealed && is_too_long(errno, envp))
			ret = real.fexecve(fd, argv, UNTRACKED(envp));
	}
	return after_failed_exec(ret, before);
}

/* Makes the system call nr (SYS_execve or SYS_execveat) with these arguments, but with this
 * environment. */
static int exec_raw(long nr, const long a[6], char *const envp[])
{
	long ret;

	if (nr == SYS_execve)
		ret = rawcall_for_program(nr, a[0], a[1], (long)envp, 0, 0, 0);
	else
		ret = rawcall_for_program(nr, a[0], a[1], a[2], (long)envp, a[4], 0);
	return (int)rawcall_result(ret);
}

int exec_by_number(long nr, const long a[6])
{
	const bool at = nr == SYS_execveat;
	const char *path = (const char *)a[at];
	char *const *argv = (char *const *)a[at + 1], *const *envp = (char *const *)a[at + 2];
	const struct before before = before_exec();
	char room[PATH_MAX], **env;
	int ret;

	if (at)
		path = path_at((int)a[0], path, room, sizeof(room));
	env = TRACKED(fit_refuses_preload, path, argv, envp);
	seal_of_child = false;
	ret = exec_raw(nr, a, env);
	if (!before.sealed && is_too_long(errno, envp))
		ret = exec_raw(nr, a, UNTRACKED(envp));
	return after_failed_exec(ret, before);
}

/* Calls libc's execveat(). If libc does not have this function (glibc before 2.34), makes the
 * system call. */
static int exec_at(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	const long a[6] = { fd, (long)path, (long)argv, 0, flags, 0 };

	if (real_ready() && real.execveat)
		return real.execveat(fd, path, argv, envp, flags);
	return exec_raw(SYS_execveat, a, envp);
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	const struct before before = before_exec();
	char room[PATH_MAX], **env = TRACKED(fit_refuses_preload,
					     path_at(fd, path, room, sizeof(room)), argv, envp);
	int ret;

	seal_of_child = false;
	ret = exec_at(fd, path, argv, env, flags);
	if (!before.sealed && is_too_long(errno, envp))
		ret = exec_at(fd, path, argv, UNTRACKED(envp), flags);
	return after_failed_exec(ret, before);
}

#include "exec_words.h"

/* Called after a program was spawned. seal_of_child may still be set by an earlier vfork child that
 * was killed. Then the program was started without the library. Clears the flag, so that the next
 * program gets the library. */
static int after_spawn(int ret)
{
	give_room_back();
	seal_of_child = false;
	return ret;
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int ret;

	if (!real_ready() || !real.posix_spawn)
		return -1;
	is_sealed();
	ret = real.posix_spawn(pid, path, actions, attr, argv,
			       TRACKED(fit_refuses_preload, path, argv, envp));
	if (is_too_long(ret, envp))
		ret = real.posix_spawn(pid, path, actions, attr, argv, UNTRACKED(envp));
	return after_spawn(ret);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int ret;

	if (!real_ready() || !real.posix_spawnp)
		return -1;
	is_sealed();
	ret = real.posix_spawnp(pid, file, actions, attr, argv,
				TRACKED(fit_refuses_preload_in_path, file, argv, envp));
	if (is_too_long(ret, envp))
		ret = real.posix_spawnp(pid, file, actions, attr, argv, UNTRACKED(envp));
	return after_spawn(ret);
}
