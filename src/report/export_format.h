/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types that the export formats share. */
#ifndef MEMDB_REPORT_EXPORT_FORMAT_H
#define MEMDB_REPORT_EXPORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

struct stream {
	char *text;
	size_t size;
	FILE *f;
};

/* Opens a stream that writes to memory. Returns false if memory ran out; the caller must call
 * stream_release() even then. */
static inline bool stream_open(struct stream *s)
{
	s->f = open_memstream(&s->text, &s->size);
	return s->f;
}

/* Closes the stream and frees its text. { 0 } is a closed stream. */
static inline void stream_release(struct stream *s)
{
	if (s->f)
		fclose(s->f);
	free(s->text);
	*s = (struct stream){ 0 };
}

/* Indices in sql_export[], the files of sql/export. */
enum { SQL_PATHS, SQL_FRAMES, SQL_THREADS, SQL_SAMPLES, SQL_BLOCKS, SQL_STATEMENTS };

enum { EXPORT_DEPTH = 1024 };

struct exporter {
	FILE *out;
	const char *unit; /* "ns", "cycles", "latency" */
	/* a frame of the current call path was written, so the next one needs a separator */
	bool begun;
	/* tables and streams that each format uses in its own way */
	struct strings frames;
	struct stream shared, samples, weights;
	bool any;
	int64_t total;
	/* used only by pprof */
	struct strings texts, functions;
	uint64_t path[EXPORT_DEPTH]; /* frames of the current call path, outermost first */
	/* number of frames in `path`; frames beyond EXPORT_DEPTH are left out */
	size_t depth;
	/* used by collapsed and csv: the texts of call paths, each of which is written once, with
	 * the sum of its costs */
	struct strings paths;
	struct {
		int64_t *at; /* at[id - 1] is the sum for the text with this id in `paths` */
		uint32_t n, cap;
	} costs;
};

/*
 * The functions that write one export format. For each call path, the exporter calls frame() for
 * each of its frames, the outermost first, and then end_path() with the cost.
 */
struct format {
	const char *name;
	void (*begin)(struct exporter *e);
	/* These return 0 or MD_ENOMEM. */
	int (*frame)(struct exporter *e, const char *name, const char *file, int line);
	int (*end_path)(struct exporter *e, int64_t cost);
	int (*end)(struct exporter *e);
};

/* These functions write the format pprof: the protocol buffer of github.com/google/pprof,
 * compressed by gzip. */
int pprof_frame(struct exporter *e, const char *name, const char *file, int line);
int pprof_end_path(struct exporter *e, int64_t cost);
int pprof_end(struct exporter *e);

#endif
