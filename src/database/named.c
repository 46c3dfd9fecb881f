/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/named.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/similar.h"
#include "database/select.h"
#include "database/short_code.h"
#include "database/sql.h"

enum { LISTED = 4, LONGEST_SHOWN = 60, LONGEST_LISTED = 4 * LONGEST_SHOWN };

#define CODE_EXACT "SELECT 1 FROM location_frames WHERE is_function(function, ?1)"
#define CODE_HINT                                                                                 \
	"`memdb query costs by=function` lists those that cost most; a function is also missing " \
	"if all call paths end before it or skip it (--call-graph dwarf helps)"

/* The kinds of names that users type: names of objects, functions, … `exact` is SQL that returns a
 * row if the name ?1 exists. `all` is SQL that returns each name, and a number that users may type
 * instead of the name, or NULL. Its order decides which names an error message lists. If `all` is
 * NULL, only exact names are found. `hint` is a part of an error message: how to list the names. */
static const struct kind {
	const char *param, *what, *exact, *all, *hint;
} kinds[] = {
	[NAMED_OBJECT] = { "object", "object", "SELECT 1 FROM objects WHERE id = ?1 OR name = ?1",
			   "SELECT o.name, o.id, max(coalesce(t.cost, 0)) "
			   "FROM objects AS o LEFT JOIN totals AS t ON t.scope = 'object' AND "
			   "t.object_id = o.id GROUP BY o.name ORDER BY 3 DESC, o.id",
			   "`memdb query costs` lists those that cost most" },
	[NAMED_FUNCTION] = { "function", "sampled function",
			     "SELECT 1 FROM function_costs "
			     "WHERE ?1 IN (function, substr(function, 1, instr(function, '(') - "
			     "1)) "
			     "UNION ALL SELECT 1 FROM objects "
			     "WHERE ?1 IN (function, substr(function, 1, instr(function, '(') - "
			     "1))",
			     "SELECT function, NULL, max(n) FROM (SELECT function, samples AS n "
			     "FROM function_costs UNION ALL SELECT function, 0 FROM objects) "
			     "WHERE function IS NOT NULL GROUP BY 1 ORDER BY 3 DESC, 1",
			     "`memdb query costs by=function` lists those that cost most" },
	[NAMED_CODE] = { NULL, "function", CODE_EXACT,
			 "SELECT DISTINCT function, NULL FROM location_frames "
			 "WHERE function IS NOT NULL ORDER BY function",
			 CODE_HINT },
	/* source files without their folders */
	[NAMED_PLACE] = { NULL, "function", CODE_EXACT,
			  "SELECT function, NULL FROM (SELECT DISTINCT function FROM "
			  "location_frames WHERE function IS NOT NULL UNION SELECT replace(file, "
			  "rtrim(file, replace(file, '/', '')), '') FROM line_costs WHERE file IS "
			  "NOT NULL) ORDER BY function",
			  CODE_HINT },
	[NAMED_TYPE] = { "type", "type", "SELECT 1 FROM types WHERE name = ?1",
			 "SELECT DISTINCT name, NULL FROM types ORDER BY name",
			 "`memdb query members by=type` lists those that cost most" },
	[NAMED_THREAD] = { "tid", "thread",
			   "SELECT 1 FROM threads WHERE tid = ?1 "
			   "UNION ALL SELECT 1 FROM moves WHERE CAST(tid AS TEXT) = ?1",
			   NULL, "`memdb query costs by=thread` lists those that cost most" },
	[NAMED_ALLOCATION] = { "allocation", "allocation",
			       "SELECT 1 FROM allocations WHERE id = ?1", NULL,
			       "`memdb query costs by=allocation` lists those that cost most" },
	[NAMED_PATH] = { "path", "call path", "SELECT 1 FROM call_paths WHERE id = ?1", NULL,
			 "`memdb query contexts` has some" },
};

