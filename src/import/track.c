/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/track.h"

#include <dirent.h>
#include <numaif.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/idlist.h"
#include "import/losses.h"
#include "import/pipeline.h"
#include "import/policy.h"
#include "model/tls.h"

/* Logs of equal times keep their order. */
static struct heap_head head_of(uint32_t track, uint64_t time)
{
	return (struct heap_head){ time, track, track };
}

/* Moves the oldest log on; at its end it is closed and leaves the heap. */
static int track_advance(struct import *im, struct track *t)
{
	int ret = tl_next(t->log, &t->next, im->err);

	if (ret > 0) {
		t->next.address = untagged(im, t->next.address);
		t->next.old_address = untagged(im, t->next.old_address);
	}
	im->in.tracks.passed += tl_position(t->log) - t->passed;
	t->passed = tl_position(t->log);
	if (ret < 0)
		return ret;
	if (!ret) {
		t->losses = *tl_losses(t->log);
		tl_close(t->log);
		t->log = NULL;
		free(t->stacks.at);
		t->stacks.at = NULL;
		heap_remove(&im->in.tracks.next);
		return 0;
	}
	heap_replace(&im->in.tracks.next, head_of(im->in.tracks.next.at[0].source, t->next.time));
	return 0;
}

/* NULL and 0 where the log cannot be read: that is a row of losses. */
static int log_open(struct import *im, const char *name, struct tl_log **log)
{
	struct md_err why = { 0 };
	char *path;
	int ret;

	*log = NULL;
	if (asprintf(&path, "%s/%s", im->in.track_dir, name) < 0)
		return md_nomem(im->err);
	ret = tl_open_path(path, log, &why);
	free(path);
	if (ret == MD_ENOMEM)
		return md_fail(im->err, MD_ENOMEM, "%s", why.msg);
	if (ret)
		import_damage(im, "tracker", "unreadable log", 1, why.msg);
	return 0;
}

/* Notes a log for when its time comes. */
static int track_add(struct import *im, const char *name)
{
	struct tl_log *log;
	struct track *t;
	int ret = log_open(im, name, &log);

	if (ret || !log)
		return ret;
	if (!VEC_ROOM(&im->in.tracks) || !VEC_ROOM(&im->in.tracks.next)) {
		tl_close(log);
		return md_nomem(im->err);
	}
	t = &im->in.tracks.at[im->in.tracks.n];
	*t = (struct track){ .start_ns = tl_info(log)->start_ns, .name = strdup(name) };
	im->in.tracks.bytes += tl_size(log);
	if (!im->in.follow.log && tl_info(log)->page_bytes)
		im->model.topology.page_bytes = tl_info(log)->page_bytes;
	if (tl_info(log)->sample_every) {
		im->in.tracks.sample_every = tl_info(log)->sample_every;
		im->in.tracks.sample_bytes = tl_info(log)->sample_bytes;
	}
	tl_close(log);
	if (!t->name)
		return md_nomem(im->err);
	im->in.tracks.next.at[im->in.tracks.next.n++] = head_of(im->in.tracks.n++, t->start_ns);
	return index_add(&im->in.tracks.index, index_hash_bytes(name, strlen(name), 0),
			 im->in.tracks.n)
		       ? 0
		       : md_nomem(im->err);
}

int tracks_oldest(struct import *im, struct track **oldest)
{
	int ret = 0;

	*oldest = NULL;
	while (!ret && im->in.tracks.next.n) {
		struct track *t = &im->in.tracks.at[im->in.tracks.next.at[0].source];

		if (t->log) {
			*oldest = t;
			return 0;
		}
		ret = log_open(im, t->name, &t->log);
		if (!ret && t->log)
			ret = track_advance(im, t);
		else if (!ret)
			heap_remove(&im->in.tracks.next);
	}
	return ret;
}

int tracks_open(struct import *im)
{
	struct dirent **names;
	int n, ret = 0;

	if (!im->in.track_dir)
		return 0;
	n = scandir(im->in.track_dir, &names, NULL, alphasort);
	if (n < 0)
		return im->o->track_dir ? md_fail_errno(im->err, MD_EIO, "cannot read '%s'",
							im->in.track_dir)
					: 0;
	for (int i = 0; i < n; i++) {
		size_t len = strlen(names[i]->d_name);

		if (!ret && len > 4 && !strcmp(names[i]->d_name + len - 4, ".log")) {
			im->in.tracks.files++;
			ret = track_add(im, names[i]->d_name);
		}
		free(names[i]);
	}
	free(names);
	heap_build(&im->in.tracks.next);
	return ret;
}

