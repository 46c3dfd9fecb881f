/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A model of one process, number 100, for the tests of objects. */
#ifndef OBJECTS_FIXTURE_H
#define OBJECTS_FIXTURE_H

#include "model/objects.h"

#include <stdio.h>

#include "check_main.h"

static struct code code;
static struct space space;
static struct objects objects;
static uint32_t process;
static char ends[4096]; /* "id:start:time:reason " for each block that has ended */
/* id of the block that the last ended block had replaced (by realloc) */
static uint32_t previous;

static void on_end(void *arg, const struct ended_block *e)
{
	size_t n = strlen(ends);

	previous = e->block->previous;

	snprintf(ends + n, sizeof(ends) - n, "%u:%llx:%llu:%s ", e->block->id,
		 (unsigned long long)e->start, (unsigned long long)e->time, block_end_name(e->how));
}

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
	space_init(&space, &code);
	objects_init(&objects, &space, &(struct block_sink){ .store = on_end });
	process = space_process_of(&space, 100, true, 1);
	ends[0] = 0;
}

static void teardown(void)
{
	objects_release(&objects);
	space_release(&space);
	code_release(&code);
}

static struct place find(uint64_t address)
{
	return objects_find(&objects, process, 0, address, 0);
}

#endif