enum named named_parameter(const char *param)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (kinds[i].param && !strcmp(kinds[i].param, param))
			return (enum named)i;
	return NAMED_NOTHING;
}

static int fail_named(sqlite3 *db, const struct kind *k, struct md_err *err)
{
	return md_fail(err, MD_EDB, "%ss: %s", k->what, sqlite3_errmsg(db));
}

/* Sets *exact to whether the database has exactly the name or number that the user typed. */
static int is_exact(sqlite3 *db, const struct kind *k, const char *typed, bool *exact,
		    struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int rc;

	if (sqlite3_prepare_v2(db, k->exact, -1, &st, NULL))
		return fail_named(db, k, err);
	sqlite3_bind_text(st, 1, typed, -1, SQLITE_STATIC);
	rc = sqlite3_step(st);
	*exact = rc == SQLITE_ROW;
	sqlite3_finalize(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : fail_named(db, k, err);
}

/* Returns the length of "…" or "..." at p, 0 if there is none. */
static size_t ellipsis_length(const char *p)
{
	return !strncmp(p, "…", 3) || !strncmp(p, "...", 3) ? 3 : 0;
}

/* Does `name` match `pattern`, in which each "…" matches an arbitrary text? When a letter differs
 * after a "…", the match of that "…" is made one letter longer and the rest is tried again. Only
 * the last "…" is tried with longer matches: it can match everything that an earlier "…" could have
 * matched. */
static bool fits_pattern(const char *pattern, const char *name)
{
	const char *after = NULL, *from = NULL;

	while (*name || *pattern) {
		size_t n = ellipsis_length(pattern);

		if (n) {
			after = pattern += n;
			from = name;
		} else if (*name && *name == *pattern) {
			name++;
			pattern++;
		} else if (after && *from) {
			pattern = after;
			name = ++from;
		} else {
			return false;
		}
	}
	return true;
}

static bool begins_or_ends(const char *typed, const char *name)
{
	size_t n = strlen(typed), len = strlen(name);

	return n && n <= len && (!strncmp(name, typed, n) || !strcmp(name + len - n, typed));
}

/* How well a name matches what the user typed. Smaller values are better matches. */
enum fit { FIT_FUNCTION, FIT_SHORT, FIT_BASE, FIT_PATTERN, FIT_PART, FIT_NONE };

static enum fit fit_of(const struct kind *k, const char *typed, const char *name, const char *shown,
		       const char *base)
{
	if (k != &kinds[NAMED_OBJECT] && select_is_function(name, typed))
		return FIT_FUNCTION;
	if (!strcmp(shown, typed))
		return FIT_SHORT;
	if (!strcmp(base, typed))
		return FIT_BASE;
	if (fits_pattern(typed, shown) || fits_pattern(typed, name))
		return FIT_PATTERN;
	return begins_or_ends(typed, shown) || begins_or_ends(typed, name) ? FIT_PART : FIT_NONE;
}

/* The search for the name that the user `typed`: the names that match best so far, and the most
 * similar name, which is suggested if no name matches. */
struct search {
	const struct kind *kind;
	const char *typed;
	enum fit fit;
	/* number of names that match as well as `fit` says */
	unsigned count;
	char *name; /* the first of these names */
	/* the first LISTED of these names, for the error message */
	char list[LONGEST_LISTED * (LISTED + 1)];
	struct similar similar;
	char meant[LONGEST_LISTED]; /* the most similar name, for the error message */
};

/* Writes a name in quotes, shortened to LONGEST_SHOWN columns, and "(id NUMBER)" after it unless
 * number is NULL. */
static void write_name(char *out, size_t size, const char *shown, const char *number)
{
	struct escape_cut cut = escape_cut(shown, LONGEST_SHOWN);

	snprintf(out, size, "'%.*s%s%s'%s%.20s%s", (int)cut.head, shown, shown[cut.head] ? "…" : "",
		 shown[cut.head] ? shown + cut.tail : "", number ? " (id " : "",
		 number ? number : "", number ? ")" : "");
}

static int add_name(struct search *s, const char *name, const char *shown, const char *number)
{
	char *base = base_code(name);
	enum fit fit = base ? fit_of(s->kind, s->typed, name, shown, base) : FIT_NONE;
	size_t used;

	if (!base)
		return MD_ENOMEM;
	if (similar_offer(&s->similar, shown) || similar_offer(&s->similar, base))
		write_name(s->meant, sizeof(s->meant), shown, number);
	free(base);
	if (fit == FIT_NONE || fit > s->fit)
		return 0;
	if (fit < s->fit) {
		free(s->name);
		s->name = strdup(name);
		s->fit = fit;
		s->count = 0;
		*s->list = 0;
	}
	used = strlen(s->list);
	if (s->count < LISTED) {
		used += (size_t)snprintf(s->list + used, sizeof(s->list) - used, "%s",
					 s->count ? ", " : "");
		write_name(s->list + used, sizeof(s->list) - used, shown, number);
	}
	s->count++;
	return s->name ? 0 : MD_ENOMEM;
}

static int search_all(sqlite3 *db, struct search *s, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = 0, rc = sqlite3_prepare_v2(db, s->kind->all, -1, &st, NULL);

	while (!rc && !ret && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		char *shown = name ? short_code(name) : NULL;

		ret = shown ? add_name(s, name, shown, (const char *)sqlite3_column_text(st, 1))
			    : MD_ENOMEM;
		free(shown);
		rc = SQLITE_OK;
	}
	if (ret)
		md_nomem(err);
	else if (rc != SQLITE_DONE)
		ret = fail_named(db, s->kind, err);
	sqlite3_finalize(st);
	return ret;
}

static int not_found(const struct search *s, struct md_err *err)
{
	if (s->count > 1)
		return md_fail(err, MD_EUSAGE, "there is no %s '%s'; it may be one of %u: %s%s",
			       s->kind->what, s->typed, s->count, s->list,
			       s->count > LISTED ? ", …" : "");
	if (s->similar.any)
		return md_fail(err, MD_EUSAGE, "there is no %s '%s'; did you mean %s? %s",
			       s->kind->what, s->typed, s->meant, s->kind->hint);
	return md_fail(err, MD_EUSAGE, "there is no %s '%s'; %s", s->kind->what, s->typed,
		       s->kind->hint);
}

/* Rows of the rankings that have a label in the place of an object's name, and what is there. */
static const struct {
	const char *label, *meaning;
} rows[] = {
	{ "[address is gone]",
	  "it stands for waits whose address the code overwrote before the sample, so their object "
	  "is not known; `memdb query costs by=line` has the lines (lost_pct)" },
	{ "[no object there]",
	  "it stands for accesses to addresses at which no object is known; `memdb query costs "
	  "by=line` has the lines" },
	{ "[no object]", "it stands for accesses to addresses at which no object is known; `memdb "
			 "query costs by=line` has the lines" },
};

/* Fails if `typed` is the label of a row that is not an object. */
static int refuse_row(const struct kind *k, const char *typed, struct md_err *err)
{
	const size_t n = strcspn(typed, " ");

	if (k != &kinds[NAMED_OBJECT])
		return 0;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (!strcmp(typed, rows[i].label))
			return md_fail(err, MD_EUSAGE, "'%s' is not an object: %s", typed,
				       rows[i].meaning);
	if (n && strspn(typed, "0123456789") == n &&
	    (!strcmp(typed + n, " more objects") || !strcmp(typed + n, " more object")))
		return md_fail(err, MD_EUSAGE,
			       "'%s' is not an object: it stands for those that cost less; "
			       "`memdb query costs top=1000` lists them",
			       typed);
	return 0;
}

/* What a row of a report says after the name of an object, as in "rows (3 objects) (heap)". */
struct row_name {
	char *name, *kind;     /* kind: NULL if the row has none */
	unsigned long objects; /* 0 if the row has no number */
};

/* If `text` ends with a space and brackets, removes these, and returns what is between them; NULL
 * if it does not. */
static char *cut_brackets(char *text)
{
	char *open = strrchr(text, '(');
	size_t len = strlen(text);

	if (!open || open < text + 2 || open[-1] != ' ' || text[len - 1] != ')')
		return NULL;
	open[-1] = 0;
	text[len - 1] = 0;
	return open + 1;
}

/* Returns N of "N objects", 0 for other texts and for less than two. */
static unsigned long number_of_objects(const char *text)
{
	const size_t digits = strspn(text, "0123456789");
	unsigned long n = digits && digits < 10 && *text != '0' ? strtoul(text, NULL, 10) : 0;

	return n > 1 && !strcmp(text + digits, " objects") ? n : 0;
}

/* Divides `text`, which it changes. Returns false if this is not the name of a row. */
static bool divide_row(char *text, struct row_name *r)
{
	char *last = cut_brackets(text), *before, *end;

	*r = (struct row_name){ .name = text };
	if (!last)
		return false;
	r->objects = number_of_objects(last);
	if (r->objects)
		return true;
	r->kind = last;
	end = text + strlen(text);
	before = cut_brackets(text);
	if (before)
		r->objects = number_of_objects(before);
	if (before && !r->objects) { /* these brackets belong to the name */
		before[-2] = ' ';
		end[-1] = ')';
	}
	return true;
}

/* Sets *out to the object or the name that the statement of sql/named finds for a row; leaves it
 * NULL if there is none. */
static int ask_row(sqlite3 *db, const struct kind *k, const struct row_name *r, char **out,
		   struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = 0, rc;

	if (sqlite3_prepare_v2(db, sql_named[0].text, -1, &st, NULL))
		return fail_named(db, k, err);
	sqlite3_bind_text(st, 1, r->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, r->kind, -1, SQLITE_STATIC);
	if (r->objects)
		sqlite3_bind_int64(st, 3, (sqlite3_int64)r->objects);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		*out = strdup((const char *)sqlite3_column_text(st, 0));
		ret = *out ? 0 : md_nomem(err);
	} else if (rc != SQLITE_DONE) {
		ret = fail_named(db, k, err);
	}
	sqlite3_finalize(st);
	return ret;
}

