/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies the events of the tracker's logs to the model: births and deaths of blocks, mappings,
 * policies, affinities, ends of threads.
 *
 * A log contains the tids of its process's PID namespace, while perf uses those of its own. The
 * process is matched at the log's first event: perf saw which process mapped the log (images.c). A
 * thread is matched when it reports itself (learn_tid()). An event of a thread that cannot be
 * matched is imported without a thread, and counted.
 *
 * What must stay true: events of one log are applied in the order of time, and a death ends the
 * last block born at its address.
 */
#include "import/track.h"

#include "base/count.h"
#include "base/idlist.h"
#include "import/pipeline.h"
#include "import/policy.h"
#include "model/tls.h"

/* Returns the process of a log. The process is determined at the log's first event: by then perf
 * has reported that the process was forked and that it mapped the log. But perf record without -d
 * does not record mappings of data; then the pid in the log decides. Returns 0 when out of memory.
 */
static uint32_t track_process(struct import *im, struct track *t, uint64_t time)
{
	const struct tl_info *info = tl_info(t->log);
	struct process *p;
	uint32_t id;

	if (t->process)
		return t->process;
	id = t->mapped_by ? t->mapped_by
			  : space_process_of(&im->model.space, info->pid, false, time);
	if (!id) {
		id = space_process_of(&im->model.space, info->pid, true, info->start_ns);
		if (id && info->forked) {
			uint32_t parent =
				space_process_of(&im->model.space, info->ppid, true, time);

			space_process(&im->model.space, id)->parent = parent;
			if (parent)
				objects_fork(&im->model.objects, parent, id);
		}
	}
	if (!id)
		return 0;
	t->process = id;
	p = space_process(&im->model.space, id);
	p->tracked = p->logged = true;
	if (info->exe[0])
		p->exe = strings_id(&im->model.code.names, info->exe);
	t->exe = info->forked ? NULL : space_exe(&im->model.space, p);
	t->own_heap = info->own_heap;
	t->comm = space_memory(&im->model.space, id)->exec;
	space_memory(&im->model.space, id)->command =
		strings_text(&im->model.code.names,
			     strings_id(&im->model.code.names, info->command));
	return id;
}

/* Makes t->stacks long enough for the stack with this number. Returns false when out of memory. */
static bool know_stack(struct track *t, uint32_t stack)
{
	while (t->stacks.n <= stack) {
		if (!VEC_ROOM(&t->stacks))
			return false;
		t->stacks.at[t->stacks.n++] = (struct stack_path){ 0 };
	}
	return true;
}

/* Returns the call path of an event's stack; 0 means none. The log stores a stack as its caller's
 * stack plus one frame. So this function walks outwards to the nearest caller whose path is known
 * (or to the depth limit), then inwards again, adding frames. A path is resolved again only if code
 * has been mapped or unmapped since. */
static uint32_t event_path(struct import *im, struct track *t, const struct tl_event *e)
{
	uint64_t generation = space_process(&im->model.space, t->process)->code_generation, pc;
	uint32_t inner = 0, n = 0, stack = e->stack, caller, path = 0;
	struct stack_path *s;

	if (!stack || !know_stack(t, stack)) {
		im->model.code.nomem |= stack != 0;
		return 0;
	}
	while (n++ < MAX_CHAIN && tl_frame(t->log, stack, &pc, &caller)) {
		s = &t->stacks.at[stack];
		if (s->path && s->generation == generation)
			break;
		s->inner = inner;
		inner = stack;
		stack = caller;
	}
	if (stack == TL_STACK_WHOLE)
		path = CALL_PATH_ROOT;
	else if (stack != TL_STACK_TRUNCATED && t->stacks.at[stack].generation == generation)
		path = t->stacks.at[stack].path;
	path = path ? path : CALL_PATH_TRUNCATED;
	for (; inner && path; inner = s->inner) {
		s = &t->stacks.at[inner];
		tl_frame(t->log, inner, &pc, &caller);
		path = chain_frame(im, t->process, path, pc);
		s->generation = generation;
		s->path = path;
	}
	return path;
}

/* Returns the pid of the log's process in perf's numbering. Inside a PID namespace it differs from
 * the pid in the log. */
static uint32_t track_pid(const struct import *im, const struct track *t)
{
	return AT_ID(im->model.space.processes, t->process).pid;
}

/* For a thread that has mapped a page to show its tid (images_shown()), stores its tid in perf's
 * numbering. */
