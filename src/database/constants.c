/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills the tables of names. Rows of other tables store an enum value as a number; a table of names
 * has the name of each value. So users see names, and a database can be understood without
 * memdb. */
#include "database/constants.h"

#include "base/count.h"
#include "database/data_source.h"
#include "decode/decode.h"
#include "tracklog/tracklog.h"

/* sql/schema/70-decode.sql explains these names to users. */
static const char *object_reason_name(enum object_reason r)
{
	static const char *const names[] = {
		[OBJECT_NO_ADDRESS] = "no-address",
		[OBJECT_KERNEL] = "kernel",
		[OBJECT_UNMAPPED] = "unmapped",
		[OBJECT_NO_PROCESS] = "no-process",
	};
	ASSERT_NAMES(names, OBJECT_REASONS - 1);

	return (unsigned)r < OBJECT_REASONS ? names[r] : NULL;
}

static const char *home_source_name(enum home_source s)
{
	static const char *const names[] = {
		[HOME_UNKNOWN] = "unknown",         [HOME_PHYS] = "physical", [HOME_PAGE] = "page",
		[HOME_FIRST_TOUCH] = "first-touch", [HOME_SINGLE] = "single",
	};
	ASSERT_NAMES(names, HOME_SOURCES - 1);

	return (unsigned)s < HOME_SOURCES ? names[s] : NULL;
}

/* The names are in the list TIME_KINDS_OF (rows.h). */
static const char *time_kind_name(enum time_kind k)
{
#define NAME(name, text) text,
	static const char *const names[] = { TIME_KINDS_OF(NAME) };
#undef NAME

	return (unsigned)k < TIME_KINDS ? names[k] : NULL;
}

/* The enums that have a table of names. */
enum named_enum {
	ENUM_ADDR_SOURCES,
	ENUM_ADDR_REASONS,
	ENUM_OBJECT_REASONS,
	ENUM_HOME_SOURCES,
	ENUM_TIME_KINDS,
	ENUM_FUNCTIONS,
	ENUM_ENUMS
};

/* The table of each enum. Its values are first, first + 1, …, below `end`. */
static const struct {
	const char *table;
	int first, end;
} enums[] = {
	[ENUM_ADDR_SOURCES] = { "addr_sources", 0, ADDR_SOURCES },
	[ENUM_ADDR_REASONS] = { "addr_reasons", 1, ADDR_REASONS },
	[ENUM_OBJECT_REASONS] = { "object_reasons", 1, OBJECT_REASONS },
	[ENUM_HOME_SOURCES] = { "home_sources", 0, HOME_SOURCES },
	[ENUM_TIME_KINDS] = { "time_kinds", 0, TIME_KINDS },
	[ENUM_FUNCTIONS] = { "allocation_functions", 1, TL_FUNCTIONS },
};
ASSERT_NAMES(enums, ENUM_ENUMS - 1);

/* Returns the name of value `id` of the enum; NULL if there is no such value. */
static const char *name_of(enum named_enum e, int id)
{
	switch (e) {
	case ENUM_ADDR_SOURCES:
		return addr_source_name(id);
	case ENUM_ADDR_REASONS:
		return addr_reason_name(id);
	case ENUM_OBJECT_REASONS:
		return object_reason_name(id);
	case ENUM_HOME_SOURCES:
		return home_source_name(id);
	case ENUM_TIME_KINDS:
		return time_kind_name(id);
	case ENUM_FUNCTIONS:
		return tl_function_name(id);
	default:
		return NULL;
	}
}

/* Inserts one row into a table of names. Returns an SQLite code. */
static int insert_name(sqlite3_stmt *st, int id, const char *name)
{
	sqlite3_bind_int(st, 1, id);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	sqlite3_step(st);
	return sqlite3_reset(st);
}

/* Prepares the INSERT for a table of names. SQL cannot bind the table's name, so the name is pasted
 * into the statement. This is safe, because the name is a constant of memdb, not input. */
static int prepare_insert(sqlite3 *db, const char *table, sqlite3_stmt **st)
{
	char *sql = sqlite3_mprintf("INSERT INTO \"%w\"(id, name) VALUES (?, ?)", table);
	int rc = SQLITE_NOMEM;

	if (sql)
		rc = sqlite3_prepare_v2(db, sql, -1, st, NULL);
	sqlite3_free(sql);
	return rc;
}

/* Inserts the names of an enum. Their ids are the values of the enum, so the import can store a
 * value as the id. A number that no value has gets no row. */
static int insert_enum(sqlite3 *db, enum named_enum e)
{
	sqlite3_stmt *st = NULL;
	int rc = prepare_insert(db, enums[e].table, &st);

	for (int id = enums[e].first; !rc && id < enums[e].end; id++)
		if (name_of(e, id))
			rc = insert_name(st, id, name_of(e, id));
	sqlite3_finalize(st);
	return rc;
}

/* Inserts the names of one table of data_source.h (memory_opcodes, memory_levels, …). Ids count
 * from 1, in the order of the list. */
static int insert_memory(sqlite3 *db, const char *table)
{
	const char *const *names = memory_table(table);
	sqlite3_stmt *st = NULL;
	int rc = prepare_insert(db, table, &st);

	for (int i = 0; !rc && names[i]; i++)
		rc = insert_name(st, i + 1, names[i]);
	sqlite3_finalize(st);
	return rc;
}

int constants_insert(sqlite3 *db)
{
	static const char *const memory[] = { "memory_opcodes", "memory_levels", "memory_snoop",
					      "memory_lock",    "memory_dtlb",   "memory_blocked" };
	int rc = SQLITE_OK;

	for (enum named_enum e = 0; !rc && e < ENUM_ENUMS; e++)
		rc = insert_enum(db, e);
	for (size_t i = 0; !rc && i < COUNT_OF(memory); i++)
		rc = insert_memory(db, memory[i]);
	return rc;
}
