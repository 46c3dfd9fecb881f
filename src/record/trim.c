/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Truncates the tracker's logs at the end of a recording: they are sparse files with unused space
 * at the end. While a process maps a log, no log is truncated, because a write beyond the new end
 * would kill that process. */
#include "record/trim.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "track_format.h"
#include "tracklog/tracklog.h"

/* Does the process map a file of the folder `dir`? (A deleted file does not count: it belongs to an
 * earlier recording in a folder of the same name.) Also returns false for a process of another
 * user, whose mappings memdb may not read. */
static bool maps_one(const char *pid, const char *dir)
{
	char path[64], *line = NULL;
	bool found = false;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && getline(&line, &cap, f) > 0)
		found = strstr(line, dir) && !strstr(line, " (deleted)\n");
	free(line);
	fclose(f);
	return found;
}

/* Does a process map a file of this folder? All processes of the machine are checked, because a
 * daemon that the program has started is no longer its descendant. */
static bool anybody_maps(const char *dir)
{
	struct dirent *e;
	bool found = false;
	DIR *d = opendir("/proc");

	while (d && !found && (e = readdir(d)))
		found = isdigit((unsigned char)e->d_name[0]) && maps_one(e->d_name, dir);
	if (d)
		closedir(d);
	return found;
}

/* Returns the number of bytes of a log that are used, according to its header; 0 if the header is
 * damaged. */
static uint64_t used_bytes(int fd)
{
	struct track_header h;
	struct track_shared s;

	if (pread(fd, &h, sizeof(h), 0) != (ssize_t)sizeof(h))
		return 0;
	memcpy(&s, &h, sizeof(s));
	if (!memcmp(s.magic, TRACK_SHARED_MAGIC, sizeof(s.magic)))
		return s.next;
	return !memcmp(h.magic, TRACK_MAGIC, sizeof(h.magic)) && h.version >= TRACK_VERSION_FIRST &&
			       h.version <= TRACK_VERSION
		       ? h.next
		       : 0;
}

/* Returns the size to which the log is cut; 0 if it stays as it is. A size in the header that is
 * not plausible is not used, because the program may have overwritten the header by mistake. What
 * is no log yet stays what it is for readers (tl_is_unborn()). */
static uint64_t wanted_bytes(int fd)
{
	uint64_t used = used_bytes(fd);

	if (!used && tl_is_unborn(fd))
		return 2 * TRACK_CHUNK;
	return used < TRACK_HEADER_BYTES ? 0 : used;
}

/* Truncates a log to its used size. Returns whether it did. */
static bool trim_one(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	uint64_t to;
	bool done;

	if (fd < 0)
		return false;
	done = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0;
	to = done ? wanted_bytes(fd) : 0;
	done = to && to < (uint64_t)st.st_size && !ftruncate(fd, (off_t)to);
	close(fd);
	return done;
}

unsigned trim_logs(const char *capture_dir)
{
	char path[PATH_MAX];
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	if ((size_t)snprintf(path, sizeof(path), "%s/track/", capture_dir) >= sizeof(path) ||
	    anybody_maps(path))
		return 0;
	d = opendir(path);
	while (d && (e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len > 4 && !strcmp(e->d_name + len - 4, ".log"))
			n += trim_one(dirfd(d), e->d_name);
	}
	if (d)
		closedir(d);
	return n;
}
