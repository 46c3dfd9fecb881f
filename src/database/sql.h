/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the files of sql/ and queries/, which are compiled into the program. Each array ends
 * with { NULL, NULL }.
 */
#ifndef MEMDB_DATABASE_SQL_H
#define MEMDB_DATABASE_SQL_H

struct sql_file {
	const char *name; /* the file's name without folder and extension */
	const char *text;
};

extern const struct sql_file sql_schema[];   /* tables, in the order of their creation */
extern const struct sql_file sql_views[];    /* one view each */
extern const struct sql_file sql_indexes[];  /* created after the load */
extern const struct sql_file sql_queries[];  /* canned queries, by name */
extern const struct sql_file sql_measures[]; /* fills kind_measures */
extern const struct sql_file sql_recount[];  /* fill sample_cells and fault_cells again */
extern const struct sql_file sql_resum[];    /* fill the cells of samples again, for a selection */
extern const struct sql_file sql_select[];   /* what select.c reads */
extern const struct sql_file sql_totals[];   /* what totals.c reads */

#endif
