/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a run as a profile of the Firefox Profiler: its "processed profile format", version 48,
 * which later versions of the profiler upgrade. Each thread has its samples and its allocations.
 * From the addresses of the allocations, the profiler computes which memory was not freed.
 *
 * A table of that format is an object with an array for each column, and rows refer to rows of
 * other tables by index. So each column is a stream of its own while rows are added. Functions,
 * frames and stacks occur often but get one row each: a `struct strings` finds the row that was
 * added for one of them.
 */
/*
 * Writes the profile as JSON, table by table: the format is the Firefox Profiler's own, and no
 * library in C writes it. tests/export opens the profiles in the Firefox Profiler.
 *
 * What must stay true: the tables of a thread refer to each other by position, so a table's rows
 * are written in the order in which they were numbered.
 */
#include "report/firefox.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/count.h"
#include "base/escape.h"
#include "report/export_format.h"
#include "report/report_sql.h"

enum column {
	FUNC_NAME,
	FUNC_FILE,
	FRAME_FUNC,
	FRAME_LINE,
	STACK_FRAME,
	STACK_PREFIX,
	SAMPLE_STACK,
	SAMPLE_TIME,
	SAMPLE_WEIGHT,
	BLOCK_STACK,
	BLOCK_TIME,
	BLOCK_WEIGHT,
	BLOCK_ADDRESS,
	COLUMNS
};

/* A column of a table of the profile: either one of the streams in profile.columns, or the same
 * value in each row. */
struct field {
	const char *name;
	int column; /* enum column; SAME means that each row has the value `same` */
	const char *same;
};

enum { SAME = -1 };

static const struct field functions[] = {
	{ "name", FUNC_NAME, NULL },        { "isJS", SAME, "false" },
	{ "relevantForJS", SAME, "false" }, { "resource", SAME, "-1" },
	{ "fileName", FUNC_FILE, NULL },    { "lineNumber", SAME, "null" },
	{ "columnNumber", SAME, "null" },
};
static const struct field frames[] = {
	{ "func", FRAME_FUNC, NULL },   { "line", FRAME_LINE, NULL },
	{ "column", SAME, "null" },     { "address", SAME, "-1" },
	{ "inlineDepth", SAME, "0" },   { "category", SAME, "0" },
	{ "subcategory", SAME, "0" },   { "nativeSymbol", SAME, "null" },
	{ "innerWindowID", SAME, "0" }, { "implementation", SAME, "null" },
};
static const struct field stacks[] = {
	{ "frame", STACK_FRAME, NULL },
	{ "prefix", STACK_PREFIX, NULL },
	{ "category", SAME, "0" },
	{ "subcategory", SAME, "0" },
};
static const struct field samples[] = {
	{ "stack", SAMPLE_STACK, NULL },
	{ "time", SAMPLE_TIME, NULL },
	{ "weight", SAMPLE_WEIGHT, NULL },
};
static const struct field blocks[] = {
	{ "stack", BLOCK_STACK, NULL },   { "time", BLOCK_TIME, NULL },
	{ "weight", BLOCK_WEIGHT, NULL }, { "memoryAddress", BLOCK_ADDRESS, NULL },
	{ "threadId", SAME, "0" },
};

struct profile {
	FILE *out;
	const char *unit; /* unit of the costs; if it is "ns", the weight of a sample is a time */
	sqlite3 *db;
	sqlite3_stmt *st[SQL_STATEMENTS]; /* indexed like sql_export[]; SQL_PATHS is not used */
	/* the statement has a current row, which has not been written yet */
	bool more[SQL_STATEMENTS];
	/* the members from here to `blocks` are the tables of the thread that is being written */
	struct stream columns[COLUMNS];
	struct strings texts, functions, frames, stacks, paths;
	struct {
		uint32_t *at; /* indexed by (id in `paths`) - 1: the id in `stacks` */
		uint32_t n, cap;
	} stack_of;
	uint32_t samples, blocks;
	bool any; /* a thread was written, so the next one needs a comma before it */
	bool nomem;
};

/* Begins the next value of a column: writes a comma if it is not the first. Returns the stream to
 * which the caller writes the value. */
static FILE *next_value(struct profile *p, enum column c)
{
	FILE *f = p->columns[c].f;

	if (ftell(f))
		putc(',', f);
	return f;
}