static void learn_tid(struct import *im, struct track *t, const struct tl_event *e)
{
	const uint32_t perfs = e->old_address ? images_tid(im, t->process, e->old_address) : 0;
	uint32_t i = VEC_LOWER_BOUND(&t->tids, tid, e->tid);

	if (!perfs)
		return;
	if (i == t->tids.n || t->tids.at[i].tid != e->tid) {
		if (!VEC_ROOM(&t->tids)) {
			im->nomem = true;
			return;
		}
		memmove(&t->tids.at[i + 1], &t->tids.at[i],
			(t->tids.n++ - i) * sizeof(t->tids.at[0]));
	}
	t->tids.at[i] = (struct thread_tid){ e->tid, perfs };
}

/* Returns perf's tid of the thread that has `tid` in the log. Inside a PID namespace, the two tids
 * differ. Then perf's tid is known only for the first thread and for threads that have mapped a
 * page to show it (learn_tid()). For other threads, returns 0 and counts the event. */
static uint32_t track_tid(struct import *im, const struct track *t, uint32_t tid)
{
	uint32_t first = tl_info(t->log)->pid, pid = track_pid(im, t);
	uint32_t i = t->tids.n ? VEC_LOWER_BOUND(&t->tids, tid, tid) : 0;

	if (i < t->tids.n && t->tids.at[i].tid == tid)
		return t->tids.at[i].perfs;
	if (first == pid || tid == first)
		return tid == first ? pid : tid;
	im->in.tracks.unknown_tids++;
	return 0;
}

/* Returns the threads.id of the thread that has `tid` in the log; 0 means unknown. */
static uint32_t event_thread(struct import *im, struct track *t, uint32_t tid, uint64_t time)
{
	tid = track_tid(im, t, tid);
	return tid ? space_thread_of(&im->model.space, track_pid(im, t), tid, time) : 0;
}

/* Returns the birth that an event describes. Its call path is that of the allocating call. */
static struct birth birth_of(struct import *im, struct track *t, const struct tl_event *e)
{
	return (struct birth){
		.start = e->address,
		.size = e->size,
		.time = e->time,
		.thread = event_thread(im, t, e->tid, e->time),
		.call_path = event_path(im, t, e),
		.cpu = e->cpu,
		.function = (uint8_t)e->function,
		.weight = (uint16_t)e->weight,
		.old_address = e->old_address,
	};
}

/* Does the block have a mapping of its own, as large blocks of glibc do? Such a block begins 16
 * bytes after the start of a page. realloc() moves the pages of such a block to a new address, but
 * copies other blocks. */
static bool is_mapped_block(uint64_t address, uint64_t page)
{
	return address % page == 2 * sizeof(uint64_t);
}

/* Returns the total size in bytes of all pages that the range touches. */
static uint64_t whole_pages(uint64_t start, uint64_t size, uint64_t page)
{
	return (start % page + size + page - 1) & ~(page - 1);
}

/* If the new block *b replaces an old one (after realloc() or mremap()), moves the facts about the
 * old block's pages to the new address. For realloc(), does so only if both blocks have mappings of
 * their own; otherwise the bytes were copied. The pages by which the block grew are new. */
static void take_pages(struct import *im, uint32_t process, const struct birth *b)
{
	const struct ended *old = objects_replaced(&im->model.objects, process, b);
	const uint64_t page = im->model.homes.page_bytes, mask = ~(page - 1);
	uint64_t has, needs;
	struct homes_remap r;
	struct place was;

	if (!old || !b->size || old->size > UINT64_MAX - 2 * page ||
	    b->size > UINT64_MAX - 2 * page)
		return;
	if (b->function != TL_FN_MREMAP &&
	    (!is_mapped_block(old->start, page) || !is_mapped_block(b->start, page)))
		return;
	has = whole_pages(old->start, old->size, page);
	needs = whole_pages(b->start, b->size, page);
	homes_drop(&im->model.homes, process, (b->start & mask) + has, (b->start & mask) + needs,
		   old->time);
	if (old->start == b->start)
		return;
	was = (struct place){ .allocation = old->id, .birth = old->birth };
	r = (struct homes_remap){
		.from = old->start & mask,
		.to = b->start & mask,
		.bytes = has < needs ? has : needs,
		.birth = objects_page_birth(&im->model.objects, process, old->start, &was),
		.began = old->time,
		.time = b->time,
	};
	homes_remap(&im->model.homes, process, &r);
}

/* Ends a block. A death without a known birth is counted: the block was allocated before the
 * tracker started, or before exec. The sampler soft reports the end of a process before the last
 * destructors of libraries run. What they free has ended with the process, so it is not counted. */
