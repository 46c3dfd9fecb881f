/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, checks and runs canned queries. A canned query is a file of the folder queries, which is
 * compiled in: SQL text with a header of comments. Help, checks and completion read the parameters
 * and columns from that header.
 *
 * Values of the user are bound and never pasted into the SQL, so a wrong value cannot become SQL. A
 * value that names something (an object, a thread) is looked up first (named.h).
 */
#include "database/query.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "database/named.h"

enum { NAME_MAX_LEN = 64 };

const struct sql_file *query_find(const char *name)
{
	for (const struct sql_file *q = sql_queries; q->name; q++)
		if (!strcmp(q->name, name))
			return q;
	return NULL;
}

const struct sql_file *query_suggest(const char *name)
{
	struct similar s = { .wanted = name };
	const struct sql_file *best = NULL;

	for (const struct sql_file *q = sql_queries; q->name; q++)
		if (similar_offer(&s, q->name))
			best = q;
	return best;
}

/* Sets *text to the start of the line without its leading blanks, and returns its length without
 * trailing blanks. */
static int trim_line(const char *line, const char **text)
{
	size_t n = strcspn(line, "\n");

	while (n && isspace((unsigned char)line[0])) {
		line++;
		n--;
	}
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	*text = line;
	return (int)n;
}

/* Searches only the header of the query, which ends at the first line that is not a comment. */
int query_header(const struct sql_file *q, const char *key, int n, const char **text)
{
	char start[32];
	size_t len = (size_t)snprintf(start, sizeof(start), "-- %s:", key);

	*text = NULL;
	for (const char *line = q->text; line && !strncmp(line, "--", 2);
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (!strncmp(line, start, len) && !n--)
			return trim_line(line + len, text);
	return 0;
}

/* Writes the names of the query's parameters: "a, b, c". */
static void list_params(const struct sql_file *q, char *out, size_t size)
{
	const char *text;
	size_t n = 0;

	out[0] = 0;
	for (int i = 0; query_header(q, "param", i, &text) && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%.*s", i ? ", " : "",
				      (int)strcspn(text, " "), text);
}

/* Returns the text after the name in the header line of the parameter name[0..len): its default,
 * and then what it does. NULL means that the query has no such parameter. */
static const char *param_default(const struct sql_file *q, const char *name, size_t len)
{
	const char *text;

	for (int i = 0; query_header(q, "param", i, &text); i++)
		if (!strncmp(text, name, len) && text[len] == ' ')
			return text + len + strspn(text + len, " ");
	return NULL;
}

/* Fails because `param` is not "name=value", or its name is not a parameter of the query. */
static int no_such_param(const struct sql_file *q, const char *param, struct md_err *err)
{
	char names[512];

	list_params(q, names, sizeof(names));
	if (!strchr(param, '='))
		return md_fail(err, MD_EUSAGE, "'%s' is no parameter: write NAME=VALUE", param);
	if (!names[0])
		return md_fail(err, MD_EUSAGE, "query '%s' has no parameters", q->name);
	return md_fail(err, MD_EUSAGE, "query '%s' has no parameter '%.*s'; it has: %s", q->name,
		       (int)strcspn(param, "="), param, names);
}

/* Is word[0..n) in the list "a, b, c", which has `len` bytes? */
static bool list_contains(const char *list, size_t len, const char *word, size_t n)
{
	for (size_t at = 0; at < len; at += strspn(list + at, ", ")) {
		size_t size = strcspn(list + at, ",\n");

		if (size == n && !strncmp(list + at, word, n))
			return true;
		at += size;
	}
	return false;
}

/* Returns the list or range of values that parameter `name` accepts, with its length in *len; NULL
 * means that the query's header has none. */
static const char *values_of(const struct sql_file *q, const char *name, int *len)
{
	const int size = (int)strlen(name);
	const char *text;

	for (int i = 0; (*len = query_header(q, "values", i, &text)); i++)
		if (*len > size && !strncmp(text, name, (size_t)size) && text[size] == ' ') {
			*len -= size + 1;
			return text + size + 1;
		}
	return NULL;
}

/* Is the text a 64-bit integer (decimal, 0x… or octal)? Sets *number to it. */
static bool whole_number(const char *text, long long *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 0);
	return *text && !*end && !errno;
}

/* Binds the text `value` to a parameter: as a number if it is an integer, otherwise as text. */
static void bind_value(sqlite3_stmt *st, int at, const char *value)
{
	long long number;

	if (whole_number(value, &number))
		sqlite3_bind_int64(st, at, number);
	else
		sqlite3_bind_text(st, at, value, -1, SQLITE_TRANSIENT);
}

/* Checks the value of a parameter if it must be a number. `range`, the values that the header
 * allows, is "0..9" or NULL. If it is NULL, a parameter whose default `preset` begins with a digit
 * must be a number of at least 1. */