/* Adds a row to a table, unless it already has one with the key that fmt makes. Returns the id of
 * the row, counted from 1; 0 means out of memory. *is_new says whether it was added. */
static uint32_t add_row(struct profile *p, struct strings *table, bool *is_new, const char *fmt,
			...) __attribute__((format(printf, 4, 5)));
static uint32_t add_row(struct profile *p, struct strings *table, bool *is_new, const char *fmt,
			...)
{
	uint32_t known = table->n, id = 0;
	char *key = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&key, fmt, ap) >= 0) {
		id = strings_id(table, key);
		free(key);
	}
	va_end(ap);
	p->nomem |= !id;
	*is_new = id && table->n > known;
	return id;
}

/* Writes to column c the index of the row with this id; id 0 means none and is written as null. */
static void put_index(struct profile *p, enum column c, uint32_t id)
{
	if (id)
		fprintf(next_value(p, c), "%" PRIu32, id - 1);
	else
		fputs("null", next_value(p, c));
}

/* Adds the text to the profile's string table, if it is new, and writes its index to column c.
 * `text` may be NULL. */
static void put_text(struct profile *p, enum column c, const char *text)
{
	uint32_t id = text ? strings_id(&p->texts, text) : 0;

	p->nomem |= text && !id;
	put_index(p, c, id);
}

/* Extends the call stack with the id `prefix` (0 means the empty stack) by an innermost frame, and
 * adds the result to the table of stacks if it is new. Returns its id. If memory runs out, sets
 * p->nomem. */
static uint32_t add_stack(struct profile *p, uint32_t prefix, const char *name, const char *file,
			  int line)
{
	uint32_t function, frame, stack;
	bool is_new;

	function = add_row(p, &p->functions, &is_new, "%s\n%s", name, file ? file : "");
	if (is_new) {
		put_text(p, FUNC_NAME, name);
		put_text(p, FUNC_FILE, file);
	}
	frame = add_row(p, &p->frames, &is_new, "%" PRIu32 " %d", function, line);
	if (is_new) {
		put_index(p, FRAME_FUNC, function);
		fprintf(next_value(p, FRAME_LINE), line ? "%d" : "null", line);
	}
	stack = add_row(p, &p->stacks, &is_new, "%" PRIu32 " %" PRIu32, prefix, frame);
	if (is_new) {
		put_index(p, STACK_FRAME, frame);
		put_index(p, STACK_PREFIX, prefix);
	}
	return stack;
}

/* The first columns of the results of the statements SQL_SAMPLES and SQL_BLOCKS. */
enum { THREAD_ID, TIME_MS, CALL_PATH, INSTRUCTION, LEAF, WEIGHT, ADDRESS };

/* Adds a call stack made of the frames of the call path or instruction in the current row of `row`,
 * and of the text in its column LEAF (if any) as the innermost frame. Returns its id. */
static uint32_t add_frames(struct profile *p, sqlite3_stmt *row)
{
	const char *leaf = (const char *)sqlite3_column_text(row, LEAF);
	sqlite3_stmt *st = p->st[SQL_FRAMES];
	uint32_t stack = 0;

	sqlite3_reset(st);
	sqlite3_bind_value(st, sqlite3_bind_parameter_index(st, ":path"),
			   sqlite3_column_value(row, CALL_PATH));
	sqlite3_bind_value(st, sqlite3_bind_parameter_index(st, ":instruction"),
			   sqlite3_column_value(row, INSTRUCTION));
	while (sqlite3_step(st) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);

		stack = add_stack(p, stack, name ? name : "[unknown]",
				  (const char *)sqlite3_column_text(st, 1),
				  sqlite3_column_int(st, 2));
	}
	return leaf || !stack ? add_stack(p, stack, leaf ? leaf : "[unknown]", NULL, 0) : stack;
}

/* Returns the id of the call stack of the current row. Stores it, so that the frames of each call
 * path are read only once for each thread. */
static uint32_t stack_of(struct profile *p, sqlite3_stmt *row)
{
	const char *leaf = (const char *)sqlite3_column_text(row, LEAF);
	bool is_new;
	uint32_t id = add_row(p, &p->paths, &is_new, "%lld %lld %s",
			      (long long)sqlite3_column_int64(row, CALL_PATH),
			      (long long)sqlite3_column_int64(row, INSTRUCTION), leaf ? leaf : "");

	if (!id || !VEC_REACH(&p->stack_of, id)) {
		p->nomem = true;
		return 0;
	}
	if (is_new)
		AT_ID(p->stack_of, id) = add_frames(p, row);
	return AT_ID(p->stack_of, id);
}