static void on_death(struct import *im, struct track *t, const struct tl_event *e)
{
	bool resized = e->function == TL_FN_REALLOC || e->function == TL_FN_REALLOCARRAY;
	const struct process *p;

	if (objects_death(&im->model.objects, t->process, e->address, e->time,
			  event_thread(im, t, e->tid, e->time), t,
			  resized ? BLOCK_RESIZED : BLOCK_FREED))
		return;
	p = space_process(&im->model.space, t->process);
	if (p->alive || !p->end)
		im->in.tracks.unpaired_deaths++;
}

/* Writes a row for a call that concerns NUMA policies, or for madvise(). policy_call() applies its
 * effect to the model. */
static void on_policy(struct import *im, struct track *t, const struct tl_event *e)
{
	char nodes[512];
	struct row_policy_call row = {
		.id = ++im->out.policy_id,
		.thread_id = event_thread(im, t, e->tid, e->time),
		.time = (int64_t)e->time,
		.function = tl_function_name(e->function),
		.address_start = (int64_t)e->address,
		.address_end = (int64_t)(e->address + e->size),
		.mode = policy_mode_name(e),
		.flags = e->policy.flags,
		.nodes = nodes,
		.result = e->result,
		.call_path_id = event_path(im, t, e),
	};

	if (e->size)
		row.has = HAS_POLICY_RANGE;
	idlist_write(e->policy.nodes, e->policy.nwords, nodes, sizeof(nodes));
	used_call_path(im, row.call_path_id);
	writer_put_policy_call(im->out.w, &row);
	policy_call(im, t->process, (uint32_t)row.thread_id, e);
}

/* Sets the affinity of the thread that is the target of the call; it may differ from the caller. A
 * failed call has no effect. */
static void on_affinity(struct import *im, struct track *t, const struct tl_event *e)
{
	uint32_t tid = track_tid(im, t, e->subject), thread = 0;
	char cpus[2048];

	if (tid && e->subject == e->tid)
		thread = space_thread_of(&im->model.space, track_pid(im, t), tid, e->time);
	else if (tid)
		thread = space_subject(&im->model.space, track_pid(im, t), tid);
	if (e->result || !thread)
		return;
	idlist_write(e->cpus, e->ncpuwords, cpus, sizeof(cpus));
	import_affinity(im, thread, cpus, e->time, tl_function_name(e->function));
}

/* Removes the policy of the range that the event unmaps. mremap() moves the policy to the new
 * range, so it is kept in t->leaving until take_policy(). */
static void leave_policy(struct import *im, struct track *t, const struct tl_event *e)
{
	if (e->function == TL_FN_MREMAP) {
		t->leaving.address = e->address;
		t->leaving.tid = e->tid;
		t->leaving.policy = policies_at(&im->model.policies, t->process, e->address);
	}
	policies_unmap(&im->model.policies, t->process, e->address, e->address + e->size);
}

/* Sets the policy of a new mapping: the policy that mremap() moves with the pages, otherwise
 * none. */
static void take_policy(struct import *im, const struct track *t, const struct tl_event *e,
			const struct birth *b)
{
	const bool taken = e->function == TL_FN_MREMAP && t->leaving.tid == e->tid &&
			   t->leaving.address == b->old_address;

	policies_take(&im->model.policies, t->process, e->address, e->address + e->size,
		      taken ? t->leaving.policy : 0);
}

/* The order matters: take_pages() needs the old block, and the rows that wait for the new block are
 * completed when it is in the model. */
static void on_birth(struct import *im, struct track *t, const struct tl_event *e)
{
	const struct birth b = birth_of(im, t, e);

	take_pages(im, t->process, &b);
	objects_birth(&im->model.objects, t->process, &b);
	t->own_heap &= e->function != TL_FN_MALLOC;
	held_birth(im, t->process, &b);
}

/* Sets which file is mapped at the new block *b. perf's record of the mapping has been applied
 * already, because the tracker takes the time of a birth after the call. */
static void take_file(struct import *im, uint32_t process, struct birth *b)
{
	const struct mapping *m = space_mapping_at(&im->model.space, process, b->start);

	if (!m)
		return;
	if (dso_is_named(&AT_ID(im->model.code.dsos, m->dso)))
		b->dso = m->dso;
	if (!m->file)
		return;
	b->file = m->file;
	b->file_offset = m->pgoff + (b->start - m->start);
	b->file_named = AT_ID(im->model.shared.files, m->file).named;
}

/* The policy comes first, because it decides where the pages are placed. */
static void on_map(struct import *im, struct track *t, const struct tl_event *e)
{
	struct birth b = birth_of(im, t, e);

	take_file(im, t->process, &b);
	take_policy(im, t, e, &b);
	take_pages(im, t->process, &b);
	/* The program called brk() to grow its heap. No object is added, because perf's mapping
	 * "[heap]" already represents the heap */
	if (e->function != TL_FN_BRK)
		objects_map(&im->model.objects, t->process, &b);
}

