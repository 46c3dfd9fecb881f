/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "naming/rust.h"
#include "symbol/elf_image.h"

enum { MAX_FILE = 16 << 20, MAX_ALL = 256 << 20, VIEWS = 4 };

struct source {
	bool tried;
	/* the file is newer than a program that refers to it; it is counted in sources.newer */
	bool newer;
	char *text;       /* all lines, with NUL in place of newlines; NULL means not available */
	uint32_t *starts; /* offset of each line in `text` */
	uint32_t nlines;
	int64_t mtime;
	struct scan scan;
	bool scanned; /* whether reading `scan` has been tried */
	/* the views that were made last; viewed[] says which of them are set */
	struct view views[VIEWS];
	bool viewed[VIEWS];
	unsigned next; /* next % VIEWS is the index of the view that is replaced next */
};

struct sources {
	struct strings paths;
	struct arena joined; /* what source_join() returned */
	struct {
		struct source **at; /* indexed by (id of the path in `paths`) - 1 */
		uint32_t n, cap;
	} files;
	size_t bytes;
	/* number of files that are not used, because they are newer than the program */
	uint32_t newer;
	const char *newer_path; /* path of the first of these files */
};

struct sources *sources_new(void)
{
	return calloc(1, sizeof(struct sources));
}

void sources_free(struct sources *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->files.n; i++) {
		struct source *f = s->files.at[i];

		free(f->text);
		free(f->starts);
		scan_release(&f->scan);
		for (unsigned v = 0; v < VIEWS; v++)
			view_release(&f->views[v]);
		free(f);
	}
	free(s->files.at);
	strings_release(&s->paths);
	arena_release(&s->joined);
	free(s);
}

/* Sets f->starts and f->nlines from f->text, which has `len` bytes and then a NUL; newlines become
 * NUL. Returns false when out of memory. */
static bool split_lines(struct source *f, size_t len)
{
	uint32_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += f->text[i] == '\n';
	f->starts = malloc(n * sizeof(*f->starts));
	if (!f->starts)
		return false;
	f->starts[f->nlines++] = 0;
	for (size_t i = 0; i < len; i++) {
		if (f->text[i] != '\n')
			continue;
		f->text[i] = '\0';
		if (i && f->text[i - 1] == '\r')
			f->text[i - 1] = '\0';
		if (i + 1 < len)
			f->starts[f->nlines++] = (uint32_t)i + 1;
	}
	return true;
}

static size_t read_all(int fd, char *buf, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len && (n = read(fd, buf + done, len - done)) > 0)
		done += (size_t)n;
	return done;
}

static void load_source(struct sources *s, struct source *f, const char *path)
{
	int fd = image_reopen(path, NULL);
	struct stat st;
	size_t len;

	if (fd < 0 || fstat(fd, &st) < 0)
		goto out;
	if (st.st_size <= 0 || st.st_size > MAX_FILE || (size_t)st.st_size > MAX_ALL - s->bytes)
		goto out;
	f->text = malloc((size_t)st.st_size + 1);
	if (!f->text)
		goto out;
	len = read_all(fd, f->text, (size_t)st.st_size);
	f->text[len] = '\0';
	f->mtime = st.st_mtim.tv_sec;
	s->bytes += len;
	if (!split_lines(f, len)) {
		free(f->text);
		f->text = NULL;
	}
out:
	if (fd >= 0)
		close(fd);
}

static struct source *find_source(struct sources *s, const char *path)
{
	uint32_t id = strings_id(&s->paths, path);

	while (s->files.n < id) {
		struct source *f = VEC_ROOM(&s->files) ? calloc(1, sizeof(*f)) : NULL;

		if (!f)
			return NULL;
		s->files.at[s->files.n++] = f;
	}
	return id ? AT_ID(s->files, id) : NULL;
}

/* Returns the source file if its text is available and the file is not newer than not_after;
 * otherwise NULL. */
static struct source *readable_source(struct sources *s, const char *path, int64_t not_after)
{
	struct source *f = find_source(s, path);

	if (!f)
		return NULL;
	if (!f->tried) {
		f->tried = true;
		load_source(s, f, path);
	}
	if (f->text && not_after && f->mtime > not_after) {
		if (!f->newer && !s->newer++)
			s->newer_path = strings_text(&s->paths, strings_id(&s->paths, path));
		f->newer = true;
		return NULL;
	}
	return f->text ? f : NULL;
}

bool source_add(struct sources *s, const char *path, char *text)
{
	struct source *f = find_source(s, path);

	if (!f || f->text) {
		free(text);
		return false;
	}
	f->tried = true;
	f->text = text;
	return split_lines(f, strlen(text));
}

const char *source_join(struct sources *s, const struct token *a, const struct token *b)
{
	char *text = arena_alloc(&s->joined, a->len + b->len + 1);

	if (!text)
		return NULL;
	memcpy(text, a->s, a->len);
	memcpy(text + a->len, b->s, b->len);
	text[a->len + b->len] = '\0';
	return text;
}

uint32_t sources_newer(const struct sources *s, const char **first)
{
	*first = s->newer_path;
	return s->newer;
}

static const char *line_of(const struct source *f, uint32_t line)
{
	return line && line <= f->nlines ? f->text + f->starts[line - 1] : NULL;
}

const char *source_line(struct sources *s, const char *path, uint32_t line, int64_t not_after)
{
	struct source *f = readable_source(s, path, not_after);

	return f ? line_of(f, line) : NULL;
}

static const char *scanned_line(void *arg, uint32_t line)
{
	return line_of(arg, line);
}

/* Returns the #if branch (scan.h) of the first token in a line; 0 means outside all branches. */
static uint32_t branch_of(const struct scan *s, uint32_t line)
{
	uint32_t lo = VEC_LOWER_BOUND(&s->tokens, line, line);

	return lo < s->tokens.n && s->tokens.at[lo].line == line ? s->tokens.at[lo].branch : 0;
}

static const struct view *view_of_branch(struct source *f, uint32_t branch)
{
	unsigned at;

	for (at = 0; at < VIEWS; at++)
		if (f->viewed[at] && f->views[at].branch == branch)
			return &f->views[at];
	at = f->next++ % VIEWS;
	view_release(&f->views[at]);
	f->viewed[at] = view_make(&f->views[at], &f->scan, branch);
	return f->viewed[at] ? &f->views[at] : NULL;
}

/* Returns the file, which is scanned at the first call; NULL if it is not available. */
static struct source *scanned_source(struct sources *s, const char *path, int64_t not_after)
{
	struct source *f = readable_source(s, path, not_after);

	if (f && !f->scanned) {
		f->scanned = true;
		if (!scan_read(&f->scan, scanned_line, f))
			scan_release(&f->scan);
		f->scan.is_rust = is_rust(path);
	}
	return f;
}

const struct scan *source_scan(struct sources *s, const char *path, int64_t not_after)
{
	const struct source *f = scanned_source(s, path, not_after);

	return f ? &f->scan : NULL;
}

const struct view *source_view(struct sources *s, const char *path, uint32_t line,
			       int64_t not_after)
{
	struct source *f = scanned_source(s, path, not_after);

	return f ? view_of_branch(f, branch_of(&f->scan, line)) : NULL;
}
