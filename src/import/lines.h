/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of code locations: their source lines, inlined frames, files and the text of lines. */
#ifndef MEMDB_IMPORT_LINES_H
#define MEMDB_IMPORT_LINES_H

#include "base/arena.h"
#include "import/types.h"
#include "naming/source.h"

struct import;

/* Source files and types, stored once each. */
struct lines {
	struct strings files;
	uint32_t written, frames;
	struct types types;
	struct sources *sources; /* NULL: their text is left out */
	struct {
		struct text_line {
			uint32_t file, line;
		} * at;
		uint32_t n, cap;
	} texts; /* by source_lines.id */
	struct index text_index;
};

void lines_release(struct lines *x);

/* The id of a source file, whose row is written with the first question; 0 for NULL. */
uint32_t lines_file_id(struct import *im, struct lines *x, const char *path);

/* Announces all lines that will be looked up, so that they are resolved in the background. */
void lines_prepare(struct import *im);

/* Writes the locations that rows refer to, in the order of their ids. 0, or MD_EINTR when the user
 * interrupted. */
int lines_write_locations(struct import *im, struct lines *lines);

#endif
