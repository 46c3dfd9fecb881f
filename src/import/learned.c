/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/learned.h"

#include <stdlib.h>
#include <string.h>

#include "import/address.h"
#include "import/cached.h"
#include "import/pipeline.h"

enum { LEARNED_MOST = 1 << 14 };

struct learned {
	struct row_sample row;
	struct lost_operand lost;
	bool is_fault;
};

/* Writes a row. The access to its object is counted only now, because a fact that arrived late may
 * have changed the row's object. A sample in the page-fault handler does not count as an access. */
static void write_row(struct import *im, bool is_fault, const struct row_sample *row)
{
	const struct sample_data *d = &row->data;

	if (d->object_id && (is_fault || row->kind.addr_source != ADDR_FAULT))
		objects_accessed(&im->model.objects, d->object_id, is_fault ? 0 : d->id,
				 is_fault ? d->id : 0);
	used_call_path(im, d->call_path_id);
	used_location(im, row->code.location_id);
	used_location(im, row->code.caller_id);
	phase_enter(im, PHASE_PACK);
	if (is_fault)
		writer_put_page_fault(im->out.w, row);
	else
		writer_put_sample(im->out.w, row);
}

/* Returns the object in which the operand's known addresses are; 0 if it is not known, or if it is
 * a thread's stack as a whole: then the variable there is not known, and other threads have other
 * stacks. */
static uint32_t usual_object(const struct import *im, const struct lost_operand *lost)
{
	const uint32_t id = account_object(im->model.waits.account, lost->place, lost->which);
	const struct object *x = id ? &AT_ID(im->model.objects.objects, id) : NULL;

	return x && (x->kind != OBJECT_STACK || x->local || x->symbol) ? id : 0;
}

/* Replaces what the row says about its access by: the operand *lost in this object, at an unknown
 * address. The row may have the address of an access after ip, for which the thread did not wait.
 */
static void take_object(struct import *im, const struct lost_operand *lost, uint32_t object,
			struct row_sample *row)
{
	im->r->with_address -= row->data.has & HAS_address ? 1 : 0;
	im->r->with_object += row->data.object_id ? 0 : 1;
	address_of_object(row, lost);
	row->data.object_id = object;
	row->data.allocation_id = 0;
	row->kind.object_reason = -1;
	row->kind.home_node_id = row->kind.page_pinned = row->kind.reused = -1;
	row->kind.home_source = HOME_UNKNOWN;
	row->kind.has &= ~(uint32_t)HAS_page_bytes;
}

/* Sets in the row of a sample whose address is lost what depends on its object, which now is as
 * well known as it will be. */
static void settle(struct import *im, const struct lost_operand *lost, struct row_sample *row)
{
	const uint32_t object = usual_object(im, lost);

	if (object && object != lost->object)
		take_object(im, lost, object, row);
	if (!row->data.object_id)
		return;
	if (lost->uncharged && row->kind.addr_source == ADDR_OBJECT)
		waits_uncharged(im, row->data.object_id, (uint64_t)row->data.period);
	cached_find(im, row);
}

/* Writes the row at the head of the queue, and removes it. */
static void write_oldest(struct import *im)
{
	struct learned_rows *q = &im->out.learned;
	struct learned *x = &q->at[q->head];

	if (x->lost.place)
		settle(im, &x->lost, &x->row);
	write_row(im, x->is_fault, &x->row);
	q->head = (q->head + 1) % LEARNED_MOST;
	q->n--;
}

/* May more addresses of the operand show the row's object? */
static bool must_wait(const struct import *im, const struct lost_operand *lost)
{
	return lost->place && account_may_learn(im->model.waits.account, lost->place, lost->which);
}

static void write_complete(struct import *im)
{
	struct learned_rows *q = &im->out.learned;

	while (q->n && !must_wait(im, &q->at[q->head].lost))
		write_oldest(im);
}

static void add_row(struct import *im, const struct learned *x)
{
	struct learned_rows *q = &im->out.learned;

	if (!q->at)
		q->at = malloc(LEARNED_MOST * sizeof(*q->at));
	if (!q->at) {
		im->nomem = true;
		return;
	}
	if (q->n == LEARNED_MOST) {
		const struct lost_operand *oldest = &q->at[q->head].lost;

		account_learns_no_more(im->model.waits.account, oldest->place, oldest->which);
		write_complete(im);
	}
	q->at[(q->head + q->n++) % LEARNED_MOST] = *x;
}

void learned_put(struct import *im, bool is_fault, const struct row_sample *row,
		 const struct lost_operand *lost)
{
	struct row_sample settled;

	write_complete(im);
	if (im->out.learned.n || must_wait(im, lost)) {
		add_row(im, &(struct learned){ *row, *lost, is_fault });
		return;
	}
	if (!lost->place) {
		write_row(im, is_fault, row);
		return;
	}
	settled = *row;
	settle(im, lost, &settled);
	write_row(im, is_fault, &settled);
}

void learned_flush(struct import *im)
{
	while (im->out.learned.n)
		write_oldest(im);
}

void learned_release(struct learned_rows *q)
{
	free(q->at);
	memset(q, 0, sizeof(*q));
}
