/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/export.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/count.h"
#include "base/escape.h"
#include "database/open.h"
#include "report/export_format.h"
#include "report/firefox.h"
#include "report/report_sql.h"

static void do_nothing(struct exporter *e)
{
}

/* Appends a frame to the text of the current call path. ';' separates frames, so a ';' in a name is
 * replaced by ':'. */
static int collapsed_frame(struct exporter *e, const char *name, const char *file, int line)
{
	char *copy = strdup(name);

	if (!copy)
		return MD_ENOMEM;
	for (char *p = copy; (p = strchr(p, ';')); p++)
		*p = ':';
	if (e->begun)
		putc(';', e->shared.f);
	escape_text(copy, e->shared.f);
	free(copy);
	return 0;
}

/* Adds `cost` to the sum e->costs of the current call path, whose text is in e->shared. There is
 * one sum for each text, because several call paths may have the same text. */
static int merge_path(struct exporter *e, int64_t cost)
{
	uint32_t id;

	if (fflush(e->shared.f))
		return MD_ENOMEM;
	id = strings_id_n(&e->paths, e->shared.text, e->shared.size);
	rewind(e->shared.f);
	if (!id || !VEC_REACH(&e->costs, id))
		return MD_ENOMEM;
	AT_ID(e->costs, id) += cost;
	return 0;
}

static int collapsed_end(struct exporter *e)
{
	for (uint32_t id = 1; id <= e->paths.n; id++)
		fprintf(e->out, "%s %" PRId64 "\n", strings_text(&e->paths, id),
			AT_ID(e->costs, id));
	return 0;
}

static void csv_begin(struct exporter *e)
{
	fputs("call_path,cost,unit\r\n", e->out);
}

/* Appends a frame to the text of the current call path. Quotes in its name are doubled, because the
 * CSV field is quoted. */
static int csv_frame(struct exporter *e, const char *name, const char *file, int line)
{
	char *doubled = malloc(2 * strlen(name) + 1);
	size_t n = 0;
	int ret;

	if (!doubled)
		return MD_ENOMEM;
	for (const char *p = name; *p; p++) {
		if (*p == '"')
			doubled[n++] = '"';
		doubled[n++] = *p;
	}
	doubled[n] = 0;
	ret = collapsed_frame(e, doubled, file, line);
	free(doubled);
	return ret;
}

static int csv_end(struct exporter *e)
{
	for (uint32_t id = 1; id <= e->paths.n; id++)
		fprintf(e->out, "\"%s\",%" PRId64 ",%s\r\n", strings_text(&e->paths, id),
			AT_ID(e->costs, id), e->unit);
	return 0;
}

static int speedscope_frame(struct exporter *e, const char *name, const char *file, int line)
{
	uint32_t known = e->frames.n, id;
	char *key = NULL;

	if (asprintf(&key, "%s\n%s\n%d", name, file ? file : "", line) < 0)
		return MD_ENOMEM;
	id = strings_id(&e->frames, key);
	free(key);
	if (!id)
		return MD_ENOMEM;
	fprintf(e->samples.f, "%s%" PRIu32, e->begun ? "," : e->any ? ",\n[" : "[", id - 1);
	e->any = true;
	if (e->frames.n == known)
		return 0;
	fprintf(e->shared.f, "%s{\"name\":", known ? ",\n" : "");
	escape_json(name, e->shared.f);
	if (file) {
		fputs(",\"file\":", e->shared.f);
		escape_json(file, e->shared.f);
	}
	if (file && line)
		fprintf(e->shared.f, ",\"line\":%d", line);
	putc('}', e->shared.f);
	return 0;
}

static int speedscope_end_path(struct exporter *e, int64_t cost)
{
	putc(']', e->samples.f);
	fprintf(e->weights.f, "%s%" PRId64, e->total ? "," : "", cost);
	e->total += cost;
	return 0;
}

static int speedscope_end(struct exporter *e)
{
	fflush(e->shared.f);
	fflush(e->samples.f);
	fflush(e->weights.f);
	fprintf(e->out,
		"{\"$schema\":\"https://www.speedscope.app/"
		"file-format-schema.json\",\"exporter\":\"memdb\",\n"
		"\"shared\":{\"frames\":[%s]},\n"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"cost of "
		"memory\",\"unit\":\"%s\",\"startValue\":0,"
		"\"endValue\":%" PRId64 ",\n\"samples\":[%s],\n\"weights\":[%s]}]}\n",
		e->shared.text, strcmp(e->unit, "ns") ? "none" : "nanoseconds", e->total,
		e->samples.text, e->weights.text);
	return 0;
}

static const struct format formats[] = {
	[EXPORT_COLLAPSED] = { "collapsed", do_nothing, collapsed_frame, merge_path,
			       collapsed_end },
	[EXPORT_SPEEDSCOPE] = { "speedscope", do_nothing, speedscope_frame, speedscope_end_path,
				speedscope_end },
	[EXPORT_CSV] = { "csv", csv_begin, csv_frame, merge_path, csv_end },
	[EXPORT_PPROF] = { "pprof", do_nothing, pprof_frame, pprof_end_path, pprof_end },
	[EXPORT_FIREFOX] = { .name = "firefox" }, /* firefox_write() writes it */
};

