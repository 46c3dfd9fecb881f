/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "maps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "buildid.h"
#include "owners.h"
#include "pages.h"
#include "room.h"
#include "thread.h"
#include "variables.h"

/* TEXT_BYTES: room for the part of /proc/self/maps that is read at a time; a line has less than
 * PATH_MAX + 128 bytes */
enum { OWN_MOST = 1024, TEXT_BYTES = 64 << 10, PAGE = 4096, KNOWN_MOST = 256 };

/* the mappings of the emulator itself, which are not reported as mappings of the program */
static struct {
	uint64_t start, end;
} own[OWN_MOST];
static unsigned nown;

/* Addresses that maps_write_unknown() need not write. If there are too many, the oldest ones are
 * replaced: then their mappings are written again. If one thread reads a range while another one
 * replaces it, an unknown address may count as known. */
static struct {
	_Atomic uint64_t start, end;
} known[KNOWN_MOST];
static _Atomic unsigned nknown; /* number of ranges stored so far */

/* Returns the number at *text, which is written in this base. Advances *text past the number and
 * the character after it. */
static uint64_t take_number(char **text, int base)
{
	uint64_t n = strtoull(*text, text, base);

	*text += **text != 0;
	return n;
}

/* Parses a line of /proc/self/maps. m->path points into the line. Returns false if the line is
 * incomplete. */
static bool parse_map(char *line, struct stream_map *m)
{
	char *at = line;

	*m = (struct stream_map){ .start = take_number(&at, 16) };
	m->end = take_number(&at, 16);
	if (strnlen(at, 5) < 5)
		return false;
	m->prot = (at[0] == 'r' ? PROT_READ : 0) | (at[1] == 'w' ? PROT_WRITE : 0) |
		  (at[2] == 'x' ? PROT_EXEC : 0);
	m->flags = at[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	at += 5;
	m->offset = take_number(&at, 16);
	m->major = (uint32_t)take_number(&at, 16);
	m->minor = (uint32_t)take_number(&at, 16);
	m->inode = take_number(&at, 10);
	m->path = at + strspn(at, " ");
	return true;
}

/* Reads /proc/self/maps into `text`, which has room for `room` bytes, after the `used` bytes that
 * are there. Returns the new number of bytes. */
static size_t read_text(int fd, char *text, size_t used, size_t room)
{
	long n = 0;

	while (used < room && ((n = syscall(SYS_read, fd, text + used, room - used)) > 0 ||
			       (n < 0 && errno == EINTR)))
		used += n > 0 ? (size_t)n : 0;
	return used;
}

/* Calls fn(m, arg) for each line of /proc/self/maps, until fn returns false. It runs in threads of
 * the program, so it does not call malloc(), needs little stack, and makes system calls directly:
 * libc's functions are cancellation points. */
static void each_map(bool fn(const struct stream_map *m, void *arg), void *arg)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : room_take(TEXT_BYTES + 1), *line, *end;
	struct stream_map m;
	bool more = text;

	for (size_t used = 0; more; memmove(text, line, used)) {
		const size_t before = used;

		used = read_text(fd, text, used, TEXT_BYTES);
		text[used] = 0;
		for (line = text; more && (end = strchr(line, '\n')); line = end + 1) {
			*end = 0;
			more = !parse_map(line, &m) || fn(&m, arg);
		}
		more &= used > before;
		used -= (size_t)(line - text);
	}
	room_give(text, TEXT_BYTES + 1);
	if (fd >= 0)
		syscall(SYS_close, fd);
}

static bool note_own(const struct stream_map *m, void *arg)
{
	own[nown].start = m->start;
	own[nown++].end = m->end;
	return nown < OWN_MOST;
}

void maps_begin(void)
{
	each_map(note_own, NULL);
}

static bool is_own(const struct stream_map *m)
{
	for (unsigned i = 0; i < nown; i++)
		if (m->start < own[i].end && own[i].start < m->end)
			return true;
	return false;
}

void maps_know(uint64_t start, uint64_t end)
{
	const unsigned i = nknown++ % KNOWN_MOST;

	known[i].end = 0;
	known[i].start = start;
	known[i].end = end;
}

/* as/fast.c calls this function, which must not use vector registers: it reads atomic variables
 * only, one by one. */
