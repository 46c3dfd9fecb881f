/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the home of a page (the NUMA node on which the page is), and whether the program chose this
 * node. Passes page faults to the model, as evidence of homes. */
#include "import/home.h"

#include "database/data_source.h"
#include "import/page_owner.h"
#include "import/pipeline.h"
#include "import/policy.h"

/* Did the program choose the node of a page that this thread touched first? It did if a policy
 * names the node, or if the thread was pinned to the CPUs of one node. If the thread could run on
 * several nodes, the node came by chance: the scheduler happened to run the thread there. If the
 * affinity of the thread is unknown, returns TOUCH_CHOICE_UNKNOWN. */
static enum touch_chosen chosen_by(const struct import *im, const struct placement *p,
				   uint32_t thread)
{
	static const enum touch_chosen by_thread[] = { TOUCH_BY_CHANCE, TOUCH_CHOSEN };
	enum affinity affinity = affinities_get(&im->model.affinities, thread);

	if (p->named)
		return TOUCH_CHOSEN;
	return affinity == AFFINITY_UNKNOWN ? TOUCH_CHOICE_UNKNOWN : by_thread[affinity];
}

/* Returns the earliest time at which the accessed page can have been created: the birth of its
 * memory. For a shared file this is 0, because its pages may be older than the process's mapping.
 */
static uint64_t page_birth(struct import *im, const struct access *a, const struct place *p,
			   const struct pages *at)
{
	return at->file ? 0 : objects_page_birth(&im->model.objects, a->process, a->address, p);
}

/* Sets page->number, from which the kernel computes the node of an interleaved page: the page's
 * index in its file. For shared memory, the inode number is added. Leaves the number unknown for
 * huge pages of shared memory, for shared files on disk, and for private memory whose mapping has
 * neither a file nor a page offset. */
static void number_page(struct import *im, const struct access *a, const struct pages *p,
			struct policy_page *page)
{
	const struct mapping *m = space_mapping_at(&im->model.space, a->process, a->address);
	const uint64_t bytes = im->model.homes.page_bytes;

	if (p->file) {
		page->numbered = p->file->memory && !p->file->huge;
		page->number = p->file->inode + p->to / bytes;
	} else if (m && (m->pgoff || AT_ID(im->model.code.dsos, m->dso).kind == DSO_FILE)) {
		page->numbered = true;
		page->number = (m->pgoff + (a->address - m->start)) / bytes;
	}
}

/* Returns where the policy in force puts the page, assuming that this access creates the page. */
static struct placement expected_placement(struct import *im, const struct access *a,
					   const struct pages *p)
{
	struct policy_page page = { .file = p->file ? p->owner : 0,
				    .address = p->to,
				    .bytes = a->page_bytes,
				    .cpu_node = a->cpu_node };

	if (im->model.single_node >= 0) /* the program can use only this node */
		return (struct placement){ .node = im->model.single_node };
	number_page(im, a, p, &page);
	return policy_placement(im, a->process, a->thread, &page);
}

/* Returns the node of the page's recorded physical address; -1 if there is none. Unlike a
 * prediction from the policy, this node is certain. */
static int32_t physical_node(const struct import *im, const struct access *a)
{
	return a->physical ? topology_node_of_physical(&im->model.topology, a->physical) : -1;
}

/* Does a read of this private page place the page? It does on a kernel without a page of zeros,
 * except in the mapping of a file, where it maps a page of the file. */
static bool reads_place(struct import *im, const struct access *a)
{
	const struct mapping *m;

	if (!im->in.recording.reads_place)
		return false;
	m = space_mapping_at(&im->model.space, a->process, a->address);
	return !m || AT_ID(im->model.code.dsos, m->dso).kind != DSO_FILE;
}

/* Does the access only read private memory, so that it places no page? The kernel then maps the
 * page of zeros, or a page of the file, which many processes share. (In a shared mapping, a read
 * creates a page just as a write does.) For an access by the kernel, it may be unknown whether it
 * reads. Then a page without a physical address is the page of zeros. */
static bool only_reads(struct import *im, const struct access *a, const struct pages *p)
{
	if (p->file || reads_place(im, a))
		return false;
	return a->opcode == MEMORY_LOAD ||
	       (a->opcode < 0 && a->no_page && im->model.physical_known);
}

/* Returns the latest time at which malloc may have replaced the page with a new one, or 0 if malloc
 * did not replace it. malloc returns pages to the kernel and gets new ones without a call that the
 * tracker sees: it moves the end of the heap, or drops pages of an arena. So a heap page that
 * faults a second time is assumed to be new, with three exceptions: If the kernel migrates pages by
 * itself, a second fault may be a migration, so the page is new only if the heap has grown. In a
 * live block, a second fault is a migration, because malloc did not return the page; so the result
 * is not later than the birth of the block. For mappings outside malloc, the tracker sees the
 * calls, so the result is 0. */
static uint64_t renewed_since(struct import *im, const struct access *a, const struct place *p,
			      const struct pages *at)
{
	const struct mapping *m = space_mapping_at(&im->model.space, a->process, a->address);
	const bool heap = m && AT_ID(im->model.code.dsos, m->dso).is_heap;
	uint64_t time;

	if (at->file || !p->object ||
	    (!heap && AT_ID(im->model.objects.objects, p->object).kind != OBJECT_HEAP))
		return 0;
	if (im->model.single_node >= 0 || im->model.pages_stay)
		time = a->time;
	else
		time = heap ? m->grown : 0;
	return p->allocation && p->birth < time ? p->birth : time;
}

