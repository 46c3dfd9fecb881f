/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defers rows that cannot be completed when their record arrives:
 *
 * A sample in the kernel's page-fault handler belongs to the page whose fault is recorded a little
 * later. A page fault inside malloc, when it clears a new block, belongs to the block whose birth
 * the tracker logs only after malloc has returned.
 *
 * The row of such a sample or page fault waits in a queue. Every later row waits after it, so that
 * rows are written in the order of their ids, which is the order of time. The row at the head is
 * written as soon as the missing fact arrives, or after HELD_NS of recorded time without it. The
 * queue never has more than HELD_MOST rows: when it is full, all rows are written with what is
 * known. So memory is bounded, and no row waits long. If the fact never arrives, some columns of
 * the row stay NULL.
 *
 * What must stay true: rows leave the queue in the order in which they came. Flags for each thread
 * say whether a row of the thread waits. So an event for which no row waits costs one test.
 */
#include "import/held.h"

#include <string.h>

#include "import/home.h"
#include "import/pipeline.h"

enum {
	/* maximum number of queued rows. calloc() clears only blocks of the heap, which are below
	 * 32 MiB in glibc. This causes at most HELD_MOST / 2 page faults, so there is room for all
	 * of them */
	HELD_MOST = 1 << 14,
	HELD_NS = 200000000, /* longest time for which a row waits, in recorded time */
	/* bytes after a block into which malloc may write the header of the next chunk */
	MALLOC_OVERHEAD = 16,
};

struct held {
	bool is_fault, for_fault, for_block;
	uint32_t process;
	uint64_t user_ip;
	struct row_sample row;
	struct lost_operand lost;
};

static void pass_on(struct import *im, const struct held *h)
{
	learned_put(im, h->is_fault, &h->row, &h->lost);
}

/* Does the row still lack a fault or a block? If not, it is in the queue only because an older row
 * waits. */
static bool must_wait(const struct held *h)
{
	return h->for_fault || h->for_block;
}

/* Returns the struct that says which kinds of rows of this thread (threads.id) wait. The first call
 * for a thread creates the struct, and zeroed structs for all lower ids. NULL means out of memory.
 */
static struct held_thread *thread_at(struct import *im, uint32_t thread)
{
	struct held_rows *q = &im->out.held;

	if (!VEC_REACH(&q->threads, thread + 1)) {
		im->nomem = true;
		return NULL;
	}
	return &q->threads.at[thread];
}

/* Like thread_at(), but never creates a struct. Returns NULL if there is none; then no row of the
 * thread has waited. */
static struct held_thread *thread_known(struct import *im, uint32_t thread)
{
	struct held_rows *q = &im->out.held;

	return thread < q->threads.n ? &q->threads.at[thread] : NULL;
}

/* Writes rows from the head of the queue, up to the first one that lacks a fact and, at `time`, has
 * waited less than HELD_NS. */
static void write_due(struct import *im, uint64_t time)
{
	struct held_rows *q = &im->out.held;

	for (; q->head < q->n; q->head++) {
		const struct held *h = &q->at[q->head];

		if (must_wait(h) && time < (uint64_t)h->row.data.time + HELD_NS)
			return;
		pass_on(im, h);
	}
	q->head = q->n = 0;
}

/* Passes all rows on, even those that still lack a fact. */
static void pass_all_on(struct import *im)
{
	for (uint32_t i = im->out.held.head; i < im->out.held.n; i++)
		im->out.held.at[i].for_fault = im->out.held.at[i].for_block = false;
	write_due(im, UINT64_MAX);
}

/* Makes room in the queue for one more row; if it is full, writes all rows in it. Returns false
 * when out of memory. */
static bool make_room(struct import *im)
{
	struct held_rows *q = &im->out.held;

	if (q->n == HELD_MOST && q->head) {
		memmove(q->at, q->at + q->head, (q->n - q->head) * sizeof(*q->at));
		q->n -= q->head;
		q->head = 0;
	}
	if (q->n == HELD_MOST)
		pass_all_on(im);
	return VEC_ROOM(q);
}

/* Writes a row at once, or queues it. Nearly all rows are written at once, because they lack
 * nothing and the queue is empty. */
static void hold_row(struct import *im, const struct held *h)
{
	struct held_rows *q = &im->out.held;
	struct held_thread *t;

	write_due(im, (uint64_t)h->row.data.time);
	if (!q->n && !must_wait(h)) {
		pass_on(im, h);
		return;
	}
	if (!make_room(im)) {
		im->nomem = true;
		return;
	}
	q->at[q->n++] = *h;
	t = must_wait(h) ? thread_at(im, h->row.data.thread_id) : NULL;
	if (t) {
		t->for_fault |= h->for_fault;
		t->for_block |= h->for_block;
	}
}

/* Copies the address and the facts about the address from the row of a page fault to the row of a
 * sample that was taken while the kernel handled this fault. */
