/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects a part of the samples, by time or by function, and computes the sums of that part in
 * temporary tables. The temporary tables have the names of the real tables, and the views are
 * created again on top of them. So every query and report works on a selection without a change. */
#include "database/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/omp_region.h"
#include "database/named.h"
#include "database/open.h"
#include "database/sql.h"
#include "database/totals.h"

/* Index of each file of sql/select in sql_select[]. */
enum { PATHS, INSTRUCTIONS, SAMPLES, FIGURES, SENTENCE };

/* The tables that are replaced by temporary ones: samples, their sums, and the samples that views
 * draw at random (drawn_data). operation_cells stays empty: operations without memory access are
 * only stored as counts, without their times, so they cannot be selected. */
static const char *const sums[] = { "sample_data",     "sample_cells", "allocation_cells",
				    "operation_cells", "kind_totals",  "totals",
				    "drawn_data" };

/* May c follow the name of a function? c may begin the parameters, the template arguments, or the
 * suffix of a part that gcc split off. */
static bool ends_name(char c)
{
	return !c || strchr("(.<@ [", c);
}

/* May the function's own name begin at `at`, after a namespace or a result type? */
static bool begins_name(const char *name, const char *at)
{
	return at == name || strchr(" :*&", at[-1]);
}

/* Skips template arguments, because `wanted` inside them is not the function's name. */
bool select_is_function(const char *name, const char *wanted)
{
	static const char anonymous[] = "(anonymous namespace)";
	size_t len = strlen(wanted);
	int depth = 0;

	if (!len)
		return false;
	if (!strcmp(name, wanted))
		return true;
	for (const char *p = name; *p; p++) {
		if (!depth && !strncmp(p, wanted, len) && begins_name(name, p) && ends_name(p[len]))
			return true;
		if (*p == '(' && strncmp(p, anonymous, sizeof(anonymous) - 1))
			return false; /* the parameters begin here, so the name has ended */
		depth += (*p == '<') - (*p == '>' && depth);
	}
	return false;
}

/* Implements the SQL function region_owner(name). */
static void region_owner(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const char *name = (const char *)sqlite3_value_text(v[0]);
	size_t len = name ? region_owner_length(name) : 0;

	if (len)
		sqlite3_result_text(ctx, name, (int)len, SQLITE_TRANSIENT);
}

/* Implements the SQL function is_function(name, wanted). */
static void is_function(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const char *name = (const char *)sqlite3_value_text(v[0]);
	const char *wanted = (const char *)sqlite3_value_text(v[1]);

	sqlite3_result_int(ctx, name && wanted && select_is_function(name, wanted));
}

int select_register(sqlite3 *db)
{
	enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY };
	int ret =
		sqlite3_create_function(db, "is_function", 2, FLAGS, NULL, is_function, NULL, NULL);

	return ret ? ret
		   : sqlite3_create_function(db, "region_owner", 1, FLAGS, NULL, region_owner, NULL,
					     NULL);
}

/* Fails with SQLite's own message. */
static int fail_query(sqlite3 *db, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot select samples: %s", sqlite3_errmsg(db));
}

/* Executes sql. Returns 0 or MD_EDB. */
static int execute(sqlite3 *db, const char *sql, struct md_err *err)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) ? fail_query(db, err) : 0;
}

/* Executes the first statement in the text `create`, which is "CREATE KIND NAME …", as CREATE TEMP.
 * Ignores what follows that statement. */
static int create_temporary(sqlite3 *db, const char *create, struct md_err *err)
{
	sqlite3_str *text = sqlite3_str_new(db);
	char *sql;
	sqlite3_stmt *st = NULL;
	int ret = 0;

	sqlite3_str_appendall(text, "CREATE TEMP ");
	sqlite3_str_appendall(text, create + strlen("CREATE "));
	sql = sqlite3_str_finish(text);
	if (!sql)
		return md_nomem(err);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) || sqlite3_step(st) != SQLITE_DONE)
		ret = fail_query(db, err);
	sqlite3_finalize(st);
	sqlite3_free(sql);
	return ret;
}

/* Returns memdb's own CREATE TABLE statement of the table `name`. (The one in the database is not
 * trusted.) */
static const char *find_table(const char *name)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "\nCREATE TABLE %s (", name);
	for (const struct sql_file *f = sql_schema; f->name; f++) {
		const char *p = strstr(f->text, begin);

		if (p)
			return p + 1;
	}
	return NULL;
}

/* Creates the temporary tables: the lists of selected paths and instructions, the table for the
 * sentence of select_sentence(), and the tables of `sums`, which hide the real tables of the same
 * name. */
static int create_tables(sqlite3 *db, struct md_err *err)
{
	int ret =
		execute(db,
			"CREATE TEMP TABLE selected_paths (id INTEGER PRIMARY KEY, certain, open);"
			"CREATE TEMP TABLE selected_instructions (id INTEGER PRIMARY KEY);"
			"CREATE TEMP TABLE selection (sentence TEXT)",
			err);

	for (size_t i = 0; i < COUNT_OF(sums) && !ret; i++)
		ret = create_temporary(db, find_table(sums[i]), err);
	return ret;
}

