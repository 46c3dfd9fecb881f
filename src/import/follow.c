/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies the follower's log to the model. The follower is the part of memdb record that observes
 * the program from outside, at intervals (record/follow.h). The log contains first the topology,
 * then records with a time: threads and their affinities, policies, huge pages, and looks.
 *
 * A look is one query that asks on which nodes the pages of a range are. It shows where each page
 * was at that moment; a page may have been on a different node before or after the look. An invalid
 * line is skipped and counted: a recording that was cut short ends in the middle of a line.
 */
#include "import/follow.h"

#include <string.h>
#include <unistd.h>

#include "import/losses.h"
#include "import/page_owner.h"
#include "import/pipeline.h"

/* Opens the follower's log, which is next to the recording. Without the log, the import goes on,
 * but the home nodes of fewer pages are known. The log begins with records that have no time (the
 * topology). They are applied here, because the first sample may need them already. */
int follow_open(struct import *im)
{
	struct md_err why = { 0 };
	int ret;

	if (!im->in.follow_path || access(im->in.follow_path, F_OK))
		return 0;
	ret = fl_open_path(im->in.follow_path, &im->in.follow.log, &why);
	if (ret == MD_ENOMEM)
		return md_nomem(im->err);
	if (ret) {
		import_damage(im, "follower", "unreadable log", 1, why.msg);
		return 0;
	}
	ret = ahead_read(im);
	if (!ret)
		ret = fl_next(im->in.follow.log, &im->in.follow.next, im->err);
	im->in.follow.has_next = ret > 0;
	while (ret >= 0 && im->in.follow.has_next && !im->in.follow.next.time)
		ret = follow_step(im);
	im->in.follow.bytes = fl_left(im->in.follow.log);
	return ret < 0 ? ret : 0;
}

/* Closes the log and reports its damaged lines. Must be called before the rows of losses are
 * written. */
void follow_close(struct import *im)
{
	if (im->in.follow.log && im->out.w)
		import_damage(im, "follower", "damaged lines",
			      fl_skipped(im->in.follow.log) + im->in.follow.unsound_lines,
			      "there are lines in follow.log that make no sense");
	fl_close(im->in.follow.log);
	im->in.follow.log = NULL;
}

/* Checks the node numbers of a look (a query of page homes), and adds those nodes that the topology
 * does not have yet. Returns 0, MD_EFORMAT or MD_ENOMEM. */
static int name_nodes(struct import *im, const int32_t *nodes, uint32_t count)
{
	int ret = 0;

	for (uint32_t i = 0; i < count && !ret; i++)
		if (nodes[i] >= 0 && (!i || nodes[i] != nodes[i - 1]))
			ret = topology_name(&im->model.topology, nodes[i]);
	im->nomem |= ret == MD_ENOMEM;
	return ret;
}

/* Passes a look (a query of page homes) at a shared file to the model. The look covers only pages
 * that this process has mapped, so the other pages of the file are left unchanged. A present page
 * also shows the node of the pages next to it that `step` skips, but only if the page before or
 * after it in the look is present, too, or if the look has only this page of the file. */
static void look_at_file(struct import *im, const struct pages *p, uint64_t step,
			 const int32_t *nodes, uint32_t count, uint64_t time)
{
	for (uint32_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && (nodes[i + n] < 0) == (nodes[i] < 0); n++)
			;
		if (nodes[i] >= 0)
			homes_look(&im->model.shared_homes, p->owner, p->to + i * step,
				   n > 1 || count == 1 ? step : im->model.homes.page_bytes,
				   nodes + i, n, time);
	}
}

/* Passes a look (a query of page homes) to the model, split by owner (page_owner.h): the range may
 * contain private memory, which belongs to the process, and parts of shared files. */
static void apply_look(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		       const int32_t *nodes, uint32_t count, uint64_t time)
{
	uint64_t at = start, end = start + step * count;
	struct pages p;

	if (step > (UINT64_MAX - start) / count)
		return;
	while (pages_next(im, process, &at, end, &p)) {
		uint32_t first = (uint32_t)((p.address - start + step - 1) / step);
		uint32_t n = (uint32_t)((at - start + step - 1) / step) - first;

		p.to += start + first * step - p.address;
		if (p.file)
			look_at_file(im, &p, step, nodes + first, n, time);
		else
			homes_look(p.homes, p.owner, p.to, step, nodes + first, n, time);
	}
}

