/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a sample into its row: which thread ran, where, by which call path, which address it
 * accessed, which object was there, and on which node the page was.
 *
 * The order of the steps is fixed. The location comes before the call path (a path needs the code),
 * the path before the frames; the frames before the object, because an address on a stack belongs
 * to a frame; the object before the home node, because events of the page before the object's birth
 * do not count.
 *
 * Samples of memdb's own code get no row: they are counted as the cost of recording. A field that
 * the recording does not have is NULL in the row, never 0.
 */
#include "import/sample.h"

#include <string.h>

#include "database/data_source.h"
#include "import/address.h"
#include "import/borrowed.h"
#include "import/cached.h"
#include "import/home.h"
#include "import/pipeline.h"
#include "track_format.h"

/* Collects in *c the facts about a sample that several steps need. Code inside a virtual machine (a
 * guest) is unknown, so it gets a location without a file. */
static void context_fill(struct import *im, const struct pd_sample *s, struct sample_context *c)
{
	uint16_t mode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	*c = (struct sample_context){ .s = s, .role = im->in.roles[s->evsel->index] };
	c->kernel = mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_HYPERVISOR;
	c->user = mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	if (s->has & PERF_SAMPLE_TID) {
		c->thread = space_thread_of(&im->model.space, s->pid, s->tid, s->time);
		if (c->thread)
			c->process = AT_ID(im->model.space.threads, c->thread).process;
	}
	if (c->kernel || c->user)
		c->location = space_location(&im->model.space, c->process, c->kernel, s->ip);
	else
		c->location = code_location(&im->model.code, 0, s->ip);
	if (c->location) {
		c->symbol = AT_ID(im->model.code.locations, c->location).symbol;
		c->dso = AT_ID(im->model.code.locations, c->location).dso;
	}
	if (s->user_regs_abi == PERF_SAMPLE_REGS_ABI_64)
		pd_user_reg(im->in.perf, s, im->model.sp_register, &c->sp);
	c->sp = import_untag(im, c->sp);
}

/* Is this an address of the kernel? On x86-64 and AArch64 the kernel has the upper half of all
 * addresses. */
static bool is_kernel_address(uint64_t address)
{
	return address >> 63;
}

