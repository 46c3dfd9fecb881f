/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what users name: an object, a function, a thread and so on of a recording. A misspelled
 * name must be an error and not an empty result, and a name that a report has shortened must be
 * accepted. */
#ifndef MEMDB_DATABASE_NAMED_H
#define MEMDB_DATABASE_NAMED_H

#include <sqlite3.h>

#include "base/err.h"

enum named {
	NAMED_OBJECT,   /* an object, by its name or objects.id */
	NAMED_FUNCTION, /* a function with samples, or a function that allocates */
	NAMED_CODE,     /* a function in the call path of a sample or an allocation */
	NAMED_PLACE,    /* such a function, or a source file with samples, without its folder */
	NAMED_TYPE,
	NAMED_THREAD, /* a thread, by threads.tid */
	NAMED_ALLOCATION,
	NAMED_PATH,
	NAMED_NOTHING /* none of these */
};

/* Returns what the value of the query parameter `param` names. */
enum named named_parameter(const char *param);

/*
 * Sets *out to the name in the database that the user means by `typed`. The caller frees it. These
 * rules are tried in this order; the first rule that at least one name satisfies is used. If
 * several names satisfy it, the search fails, except for rules 1 and 3:
 *   1. the name itself, or the number of an object; for a function, also without its arguments
 *   2. (not for objects) a function that select_is_function() considers to be `typed`
 *   3. (only for objects) the name of a report's row with its suffix: for "rows (heap)", *out is
 * the number of the one of this kind with the highest cost, for "rows (3 objects)" the name
 *   4. the name that reports shorten to `typed` (short_code())
 *   5. the name without namespaces, classes and the pointer's "*" (base_code()), as in reports
 *   6. the name, full or shortened, that is like `typed`, in which "…" or "..." is any text
 *   7. the name, full or shortened, that begins or ends with `typed`
 * Threads, allocations and call paths are found by rule 1 only.
 * Returns 0, or with *out NULL: MD_EUSAGE, with a sentence that lists the names it may be or the
 * most similar one; MD_EDB; MD_ENOMEM.
 */
int named_find(sqlite3 *db, enum named what, const char *typed, char **out, struct md_err *err);

#endif