static void take_fault(struct held *h, const struct held *fault)
{
	const struct sample_data *d = &fault->row.data;
	const struct access_kind *k = &fault->row.kind;

	COLUMN_SET(h->row.data, address, d->address);
	h->row.data.object_id = d->object_id;
	h->row.data.allocation_id = d->allocation_id;
	h->row.data.object_offset = d->object_offset;
	h->row.data.has &= ~(uint32_t)HAS_object_offset;
	h->row.data.has |= d->has & HAS_object_offset;
	h->row.kind.addr_reason = -1;
	h->row.kind.memory_opcode = k->memory_opcode;
	h->row.kind.object_reason = k->object_reason;
	h->row.kind.home_node_id = k->home_node_id;
	h->row.kind.home_source = k->home_source;
	h->row.kind.page_pinned = k->page_pinned;
	h->row.kind.reused = k->reused;
	h->row.kind.page_bytes = k->page_bytes;
	h->row.kind.access_bytes = 0;
	h->row.kind.has &= ~(uint32_t)(HAS_page_bytes | HAS_access_bytes);
	h->row.kind.has |= k->has & HAS_page_bytes;
	h->for_block = fault->for_block;
}

/* Completes those samples of the fault's thread that wait for a fault. A sample keeps the address
 * that was computed from its registers if the fault has no address, or if the fault's ip is in user
 * code and is not the user ip of the sample. The ip of a fault inside a system call is in the
 * kernel, so it cannot be compared. */
static void complete_for_fault(struct import *im, const struct held *fault)
{
	const uint32_t thread = fault->row.data.thread_id;
	const uint64_t ip = (uint64_t)fault->row.code.ip;
	struct held_thread *t = thread_known(im, thread);
	struct held_rows *q = &im->out.held;

	if (!t || !t->for_fault)
		return;
	t->for_fault = false;
	for (uint32_t i = q->head; i < q->n; i++) {
		struct held *h = &q->at[i];

		if (!h->for_fault || h->row.data.thread_id != thread)
			continue;
		h->for_fault = false;
		if (fault->row.data.has & HAS_address && (h->user_ip == ip || ip >> 63))
			take_fault(h, fault);
		t->for_block |= h->for_block;
	}
}

/* A sample of an unknown thread does not wait, because no fault can be matched with it. */
void held_sample(struct import *im, const struct row_sample *row, const struct held_wait *w)
{
	hold_row(im, &(struct held){ .process = w->process,
				     .user_ip = w->user_ip,
				     .for_fault = w->for_fault && row->data.thread_id,
				     .row = *row,
				     .lost = w->lost });
}

/* Completes the samples that wait for this fault, then writes or queues the row of the fault
 * itself. */
void held_fault(struct import *im, const struct row_sample *row, const struct held_wait *w)
{
	const struct held h = { .is_fault = true,
				.process = w->process,
				.for_block = w->for_block && row->data.thread_id,
				.row = *row };

	complete_for_fault(im, &h);
	hold_row(im, &h);
}

/* Sets the object of a waiting row (a page fault, or a sample during it) to that of the new block
 * b, whose birth has arrived. The faulting address may also be in malloc's header before or after
 * the block. */
static void take_block(struct held *h, const struct place *p, const struct birth *b)
{
	const uint64_t offset = (uint64_t)h->row.data.address - b->start;

	h->row.data.object_id = p->object;
	h->row.data.allocation_id = p->allocation;
	h->row.kind.object_reason = -1;
	h->row.data.object_offset = 0;
	h->row.data.has &= ~(uint32_t)HAS_object_offset;
	if (offset < b->size)
		COLUMN_SET(h->row.data, object_offset, offset);
	if (h->row.kind.first == 1)
		h->row.kind.reused = 0;
}

/* Completes those waiting page faults of the thread that are in pages of block b. The other ones
 * that waited for a birth belong to no block: malloc then accessed its own data. */
void held_birth(struct import *im, uint32_t process, const struct birth *b)
{
	const uint64_t page = im->model.homes.page_bytes ? im->model.homes.page_bytes : 1;
	/* a page that contains only malloc's header before the block does not belong to the block
	 */
	const uint64_t first = b->start / page;
	const uint64_t last = (b->start + b->size + MALLOC_OVERHEAD - 1) / page;
	struct held_thread *t = thread_known(im, b->thread);
	struct held_rows *q = &im->out.held;
	struct place p;

	if (!t || !t->for_block)
		return;
	t->for_block = false;
	p = objects_find(&im->model.objects, process, b->thread, b->start, 0);
	for (uint32_t i = q->head; i < q->n; i++) {
		struct held *h = &q->at[i];
		const uint64_t address = (uint64_t)h->row.data.address;

		if (!h->for_block || h->row.data.thread_id != b->thread)
			continue;
		h->for_block = false;
		if (h->process != process || !p.allocation || address / page - first > last - first)
			continue;
		objects_hit(&im->model.objects, &p);
		take_block(h, &p, b);
		if (h->row.kind.first == 1)
			home_born(im, process, address, b->time);
	}
	write_due(im, b->time);
}

/* Must also be called before stored rows are changed: rows in the queue are not in the database
 * yet, so the change would miss them. */
void held_flush(struct import *im)
{
	pass_all_on(im);
	learned_flush(im);
}

void held_release(struct held_rows *q)
{
	free(q->at);
	free(q->threads.at);
	memset(q, 0, sizeof(*q));
}
