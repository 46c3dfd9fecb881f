/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the files /tmp/perf-PID.map, in which JIT compilers write the names of their code. A
 * program in a container has a /tmp of its own, which disappears together with the program. So the
 * process's /tmp is opened while the process is alive, and its files are read at the end of the
 * recording. Anybody can write to /tmp, so a file is copied only if it is a regular file with a
 * single link, a trusted owner and a limited size.
 */
#include "record/jitmaps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"

enum {
	MAX_FOLDERS = 256,     /* maximum number of /tmp folders of containers that are kept open at
				* a time */
	MAX_BYTES = 256 << 20, /* maximum size of a map; larger maps are not copied */
	/* The kernel takes file times from a coarse clock, which lags behind CLOCK_REALTIME. This
	 * is an upper limit of the lag. */
	MARGIN_NS = 1000000000u,
};

/* Returns the pid that a process has in its innermost PID namespace, which is the pid that the
 * process itself sees; 0 means unknown. */
static uint32_t own_pid(uint32_t pid)
{
	char name[64], line[256];
	uint32_t last = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%u/status", pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:\t", 7))
			last = (uint32_t)strtoul(strrchr(line, '\t') + 1, NULL, 10);
	if (f)
		fclose(f);
	return last;
}

/* Is fd memdb's own /tmp? That folder need not be kept open, because jitmaps_copy() opens it by
 * name. */
static bool is_our_tmp(int fd)
{
	struct stat ours, theirs;

	return !stat("/tmp", &ours) && !fstat(fd, &theirs) && ours.st_dev == theirs.st_dev &&
	       ours.st_ino == theirs.st_ino;
}

/* Returns the folder of a process; NULL means that it is not in the list. */
static struct jitmaps_folder *find_folder(const struct jitmaps *j, uint32_t pid)
{
	for (unsigned i = 0; i < j->n; i++)
		if (j->v[i].pid == pid)
			return &j->v[i];
	return NULL;
}

/* Adds a folder, whose descriptor the list then owns. Returns false if there is no room. */
static bool add_folder(struct jitmaps *j, const struct jitmaps_folder *folder)
{
	struct jitmaps_folder *v;

	if (j->n == MAX_FOLDERS)
		return false;
	v = reallocarray(j->v, j->n + 1, sizeof(*v));
	if (!v)
		return false;
	v[j->n++] = *folder;
	j->v = v;
	return true;
}

void jitmaps_see(struct jitmaps *j, uint32_t pid)
{
	struct jitmaps_folder now = { .pid = pid, .own_pid = own_pid(pid) }, *known;
	char name[64];

	snprintf(name, sizeof(name), "/proc/%u/root/tmp", pid);
	now.tmp = now.own_pid ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (now.tmp < 0)
		return;
	known = find_folder(j, pid);
	if (known) {
		/* A container is often set up by the process that then executes the program. So the
		 * process may have been seen before it mounted its own /tmp. */
		close(known->tmp);
		*known = now;
	} else if ((now.own_pid == pid && is_our_tmp(now.tmp)) || !add_folder(j, &now)) {
		close(now.tmp);
	}
}

/* Is this a regular file of a trusted owner, of limited size, and with one link? A file with more
 * links may belong to somebody else: an attacker may have created a second name for it in /tmp. */
static bool is_trusted(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_size > 0 &&
	       st->st_size <= MAX_BYTES && owner_is_trusted(st->st_uid);
}

/*
 * Opens a map if it is trusted and was written after the recording had started. Returns the
 * descriptor, or -1.
 */
static int open_map(int tmp, const char *name, uint64_t since_ns)
{
	int fd = openat(tmp, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && is_trusted(&st) &&
	    (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec + MARGIN_NS >=
		    since_ns)
		return fd;
	close(fd);
	return -1;
}

/* Copies a map into the capture. If that fails, removes the copy and returns false. */
static bool copy_map(int from, uint32_t pid, const struct capture *c)
{
	size_t left = MAX_BYTES;
	char name[64];
	ssize_t n = 1;
	int to;

	if (mkdirat(c->fd, "jit", 0700) && errno != EEXIST)
		return false;
	snprintf(name, sizeof(name), "jit/perf-%u.map", pid);
	to = capture_open(c, name, O_WRONLY | O_EXCL);
	if (to < 0)
		/* a map of this process was copied already; the first copy is kept */
		return errno == EEXIST;
	while (n > 0 && left) {
		n = sendfile(to, from, NULL, left);
		left -= n > 0 ? (size_t)n : 0;
	}
	if (close(to) || n < 0) {
		unlinkat(c->fd, name, 0);
		return false;
	}
	return true;
}

/* Copies the map of one process from the folder `tmp` to the capture. `own` is the pid that the
 * process itself sees; the map's name contains it. `pid` is the pid that memdb sees; the copy's
 * name contains it. Returns 1 if the copy failed, otherwise 0. */
static unsigned copy_maps(int tmp, uint32_t own, uint32_t pid, uint64_t since_ns,
			  const struct capture *c)
{
	char name[64];
	bool ok;
	int fd;

	snprintf(name, sizeof(name), "perf-%u.map", own);
	fd = open_map(tmp, name, since_ns);
	if (fd < 0)
		return 0;
	ok = copy_map(fd, pid, c);
	close(fd);
	return !ok;
}

/* Returns the PID in the name "perf-PID.map"; 0 for other names. */
static uint32_t pid_of(const char *name)
{
	char again[64];
	uint32_t pid = 0;

	if (!strncmp(name, "perf-", 5))
		pid = (uint32_t)strtoul(name + 5, NULL, 10);
	snprintf(again, sizeof(again), "perf-%u.map", pid);
	return strcmp(name, again) ? 0 : pid;
}

/* Copying fails, for example, when the disk is full. Maps that are missing or not trusted do not
 * count as failures. */
unsigned jitmaps_copy(const struct jitmaps *j, const char *tmp, uint64_t since_ns,
		      const struct capture *c)
{
	DIR *d = opendir(tmp);
	unsigned lost = 0;
	struct dirent *e;

	for (unsigned i = 0; i < j->n; i++)
		lost += copy_maps(j->v[i].tmp, j->v[i].own_pid, j->v[i].pid, since_ns, c);
	while (d && (e = readdir(d))) {
		uint32_t pid = pid_of(e->d_name);

		if (pid && !find_folder(j, pid))
			lost += copy_maps(dirfd(d), pid, pid, since_ns, c);
	}
	if (d)
		closedir(d);
	return lost;
}

void jitmaps_release(struct jitmaps *j)
{
	for (unsigned i = 0; i < j->n; i++)
		close(j->v[i].tmp);
	free(j->v);
	*j = (struct jitmaps){ 0 };
}
