/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of code locations. Finding source lines in DWARF is the slow part of an import,
 * so a child process does it (symbol/dwarf_link.h). To keep it busy, all addresses are sent to it
 * in advance, grouped by file. Its results arrive while other rows are written. Each source file,
 * each text of a line and each type is stored once. */
#include "import/lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/pipeline.h"

uint32_t lines_file_id(struct import *im, struct lines *x, const char *path)
{
	uint32_t id = path ? strings_id(&x->files, path) : 0;

	if (id > x->written)
		writer_put_file(im->out.w,
				&(struct row_file){ .id = x->written = id, .path = path });
	return id;
}

enum { MAX_TEXT = 400 }; /* bytes; longer source lines are cut */

/* Stores the text of a source line, once. If the source file is newer than the DSO, the file may
 * have changed since the DSO was compiled, so the text is not stored. Source files of the tracker
 * are skipped: they do not belong to the program. */
static void store_text(struct import *im, struct lines *x, uint32_t file, uint32_t line,
		       uint32_t dso)
{
	uint32_t hash = index_hash(file, line), place = hash, id;
	const char *text;
	char cut[MAX_TEXT + 1];

	if (!x->sources || !file || !line || !dso || AT_ID(im->model.code.dsos, dso).is_tracker)
		return;
	while ((id = index_next(&x->text_index, hash, &place)))
		if (AT_ID(x->texts, id).file == file && AT_ID(x->texts, id).line == line)
			return;
	text = source_line(x->sources, strings_text(&x->files, file), line,
			   sym_file_mtime(code_file(&im->model.code, dso)));
	if (!text)
		return;
	if (!VEC_ROOM(&x->texts) || !index_add(&x->text_index, hash, x->texts.n + 1)) {
		im->nomem = true;
		return;
	}
	x->texts.at[x->texts.n++] = (struct text_line){ file, line };
	snprintf(cut, sizeof(cut), "%s", text);
	writer_put_source_line(im->out.w, &(struct row_source_line){ .id = x->texts.n,
								     .file_id = file,
								     .line = line,
								     .text = cut });
}

/* Can source lines be found for the DSO? Only a file can have debug information, not the kernel or
 * generated code. */
static bool wants_lines(const struct import *im, uint32_t dso)
{
	const struct dso *d = dso ? &AT_ID(im->model.code.dsos, dso) : NULL;

	return d && d->kind == DSO_FILE && d->file && !im->o->no_lines;
}

void lines_prepare(struct import *im)
{
	const struct used_ids *used = &im->out.used.locations;
	const struct code *c = &im->model.code;
	/* offsets of all used locations, grouped by DSO */
	uint64_t *offsets = malloc(c->locations.n * sizeof(*offsets));
	/* indexed by DSO id: position in `offsets` of the DSO's first offset */
	uint32_t *first = calloc(c->dsos.n + 2, sizeof(*first));

	if (!offsets || !first)
		goto out; /* out of memory: each line is resolved later, when it is needed */
	for (uint32_t i = 0; i < c->locations.n; i++)
		if (used_has(used, i + 1))
			first[c->locations.at[i].dso]++;
	for (uint32_t dso = 1; dso <= c->dsos.n + 1; dso++)
		first[dso] += first[dso - 1];
	for (uint32_t i = c->locations.n; i-- > 0;)
		if (used_has(used, i + 1))
			offsets[--first[c->locations.at[i].dso]] = c->locations.at[i].offset;
	for (uint32_t dso = 1; dso <= c->dsos.n; dso++)
		if (first[dso + 1] > first[dso] && wants_lines(im, dso))
			sym_lines_prepare(AT_ID(c->dsos, dso).file, offsets + first[dso],
					  first[dso + 1] - first[dso]);
out:
	free(first);
	free(offsets);
}

static void write_inlined_frame(struct import *im, struct lines *x, struct row_inlined_frame row,
				const struct sym_line *at, uint32_t dso)
{
	row.id = ++x->frames;
	row.function = at->function;
	row.file_id = lines_file_id(im, x, at->file);
	row.line = at->line;
	writer_put_inlined_frame(im->out.w, &row);
	store_text(im, x, row.file_id, at->line, dso);
}

/* Writes a location and its inlined frames. The row of the location has the line and function of
 * frame `own` (depth 0), the innermost frame in the program's own sources. Without debug
 * information, the function is the ELF symbol's. */
static void write_location(struct import *im, struct lines *x, uint32_t id)
{
	const struct location *l = &AT_ID(im->model.code.locations, id);
	struct sym_line at[SYM_MAX_INLINE] = { 0 };
	unsigned n = 0, own = 0;
	struct row_location row = {
		.id = id, .dso_id = l->dso, .symbol_id = l->symbol, .offset = (int64_t)l->offset
	};

	if (wants_lines(im, l->dso))
		n = sym_lines_at(AT_ID(im->model.code.dsos, l->dso).file, l->offset, at,
				 SYM_MAX_INLINE);
	if (l->symbol) {
		row.symbol_offset =
			(int64_t)(l->offset - AT_ID(im->model.code.symbols, l->symbol).sym->start);
		row.has |= HAS_LOCATION_SYMBOL_OFFSET;
		row.function = code_symbol_name(&im->model.code, l->symbol);
	}
	if (n) {
		own = site_own_frame(&AT_ID(im->model.code.dsos, l->dso), at, n);
		row.file_id = lines_file_id(im, x, at[own].file);
		row.line = at[own].line;
		row.column = at[own].column;
		row.has |= at[own].line ? HAS_LOCATION_LINE : 0;
		row.function = at[own].function ? at[own].function : row.function;
		store_text(im, x, row.file_id, at[own].line, l->dso);
	}
	writer_put_location(im->out.w, &row);
	for (unsigned i = 0; i < n; i++)
		if (i != own)
			write_inlined_frame(im, x,
					    (struct row_inlined_frame){ .location_id = id,
									.depth = (int64_t)i - own },
					    &at[i], l->dso);
}

/* Has the user pressed Ctrl-C? Called between rows, because finding lines may take minutes. */
static bool was_interrupted(const struct import *im)
{
	return im->o->stop && *im->o->stop;
}

int lines_write_locations(struct import *im, struct lines *lines)
{
	uint32_t i;

	for (i = 0; i < im->model.code.locations.n && !was_interrupted(im); i++)
		if (used_has(&im->out.used.locations, i + 1))
			write_location(im, lines, i + 1);
	return i < im->model.code.locations.n ? md_fail(im->err, MD_EINTR, "interrupted") : 0;
}

void lines_release(struct lines *x)
{
	strings_release(&x->files);
	types_release(&x->types);
	free(x->texts.at);
	index_release(&x->text_index);
}