static int check_number(const char *name, const char *preset, const char *range, const char *value,
			struct md_err *err)
{
	long long number, least = 1, most = LLONG_MAX;

	if (range ? sscanf(range, "%lld..%lld", &least, &most) != 2
		  : !isdigit((unsigned char)*preset))
		return 0;
	if (whole_number(value, &number) && number >= least && number <= most)
		return 0;
	if (most == LLONG_MAX)
		return md_fail(err, MD_EUSAGE,
			       "parameter '%s' needs a whole number of at least %lld, not '%s'",
			       name, least, value);
	return md_fail(err, MD_EUSAGE,
		       "parameter '%s' needs a whole number from %lld to %lld, not '%s'", name,
		       least, most, value);
}

/* Checks the value of a parameter by the query's header: it must be in the range, be a number, or
 * be in the list of values. */
static int check_value(const struct sql_file *q, const char *name, const char *preset,
		       const char *value, struct md_err *err)
{
	int len;
	const char *list = values_of(q, name, &len);

	if (!list || isdigit((unsigned char)*list))
		return check_number(name, preset, list, value, err);
	if (list_contains(list, (size_t)len, value, strlen(value)))
		return 0;
	return md_fail(err, MD_EUSAGE, "parameter '%s' is one of %.*s; not '%s'", name, len, list,
		       value);
}

/* Checks that `param`, which is "name=value", names a parameter of q and has a valid value. */
static int check_param(const struct sql_file *q, const char *param, struct md_err *err)
{
	size_t len = strcspn(param, "=");
	const char *value = param + len + 1, *preset = param_default(q, param, len);
	char name[NAME_MAX_LEN + 1];

	if (!param[len] || !len || !preset || len > NAME_MAX_LEN)
		return no_such_param(q, param, err);
	snprintf(name, sizeof(name), "%.*s", (int)len, param);
	return check_value(q, name, preset, value, err);
}

/* Binds a parameter that query_check() has accepted. If its value names something (an object, a
 * function), binds the name that the database has for it (named.h). */
static int bind_param(sqlite3_stmt *st, const char *param, struct md_err *err)
{
	int len = (int)strcspn(param, "="), ret = 0;
	const char *value = param + len + 1;
	char name[NAME_MAX_LEN + 2], *found = NULL;
	enum named what;

	snprintf(name, sizeof(name), ":%.*s", len, param);
	what = named_parameter(name + 1);
	if (what != NAMED_NOTHING)
		ret = named_find(sqlite3_db_handle(st), what, value, &found, err);
	if (!ret)
		bind_value(st, sqlite3_bind_parameter_index(st, name), found ? found : value);
	free(found);
	return ret;
}

/* Returns the value of the parameter name[0..len) among params[0..n), each "name=value"; NULL if it
 * is not given. */
static const char *param_value(const char *const *params, int n, const char *name, size_t len)
{
	for (int i = 0; i < n; i++)
		if (!strncmp(params[i], name, len) && params[i][len] == '=')
			return params[i] + len + 1;
	return NULL;
}

/* Checks one rule of the query's header (query.h): a "with" line if `with` is set, otherwise a
 * "without" line. rule[0..len) is "NAME OTHER [a, b, c]". */
static int check_rule(const char *rule, size_t len, bool with, const char *const *params, int n,
		      struct md_err *err)
{
	int name = (int)strcspn(rule, " ");
	const char *other = rule + name + strspn(rule + name, " ");
	int size = (int)strcspn(other, " \n");
	const char *list = other + size + strspn(other + size, " ");
	int rest = list < rule + len ? (int)(rule + len - list) : 0;
	const char *value = param_value(params, n, other, (size_t)size);

	if (!param_value(params, n, rule, (size_t)name))
		return 0;
	if (!with && value)
		return md_fail(err, MD_EUSAGE, "parameters '%.*s' and '%.*s' exclude each other",
			       name, rule, size, other);
	if (with && !rest && !value)
		return md_fail(err, MD_EUSAGE, "parameter '%.*s' means nothing without '%.*s'",
			       name, rule, size, other);
	if (with && rest && value && !list_contains(list, (size_t)rest, value, strlen(value)))
		return md_fail(
			err, MD_EUSAGE,
			"parameter '%.*s' means nothing with %.*s=%s: it goes with %.*s=%.*s", name,
			rule, size, other, value, size, other, rest, list);
	return 0;
}

/* Checks that the given parameters may be combined. Otherwise a meaningless combination would give
 * an empty result. */
static int check_rules(const struct sql_file *q, const char *const *params, int n,
		       struct md_err *err)
{
	static const char *const keys[] = { "without", "with" };

