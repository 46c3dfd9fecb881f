/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/annotate_code.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/index.h"
#include "decode/listing.h"
#include "report/report_sql.h"
#include "symbol/symbol.h"

enum { AROUND = 4 }; /* number of instructions that are printed before and after a sampled one */

/* The columns of the rows that sql/annotate/2-instructions.sql returns. */
enum { NTH, FUNCTION, FILE_PATH, BUILD_ID, OFFSET, SAMPLES, SHARE, MEASURE, ACCESSES, ARCH, NOUN };

struct sampled {
	uint64_t offset; /* file offset of the instruction, or of a byte inside it */
	int64_t samples;
	/* percent of the run's total of `measure`; negative means unknown */
	double share;
	const char *accesses;
};

/* A function, and its instructions that have samples. */
struct routine {
	struct {
		struct sampled *at;
		uint32_t n, cap;
	} sampled; /* sorted by offset */
	struct arena arena;
	const char *function, *path;
	const char *noun;    /* "samples", or "counted" if every access was counted */
	const char *measure; /* what the shares are computed from: "cost" or "accesses" */
	struct sym_build_id id;
	enum dec_arch arch;
};

struct code_line {
	uint64_t offset;
	char *text;
	/* the `nsampled` elements of routine.sampled that belong to this instruction; if nsampled
	 * is 0, it has no samples */
	const struct sampled *sampled;
	unsigned nsampled;
};

struct code_listing {
	struct {
		struct code_line *at;
		uint32_t n, cap;
	} lines;
	const struct routine *r;
	uint64_t start; /* file offset of the first instruction of r's function */
	/* index in r->sampled of the first element that does not belong to a line yet; lines are
	 * added by rising offsets */
	uint32_t next;
};

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static struct sym_build_id read_build_id(const char *hex)
{
	struct sym_build_id id = { 0 };

	for (; hex && id.size < sizeof(id.bytes); hex += 2) {
		const int high = hex_digit(hex[0]), low = high < 0 ? -1 : hex_digit(hex[1]);

		if (low < 0)
			break;
		id.bytes[id.size++] = (uint8_t)(high << 4 | low);
	}
	return id;
}

static const char *keep_text(struct routine *r, sqlite3_stmt *st, int column)
{
	const char *s = (const char *)sqlite3_column_text(st, column);

	return s ? arena_copy(&r->arena, s, strlen(s)) : NULL;
}

