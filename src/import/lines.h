/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of code locations: source lines, inlined frames, files, the text of lines. */
#ifndef MEMDB_IMPORT_LINES_H
#define MEMDB_IMPORT_LINES_H

#include "base/arena.h"
#include "import/types.h"
#include "naming/source.h"

struct import;

/* Source files, lines and types. Each is stored once. */
struct lines {
	struct strings files;
	uint32_t written, frames;
	struct types types;
	struct sources *sources; /* NULL means the text of lines is left out */
	struct {
		struct text_line {
			uint32_t file, line;
		} * at;
		uint32_t n, cap;
	} texts; /* by source_lines.id */
	struct index text_index;
};

void lines_release(struct lines *x);

/* Returns the id of a source file and writes its row at the first call. 0 for NULL. */
uint32_t lines_file_id(struct import *im, struct lines *x, const char *path);

/* Announces all lines that will be looked up, so that a child process resolves them in advance. */
void lines_prepare(struct import *im);

/* Writes the used locations, in the order of their ids. Returns 0, or MD_EINTR when the user
 * interrupted. */
int lines_write_locations(struct import *im, struct lines *lines);

#endif
