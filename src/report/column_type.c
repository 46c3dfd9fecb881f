/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the type of a column from its name: with few exceptions, a column has the same type in all
 * views that contain it. A column in neither of the two lists is an integer. tests/export compares
 * the types of a database with values with those of an empty one. */
#include "report/column_type.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char texts[] =
	" address_source advice allocator annotated_lines.accesses answer caller class comm"
	" cost_unit dso element_expression event evidence expression file from_cpus function hint"
	" inside kind level measure member member_type memory mode object object_kind opcode"
	" pattern question read_by reason remote_by scope separates shared_members.place sharing"
	" source stack symbol text time_spent.time_kind to_cpus type type_source verdict wrapper"
	" written_by ";
static const char reals[] = " cost delta delta_cache_lines delta_high delta_low"
			    " drawn_estimate_object estimate estimate_sq fault_time growth high"
			    " local_estimate lost_cost low place remote_estimate thread_time"
			    " threshold time_s times value ";

static bool is_listed(const char *list, const char *name)
{
	char word[160];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(list, word) != NULL;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

const char *column_type(const char *view, const char *column)
{
	char both[140];

	snprintf(both, sizeof(both), "%s.%s", view, column);
	if (is_listed(texts, both) || is_listed(texts, column))
		return "TEXT";
	return is_listed(reals, column) || ends_with(column, "_pct") || ends_with(column, "_avg")
		       ? "REAL"
		       : "INTEGER";
}