/* If `typed` is the name of a row with a kind or a number of objects, sets *out to the number of
 * the object of this kind with the highest cost, or without a kind to the name of all of them. */
static int find_row(sqlite3 *db, const struct kind *k, const char *typed, char **out,
		    struct md_err *err)
{
	struct row_name row;
	char *text;
	int ret = 0;

	if (k != &kinds[NAMED_OBJECT])
		return 0;
	text = strdup(typed);
	if (!text)
		return md_nomem(err);
	if (divide_row(text, &row))
		ret = ask_row(db, k, &row, out, err);
	free(text);
	return ret;
}

int named_find(sqlite3 *db, enum named what, const char *typed, char **out, struct md_err *err)
{
	struct search s = { .kind = &kinds[what],
			    .typed = typed,
			    .fit = FIT_NONE,
			    .similar = { .wanted = typed } };
	bool exact = false;
	int ret = is_exact(db, s.kind, typed, &exact, err);

	*out = NULL;
	if (ret)
		return ret;
	if (exact) {
		*out = strdup(typed);
		return *out ? 0 : md_nomem(err);
	}
	ret = refuse_row(s.kind, typed, err);
	if (!ret)
		ret = find_row(db, s.kind, typed, out, err);
	if (ret || *out)
		return ret;
	if (s.kind->all)
		ret = search_all(db, &s, err);
	if (ret)
		goto out;
	if (s.count != 1) {
		ret = not_found(&s, err);
		goto out;
	}
	*out = s.name;
	s.name = NULL;
out:
	free(s.name);
	return ret;
}
