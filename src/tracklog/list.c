/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the logs of a folder. A log begins in a slot of the file that all logs share, or in a file
 * of its own. If it began in a slot and continues in a file, it is listed once, as that file. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracklog/internal.h"

/* The slots that need no entry in the list, because their logs continue in files of their own. Each
 * element is slot number + 1. */
struct continued {
	uint64_t *at;
	uint32_t n, cap;
};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Appends `name` to the list, which takes ownership of it; on failure it is freed. `name` may be
 * NULL, the result of a failed strdup(). Returns 0 or MD_ENOMEM. */
static int add_name(struct tl_names *names, char *name, struct md_err *err)
{
	if (!name || !tl_grow((void **)&names->at, &names->cap, names->n, sizeof(*names->at))) {
		free(name);
		return md_nomem(err);
	}
	names->at[names->n++] = name;
	return 0;
}

static bool read_header_at(int fd, uint64_t offset, struct track_header *h)
{
	return pread(fd, h, sizeof(*h), (off_t)offset) == (ssize_t)sizeof(*h);
}

static bool is_header(const struct track_header *h)
{
	return !memcmp(h->magic, TRACK_MAGIC, sizeof(h->magic));
}

bool tl_is_unborn(int fd)
{
	static const char nothing[sizeof(((struct track_header *)0)->magic)];
	char header[sizeof(nothing)], chunk[sizeof(nothing)];
	ssize_t n = pread(fd, header, sizeof(header), 0);

	if (n != (ssize_t)sizeof(header) || memcmp(header, nothing, sizeof(nothing)) != 0)
		return !n;
	return pread(fd, chunk, sizeof(chunk), TRACK_CHUNK) == (ssize_t)sizeof(chunk) &&
	       !memcmp(chunk, nothing, sizeof(nothing));
}

/* If the file `name` continues a log that began in a slot, adds that slot to *slots. Sets *unborn
 * if the file is no log yet. Returns 0 or MD_ENOMEM. */