/* Handles munmap(), and the first half of mremap(). The tracker logs mremap() as two events: the
 * old range is unmapped, then the new range is mapped. */
static void on_unmap(struct import *im, struct track *t, const struct tl_event *e)
{
	leave_policy(im, t, e);
	objects_unmap(&im->model.objects, t->process, e->address, e->address + e->size, e->time,
		      event_thread(im, t, e->tid, e->time), event_path(im, t, e),
		      e->function == TL_FN_MREMAP ? BLOCK_RESIZED : BLOCK_FREED);
}

/* Passes a look of the tracker to the model. A look is a query that asks on which nodes pages are.
 * The tracker makes one just before pages are unmapped, and after the program has moved pages.
 * These may belong to another process. */
static void on_homes(struct import *im, struct track *t, const struct tl_event *e)
{
	const uint32_t process = policy_subject(im, t->process, e);

	if (!process)
		return;
	im->in.tracks.unsound_looks +=
		import_homes(im, process, e->address, e->homes.page_bytes, e->homes.nodes,
			     e->homes.count, e->time, 0, "tracker") != 0;
}

/* Ends a thread. Some recordings have no exit records from perf; then this event is the only report
 * of the end. */
static void on_thread_end(struct import *im, struct track *t, const struct tl_event *e)
{
	uint32_t tid = track_tid(im, t, e->tid);

	if (tid)
		space_ended(&im->model.space, track_pid(im, t), tid, e->time);
}

/* Stores the tracker's report about a thread: its tid, its stack, and the places of its
 * thread-local variables. */
static void on_thread(struct import *im, struct track *t, const struct tl_event *e)
{
	learn_tid(im, t, e);
	tls_report(&im->model.space, &(struct tls_thread_report){
					     .process = t->process,
					     .thread = event_thread(im, t, e->tid, e->time),
					     .pointer = e->address,
					     .to_stack_end = e->size,
					     .modules = e->tls.modules,
					     .count = e->tls.count,
				     });
}

typedef void event_fn(struct import *im, struct track *t, const struct tl_event *e);

/* Handlers by type of event. Types without a handler are ignored: perf's COMM records have the
 * thread names, and the end of a log needs no row. */
static event_fn *const on_event[] = {
	[TL_BIRTH] = on_birth, [TL_DEATH] = on_death,   [TL_MAP] = on_map,
	[TL_UNMAP] = on_unmap, [TL_POLICY] = on_policy, [TL_AFFINITY] = on_affinity,
	[TL_HOMES] = on_homes, [TL_THREAD] = on_thread, [TL_THREAD_END] = on_thread_end,
};

int track_step(struct import *im, struct track *t)
{
	const struct tl_event *e = &t->next;

	if (!track_process(im, t, e->time))
		return md_nomem(im->err);
	if (e->kind < COUNT_OF(on_event) && on_event[e->kind])
		on_event[e->kind](im, t, e);
	return tracks_advance(im, t);
}

uint32_t track_call_path(void *arg, const void *track)
{
	struct track *t = (struct track *)track;

	return event_path(arg, t, &t->next);
}

void track_count_block(void *arg, const struct ended_block *e)
{
	struct import *im = arg;
	const struct block *b = e->block;

	im->r->allocations++;
	writer_count_block(im->out.w, &(struct row_block){
					      .object_id = e->object,
					      .thread_id = b->thread,
					      .end_thread_id = e->thread,
					      .size_bytes = e->size,
					      .life_ns = e->time > b->time ? e->time - b->time : 0,
					      .end = (uint8_t)e->how,
					      .hit = b->hit,
					      .stored = b->keeps,
					      .stands_for = e->weight,
				      });
}

void track_store_block(void *arg, const struct ended_block *e)
{
	const struct block *b = e->block;

	ended_put(arg, &(struct row_allocation){
			       .id = b->id,
			       .object_id = e->object,
			       .process_id = b->process,
			       .thread_id = b->thread,
			       .end_thread_id = e->thread,
			       .function = b->function,
			       .stands_for = (int32_t)e->weight,
			       .time = (int64_t)b->time,
			       .end_time = (int64_t)e->time,
			       .address_start = (int64_t)e->start,
			       .address_end = (int64_t)(e->start + e->size),
			       .size_bytes = (int64_t)e->size,
			       .call_path_id = b->call_path,
			       .end_call_path_id = e->call_path,
			       .previous_id = b->previous,
			       .cpu = b->cpu,
			       .end_reason = block_end_name(e->how),
		       });
}