static bool add_sampled(struct routine *r, sqlite3_stmt *st)
{
	const char *arch = (const char *)sqlite3_column_text(st, ARCH);

	if (!VEC_ROOM(&r->sampled))
		return false;
	if (!r->sampled.n) {
		r->function = keep_text(r, st, FUNCTION);
		r->path = keep_text(r, st, FILE_PATH);
		r->measure = keep_text(r, st, MEASURE);
		r->noun = keep_text(r, st, NOUN);
		r->id = read_build_id((const char *)sqlite3_column_text(st, BUILD_ID));
		r->arch = arch && (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64")) ? DEC_AARCH64
										       : DEC_X86_64;
	}
	r->sampled.at[r->sampled.n++] = (struct sampled){
		.offset = (uint64_t)sqlite3_column_int64(st, OFFSET),
		.samples = sqlite3_column_int64(st, SAMPLES),
		.share = sqlite3_column_type(st, SHARE) == SQLITE_NULL
				 ? -1
				 : sqlite3_column_double(st, SHARE),
		.accesses = keep_text(r, st, ACCESSES),
	};
	return r->function && r->path && r->measure && r->noun;
}

static void clear_routine(struct routine *r)
{
	arena_release(&r->arena);
	free(r->sampled.at);
	*r = (struct routine){ 0 };
}

static int add_instruction(void *arg, const struct listed *i)
{
	struct code_listing *l = arg;
	struct code_line line = { .offset = l->start + i->at, .text = strdup(i->text) };

	if (!line.text || !VEC_ROOM(&l->lines)) {
		free(line.text);
		return MD_ENOMEM;
	}
	while (l->next < l->r->sampled.n && l->r->sampled.at[l->next].offset < line.offset)
		l->next++;
	line.sampled = l->r->sampled.at + l->next;
	while (l->next < l->r->sampled.n &&
	       l->r->sampled.at[l->next].offset < line.offset + i->size) {
		l->next++;
		line.nsampled++;
	}
	l->lines.at[l->lines.n++] = line;
	return 0;
}

static bool is_near_sampled(const struct code_listing *l, uint32_t at)
{
	const uint32_t from = at > AROUND ? at - AROUND : 0;

	for (uint32_t i = from; i < l->lines.n && i <= at + AROUND; i++)
		if (l->lines.at[i].nsampled)
			return true;
	return false;
}

/* Prints the source line of the instruction at `offset`, unless it equals *last, the line printed
 * before. Stores a line that it prints in *last. */
static void print_source(struct sym_file *file, uint64_t offset, struct sym_line *last, FILE *out)
{
	struct sym_line at;
	const char *name;

	if (!sym_lines_at(file, offset, &at, 1) || !at.file || !at.line ||
	    (at.line == last->line && at.file == last->file))
		return;
	*last = at;
	name = strrchr(at.file, '/');
	fprintf(out, "%29s", "");
	escape_text(name ? name + 1 : at.file, out);
	fprintf(out, ":%" PRIu32 "\n", at.line);
}

static void print_instruction(const struct code_line *l, bool waits, uint64_t vaddr, FILE *out)
{
	int64_t samples = 0;
	double share = -1; /* not known */

	for (unsigned i = 0; i < l->nsampled; i++) {
		samples += l->sampled[i].samples;
		if (l->sampled[i].share >= 0)
			share = l->sampled[i].share + (share > 0 ? share : 0);
	}
	if (samples && share >= 0)
		fprintf(out, "%6.1f %% %8" PRId64 " %c", share, samples,
			waits && share > 0 ? '>' : ' ');
	else if (samples)
		fprintf(out, "%8s %8" PRId64 "  ", "", samples);
	else
		fprintf(out, "%19s", "");
	fprintf(out, " %7" PRIx64 ": ", vaddr);
	escape_text(l->text, out);
	putc('\n', out);
	for (unsigned i = 0; i < l->nsampled; i++)
		if (l->sampled[i].accesses) {
			fprintf(out, "%29s-> ", "");
			escape_text(l->sampled[i].accesses, out);
			putc('\n', out);
		}
}

static void print_listing(const struct code_listing *l, struct sym_file *file, FILE *out)
{
	struct sym_line last = { 0 };
	bool gap = true;

	escape_text(l->r->function, out);
	fputs("  ", out);
	escape_text(l->r->path, out);
	fprintf(out, "\n\n%8s  %s  address\n", l->r->measure, l->r->noun);
	for (uint32_t i = 0; i < l->lines.n; i++) {
		uint64_t vaddr = l->lines.at[i].offset;

		if (!is_near_sampled(l, i)) {
			if (!gap)
				fputs("     ...\n", out);
			gap = true;
			continue;
		}
		gap = false;
		print_source(file, l->lines.at[i].offset, &last, out);
		sym_vaddr_at(file, l->lines.at[i].offset, &vaddr);
		print_instruction(&l->lines.at[i], !strcmp(l->r->measure, "cost"), vaddr, out);
	}
}

static const char *why_not(enum sym_state s)
{
	return s == SYM_MISSING    ? "is not here"
	       : s == SYM_REPLACED ? "is not the one that ran"
				   : "has no code";
}

/* Prints a function. No file of this machine has the code of the kernel, whose name is in brackets:
 * adds 1 to *kernel instead. */
static int print_routine(const struct routine *r, bool first, int *kernel, FILE *out,
			 struct md_err *err)
{
	struct code_listing l = { .r = r };
	struct sym_file *file;
	const uint8_t *code;
	uint64_t key, vaddr = 0;
	size_t len, at;
	bool from_start;
	int ret = sym_file_open(r->path, &r->id, &(struct sym_options){ 0 }, &file, err);

	if (ret)
		return ret;
	code = sym_code_at(file, r->sampled.at[0].offset, &len, &at, &from_start, &key);
	if (!code && r->path[0] == '[') {
		++*kernel;
		goto out;
	}
	if (!code) {
		escape_say("memdb annotate: no instructions of '%s': '%s' %s", r->function, r->path,
			   why_not(sym_file_state(file)));
		goto out;
	}
	if (!first)
		putc('\n', out);
	l.start = r->sampled.at[0].offset - at;
	sym_vaddr_at(file, l.start, &vaddr);
	ret = listing_each(r->arch, code, len, vaddr, add_instruction, &l, err);
	if (ret == MD_ENOMEM)
		md_nomem(err);
	if (!ret)
		print_listing(&l, file, out);
out:
	for (uint32_t i = 0; i < l.lines.n; i++)
		free(l.lines.at[i].text);
	free(l.lines.at);
	sym_file_close(file);
	return ret;
}

static int print_routines(sqlite3_stmt *st, FILE *out, struct md_err *err)
{
	struct routine r = { 0 };
	int64_t nth = 0;
	int ret = 0, kernel = 0, rc;

	while (!ret && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW) {
			ret = md_fail(err, MD_EDB, "cannot annotate: %s",
				      sqlite3_errmsg(sqlite3_db_handle(st)));
			break;
		}
		if (r.sampled.n && sqlite3_column_int64(st, NTH) != nth) {
			ret = print_routine(&r, nth == 1, &kernel, out, err);
			clear_routine(&r);
		}
		nth = sqlite3_column_int64(st, NTH);
		if (!ret && !add_sampled(&r, st))
			ret = md_nomem(err);
	}
	if (!ret && r.sampled.n)
		ret = print_routine(&r, nth == 1, &kernel, out, err);
	else if (!ret && !nth)
		ret = md_fail(
			err, MD_EUSAGE,
			"no instruction has samples there: --asm wants a function or FILE:LINE, "
			"as `memdb query costs` lists them with by=function and by=line");
	if (!ret && kernel)
		escape_say(
			"memdb annotate: no instructions of %d function%s of the kernel: its code "
			"is not recorded",
			kernel, kernel == 1 ? "" : "s");
	clear_routine(&r);
	return ret;
}

int annotate_code(sqlite3 *db, const char *function, const char *file, int line, int top, FILE *out,
		  struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret;

	if (sqlite3_prepare_v2(db, sql_annotate[1].text, -1, &st, NULL))
		return md_fail(err, MD_EDB, "cannot annotate: %s", sqlite3_errmsg(db));
	sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":function"), function, -1,
			  SQLITE_STATIC);
	sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":file"), file, -1, SQLITE_STATIC);
	if (line)
		sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":line"), line);
	if (!function)
		sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":top"), top);
	ret = print_routines(st, out, err);
	sqlite3_finalize(st);
	return ret;
}