/* Creates each view of `files` again, as a temporary one: it hides the real view of the same name
 * and reads the temporary tables. */
static int create_views(sqlite3 *db, const struct sql_file *files, struct md_err *err)
{
	static const char begin[] = "\nCREATE VIEW ";
	int ret = 0;

	for (const struct sql_file *f = files; f->name && !ret; f++)
		for (const char *p = f->text; !ret && (p = strstr(p, begin)); p += sizeof(begin))
			ret = create_temporary(db, p + 1, err);
	return ret;
}

/* Binds those parameters (:from, :to, :function) that the statement has. */
static void bind_selection(sqlite3_stmt *st, const struct selection *s)
{
	int from = sqlite3_bind_parameter_index(st, ":from");
	int to = sqlite3_bind_parameter_index(st, ":to");
	int function = sqlite3_bind_parameter_index(st, ":function");

	if (s->has_from)
		sqlite3_bind_double(st, from, s->from);
	if (s->has_to)
		sqlite3_bind_double(st, to, s->to);
	sqlite3_bind_text(st, function, s->function, -1, SQLITE_STATIC);
}

/* Runs sql_select[file] with the parameters of the selection. */
static int run_file(sqlite3 *db, int file, const struct selection *s, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = 0;

	if (sqlite3_prepare_v2(db, sql_select[file].text, -1, &st, NULL))
		return fail_query(db, err);
	bind_selection(st, s);
	if (sqlite3_step(st) != SQLITE_DONE)
		ret = fail_query(db, err);
	sqlite3_finalize(st);
	return ret;
}

/* Computes the sums of the selected samples and draws samples from them, just as the import does
 * for all samples. */
static int sum_up(sqlite3 *db, struct md_err *err)
{
	int ret = 0;

	for (const struct sql_file *f = sql_resum; f->name && !ret; f++)
		ret = execute(db, f->text, err);
	if (!ret && totals_store(db))
		ret = fail_query(db, err);
	return ret ? ret : execute(db, sql_drawn[0].text, err);
}

/* Fills the temporary tables: first the call paths and the instructions of the selected function,
 * if there is one, and then the samples. */
static int fill_tables(sqlite3 *db, const struct selection *s, struct md_err *err)
{
	int ret = 0;

	if (s->function)
		ret = run_file(db, PATHS, s, err);
	if (!ret && s->function)
		ret = run_file(db, INSTRUCTIONS, s, err);
	if (!ret)
		ret = run_file(db, SAMPLES, s, err);
	return ret ? ret : sum_up(db, err);
}

/* Describes the selection in words: "1 to 2.5 s, in 'solve' and what it called". */
static void name_selection(const struct selection *s, char *out, size_t size)
{
	size_t n = 0;

	*out = 0;
	if (s->has_from && s->has_to)
		n = (size_t)snprintf(out, size, "%g to %g s", s->from, s->to);
	else if (s->has_from)
		n = (size_t)snprintf(out, size, "from %g s", s->from);
	else if (s->has_to)
		n = (size_t)snprintf(out, size, "up to %g s", s->to);
	if (s->function && n < size)
		snprintf(out + n, size - n, "%sin '%s' and what it called", n ? ", " : "",
			 s->function);
}

/* The words of select_sentence(): the first row is used for samples; the second for accesses, if
 * the run counted all of them; the third for samples in parallel regions that an unknown function
 * started. */
static const struct words {
	const char *noun;
	const char *pathless; /* why the callers of some samples are unknown */
	const char *remedy;   /* how to record the callers */
} words_of[] = {
	{ "samples", "their call stacks are not complete, so not all of their callers are known",
	  "record with --call-graph dwarf, or build with -fno-omit-frame-pointer" },
	{ "accesses", "counts have no call stack, so their callers are not known",
	  "record with --count of 2 or more" },
	{ "samples", "it is not known which function started their parallel region",
	  "record with --call-graph dwarf" },
};

static const struct words *words_for(sqlite3_stmt *figures)
{
	return &words_of[sqlite3_column_int(figures, 6)];
}

/* Fails because no sample is selected. The message contains the reason, which is derived from
 * the row of the statement `figures`. */
static int fail_without_samples(sqlite3_stmt *figures, const char *what, struct md_err *err)
{
	const struct words *w = words_for(figures);

	if (sqlite3_column_int64(figures, 3))
		return md_fail(err, MD_EUSAGE,
			       "none of the %s is known to be in the selected part (%s); %lld of "
			       "them may be: %s; %s",
			       w->noun, what, sqlite3_column_int64(figures, 3), w->pathless,
			       w->remedy);
	return md_fail(err, MD_EUSAGE,
		       "none of the %lld %s is in the selected part (%s): the recording is %.3f s "
		       "long",
		       sqlite3_column_int64(figures, 1), w->noun, what,
		       sqlite3_column_double(figures, 4));
}