bool maps_is_known(uint64_t address)
{
	const unsigned n = nknown;

	for (unsigned i = 0; i < n && i < KNOWN_MOST; i++)
		if (address < known[i].end && address >= known[i].start)
			return true;
	return false;
}

/* The argument `arg` of the callbacks of each_map(): write_map(), find_map(), write_stack(),
 * write_unknown() and find_range(). Each callback uses only some of the members. */
struct asked {
	struct stream *stream;
	/* for write_map(), a range of addresses; for write_stack() and find_range(),
	 * `start` is an address on the stack; for write_unknown(), the unknown address */
	uint64_t start, bytes;
	uint64_t time; /* for write_map() */
	bool data;     /* for write_map(): whether the range is data that the program has mapped */
	const char *path;
	uint64_t *low, *high;
	bool found;
	uint64_t data_end;       /* for note_variables(): where the last mapping ended */
	struct stream_map *last; /* the last mapping that has the first byte of a file */
};

/* Notes the mapping if it has the first byte of a file: then the file's other mappings follow it.
 */
static void note_head(struct asked *a, const struct stream_map *m)
{
	if (!m->offset && m->inode)
		*a->last = *m;
}

/* Adds the build-id of the file, if the file's first byte was seen mapped before (note_head()). A
 * shared mapping gets none: there the importer needs the inode to find the other mappings of the
 * file. */
static void add_build_id(struct asked *a, struct stream_map *m)
{
	struct stream_map *head = a->last;

	if (m->flags != MAP_PRIVATE || !m->inode || m->inode != head->inode ||
	    m->major != head->major || m->minor != head->minor)
		return;
	if (head->path) {
		head->build_id_size = (uint8_t)build_id_read(head->start, head->build_id);
		head->path = NULL; /* the build-id has been read */
	}
	memcpy(m->build_id, head->build_id, sizeof(m->build_id));
	m->build_id_size = head->build_id_size;
}

/* Does the mapping overlap the range of write_map()? */
static bool is_asked(const struct asked *a, const struct stream_map *m)
{
	return m->end > a->start && (m->start <= a->start || m->start - a->start < a->bytes) &&
	       !(a->bytes == MAPS_ALL && is_own(m));
}

/* Notes the variables and constants of a program or library: what it maps of its file, and the
 * writable memory without a file that follows it, in which the variables without initial values
 * are. What begins at the file's first byte are tables for the loader, which are one object each.
 */
static void note_variables(struct asked *a, const struct stream_map *m)
{
	const bool file = m->path[0] == '/', follows = !m->path[0] && m->start == a->data_end;

	if (!(file || follows) || m->flags != MAP_PRIVATE)
		return;
	a->data_end = m->end;
	if (thread_options.period > 1 || !is_asked(a, m))
		return;
	if (file)
		variables_find(m);
	if ((file && m->offset) || m->prot & PROT_WRITE)
		pages_add_variables(m->start, m->end - m->start);
}

/* Cuts the mapping to the range: the kernel merges what a library maps of its file with the same
 * rights, and for the emulator's host, code and constants have the same. */
static void cut_to_asked(const struct asked *a, struct stream_map *m)
{
	const uint64_t page = 1 << PAGE_BITS, end = (a->start + a->bytes + page - 1) / page * page;

	if (m->start < a->start) {
		m->offset += a->start - m->start;
		m->start = a->start;
	}
	if (m->end > end)
		m->end = end;
}

static bool write_map(const struct stream_map *m, void *arg)
{
	struct asked *a = arg;
	struct stream_map map = *m;

	note_head(a, m);
	note_variables(a, m);
	if (m->path[0] != '/' || !is_asked(a, m))
		return true;
	if (a->data)
		cut_to_asked(a, &map);
	else if (!(m->prot & PROT_WRITE))
		map.prot |= PROT_EXEC;
	add_build_id(a, &map);
	map.time = a->time;
	stream_map(a->stream, &map);
	return true;
}

void maps_write(struct stream *s, uint64_t start, uint64_t bytes, uint64_t time)
{
	each_map(write_map, &(struct asked){ .stream = s,
					     .start = start,
					     .bytes = bytes,
					     .time = time,
					     .last = &(struct stream_map){ 0 } });
}