/* Handles a look (a query of page homes), which the follower or the tracker (the library inside the
 * program) made. Neighbouring pages on one node become one row of page_homes. A page that is not
 * present has no node and no row. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source)
{
	int ret = name_nodes(im, nodes, count);

	if (ret || !process || !step || !count)
		return ret;
	if (im->model.moved.n && im->model.moved.until < time)
		moved_take_back(im);
	im->model.moved.until = time + took;
	apply_look(im, process, start, step, nodes, count, time);
	for (uint32_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && nodes[i + n] == nodes[i]; n++)
			;
		if (nodes[i] < 0)
			continue;
		writer_put_page_home(im->out.w,
				     &(struct row_page_home){
					     .id = ++im->out.page_home_id,
					     .process_id = process,
					     .time = (int64_t)time,
					     .address_start = (int64_t)(start + i * step),
					     .address_end =
						     (int64_t)(start + (uint64_t)(i + n) * step),
					     .step_bytes = (int64_t)step,
					     .node_id = nodes[i],
					     .source = source,
				     });
	}
	return 0;
}

/* The model stores only whether all CPUs of the thread belong to one node; the row has the full
 * list of CPUs. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source)
{
	affinities_set(&im->model.affinities, thread, affinity_of_list(&im->model.topology, cpus));
	writer_put_thread_affinity(im->out.w,
				   &(struct row_thread_affinity){
					   .id = ++im->out.affinity_id,
					   .thread_id = thread,
					   .time = (int64_t)time,
					   .cpus = cpus,
					   .node_id =
						   topology_node_of_list(&im->model.topology, cpus),
					   .source = source,
				   });
}

static void on_thread(struct import *im, const struct fl_record *f)
{
	if (!space_process_of(&im->model.space, f->pid, false, f->time))
		/* a process that perf has not reported is a helper of memdb, not a part of the
		 * program */
		return;
	import_affinity(im, space_thread_of(&im->model.space, f->pid, f->tid, f->time), f->more,
			f->time, "follower");
}

/* Applies a line of /proc/PID/numa_maps: without the tracker, this is the only source of a
 * process's policies. The policy of the stack's line is assumed to be the main thread's own policy,
 * because programs do not bind their stacks with mbind(). Lines of mapped files are skipped. */
static void on_numa_maps(struct import *im, const struct fl_record *f)
{
	uint32_t process = space_process_of(&im->model.space, f->pid, false, f->time);
	struct policy policy = policy_parse(f->text);
	const struct mapping *m;

	if (!process || space_process(&im->model.space, process)->tracked)
		return;
	m = space_mapping_at(&im->model.space, process, f->address);
	if (strstr(f->more, "stack"))
		policies_thread(&im->model.policies,
				space_thread_of(&im->model.space, f->pid, f->pid, f->time),
				&policy);
	else if (m && !strstr(f->more, "file="))
		policies_bind(&im->model.policies, process, f->address, m->end, &policy);
}

/* Applies the page size of a mapping. The follower found the size in numa_maps; it is valid from
 * the time of this record on. */
static void on_hugepage(struct import *im, const struct fl_record *f)
{
	homes_size(&im->model.homes, space_process_of(&im->model.space, f->pid, false, f->time),
		   f->address, f->end, f->bytes);
}

/* Applies one record of the follower's log. Returns 0, MD_ENOMEM, or another MD_E* if its values
 * are impossible. */
static int on_record(struct import *im, const struct fl_record *f)
{
	struct topology *t = &im->model.topology;
	struct policy policy;

	switch (f->kind) {
	case FL_NODE:
		return topology_node(t, (int32_t)f->node, f->more, f->bytes, f->free_bytes);
	case FL_DISTANCE:
		return topology_distance(t, (int32_t)f->node, (int32_t)f->to, f->distance);
	case FL_CPU:
		return topology_cpu(t, f->cpu, (int32_t)f->node, f->core, f->socket);
	case FL_MEMORY:
		return topology_memory(t, (int32_t)f->node, f->address, f->end);
	case FL_PAGE:
		t->page_bytes = f->bytes ? f->bytes : t->page_bytes;
		return 0;
	case FL_POLICY:
		policy = policy_parse(f->text);
		policies_start(&im->model.policies, &policy);
		return 0;
	case FL_AFFINITY:
		affinities_start(&im->model.affinities, affinity_of_list(t, f->more));
		return 0;
	case FL_BALANCING:
		im->model.pages_stay = !f->bytes;
		return 0;
	case FL_MEMS:
		topology_allow(t, f->more);
		return 0;
	case FL_NUMA_MAPS:
		on_numa_maps(im, f);
		return 0;
	case FL_HUGEPAGE:
		on_hugepage(im, f);
		return 0;
	case FL_THREAD:
		on_thread(im, f);
		return 0;
	case FL_HOMES:
		return import_homes(im, space_process_of(&im->model.space, f->pid, false, f->time),
				    f->address, f->bytes, f->nodes, f->count, f->time, f->took,
				    "follower");
	default:
		return 0;
	}
}

/* Applies the log's next record. */
int follow_step(struct import *im)
{
	int ret = on_record(im, &im->in.follow.next);

	if (ret == MD_ENOMEM)
		return md_nomem(im->err);
	im->in.follow.unsound_lines += ret != 0;
	ret = fl_next(im->in.follow.log, &im->in.follow.next, im->err);
	im->in.follow.has_next = ret > 0;
	return ret < 0 ? ret : 0;
}