void tracks_close(struct import *im)
{
	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		tl_close(im->in.tracks.at[i].log);
		free(im->in.tracks.at[i].name);
		free(im->in.tracks.at[i].stacks.at);
	}
	free(im->in.tracks.at);
	free(im->in.tracks.next.at);
	index_release(&im->in.tracks.index);
	memset(&im->in.tracks, 0, sizeof(im->in.tracks));
	memset(&im->in.tracks.next, 0, sizeof(im->in.tracks.next));
}

/* The process of a log, found at its first event: by then perf has told of the fork, and of the
 * log's mapping. Without -d perf tells of no mapping; then the pid has to do. */
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
		p->exe = strings_text(&im->model.code.names,
				      strings_id(&im->model.code.names, info->exe));
	space_memory(&im->model.space, id)->command =
		strings_text(&im->model.code.names,
			     strings_id(&im->model.code.names, info->command));
	return id;
}

/* Room for the path of a stack; false when out of memory. */
static bool know_stack(struct track *t, uint32_t stack)
{
	while (t->stacks.n <= stack) {
		if (!VEC_ROOM(&t->stacks))
			return false;
		t->stacks.at[t->stacks.n++] = (struct stack_path){ 0 };
	}
	return true;
}

/*
 * The call path of a stack. Every stack is the frame of its caller's and one more: from the nearest
 * caller whose path is known (or the outermost frame that is looked at) inward, so that each is
 * worked out once as long as the process's code stays as it is.
 */
static uint32_t event_path(struct import *im, struct track *t, const struct tl_event *e)
{
	uint64_t generation = space_process(&im->model.space, t->process)->code_generation, pc;
	uint32_t inward[MAX_CHAIN], n = 0, stack = e->stack, caller, path = 0;
	const struct stack_path *s;

	if (!stack || !know_stack(t, stack)) {
		im->model.code.nomem |= stack != 0;
		return 0;
	}
	while (n < MAX_CHAIN && tl_frame(t->log, stack, &pc, &caller)) {
		s = &t->stacks.at[stack];
		if (s->path && s->generation == generation)
			break;
		inward[n++] = stack;
		stack = caller;
	}
	if (stack == TL_STACK_WHOLE)
		path = CALL_PATH_ROOT;
	else if (stack != TL_STACK_TRUNCATED && t->stacks.at[stack].generation == generation)
		path = t->stacks.at[stack].path;
	path = path ? path : CALL_PATH_TRUNCATED;
	while (n && path) {
		tl_frame(t->log, inward[--n], &pc, &caller);
		path = chain_frame(im, t->process, path, pc);
		t->stacks.at[inward[n]] = (struct stack_path){ generation, path };
	}
	return path;
}

/* As perf counts: a namespace has numbers of its own. */
static uint32_t track_pid(const struct import *im, const struct track *t)
{
	return AT_ID(im->model.space.processes, t->process).pid;
}

/* Likewise. Of the threads of a namespace only the first is known by both numbers: 0 is given for
 * the others, and counted. */
static uint32_t track_tid(struct import *im, const struct track *t, uint32_t tid)
{
	uint32_t first = tl_info(t->log)->pid, pid = track_pid(im, t);

	if (first == pid || tid == first)
		return tid == first ? pid : tid;
	im->in.tracks.unknown_tids++;
	return 0;
}

static uint32_t event_thread(struct import *im, struct track *t, uint32_t tid, uint64_t time)
{
	tid = track_tid(im, t, tid);
	return tid ? space_thread_of(&im->model.space, track_pid(im, t), tid, time) : 0;
}

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

/* glibc maps large blocks each by itself, and realloc moves their pages: their place in a page
 * tells them. The blocks of other allocators, and those in a heap, are copied. */
static bool is_mapped_block(uint64_t address, uint64_t page)
{
	return address % page == 2 * sizeof(uint64_t);
}

/* Bytes of the pages from the one in which something starts. */
static uint64_t whole_pages(uint64_t start, uint64_t size, uint64_t page)
{
	return (start % page + size + page - 1) & ~(page - 1);
}

/* The pages of a block that realloc or mremap puts elsewhere go with it; what it grows by is new.
 */
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

static void on_death(struct import *im, struct track *t, const struct tl_event *e)
{
	bool resized = e->function == TL_FN_REALLOC || e->function == TL_FN_REALLOCARRAY;

	if (!objects_death(&im->model.objects, t->process, e->address, e->time,
			   event_thread(im, t, e->tid, e->time), event_path(im, t, e),
			   resized ? "resized" : "freed"))
		im->in.tracks.unpaired_deaths++;
}

/* MPOL_F_STATIC_NODES, MPOL_F_RELATIVE_NODES, MPOL_F_NUMA_BALANCING */
#define MODE_FLAGS (7 << 13)