void maps_write_data(struct stream *s, uint64_t start, uint64_t bytes)
{
	each_map(write_map, &(struct asked){ .stream = s,
					     .start = start,
					     .bytes = bytes,
					     .data = true,
					     .last = &(struct stream_map){ 0 } });
}

static bool find_map(const struct stream_map *m, void *arg)
{
	struct asked *a = arg;

	if (strcmp(m->path, a->path))
		return true;
	*a->low = a->found ? *a->low : m->start;
	*a->high = m->end;
	a->found = true;
	return true;
}

void maps_find(const char *path, uint64_t *low, uint64_t *high)
{
	each_map(find_map, &(struct asked){ .path = path, .low = low, .high = high });
}

static bool write_stack(const struct stream_map *m, void *arg)
{
	const struct asked *a = arg;
	struct stream_map map = *m;

	if (a->start < m->start || a->start >= m->end)
		return true;
	map.path = "[stack]";
	stream_map(a->stream, &map);
	maps_know(m->start, m->end);
	return false;
}

void maps_write_stack(struct stream *s, uint64_t address)
{
	each_map(write_stack, &(struct asked){ .stream = s, .start = address });
}

/* Shrinks the mapping *m, which contains the unknown `address`, so that it contains no known
 * addresses. The kernel merges mappings, so stacks that are already written may be a part of it. */
static void cut_known(struct stream_map *m, uint64_t address)
{
	const unsigned n = nknown;

	for (unsigned i = 0; i < n && i < KNOWN_MOST; i++) {
		const uint64_t start = known[i].start, end = known[i].end;

		if (end <= address && end > m->start)
			m->start = end;
		else if (start > address && start < m->end)
			m->end = start;
	}
}

static bool write_unknown(const struct stream_map *m, void *arg)
{
	struct asked *a = arg;
	struct stream_map map = *m;

	note_head(a, m);
	if (a->start < m->start || a->start >= m->end)
		return true;
	add_build_id(a, &map);
	if (!*m->path) { /* memory without a file, for which perf's name is //anon */
		map.path = "//anon";
		cut_known(&map, a->start);
	}
	stream_map(a->stream, &map);
	maps_know(map.start, map.end);
	return false;
}

void maps_write_unknown(struct stream *s, uint64_t address)
{
	each_map(write_unknown, &(struct asked){ .stream = s,
						 .start = address,
						 .last = &(struct stream_map){ 0 } });
}

static bool find_range(const struct stream_map *m, void *arg)
{
	struct asked *a = arg;

	if (a->start < m->start || a->start >= m->end)
		return true;
	*a->low = m->start;
	*a->high = m->end;
	return false;
}

/* Returns the end of a thread's stack in the mapping [low, high). The stack ends after the thread's
 * descriptor, which begins at the thread pointer and is smaller than a page. If the thread pointer
 * is not in the mapping, the stack ends at t->top. If that is 0 (unknown), or not below `high`,
 * returns `high`. (The kernel may have merged the mapping of the stack with one above it.) */
static uint64_t stack_end(const struct maps_thread *t, uint64_t low, uint64_t high)
{
	const uint64_t top = t->pointer > low && t->pointer < high ? t->pointer + PAGE : t->top;
	const uint64_t end = (top + PAGE - 1) & ~(uint64_t)(PAGE - 1);

	return top && end < high ? end : high;
}

void maps_write_thread(struct stream *s, const struct maps_thread *t)
{
	char path[ACCESS_STACK_NAME];
	uint64_t low = 0, high = 0;

	if (t->sp)
		each_map(find_range, &(struct asked){ .start = t->sp, .low = &low, .high = &high });
	snprintf(path, sizeof(path), "[stack:%u]", t->tid);
	if (low)
		maps_know(low, stack_end(t, low, high));
	stream_map(s, &(struct stream_map){ .start = low,
					    .end = stack_end(t, low, high),
					    .offset = t->pointer,
					    .prot = PROT_READ | PROT_WRITE,
					    .flags = MAP_PRIVATE | MAP_ANONYMOUS,
					    .path = path,
					    .time = t->time });
	owners_change(0, UINT64_MAX); /* the stack and the thread-local variables */
}