static int note_slot(int dir, const char *name, struct continued *slots, bool *unborn,
		     struct md_err *err)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct track_header h;
	int ret = 0;

	*unborn = fd >= 0 && tl_is_unborn(fd);
	if (fd >= 0 && read_header_at(fd, 0, &h) && is_header(&h) && h.slot) {
		if (tl_grow((void **)&slots->at, &slots->cap, slots->n, sizeof(*slots->at)))
			slots->at[slots->n++] = h.slot;
		else
			ret = md_nomem(err);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

static int add_files(int dir, struct dirent **entries, int n, struct tl_names *names,
		     struct continued *slots, struct md_err *err)
{
	int ret = 0;

	for (int i = 0; i < n && !ret; i++) {
		const char *name = entries[i]->d_name;
		size_t len = strlen(name);
		bool unborn;

		if (len <= 4 || strcmp(name + len - 4, ".log") != 0 || !strcmp(name, TRACK_SHARED))
			continue;
		ret = note_slot(dir, name, slots, &unborn, err);
		if (!ret && !unborn)
			ret = add_name(names, strdup(name), err);
	}
	return ret;
}

static bool has_slots(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= TRACK_SLOT;
}

/* Returns the size of the part of the shared file that begins with the header *h: a chunk of a
 * block, or a slot. */
static uint64_t bytes_of(const struct track_header *h)
{
	struct track_chunk c;

	memcpy(&c, h, sizeof(c));
	return c.magic == TRACK_CHUNK_MAGIC ? TRACK_CHUNK : TRACK_SLOT;
}

/* Must the slot with this number be listed? Returns true if the slot's log does not continue in a
 * file. Also returns true for the first damaged slot, because opening it then reports the error. */
static bool is_to_be_named(const struct track_header *h, uint64_t number,
			   const struct continued *slots, bool *damaged)
{
	static const char nothing[sizeof(h->magic)];
	uint64_t key = number + 1;

	if (is_header(h))
		return !slots->n || !bsearch(&key, slots->at, slots->n, sizeof(key), by_number);
	if (*damaged || !memcmp(h->magic, nothing, sizeof(nothing)) ||
	    (!number && !memcmp(h->magic, TRACK_SHARED_MAGIC, sizeof(h->magic))) ||
	    bytes_of(h) == TRACK_CHUNK)
		return false;
	*damaged = true;
	return true;
}

static int add_slots(int fd, struct tl_names *names, const struct continued *slots,
		     struct md_err *err)
{
	off_t size = lseek(fd, 0, SEEK_END), data;
	bool damaged = false;
	int ret = 0;

	for (uint64_t n = 0, bytes = TRACK_SLOT; !ret; n += bytes / TRACK_SLOT) {
		struct track_header h;
		char *name;

		/* skips holes, which are unused slots */
		data = lseek(fd, (off_t)(n * TRACK_SLOT), SEEK_DATA);
		if (data > 0)
			n = (uint64_t)data / TRACK_SLOT;
		if ((data < 0 && errno == ENXIO) || size < (off_t)((n + 1) * TRACK_SLOT))
			break;
		bytes = TRACK_SLOT;
		if (!read_header_at(fd, n * TRACK_SLOT, &h))
			continue;
		bytes = bytes_of(&h);
		if (!is_to_be_named(&h, n, slots, &damaged))
			continue;
		if (asprintf(&name, TRACK_SHARED ":%" PRIu64, n) < 0)
			name = NULL;
		ret = add_name(names, name, err);
	}
	return ret;
}

/* Returns how many used bytes are missing at the end of the shared file. If the counter of used
 * bytes is not plausible, returns the size of this counter. */
static uint64_t missing_bytes(int fd)
{
	struct track_shared s;
	struct stat st;

	if (fstat(fd, &st) || pread(fd, &s, sizeof(s), 0) != (ssize_t)sizeof(s) ||
	    memcmp(s.magic, TRACK_SHARED_MAGIC, sizeof(s.magic)) != 0)
		return 0;
	if (s.next < TRACK_CHUNK || s.next > s.bytes)
		return sizeof(s.next);
	return s.next > (uint64_t)st.st_size ? s.next - (uint64_t)st.st_size : 0;
}

/* Lists the logs of an open folder: first the files, sorted by name, then the slots. */
static int list_folder(const char *dir, int dir_fd, struct tl_names *out, struct continued *slots,
		       struct md_err *err)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, NULL, alphasort), ret, fd;

	if (n < 0)
		return md_fail_errno(err, MD_EIO, "cannot read '%s'", dir);
	ret = add_files(dir_fd, entries, n, out, slots, err);
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	if (slots->n)
		qsort(slots->at, slots->n, sizeof(*slots->at), by_number);
	fd = ret ? -1 : openat(dir_fd, TRACK_SHARED, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return ret || errno == ENOENT ? ret : add_name(out, strdup(TRACK_SHARED), err);
	out->missing = missing_bytes(fd);
	/* A shared file without slots is listed too, so that opening it reports the error. */
	ret = has_slots(fd) ? add_slots(fd, out, slots, err)
			    : add_name(out, strdup(TRACK_SHARED), err);
	close(fd);
	return ret;
}

int tl_names(const char *dir, struct tl_names *out, struct md_err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	struct continued slots = { 0 };

	*out = (struct tl_names){ 0 };
	if (fd < 0)
		return md_fail_errno(err, MD_EIO, "cannot read '%s'", dir);
	ret = list_folder(dir, fd, out, &slots, err);
	free(slots.at);
	close(fd);
	if (ret)
		tl_names_release(out);
	return ret;
}

void tl_names_release(struct tl_names *names)
{
	for (uint32_t i = 0; i < names->n; i++)
		free(names->at[i]);
	free(names->at);
	*names = (struct tl_names){ 0 };
}
