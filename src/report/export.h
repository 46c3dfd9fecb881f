/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports memory costs by call path, for tools that draw flame graphs or timelines. */
#ifndef MEMDB_REPORT_EXPORT_H
#define MEMDB_REPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

enum export_format {
	/* one line for each call path, "main;work;sum 1200", for flamegraph.pl and inferno */
	EXPORT_COLLAPSED,
	EXPORT_SPEEDSCOPE, /* the JSON format of speedscope */
	EXPORT_CSV,        /* call path as in EXPORT_COLLAPSED, cost, unit */
	EXPORT_PPROF,      /* a binary for go tool pprof, pprof and Grafana Pyroscope */
	EXPORT_FIREFOX,    /* the Firefox Profiler's JSON: also times, threads and allocations */
};

#define EXPORT_FORMATS "collapsed, speedscope, firefox, pprof, csv"

/* Returns the format with this name, or -1. */
int export_format_by_name(const char *name);

/*
 * Writes the costs of the run at `path` by call path: by default the call paths of the code that
 * waited for memory; with by_object, those of the code that allocated the accessed memory. The unit
 * is run_costs.cost_unit. Returns 0, an error of db_open_readonly(), or
 *   MD_EUSAGE  the recording contains no costs
 *   MD_EDB     SQLite reported an error
 *   MD_EIO     out cannot be written
 */
int export_write(const char *path, enum export_format format, bool by_object, FILE *out,
		 struct md_err *err);

#endif
