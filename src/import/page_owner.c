/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the owner of a page: its process, or a file that several processes share. Each kind of
 * owner has its own model of home nodes: im->model.homes for processes, im->model.shared_homes for
 * files.
 */
#include "import/page_owner.h"

#include "import/pipeline.h"

/* Fills in *p for private memory: its pages belong to the process and are identified by their
 * address. */
static void own_pages(struct import *im, uint32_t process, struct pages *p)
{
	p->homes = &im->model.homes;
	p->owner = process;
	p->file = NULL;
	p->to = p->address;
}

/* Fills in *p for shared memory: its pages belong to the file and are identified by their offset,
 * in all processes that map the file. */
static void file_pages(struct import *im, const struct mapping *m, struct pages *p)
{
	p->homes = &im->model.shared_homes;
	p->owner = m->file;
	p->file = &AT_ID(im->model.shared.files, m->file);
	p->to = m->pgoff + (p->address - m->start);
}

/* Searches the mappings only if the recording has shared files; most recordings have none. */
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

/* A range may contain several mappings, so it is split at each change of the owner. */
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
