/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of code locations: source lines, inlined frames, files, the text of lines. */
#ifndef MEMDB_IMPORT_LINES_H
#define MEMDB_IMPORT_LINES_H

#include "base/arena.h"
#include "import/types.h"
#include "naming/source.h"

struct import;

/* The source files, texts of lines and types that have a row already, so that each gets only
 * one. */
struct lines {
	struct strings files;
	uint32_t written, frames;
	struct types types;
	struct sources *sources; /* NULL means that the text of lines is not stored */
	struct {
		struct text_line {
			uint32_t file, line;
		} * at;
		uint32_t n, cap;
	} texts; /* indexed by source_lines.id - 1 */
	struct index text_index;
};

void lines_release(struct lines *x);

/* Returns the files.id of a source file; 0 if `path` is NULL. The first call for a file writes its
 * row. */
uint32_t lines_file_id(struct import *im, struct lines *x, const char *path);

/* Sends the addresses of all used locations to the child process that reads DWARF, so that it finds
 * their lines in advance. */
void lines_prepare(struct import *im);

/* Writes the used locations, in the order of their ids. Returns 0, or MD_EINTR if the user
 * interrupted. */
int lines_write_locations(struct import *im, struct lines *lines);

#endif