/* Copies to the row the facts about the access that a PMU with memory sampling has recorded. */
static void fill_hardware(const struct pd_sample *s, struct row_sample *row)
{
	if (s->has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		COLUMN_SET(row->data, weight, s->weight);
	if (s->has & PERF_SAMPLE_WEIGHT_STRUCT)
		COLUMN_SET(row->data, ins_lat, s->ins_lat);
	if (s->has & PERF_SAMPLE_PHYS_ADDR && s->phys_addr)
		COLUMN_SET(row->data, phys_address, s->phys_addr);
	if (!(s->has & PERF_SAMPLE_DATA_SRC))
		return;
	COLUMN_SET(row->kind, data_src, s->data_src);
	memory_decode(s->data_src, &row->kind);
}

/* Returns the CPU on which a sample was taken; -1 means that it was not recorded. */
static int32_t cpu_of(const struct pd_sample *s)
{
	return s->has & PERF_SAMPLE_CPU ? (int32_t)s->cpu : -1;
}

static bool is_software(const struct pd_sample *s, uint64_t config)
{
	return s->evsel->attr.type == PERF_TYPE_SOFTWARE && s->evsel->attr.config == config;
}

/* Do the facts about the page in the record hold after the fault? Not for the event page-faults,
 * which fires before the kernel handles the fault; minor-faults and major-faults fire afterwards.
 */
static bool describes_page(const struct pd_sample *s)
{
	return !is_software(s, PERF_COUNT_SW_PAGE_FAULTS);
}

/* Describes the sample's access to this address, which was recorded or computed. The facts about
 * its page are used only if the address is the recorded one. */
static struct access access_of(const struct sample_context *c, uint64_t address, int32_t cpu_node,
			       int32_t opcode)
{
	const struct pd_sample *s = c->s;
	struct access a = {
		.process = c->process,
		.thread = c->thread,
		.address = address,
		.time = s->time,
		.cpu_node = cpu_node,
		.opcode = opcode,
		.major = is_software(s, PERF_COUNT_SW_PAGE_FAULTS_MAJ),
		.kernel = c->kernel,
	};

	if (s->addr != address || !describes_page(s))
		return a;
	if (s->has & PERF_SAMPLE_PHYS_ADDR)
		a.physical = s->phys_addr;
	a.no_page = s->has & PERF_SAMPLE_PHYS_ADDR && !s->phys_addr;
	if (s->has & PERF_SAMPLE_DATA_PAGE_SIZE)
		a.page_bytes = s->data_page_size;
	return a;
}

/* Returns the number of events that the sample represents: the period in its record, otherwise the
 * event's fixed period; 1 for an event that was sampled with a frequency, because its period then
 * varies. If samples were thinned, includes the events of the removed samples. */
static uint64_t period_of(const struct import *im, const struct pd_sample *s)
{
	const uint64_t kept = (uint64_t)im->in.recording.thinned.samples;

	if (s->has & PERF_SAMPLE_PERIOD)
		return s->period * kept;
	return (s->evsel->attr.freq ? 1 : s->evsel->attr.sample_period) * kept;
}

/* Returns the location to which the sample's cost belongs: that of ip + `last`, or that of ip if
 * the file is unknown. */
static uint32_t cost_location(struct import *im, const struct sample_context *c, int32_t last)
{
	uint64_t offset = c->location ? AT_ID(im->model.code.locations, c->location).offset : 0;

	return last && c->dso && offset
		       ? code_location(&im->model.code, c->dso, offset + (uint64_t)(int64_t)last)
		       : c->location;
}

static struct frame_sample frames_of_sample(const struct sample_context *c, uint32_t path)
{
	return (struct frame_sample){ c->s, c->process, c->thread, path, c->sp, c->location };
}

/* Stores the stack frames that the sample shows. Does nothing if the sample has no user stack
 * pointer, or if its process or thread is unknown. */
static void see_frames(struct import *im, const struct sample_context *c,
		       const struct sample_path *path)
{
	const struct frame_sample f = frames_of_sample(c, path->id);

	if (f.process && f.thread && f.sp)
		frame_see(im, &f, path);
}

/* Finds the object at an address, which the instruction `by` accessed (NULL means unknown), and
 * sets the columns about the object in *row. If there is no object, sets the reason. */
static struct place find_object(struct import *im, const struct sample_context *c, uint64_t address,
				const struct accessor *by, struct row_sample *row)
{
	struct place p;

	row->kind.object_reason = is_kernel_address(address) ? OBJECT_KERNEL
				  : c->process               ? OBJECT_UNMAPPED
							     : OBJECT_NO_PROCESS;
	if (row->kind.object_reason != OBJECT_UNMAPPED)
		return (struct place){ 0 };
	p = objects_find(&im->model.objects, c->process, c->thread, address, c->sp);
	if (p.object && c->thread && c->sp) {
		const struct frame_sample f = frames_of_sample(c, row->data.call_path_id);

		frame_place(im, &f, address, by, &p);
	}
	objects_hit(&im->model.objects, &p);
	row->data.object_id = p.object;
	row->data.allocation_id = p.allocation;
	if (!p.object)
		return p;
	row->kind.object_reason = -1;
	COLUMN_SET(row->data, object_offset, p.offset);
	return p;
}

/* The address of the sample's access is lost, but the object is known. If the object is a stack,
 * replaces it with the target of the pointer through which the instruction `by` accesses the stack,
 * if this target is known. */
static void find_target(struct import *im, const struct sample_context *c,
			const struct accessor *by, struct row_sample *row)
{
	const struct frame_sample f = frames_of_sample(c, row->data.call_path_id);

	if (row->data.object_id && c->thread && c->sp)
		row->data.object_id = frame_target(im, &f, by, row->data.object_id);
}

/* Fills in the columns that samples and page faults have in common. */
static void row_begin(struct import *im, const struct sample_context *c, uint32_t id,
		      struct row_sample *row)
{
	const struct pd_sample *s = c->s;

	*row = (struct row_sample)ROW_SAMPLE_NULL;
	row->data.id = id;
	row->data.time = (int64_t)s->time;
	row->data.thread_id = c->thread;
	row->data.cpu = cpu_of(s);
	row->code.ip = (int64_t)s->ip;
	row->code.location_id = c->location;
	row->code.symbol_id = c->symbol;
	row->code.dso_id = c->dso;
	row->kind.evsel_id = s->evsel->index + 1;
	row->kind.object_reason = OBJECT_NO_ADDRESS;
	row->kind.cpu_node_id = topology_node_of(&im->model.topology, cpu_of(s));
	row->kind.home_source = HOME_UNKNOWN;
	row->kind.thread_pinned = affinities_get(&im->model.affinities, c->thread);
}

/* Counts the instruction `by` as a vote for the type of the heap object that it accessed
 * (model/votes.h). Such votes may be the only evidence of the type. */
static void note_accessor(struct import *im, const struct sample_context *c,
			  const struct accessor *by, const struct place *p)
{
	const struct vote vote = { .object = p->object,
				   .location = c->location,
				   .insn = by->insn,
				   .from_start = by->from_start,
				   .offset = p->offset };

	if (by->known && p->allocation && !votes_add(&im->model.votes, &vote))
		im->nomem = true;
}

/* Fills in the columns that depend on the sample's data address. */
static void sample_address(struct import *im, const struct sample_context *c,
			   const struct accessor *by, struct row_sample *row)
{
	const uint64_t address = (uint64_t)row->data.address;
	const struct place p = find_object(im, c, address, by, row);
	const struct access a = access_of(c, address, row->kind.cpu_node_id, -1);

	note_accessor(im, c, by, &p);
	home_find(im, &a, &p, &row->kind);
	if (row->kind.addr_source == ADDR_FAULT)
		return;
	im->r->with_address++;
	im->r->with_object += p.object != 0;
}

/* Sets the object of a sample whose exact address is lost: the row's address is only an address in
 * the same block, or there is none. Removes the address from the row. */
static void sample_object(struct import *im, const struct sample_context *c,
			  const struct accessor *by, struct row_sample *row)
{
	const uint32_t known = row->data.object_id;
	struct accessor base = *by;

	base.is_base = true;
	if (row->data.has & HAS_address)
		find_object(im, c, (uint64_t)row->data.address, &base, row);
	else
		find_target(im, c, by, row);
	if (!row->data.object_id)
		row->data.object_id = known;
	row->data.address = row->data.object_offset = 0;
	row->data.has &= ~(uint32_t)(HAS_address | HAS_object_offset);
	row->kind.object_reason = -1;
	im->r->with_object++;
}

static enum kernel_work work_of(struct import *im, const struct sample_context *c, uint32_t path)
{
	if (!c->kernel || (c->role != ROLE_TIME && c->role != ROLE_CYCLES))
		return KERNEL_WORK;
	return kernel_work(im, path, c->location);
}

/* Returns the time_kinds.id of the sample, which says on what its time was spent. Returns -1 if the
 * event does not sample time or cycles, or if an emulator ran the program. */
static int32_t time_kind(struct import *im, const struct sample_context *c, enum kernel_work work)
{
	if (im->model.emulated || (c->role != ROLE_TIME && c->role != ROLE_CYCLES))
		return -1;
	return c->kernel ? work_of_kernel(work) : work_of_program(im, c->user ? c->location : 0);
}

/* Writes the row of a sample of the timer or of a PMU event. A sample of the kernel's work for perf
 * is only counted. */
static void put_access(struct import *im, const struct sample_context *c)
{
	const struct sample_path path = chain_path(im, c->process, c->s);
	const enum kernel_work work = work_of(im, c, path.id);
	struct held_wait wait = { .process = c->process };
	struct accessor by;
	struct row_sample row;
	int32_t last;

	if (work == KERNEL_RECORDER) {
		im->out.in_recorder++;
		return;
	}
	row_begin(im, c, ++im->out.sample_id, &row);
	row.data.call_path_id = path.id;
	see_frames(im, c, &path);
	row.data.period = (int64_t)period_of(im, c->s);
	row.kind.time_kind = time_kind(im, c, work);
	fill_hardware(c->s, &row);
	last = address_find(im, c, &row, &by);
	if (work == KERNEL_FAULT) {
		wait.user_ip = address_user_ip(im, c->s);
		wait.for_fault = im->in.every_fault;
		address_of_fault(im, c, wait.user_ip, &row);
	}
	wait.lost = by.lost;
	row.code.location_id = cost_location(im, c, last);
	if (row.kind.addr_source == ADDR_OBJECT)
		sample_object(im, c, &by, &row);
	else if (row.data.has & HAS_address)
		sample_address(im, c, &by, &row);
	row.data.call_path_id = chain_at(im, path.id, row.code.location_id);
	if (row.data.object_id && !by.lost.place) /* otherwise learned.h does it */
		cached_find(im, &row);
	im->r->samples++;
	held_sample(im, &row, &wait);
}

/* Counts a sampled instruction that accessed no memory as executed. It gets no row. */
static void count_operation(struct import *im, const struct sample_context *c)
{
	struct row_sample row;

	row_begin(im, c, 0, &row);
	row.data.period = (int64_t)period_of(im, c->s);
	im->out.without_access++;
	used_location(im, row.code.location_id);
	writer_count_operation(im->out.w, &row);
}

/* May the faulting address, whose place is *p, belong to a block that malloc is just allocating?
 * malloc touches the memory before the tracker logs the birth. The answer is no if the address
 * already belongs to a tracked block, a variable or a stack, or if all logs have been read to their
 * end. */
static bool may_be_born(const struct import *im, const struct place *p)
{
	return im->in.tracks.next.n && !p->allocation &&
	       (!p->object || AT_ID(im->model.objects.objects, p->object).kind == OBJECT_MAPPING);
}

/* Fills in the columns that depend on the address of a page fault. Returns true if the birth of the
 * block at that address may follow. */
static bool fault_address(struct import *im, const struct sample_context *c, struct row_sample *row)
{
	const uint64_t address = c->s->addr;
	const struct place p = find_object(im, c, address, NULL, row);
	const int32_t opcode = address_opcode(im, c, row->data.call_path_id);
	const struct access a = access_of(c, address, row->kind.cpu_node_id, opcode);

	COLUMN_SET(row->data, address, address);
	row->kind.memory_opcode = opcode;
	row->kind.first = home_fault(im, &a, &p);
	home_find(im, &a, &p, &row->kind);
	return may_be_born(im, &p);
}

/* Writes the row of a page fault. */
static void put_fault(struct import *im, const struct sample_context *c)
{
	const struct sample_path path = chain_path(im, c->process, c->s);
	struct held_wait wait = { .process = c->process };
	struct row_sample row;
	struct site site;

	row_begin(im, c, ++im->out.fault_id, &row);
	row.data.call_path_id = path.id;
	see_frames(im, c, &path);
	row.kind.first = 0;
	im->r->page_faults++;
	site = path.id   ? site_of_path(im, path.id, path.unwound)
	       : c->user ? site_of_location(im, c->location)
			 : (struct site){ 0 };
	row.code.caller_id = site.caller;
	row.code.called_id = site.called;
	if (c->s->has & PERF_SAMPLE_ADDR) {
		borrowed_fault(im, c);
		wait.for_block = fault_address(im, c, &row);
	}
	held_fault(im, &row, &wait);
}

/* Stores a tracepoint with all its fields, for queries that users write themselves. */
static void put_tracepoint(struct import *im, const struct sample_context *c)
{
	const uint32_t path = chain_path(im, c->process, c->s).id;
	struct tp_event e;

	im->r->tracepoints++;
	used_call_path(im, path);
	if (tp_decode(im->in.tracepoints, c->s, &e) == MD_ENOMEM)
		im->nomem = true;
	writer_put_tracepoint(im->out.w, &(struct row_tracepoint){
						 .id = ++im->out.tracepoint_id,
						 .evsel_id = c->s->evsel->index + 1,
						 .thread_id = c->thread,
						 .cpu = cpu_of(c->s),
						 .time = (int64_t)c->s->time,
						 .name = e.name,
						 .fields = e.fields,
						 .call_path_id = path,
					 });
}

/* Did the sampled instruction access no memory? Some PMUs sample all kinds of instructions and mark
 * those that access memory. */
static bool is_no_access(const struct sample_context *c)
{
	struct access_kind kind;

	if (c->role != ROLE_ACCESS || c->s->addr || !(c->s->has & PERF_SAMPLE_DATA_SRC))
		return false;
	memory_decode(c->s->data_src, &kind);
	return kind.memory_opcode < 0;
}

/* Was the sample taken in memdb itself: in the process that waits for the program, or in the
 * program's first process before it executes the program? (perf starts memdb exec-target, which
 * then executes the program.) */
static bool is_own(const struct import *im, const struct pd_sample *s)
{
	const struct recording *r = &im->in.recording;

	if (!r->waiter_pid || !(s->has & PERF_SAMPLE_TID))
		return false;
	return s->pid == r->waiter_pid || (s->pid == r->pid && !im->model.program_began);
}

/* Does the tracker do its own work at this location? False if it makes a system call for the
 * program there. */
static bool is_tracker_at(const struct import *im, uint32_t location)
{
	const struct code *code = &im->model.code;
	const struct location *l = &AT_ID(code->locations, location);
	const char *function;

	if (!l->dso || !AT_ID(code->dsos, l->dso).is_tracker)
		return false;
	function = code_symbol_name(code, l->symbol);
	return !function || strcmp(function, TRACK_PROGRAM_CALL) != 0;
}

/* Did the tracker run, or the kernel on behalf of the tracker? This time is a cost of the
 * recording, not of the program. A tracepoint in the kernel always counts as the program's. For any
 * other sample in the kernel, the user code that entered the kernel decides. Without user registers
 * and call chain this code is unknown, and the time counts as the program's. */
static bool is_tracker(struct import *im, const struct sample_context *c)
{
	uint32_t location = c->location;

	if (c->kernel && c->role != ROLE_TRACEPOINT) {
		uint64_t ip = address_user_ip(im, c->s);

		location = ip ? space_location(&im->model.space, c->process, false, ip) : 0;
	}
	return location && is_tracker_at(im, location);
}

/* Skips a record that cannot be decoded; the reader has counted it. */
void import_sample(struct import *im, const struct pd_raw *rec, uint64_t time)
{
	struct pd_sample s;
	struct sample_context c;

	if (pd_sample(im->in.reading, rec, &s))
		return;
	s.time = time;
	s.addr = import_untag(im, s.addr);
	if (!s.evsel || s.evsel->index >= im->in.nroles) {
		im->out.unknown_event++;
		return;
	}
	if (is_own(im, &s)) {
		im->out.own++;
		return;
	}
	phase_enter(im, PHASE_JOIN);
	context_fill(im, &s, &c);
	if (is_tracker(im, &c))
		*(c.role == ROLE_FAULT ? &im->out.faults_in_tracker : &im->out.in_tracker) += 1;
	else if (c.role == ROLE_FAULT)
		put_fault(im, &c);
	else if (c.role == ROLE_TRACEPOINT)
		put_tracepoint(im, &c);
	else if (is_no_access(&c))
		count_operation(im, &c);
	else
		put_access(im, &c);
}
