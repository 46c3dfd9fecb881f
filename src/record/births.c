/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/births.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "record/capture.h"
#include "track_format.h"

enum {
	/* Every chunk begins at a multiple of this size, except the chunk of a slot: a slot begins
	 * there, and its chunk TRACK_SLOT_HEADER bytes later. */
	UNIT = TRACK_SLOT,
	/* maximum number of bytes that one count reads */
	MOST_READ = 64 << 20,
};

_Static_assert(TRACK_CHUNK % UNIT == 0, "chunks begin at multiples of UNIT");

/* What is known about a log file. */
struct log_file {
	char *name;
	/* read[i]: unit i belongs to a full chunk that has been counted, so it is not read again */
	bool *read;
	size_t units;
	uint64_t full; /* births in the chunks that are full */
};

struct births {
	struct log_file *files;
	size_t n;
	uint64_t left;  /* bytes that the current count may still read */
	uint64_t count; /* births in the chunks that threads still fill */
	uint64_t words[TRACK_CHUNK / sizeof(uint64_t)];
};

struct births *births_new(void)
{
	return calloc(1, sizeof(struct births));
}

void births_free(struct births *b)
{
	for (size_t i = 0; b && i < b->n; i++) {
		free(b->files[i].name);
		free(b->files[i].read);
	}
	if (b)
		free(b->files);
	free(b);
}

/* Returns the entry of a file, a new one if necessary, or NULL when out of memory. */
static struct log_file *file_of(struct births *b, const char *name)
{
	struct log_file *files;
	char *copy;

	for (size_t i = 0; i < b->n; i++)
		if (!strcmp(b->files[i].name, name))
			return &b->files[i];
	files = realloc(b->files, (b->n + 1) * sizeof(*files));
	if (!files)
		return NULL;
	b->files = files;
	copy = strdup(name);
	if (!copy)
		return NULL;
	files[b->n] = (struct log_file){ .name = copy };
	return &files[b->n++];
}

/* Counts the births in n words of records. */
static uint64_t count_words(const uint64_t *words, size_t n)
{
	uint64_t births = 0, length;

	for (size_t i = 0; i < n; i++) {
		births += TRACK_TYPE(words[i]) == TRACK_BODY;
		if (TRACK_TYPE(words[i]) != TRACK_LONG)
			continue;
		births += TRACK_GET(LONG_KIND, words[i]) == TRACK_EVENT + TL_BIRTH;
		length = TRACK_GET(LONG_WORDS, words[i]);
		i += length ? length - 1 : 0;
	}
	return births;
}

/* Counts the births of the chunk in b->words[at..end), if a chunk begins at `at`. Returns true if
 * the chunk is full, so that it need not be read again. */
static bool count_chunk(struct births *b, struct log_file *f, size_t at, size_t end)
{
	const size_t head = sizeof(struct track_chunk) / sizeof(*b->words);
	struct track_chunk chunk;
	uint64_t n;

	if (end < at + head)
		return false;
	memcpy(&chunk, b->words + at, sizeof(chunk));
	if (chunk.magic != TRACK_CHUNK_MAGIC)
		return false;
	n = count_words(b->words + at + head, end - at - head);
	if (chunk.state == TRACK_FULL)
		f->full += n;
	else
		b->count += n;
	return chunk.state == TRACK_FULL;
}

/* Reads the slot or the chunk that begins at unit u. Returns the number of units that it takes. */
static size_t read_unit(struct births *b, int fd, struct log_file *f, size_t u)
{
	const size_t slot = TRACK_SLOT / sizeof(*b->words);
	ssize_t got = pread(fd, b->words, sizeof(b->words), (off_t)(u * UNIT));
	size_t words = got > 0 ? (size_t)got / sizeof(*b->words) : 0, n = 1;
	bool full = false;

	b->left -= (uint64_t)words * 8 < b->left ? (uint64_t)words * 8 : b->left;
	if (words && !memcmp(b->words, TRACK_MAGIC, strlen(TRACK_MAGIC))) {
		full = count_chunk(b, f, TRACK_SLOT_HEADER / sizeof(*b->words),
				   words < slot ? words : slot);
	} else if (words && (uint32_t)b->words[0] == TRACK_CHUNK_MAGIC) {
		full = count_chunk(b, f, 0, words);
		n = TRACK_CHUNK / UNIT;
	}
	for (size_t i = u; full && i < u + n && i < f->units; i++)
		f->read[i] = true;
	return n;
}

/* Makes f->read long enough for `units`. Returns false when out of memory. */
static bool grow_file(struct log_file *f, size_t units)
{
	bool *read = units > f->units ? realloc(f->read, units) : f->read;

	if (units <= f->units)
		return true;
	if (!read)
		return false;
	memset(read + f->units, 0, units - f->units);
	f->read = read;
	f->units = units;
	return true;
}

/* Counts the births in one file. The file is sparse, so only its parts with data are read; its size
 * is much larger than these parts. */
static void count_file(struct births *b, int fd, struct log_file *f)
{
	off_t end = 0, data;

	while (b->left && (data = lseek(fd, end, SEEK_DATA)) >= 0) {
		end = lseek(fd, data, SEEK_HOLE);
		if (end <= data || !grow_file(f, (size_t)(end + UNIT - 1) / UNIT))
			return;
		for (size_t u = (size_t)data / UNIT; b->left && (off_t)(u * UNIT) < end;)
			u += f->read[u] ? 1 : read_unit(b, fd, f, u);
	}
}

uint64_t births_count(struct births *b, int dir_fd, bool *all)
{
	DIR *d = capture_folder(dir_fd, "track");
	uint64_t n = 0;
	struct dirent *e;

	b->left = MOST_READ;
	b->count = 0;
	while (d && (e = readdir(d))) {
		struct log_file *f = *e->d_name == '.' ? NULL : file_of(b, e->d_name);
		int fd = f ? openat(dirfd(d), e->d_name,
				    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
			   : -1;

		if (fd < 0)
			continue;
		count_file(b, fd, f);
		close(fd);
	}
	if (d)
		closedir(d);
	for (size_t i = 0; i < b->n; i++)
		n += b->files[i].full;
	*all = b->left > 0;
	return n + b->count;
}
