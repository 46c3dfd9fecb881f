/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares SQL files that are compiled into the program: those of queries/, and those of sql/
 * except the folders for which report/report_sql.h and html/tables.h declare arrays. Each array
 * ends with { NULL, NULL }.
 */
#ifndef MEMDB_DATABASE_SQL_H
#define MEMDB_DATABASE_SQL_H

struct sql_file {
	const char *name; /* name of the file, without folder and extension */
	const char *text;
};

/* CREATE TABLE and CREATE VIEW statements, in the order in which they are executed */
extern const struct sql_file sql_schema[];
extern const struct sql_file sql_views[]; /* one CREATE VIEW statement in each file */
/* indexes, created after all rows have been inserted */
extern const struct sql_file sql_indexes[];
extern const struct sql_file sql_queries[];  /* canned queries, sorted by name */
extern const struct sql_file sql_query[];    /* the statement that says why a query has no rows */
extern const struct sql_file sql_measures[]; /* the statement that fills kind_measures */
extern const struct sql_file sql_drawn[];    /* the statement that fills drawn_data */
/* statements that compute sample_cells and fault_cells again, after some home nodes were set to
 * unknown */
extern const struct sql_file sql_recount[];
/* statements that fill temporary tables of cells from selected samples (select.c) */
extern const struct sql_file sql_resum[];
extern const struct sql_file sql_select[]; /* statements of select.c */
extern const struct sql_file sql_named[];  /* the statement of named.c */
extern const struct sql_file sql_totals[]; /* statements of totals.c */

#endif
