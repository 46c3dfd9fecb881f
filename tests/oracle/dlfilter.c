/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter for perf script (--dlfilter) that keeps all samples. For each, it writes the fields
 * that perf does not pass to Python scripts: a line "INS_LAT DATA_PAGE_SIZE" in the file that
 * ORACLE_FIELDS names.
 */
#include <inttypes.h>
#include <perf/perf_dlfilter.h>
#include <stdio.h>
#include <stdlib.h>

struct perf_dlfilter_fns perf_dlfilter_fns;

int start(void **data, void *ctx);
int stop(void *data, void *ctx);
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx);

int start(void **data, void *ctx)
{
	const char *path = getenv("ORACLE_FIELDS");

	*data = path ? fopen(path, "w") : NULL;
	return *data ? 0 : -1;
}

int stop(void *data, void *ctx)
{
	return data ? fclose(data) : 0;
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	fprintf(data, "%u %" PRIu64 "\n", sample->ins_lat, (uint64_t)sample->data_page_size);
	fflush(data); /* perf calls stop() only after the Python script has read the file */
	return 0;
}