static const char *policy_mode(int mode)
{
	switch (mode) {
	case MPOL_DEFAULT:
		return "default";
	case MPOL_PREFERRED:
		return "preferred";
	case MPOL_BIND:
		return "bind";
	case MPOL_INTERLEAVE:
		return "interleave";
	case MPOL_LOCAL:
		return "local";
	case 5: /* MPOL_PREFERRED_MANY, Linux 5.15 */
		return "preferred many";
	case 6: /* MPOL_WEIGHTED_INTERLEAVE, Linux 6.9 */
		return "weighted interleave";
	default:
		return NULL;
	}
}

static const char *advice_name(int advice)
{
	switch (advice) {
	case MADV_NORMAL:
		return "normal";
	case MADV_RANDOM:
		return "random";
	case MADV_SEQUENTIAL:
		return "sequential";
	case MADV_WILLNEED:
		return "willneed";
	case MADV_DONTNEED:
		return "dontneed";
	case MADV_FREE:
		return "free";
	case MADV_HUGEPAGE:
		return "hugepage";
	case MADV_NOHUGEPAGE:
		return "nohugepage";
	case 25: /* MADV_COLLAPSE, Linux 6.1 */
		return "collapse";
	default:
		return NULL;
	}
}

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
		.mode = e->function == TL_FN_MADVISE ? advice_name(e->policy.mode)
						     : policy_mode(e->policy.mode & ~MODE_FLAGS),
		.flags = e->policy.flags,
		.nodes = nodes,
		.result = e->result,
		.call_path_id = event_path(im, t, e),
	};

	if (e->size)
		row.has = HAS_POLICY_RANGE;
	idlist_write(e->policy.nodes, e->policy.nwords, nodes, sizeof(nodes));
	writer_put_policy_call(im->out.w, &row);
	policy_call(im, t->process, (uint32_t)row.thread_id, e);
}

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

/* What is unmapped has no policy any more, but mremap takes it along. */
static void leave_policy(struct import *im, struct track *t, const struct tl_event *e)
{
	if (e->function == TL_FN_MREMAP) {
		t->leaving.address = e->address;
		t->leaving.tid = e->tid;
		t->leaving.policy = policies_at(&im->model.policies, t->process, e->address);
	}
	policies_unmap(&im->model.policies, t->process, e->address, e->address + e->size);
}

static void take_policy(struct import *im, const struct track *t, const struct tl_event *e,
			const struct birth *b)
{
	const bool taken = e->function == TL_FN_MREMAP && t->leaving.tid == e->tid &&
			   t->leaving.address == b->old_address;

	policies_take(&im->model.policies, t->process, e->address, e->address + e->size,
		      taken ? t->leaving.policy : 0);
}

int track_step(struct import *im, struct track *t)
{
	const struct tl_event *e = &t->next;
	struct birth b;
	uint32_t tid;

	if (!track_process(im, t, e->time))
		return md_nomem(im->err);
	switch (e->kind) {
	case TL_BIRTH:
		b = birth_of(im, t, e);
		take_pages(im, t->process, &b);
		objects_birth(&im->model.objects, t->process, &b);
		held_birth(im, t->process, &b);
		break;
	case TL_DEATH:
		on_death(im, t, e);
		break;
	case TL_MAP:
		b = birth_of(im, t, e);
		take_policy(im, t, e, &b);
		take_pages(im, t->process, &b);
		if (e->function != TL_FN_BRK) /* heap growth: perf's "[heap]" mapping tells it */
			objects_map(&im->model.objects, t->process, &b);
		break;
	case TL_UNMAP:
		leave_policy(im, t, e);
		objects_unmap(&im->model.objects, t->process, e->address, e->address + e->size,
			      e->time, event_thread(im, t, e->tid, e->time), event_path(im, t, e),
			      e->function == TL_FN_MREMAP ? "resized" : "freed");
		break;
	case TL_POLICY:
		on_policy(im, t, e);
		break;
	case TL_AFFINITY:
		on_affinity(im, t, e);
		break;
	case TL_HOMES:
		im->in.tracks.unsound_looks +=
			import_homes(im, t->process, e->address, e->homes.page_bytes,
				     e->homes.nodes, e->homes.count, e->time, 0, "tracker") != 0;
		break;
	case TL_THREAD_END:
		tid = track_tid(im, t, e->tid);
		if (tid)
			space_ended(&im->model.space, track_pid(im, t), tid, e->time);
		break;
	case TL_THREAD:
		tls_tell(&im->model.space, &(struct tls_told){
						   .process = t->process,
						   .thread = event_thread(im, t, e->tid, e->time),
						   .pointer = e->address,
						   .to_stack_end = e->size,
						   .modules = e->tls.modules,
						   .count = e->tls.count,
					   });
		break;
	default: /* names come from perf's COMM records too; ends need no row */
		break;
	}
	return track_advance(im, t);
}

void track_block_end(void *arg, const struct ended_block *e)
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
			       .end_reason = e->reason,
		       });
}