int export_format_by_name(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(formats); i++)
		if (!strcmp(formats[i].name, name))
			return (int)i;
	return -1;
}

static int fail_export(sqlite3 *db, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot export: %s", sqlite3_errmsg(db));
}

static int put_frame(struct exporter *e, const struct format *f, const char *name, const char *file,
		     int line)
{
	int ret = f->frame(e, name, file, line);

	e->begun = true;
	return ret;
}

/* Passes the frames of the call path in the current row of `st`, and the name of its object, to the
 * format's frame(), then the cost to its end_path(). A path without frames and object gets one
 * frame, "[unknown]". */
static int put_path(struct exporter *e, const struct format *f, sqlite3_stmt *st,
		    sqlite3_stmt *frames)
{
	const char *leaf = (const char *)sqlite3_column_text(st, 2);
	int ret = 0;

	e->begun = false;
	sqlite3_reset(frames);
	sqlite3_bind_value(frames, sqlite3_bind_parameter_index(frames, ":path"),
			   sqlite3_column_value(st, 0));
	sqlite3_bind_value(frames, sqlite3_bind_parameter_index(frames, ":instruction"),
			   sqlite3_column_value(st, 1));
	while (!ret && sqlite3_step(frames) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(frames, 0);

		ret = put_frame(e, f, name ? name : "[unknown]",
				(const char *)sqlite3_column_text(frames, 1),
				sqlite3_column_int(frames, 2));
	}
	if (!ret && (leaf || !e->begun))
		ret = put_frame(e, f, leaf ? leaf : "[unknown]", NULL, 0);
	return ret ? ret : f->end_path(e, sqlite3_column_int64(st, 3));
}

static int put_all(sqlite3 *db, struct exporter *e, const struct format *f, bool by_object,
		   struct md_err *err)
{
	sqlite3_stmt *paths = NULL, *frames = NULL;
	int ret = 0, rc = SQLITE_DONE;

	if (sqlite3_prepare_v2(db, sql_export[SQL_PATHS].text, -1, &paths, NULL) ||
	    sqlite3_prepare_v2(db, sql_export[SQL_FRAMES].text, -1, &frames, NULL) ||
	    sqlite3_bind_text(paths, 1, by_object ? "object" : "wait", -1, SQLITE_STATIC)) {
		ret = fail_export(db, err);
		goto out;
	}
	f->begin(e);
	while (!ret && (rc = sqlite3_step(paths)) == SQLITE_ROW)
		if (put_path(e, f, paths, frames))
			ret = md_nomem(err);
	if (!ret && rc != SQLITE_DONE)
		ret = fail_export(db, err);
	if (!ret && f->end(e))
		ret = md_nomem(err);
	if (!ret && (fflush(e->out) || ferror(e->out)))
		ret = md_fail_errno(err, MD_EIO, "cannot write the export");
out:
	sqlite3_finalize(paths);
	sqlite3_finalize(frames);
	return ret;
}

/* Gets the unit of the run's costs. *unit points into *st, which the caller finalizes. */
static int get_unit(sqlite3 *db, sqlite3_stmt **st, const char **unit, struct md_err *err)
{
	if (sqlite3_prepare_v2(db, "SELECT cost_unit FROM run_costs", -1, st, NULL))
		return fail_export(db, err);
	*unit = sqlite3_step(*st) == SQLITE_ROW ? (const char *)sqlite3_column_text(*st, 0) : NULL;
	if (!*unit)
		return md_fail(err, MD_EUSAGE,
			       "the run measured no cost, so there is nothing to export; "
			       "`memdb report` says why");
	return 0;
}

static bool open_streams(struct exporter *e)
{
	struct stream *all[] = { &e->shared, &e->samples, &e->weights };

	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (!stream_open(all[i]))
			return false;
	return true;
}

static void release_exporter(struct exporter *e)
{
	struct stream *all[] = { &e->shared, &e->samples, &e->weights };

	for (size_t i = 0; i < COUNT_OF(all); i++)
		stream_release(all[i]);
	strings_release(&e->frames);
	strings_release(&e->functions);
	strings_release(&e->texts);
	strings_release(&e->paths);
	free(e->costs.at);
}

int export_write(const char *path, enum export_format format, bool by_object, FILE *out,
		 struct md_err *err)
{
	struct exporter e = { .out = out };
	sqlite3_stmt *unit = NULL;
	sqlite3 *db = NULL;
	int ret = db_open_readonly(path, &db, err);

	if (ret)
		goto out;
	ret = get_unit(db, &unit, &e.unit, err);
	if (ret)
		goto out;
	if (format == EXPORT_FIREFOX)
		ret = firefox_write(db, e.unit, by_object, out, err);
	else if (!open_streams(&e))
		ret = md_nomem(err);
	else
		ret = put_all(db, &e, &formats[format], by_object, err);
out:
	release_exporter(&e);
	sqlite3_finalize(unit);
	sqlite3_close(db);
	return ret;
}
