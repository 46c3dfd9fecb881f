/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the owner of a page: the process, or a file that several processes share. Each has its own
 * instance of the same model of homes: im->model.homes by process, im->model.shared_homes by file.
 */
#include "import/pages.h"

#include "import/pipeline.h"

/* Describes private memory: its address identifies it within its process. */
static void own_pages(struct import *im, uint32_t process, struct pages *p)
{
	p->homes = &im->model.homes;
	p->owner = process;
	p->file = NULL;
	p->to = p->address;
}

/* Describes shared memory: its offset in the file identifies it for all processes that map it. */
static void file_pages(struct import *im, const struct mapping *m, struct pages *p)
{
	p->homes = &im->model.shared_homes;
	p->owner = m->file;
	p->file = &AT_ID(im->model.shared.files, m->file);
	p->to = m->pgoff + (p->address - m->start);
}

/* Finds the page's owner. Most recordings share no memory; then no mapping is searched. */
struct pages pages_at(struct import *im, uint32_t process, uint64_t address)
{
	const struct mapping *m = im->model.shared.files.n
					  ? space_mapping_at(&im->model.space, process, address)
					  : NULL;
	struct pages p = { .address = address };

	if (m && m->file)
		file_pages(im, m, &p);
	else
		own_pages(im, process, &p);
	return p;
}

/* Returns the first mapping of a shared file that begins in [at, end); NULL means none. */
static const struct mapping *next_shared(struct import *im, uint32_t process, uint64_t at,
					 uint64_t end)
{
	const struct process_memory *memory = space_memory(&im->model.space, process);
	const struct mapping *m;
	uint32_t i;

	while (im->model.shared.files.n && rangemap_ge(&memory->mappings, at, &at, &i) &&
	       at < end) {
		m = &im->model.space.mappings.at[i];
		if (m->file)
			return m;
		at++;
	}
	return NULL;
}

/* Splits a range at the borders of shared mappings, so that each part has one owner. */
bool pages_next(struct import *im, uint32_t process, uint64_t *at, uint64_t end, struct pages *p)
{
	const struct mapping *m;

	if (*at >= end)
		return false;
	*p = pages_at(im, process, *at);
	if (p->file) {
		m = space_mapping_at(&im->model.space, process, *at);
		*at = m->end < end ? m->end : end;
	} else {
		m = next_shared(im, process, *at, end);
		*at = m ? m->start : end;
	}
	p->bytes = *at - p->address;
	return true;
}
