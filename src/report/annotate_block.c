/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the source lines of a function or file next to their samples.
 *
 * What must stay true: a line shows the text that the program was built from. So the source file on
 * this machine is not used if it contradicts the lines in the database. If the database has none of
 * the lines, and the file is newer than the program, block_print() warns.
 */
#include "report/annotate_block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/escape.h"

enum {
	CONTEXT = 3, /* number of other lines of the file that are printed before and after a line
		      * of the block */
	TAB = 8,
	MAX_SHOWN = 1000 /* maximum number of characters of a source line that are printed */
};

/* Prints source text, with each tab replaced by blanks. */
static void print_text(const char *s, FILE *out)
{
	char wide[MAX_SHOWN + TAB + 1];
	size_t n = 0;

	for (; *s && n < MAX_SHOWN; s++) {
		if (*s != '\t') {
			wide[n++] = *s;
			continue;
		}
		do
			wide[n++] = ' ';
		while (n % TAB);
	}
	wide[n] = '\0';
	escape_text(wide, out);
	putc('\n', out);
}

static void print_percent(double v, FILE *out)
{
	if (v >= 0)
		fprintf(out, "%6.1f %%", v);
	else
		fprintf(out, "%8s", "");
}

static void print_range(double low, double high, FILE *out)
{
	char range[32] = "";

	if (low >= 0)
		snprintf(range, sizeof(range), "%.0f-%.0f %%", low, high);
	fprintf(out, " %9s", range);
}

static void print_count(int64_t v, FILE *out)
{
	if (v > 99999999)
		fprintf(out, " %7" PRId64 "M", v / 1000000);
	else if (v)
		fprintf(out, " %8" PRId64, v);
	else
		fprintf(out, " %8s", "");
}

/*
 * Prints the columns that precede the text of a source line. If `l` is NULL, they are blank. If
 * `line` is 0, prints no line number.
 */
static void print_columns(const struct block *b, const struct line *l, uint32_t line, FILE *out)
{
	print_percent(l && l->samples ? l->share : -1, out);
	print_count(l ? l->samples : 0, out);
	if (b->has_remote)
		print_range(l ? l->remote_low : -1, l ? l->remote_high : -1, out);
	if (b->has_touches)
		print_count(l ? (l->touches + 1023) / 1024 : 0, out);
	if (line)
		fprintf(out, " %6" PRIu32 " | ", line);
	else
		fprintf(out, " %6s | ", "");
}

static void print_head(const struct block *b, FILE *out)
{
	if (b->function) {
		escape_text(b->function, out);
		fputs("  ", out);
	}
	escape_text(b->file, out);
	if (b->share >= 0)
		fprintf(out, ": %.1f %% of the %s, %" PRId64 " %s", b->share, b->measure,
			b->samples, b->noun);
	else
		fprintf(out, ": %" PRId64 " %s", b->samples, b->noun);
	if (b->inlined_share >= 0.05)
		fprintf(out, "; %.1f %% in functions that were inlined here (=>)",
			b->inlined_share);
	fputs("\n\n", out);
	fprintf(out, "%8s %8s%s%s %6s\n", b->measure, b->noun, b->has_remote ? "    remote" : "",
		b->has_touches ? "  KiB new" : "", "line");
}

static void print_line(const struct block *b, const struct line *l, const char *text, FILE *out)
{
	if (l->inlined) {
		print_columns(b, l, 0, out);
		fputs("   => ", out);
		escape_text(l->inlined, out);
		putc('\n', out);
		return;
	}
	print_columns(b, l, l->line, out);
	print_text(text ? text : "", out);
	if (!l->accesses && !l->function)
		return;
	print_columns(b, NULL, 0, out);
	fputs("   ", out);
	if (l->accesses) {
		fputs("-> ", out);
		escape_text(l->accesses, out);
	}
	if (l->function) {
		fputs(l->accesses ? " (in " : "(in ", out);
		escape_text(l->function, out);
		putc(')', out);
	}
	putc('\n', out);
}

/* How the source file on this machine compares with the text that the database stores for the lines
 * of a block. SOURCE_NONE: there is no file. SOURCE_NEWER: the database stores no text, and the
 * file was changed after the program was built. */