static void add_sample(struct profile *p, sqlite3_stmt *row)
{
	double cost = sqlite3_column_double(row, WEIGHT);

	put_index(p, SAMPLE_STACK, stack_of(p, row));
	fprintf(next_value(p, SAMPLE_TIME), "%.6f", sqlite3_column_double(row, TIME_MS));
	fprintf(next_value(p, SAMPLE_WEIGHT), "%.6f", strcmp(p->unit, "ns") ? cost : cost / 1e6);
	p->samples++;
}

static void add_block(struct profile *p, sqlite3_stmt *row)
{
	put_index(p, BLOCK_STACK, stack_of(p, row));
	fprintf(next_value(p, BLOCK_TIME), "%.6f", sqlite3_column_double(row, TIME_MS));
	fprintf(next_value(p, BLOCK_WEIGHT), "%lld", (long long)sqlite3_column_int64(row, WEIGHT));
	fprintf(next_value(p, BLOCK_ADDRESS), "%lld",
		(long long)sqlite3_column_int64(row, ADDRESS));
	p->blocks++;
}

/* Calls add() for each row of the statement that belongs to this thread. These are the next rows of
 * the statement, because both the rows and the output are ordered by thread. */
static void add_rows(struct profile *p, int statement, sqlite3_int64 thread,
		     void (*add)(struct profile *p, sqlite3_stmt *row))
{
	sqlite3_stmt *st = p->st[statement];

	while (p->more[statement] && sqlite3_column_int64(st, THREAD_ID) == thread) {
		add(p, st);
		p->more[statement] = sqlite3_step(st) == SQLITE_ROW;
	}
}

static void put_table(struct profile *p, const char *name, const struct field *fields, size_t n,
		      uint32_t rows)
{
	fprintf(p->out, ",\n\"%s\":{\"length\":%" PRIu32, name, rows);
	for (size_t i = 0; i < n; i++) {
		fprintf(p->out, ",\"%s\":[", fields[i].name);
		if (fields[i].column != SAME)
			fputs(p->columns[fields[i].column].text, p->out);
		for (uint32_t row = 0; fields[i].column == SAME && row < rows; row++)
			fprintf(p->out, "%s%s", row ? "," : "", fields[i].same);
		putc(']', p->out);
	}
}

/* Writes the JSON of the thread in the current row of `st`, with the tables collected for it. */
static void put_thread(struct profile *p, sqlite3_stmt *st)
{
	const char *name = (const char *)sqlite3_column_text(st, 1);
	int pid = sqlite3_column_int(st, 2), tid = sqlite3_column_int(st, 3);
	bool ended = sqlite3_column_type(st, 5) != SQLITE_NULL;
	FILE *out = p->out;

	for (int c = 0; c < COLUMNS; c++)
		fflush(p->columns[c].f);
	fprintf(out, "%s{\"name\":", p->any ? ",\n" : "");
	escape_json(name ? name : "", out);
	fprintf(out,
		",\"processType\":\"default\",\"pid\":\"%d\",\"tid\":%d,\"isMainThread\":%s,"
		"\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":%.6f,"
		"\"unregisterTime\":",
		pid, tid, pid == tid ? "true" : "false", sqlite3_column_double(st, 4));
	fprintf(out, ended ? "%.6f" : "null", sqlite3_column_double(st, 5));
	fputs(",\"pausedRanges\":[]", out);
	put_table(p, "funcTable", functions, COUNT_OF(functions), p->functions.n);
	fputs("}", out);
	put_table(p, "frameTable", frames, COUNT_OF(frames), p->frames.n);
	fputs("}", out);
	put_table(p, "stackTable", stacks, COUNT_OF(stacks), p->stacks.n);
	fputs("}", out);
	put_table(p, "samples", samples, COUNT_OF(samples), p->samples);
	fprintf(out, ",\"weightType\":\"%s\"}", strcmp(p->unit, "ns") ? "samples" : "tracing-ms");
	if (p->blocks) {
		put_table(p, "nativeAllocations", blocks, COUNT_OF(blocks), p->blocks);
		fputs(",\"weightType\":\"bytes\"}", out);
	}
	fputs(",\n\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]},"
	      "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
	      "\"functionSize\":[]},"
	      "\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	      "\"phase\":[],\"category\":[]},\n\"stringArray\":[",
	      out);
	for (uint32_t id = 1; id <= p->texts.n; id++) {
		fputs(id > 1 ? "," : "", out);
		escape_json(strings_text(&p->texts, id), out);
	}
	fputs("]}", out);
	p->any = true;
}