/* Is the predicted node certain? It is if the node had free memory, or if the kernel could not use
 * another one. Also returns true if no node is predicted. If the free memory of the node decides,
 * counts the page in out.predicted_homes; the pages without a certain node become losses. */
static bool is_certain(struct import *im, const struct placement *put, uint64_t time)
{
	enum topology_room room;

	if (put->node < 0 || put->strict || im->model.single_node >= 0)
		return true;
	room = topology_room(&im->model.topology, put->node, time);
	im->out.predicted_homes[room]++;
	return room == ROOM_CERTAIN;
}

/* Predicts the page's node from the policy in force, if the record has no physical address, and
 * passes the fault to the model. */
bool home_fault(struct import *im, const struct access *a, const struct place *p)
{
	struct placement put;
	struct pages at;
	struct homes_fault f = {
		.thread = a->thread,
		.time = a->time,
		.page_bytes = a->page_bytes,
		.node = physical_node(im, a),
		.major = a->major,
	};

	im->model.physical_known |= a->physical != 0;
	if (!a->process)
		return false;
	at = pages_at(im, a->process, a->address);
	put = expected_placement(im, a, &at);
	f.process = at.owner;
	f.address = at.to;
	f.birth = page_birth(im, a, p, &at);
	f.renewed = renewed_since(im, a, p, &at);
	f.exact = f.node >= 0;
	if (!f.exact)
		f.node = is_certain(im, &put, a->time) ? put.node : -1;
	f.chosen = chosen_by(im, &put, a->thread);
	f.reads = only_reads(im, a, &at);
	f.present = at.file && !at.file->memory && !a->major;
	f.uncertain = a->kernel && a->opcode < 0 && !at.file && !f.exact && !reads_place(im, a);
	return homes_touch(at.homes, &f);
}

/* Passes the birth to the model only for private memory. For a page of a shared file, touches
 * before the birth of the block count, too, so nothing needs to be done. */
void home_born(struct import *im, uint32_t process, uint64_t address, uint64_t time)
{
	const struct pages at = pages_at(im, process, address);

	if (!at.file)
		homes_born(at.homes, at.owner, at.to, time);
}

/* Is the history of the page needed? On a machine with one node, the home is known without the
 * history. But if pages have several sizes, the history also shows the size of the page. */
static bool is_wanted(const struct import *im, const struct access *a)
{
	return a->process && (im->model.single_node < 0 || im->model.homes.touches.levels > 1);
}

/* Returns the value of the column page_pinned: 1 if the page's node was chosen, 0 if it came by
 * chance, -1 if unknown. On a machine with one node, no page is placed by chance. */
static int32_t pinned_node(const struct import *im, enum touch_chosen c)
{
	if (im->model.single_node >= 0)
		return 1;
	return c == TOUCH_CHOICE_UNKNOWN ? -1 : c == TOUCH_CHOSEN;
}

/* May malloc have replaced the page without a recorded fault since *home was seen? Between two
 * blocks, malloc may return the page to the kernel and get a new one. If minor page faults were not
 * recorded for a while since then, the fault that placed the new page may be missing. */
static bool may_be_replaced(const struct import *im, const struct access *a, const struct place *p,
			    const struct home *home)
{
	const struct recording *r = &im->in.recording;

	return p->allocation && home->confirmed < p->birth && home->confirmed < r->storm_end &&
	       r->storm_begin < a->time;
}

/* Tries the sources in the order of their reliability: a machine with one node, then a physical
 * address, then the recorded history of the page. */
void home_find(struct import *im, const struct access *a, const struct place *p,
	       struct access_kind *out)
{
	int32_t physical = physical_node(im, a);
	struct home home = { .node = -1 };

	out->page_pinned = pinned_node(im, TOUCH_CHOICE_UNKNOWN);
	if (is_wanted(im, a)) {
		const struct pages at = pages_at(im, a->process, a->address);

		home = homes_find(at.homes, at.owner, at.to, page_birth(im, a, p, &at));
		if (!at.file && may_be_replaced(im, a, p, &home))
			home = (struct home){ .node = -1, .chosen = TOUCH_CHOICE_UNKNOWN };
		out->page_pinned = pinned_node(im, home.chosen);
		if (home.touched && p->allocation && !at.file)
			out->reused = home.touched < p->birth;
	}
	if (a->page_bytes || home.page_bytes)
		COLUMN_SET(*out, page_bytes, a->page_bytes ? a->page_bytes : home.page_bytes);
	out->home_node_id = im->model.single_node >= 0 ? im->model.single_node
			    : physical >= 0            ? physical
						       : home.node;
	out->home_source = im->model.single_node >= 0 ? HOME_SINGLE
			   : physical >= 0            ? HOME_PHYS
			   : home.node < 0            ? HOME_UNKNOWN
			   : home.looked              ? HOME_PAGE
						      : HOME_FIRST_TOUCH;
}