enum source_state { SOURCE_NONE, SOURCE_SAME, SOURCE_CHANGED, SOURCE_NEWER };

static bool is_newer(const char *path, const char *program)
{
	struct stat source, made;

	return program && !stat(path, &source) && !stat(program, &made) &&
	       source.st_mtim.tv_sec > made.st_mtim.tv_sec;
}

/* Compares the file at `path` with the block's lines in the database. A long line is stored only
 * up to a limit, so the line in the file need only begin with the stored text. */
static enum source_state compare_source(const struct block_printer *p, const struct block *b,
					const char *path)
{
	bool any = false;

	if (!path || !source_line(p->sources, path, 1, 0))
		return SOURCE_NONE;
	for (uint32_t i = 0; i < b->lines.n; i++) {
		const struct line *l = &b->lines.at[i];
		const char *now = source_line(p->sources, path, l->line, 0);

		if (!l->text)
			continue;
		if (!now || strncmp(now, l->text, strlen(l->text)))
			return SOURCE_CHANGED;
		any = true;
	}
	return !any && is_newer(path, b->program) ? SOURCE_NEWER : SOURCE_SAME;
}

/* Prints a warning if the file on this machine may not be the one from which the program was built,
 * or if neither the file nor a stored line is available. */
static void say_state(const struct block *b, enum source_state state, const char *path)
{
	bool stored = false;

	for (uint32_t i = 0; i < b->lines.n; i++)
		stored |= b->lines.at[i].text != NULL;
	if (state == SOURCE_CHANGED)
		escape_say("memdb annotate: '%s' has changed since the import: the lines shown are "
			   "those stored in the database",
			   path);
	else if (state == SOURCE_NEWER)
		escape_say("memdb annotate: '%s' is newer than '%s': its lines may not be those "
			   "that ran",
			   path, b->program);
	else if (state == SOURCE_NONE && !stored)
		escape_say("memdb annotate: the source '%s' is not here: --source-dir or "
			   "--substitute-path say where it is",
			   b->file);
}

/* Prints the lines [from, to) of the file at `path`, which are not in the block, with blank
 * columns. */
static void print_between(const struct block_printer *p, const struct block *b, const char *path,
			  uint32_t from, uint32_t to)
{
	const char *text;

	for (; from < to && (text = source_line(p->sources, path, from, 0)); from++) {
		print_columns(b, NULL, from, p->out);
		print_text(text, p->out);
	}
}

/*
 * Prints the lines [from, to), which lie between two lines of the block: all if they are few,
 * otherwise only the first CONTEXT and the last CONTEXT lines. If path is NULL, no text is
 * available, and "..." takes the place of the lines.
 */
static void print_gap(const struct block_printer *p, const struct block *b, const char *path,
		      uint32_t from, uint32_t to)
{
	if (path && to - from <= 2 * CONTEXT + 1) {
		print_between(p, b, path, from, to);
		return;
	}
	if (path)
		print_between(p, b, path, from, from + CONTEXT);
	if (from < to)
		fputs("     ...\n", p->out);
	if (path)
		print_between(p, b, path, to - CONTEXT, to);
}

void block_print(const struct block *b, struct block_printer *p)
{
	char *found = source_path(p->paths, b->file);
	const enum source_state state = compare_source(p, b, found);
	const char *path = state == SOURCE_SAME || state == SOURCE_NEWER ? found : NULL;
	uint32_t next = 0;

	say_state(b, state, found);
	if (p->blocks++)
		putc('\n', p->out);
	print_head(b, p->out);
	for (uint32_t i = 0; i < b->lines.n; i++) {
		const struct line *l = &b->lines.at[i];
		const char *text = l->text;

		if (!next && path)
			print_between(p, b, path, l->line > CONTEXT ? l->line - CONTEXT : 1,
				      l->line);
		else if (next && next < l->line)
			print_gap(p, b, path, next, l->line);
		if (!text && path)
			text = source_line(p->sources, path, l->line, 0);
		print_line(b, l, l->line + 1 == next ? "" : text, p->out);
		next = l->line + 1;
	}
	if (path)
		print_between(p, b, path, next, next + CONTEXT);
	free(found);
}