	for (int with = 0; with < 2; with++) {
		const char *rule;
		int len, ret;

		for (int i = 0; (len = query_header(q, keys[with], i, &rule)); i++) {
			ret = check_rule(rule, (size_t)len, with, params, n, err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* Uses no database, so wrong parameters are reported before the database is opened. */
int query_check(const struct sql_file *q, const char *const *params, int n, struct md_err *err)
{
	int ret = 0;

	for (int i = 0; i < n && !ret; i++)
		ret = param_value(params, i, params[i], strcspn(params[i], "="))
			      ? md_fail(err, MD_EUSAGE, "parameter '%.*s' is there twice",
					(int)strcspn(params[i], "="), params[i])
			      : check_param(q, params[i], err);
	return ret ? ret : check_rules(q, params, n, err);
}

/* Writes an integer as a number, and other values as an SQL string that is quoted for the sqlite3
 * shell. */
void query_literal(const char *value, FILE *out)
{
	long long number;

	if (whole_number(value, &number)) {
		fprintf(out, "%lld", number);
		return;
	}
	/* first the sqlite3 shell parses this word, then SQL does. So quotes are doubled for SQL,
	 * and \" and \\ are escapes for the shell */
	fputs("\"'", out);
	for (; *value; value++) {
		if (strchr("\"\\", *value))
			putc('\\', out);
		if (*value == '\'')
			putc('\'', out);
		if (*value == '\n')
			fputs("\\n", out);
		else
			putc(*value, out);
	}
	fputs("'\"", out);
}

/* Sets *out to NULL on failure. */
int query_prepare(sqlite3 *db, const struct sql_file *q, const char *const *params, int n,
		  sqlite3_stmt **out, struct md_err *err)
{
	int ret;

	*out = NULL;
	ret = query_check(q, params, n, err);
	if (ret)
		return ret;
	if (sqlite3_prepare_v2(db, q->text, -1, out, NULL))
		return md_fail(err, MD_EDB, "query '%s': %s", q->name, sqlite3_errmsg(db));
	for (int i = 0; i < n && !ret; i++)
		ret = bind_param(*out, params[i], err);
	if (ret) {
		sqlite3_finalize(*out);
		*out = NULL;
	}
	return ret;
}

void query_no_rows(sqlite3 *db, const struct sql_file *q, int nparams, char *out, size_t size)
{
	sqlite3_stmt *st = NULL;

	*out = 0;
	if (sqlite3_prepare_v2(db, sql_query[0].text, -1, &st, NULL))
		return;
	sqlite3_bind_text(st, 1, q->name, -1, SQLITE_STATIC);
	sqlite3_bind_int(st, 2, nparams > 0);
	if (sqlite3_step(st) == SQLITE_ROW)
		snprintf(out, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
}

enum { NOTED_IDS = 8 };

/* The number of objects with the name ?1, and the ids of the first ?2 of them, as "17, 21, 25". The
 * number is 0 if ?1 is the id of an object. */
static const char noted_sql[] =
	"SELECT count(*), "
	"(SELECT group_concat(id, ', ') FROM (SELECT id FROM objects WHERE name = ?1 ORDER BY id "
	"LIMIT ?2)) "
	"|| iif(count(*) > ?2, ', …', '') "
	"FROM objects WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM objects WHERE id = ?1)";

/* If several objects have the name `typed`, writes a remark that lists their ids and says whether
 * the rows are about one of them (`one`) or about all. */
static int note_name(sqlite3 *db, const char *typed, bool one, char *out, size_t size,
		     struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	char *name;
	int ret = named_find(db, NAMED_OBJECT, typed, &name, err);

	if (ret)
		return ret;
	if (sqlite3_prepare_v2(db, noted_sql, -1, &st, NULL)) {
		ret = md_fail(err, MD_EDB, "objects: %s", sqlite3_errmsg(db));
		goto out;
	}
	bind_value(st, 1, name);
	sqlite3_bind_int(st, 2, NOTED_IDS);
	if (sqlite3_step(st) != SQLITE_ROW)
		ret = md_fail(err, MD_EDB, "objects: %s", sqlite3_errmsg(db));
	else if (sqlite3_column_int(st, 0) > 1)
		snprintf(out, size, "%d objects are named '%s' (%s): %s; object=ID asks for one",
			 sqlite3_column_int(st, 0), name, (const char *)sqlite3_column_text(st, 1),
			 one ? "these rows are of the one that cost most, see object_id"
			     : "these rows are of all of them, see object_id");
out:
	sqlite3_finalize(st);
	free(name);
	return ret;
}

/* Only the parameter `object` can be ambiguous: several objects may have one name. The query's
 * header says whether its rows show one of these objects or all of them. */
int query_note(sqlite3 *db, const struct sql_file *q, const char *const *params, int n, char *out,
	       size_t size, struct md_err *err)
{
	*out = 0;
	for (int i = 0; i < n; i++) {
		const char *meaning = param_default(q, "object", strlen("object"));

		if (!strncmp(params[i], "object=", 7) && meaning)
			return note_name(db, params[i] + 7, !strncmp(meaning, "- the object:", 13),
					 out, size, err);
	}
	return 0;
}