/* Returns the sentence for select_sentence(), which the caller frees with sqlite3_free(). NULL
 * means out of memory. `what` is the selection in words, `figures` is the statement with its
 * numbers. */
static char *make_sentence(sqlite3 *db, sqlite3_stmt *figures, const char *what)
{
	double n = sqlite3_column_double(figures, 0), all = sqlite3_column_double(figures, 1);
	sqlite3_int64 pathless = sqlite3_column_int64(figures, 3);
	const struct words *w = words_for(figures);
	sqlite3_str *s = sqlite3_str_new(db);

	sqlite3_str_appendf(s, "selected: %s: %.0f of %.0f %s (%.1f %%", what, n, all, w->noun,
			    100 * n / all);
	if (sqlite3_column_type(figures, 2) != SQLITE_NULL)
		sqlite3_str_appendf(s, ", %.1f %% of the cost", sqlite3_column_double(figures, 2));
	sqlite3_str_appendall(s, "); shares are of these");
	if (pathless > 0)
		sqlite3_str_appendf(s,
				    "; %lld of the other %s may be in that function or what it "
				    "called, too: %s",
				    pathless, w->noun, w->pathless);
	if (pathless > n)
		sqlite3_str_appendf(s, " (%s)", w->remedy);
	if (sqlite3_column_int(figures, 5) > 1)
		sqlite3_str_appendf(s, "; %d functions have that name",
				    sqlite3_column_int(figures, 5));
	return sqlite3_str_finish(s);
}

/* Stores the sentence for select_sentence(), which reports print at their top. */
static int store_sentence(sqlite3 *db, sqlite3_stmt *figures, const char *what, struct md_err *err)
{
	char *sentence = make_sentence(db, figures, what);
	sqlite3_stmt *st = NULL;
	int ret = sentence ? 0 : md_nomem(err);

	if (!ret && sqlite3_prepare_v2(db, sql_select[SENTENCE].text, -1, &st, NULL))
		ret = fail_query(db, err);
	if (!ret) {
		sqlite3_bind_text(st, 1, sentence, -1, SQLITE_STATIC);
		ret = sqlite3_step(st) == SQLITE_DONE ? 0 : fail_query(db, err);
	}
	sqlite3_finalize(st);
	sqlite3_free(sentence);
	return ret;
}

/* Stores the sentence for select_sentence(). Fails if no sample is selected, because empty sums
 * would look like a result. */
static int describe_selection(sqlite3 *db, const struct selection *s, struct md_err *err)
{
	sqlite3_stmt *figures = NULL;
	char what[512];
	int ret;

	name_selection(s, what, sizeof(what));
	if (sqlite3_prepare_v2(db, sql_select[FIGURES].text, -1, &figures, NULL))
		return fail_query(db, err);
	bind_selection(figures, s);
	if (sqlite3_step(figures) != SQLITE_ROW)
		ret = fail_query(db, err);
	else if (!sqlite3_column_int64(figures, 0))
		ret = fail_without_samples(figures, what, err);
	else
		ret = store_sentence(db, figures, what, err);
	sqlite3_finalize(figures);
	return ret;
}

/* Applies the selection: computes the temporary tables. The database itself is open for reading
 * only. */
static int apply_selection(sqlite3 *db, const struct selection *s, struct md_err *err)
{
	int ret = execute(db, "PRAGMA query_only=OFF", err);

	if (ret)
		return ret;
	ret = create_tables(db, err);
	if (ret)
		return ret;
	ret = create_views(db, sql_schema, err);
	if (ret)
		return ret;
	ret = create_views(db, sql_views, err);
	if (ret)
		return ret;
	ret = fill_tables(db, s, err);
	if (ret)
		return ret;
	ret = describe_selection(db, s, err);
	return ret ? ret : execute(db, "PRAGMA query_only=ON", err);
}

/* Applies the selection, after replacing the function's name with the one that the database has. */
static int find_and_apply(sqlite3 *db, const struct selection *s, struct md_err *err)
{
	struct selection found = *s;
	char *function = NULL;
	int ret = 0;

	if (s->function)
		ret = named_find(db, NAMED_CODE, s->function, &function, err);
	found.function = function;
	if (!ret)
		ret = apply_selection(db, &found, err);
	free(function);
	return ret;
}

int select_open(const char *path, const struct selection *s, sqlite3 **out, struct md_err *err)
{
	int ret = db_open_readonly(path, out, err);

	if (!ret && s && (s->has_from || s->has_to || s->function))
		ret = find_and_apply(*out, s, err);
	if (ret) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return ret;
}

/* Writes "" if the database was opened without a selection. */
void select_sentence(sqlite3 *db, char *out, size_t size)
{
	sqlite3_stmt *st = NULL;

	*out = 0;
	if (!sqlite3_prepare_v2(db, "SELECT sentence FROM temp.selection", -1, &st, NULL) &&
	    sqlite3_step(st) == SQLITE_ROW)
		snprintf(out, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
}