static void release_thread(struct profile *p)
{
	for (int c = 0; c < COLUMNS; c++)
		stream_release(&p->columns[c]);
	strings_release(&p->texts);
	strings_release(&p->functions);
	strings_release(&p->frames);
	strings_release(&p->stacks);
	strings_release(&p->paths);
	free(p->stack_of.at);
	memset(&p->stack_of, 0, sizeof(p->stack_of));
	p->samples = p->blocks = 0;
}

/* Collects and writes the samples and blocks of the thread in the current row, unless it has
 * neither. */
static void add_thread(struct profile *p)
{
	sqlite3_stmt *st = p->st[SQL_THREADS];
	sqlite3_int64 thread = sqlite3_column_int64(st, 0);

	for (int c = 0; c < COLUMNS; c++)
		p->nomem |= !stream_open(&p->columns[c]);
	if (!p->nomem) {
		add_rows(p, SQL_SAMPLES, thread, add_sample);
		add_rows(p, SQL_BLOCKS, thread, add_block);
	}
	if (!p->nomem && (p->samples || p->blocks))
		put_thread(p, st);
	release_thread(p);
}

static void put_meta(struct profile *p, sqlite3_stmt *run)
{
	const char *command = (const char *)sqlite3_column_text(run, 0);

	fprintf(p->out,
		"{\"meta\":{\"version\":27,\"preprocessedProfileVersion\":48,\"interval\":1,"
		"\"startTime\":%.3f,\"processType\":0,\"stackwalk\":1,\"debug\":false,"
		"\"symbolicationNotSupported\":true,\"sourceURL\":\"\",\"markerSchema\":[],"
		"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":["
		"\"Other\"]}"
		"],"
		"\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
		"\"importedFrom\":\"memdb\",\"product\":",
		sqlite3_column_double(run, 1));
	escape_json(command ? command : "memdb", p->out);
	fputs("},\n\"libs\":[],\n\"threads\":[", p->out);
}

static int put_all(struct profile *p, bool by_object)
{
	sqlite3_stmt *run;

	for (int i = SQL_FRAMES; i < SQL_STATEMENTS; i++)
		if (sqlite3_prepare_v2(p->db, sql_export[i].text, -1, &p->st[i], NULL))
			return MD_EDB;
	if (sqlite3_prepare_v2(p->db, "SELECT command, started_realtime_ns / 1e6 FROM runs", -1,
			       &run, NULL))
		return MD_EDB;
	sqlite3_step(run);
	put_meta(p, run);
	sqlite3_finalize(run);
	if (sqlite3_bind_text(p->st[SQL_SAMPLES], 1, by_object ? "object" : "wait", -1,
			      SQLITE_STATIC))
		return MD_EDB;
	p->more[SQL_SAMPLES] = sqlite3_step(p->st[SQL_SAMPLES]) == SQLITE_ROW;
	p->more[SQL_BLOCKS] = sqlite3_step(p->st[SQL_BLOCKS]) == SQLITE_ROW;
	while (!p->nomem && sqlite3_step(p->st[SQL_THREADS]) == SQLITE_ROW)
		add_thread(p);
	fputs("]}\n", p->out);
	return p->nomem ? MD_ENOMEM : 0;
}

int firefox_write(sqlite3 *db, const char *unit, bool by_object, FILE *out, struct md_err *err)
{
	struct profile p = { .db = db, .unit = unit, .out = out };
	int ret = put_all(&p, by_object);

	for (int i = SQL_FRAMES; i < SQL_STATEMENTS; i++)
		if (sqlite3_finalize(p.st[i]) && !ret)
			ret = MD_EDB;
	if (ret == MD_EDB)
		return md_fail(err, MD_EDB, "cannot export: %s", sqlite3_errmsg(db));
	if (ret)
		return md_nomem(err);
	if (fflush(out) || ferror(out))
		return md_fail_errno(err, MD_EIO, "cannot write the export");
	return 0;
}
