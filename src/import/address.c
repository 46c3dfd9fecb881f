/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the data address of a sample and the kind of access (load, store). Either the hardware has
 * recorded both, or they are computed from the instruction and the registers. */
#include "import/address.h"

#include <string.h>

#include "base/count.h"
#include "base/cursor.h"
#include "database/data_source.h"
#include "decode/perf_regs.h"
#include "import/pipeline.h"
#include "model/tls.h"

enum {
	LARGEST_PUSH = 16,
	LONGEST_INSTRUCTION = 15,
	PAGE_BITS = 12,
	/* bytes; if a string instruction has fewer bytes left to process, its start may have taken
	 * most of the time, so it is unknown whether it waited for memory */
	LONG_REPETITION = 4096,
};

/* Reads those user registers of the sample whose bits are set in `need`. Returns false if the
 * sample lacks one of them. */
static bool read_registers(struct import *im, const struct pd_sample *s, uint64_t need,
			   uint64_t regs[64])
{
	while (need) {
		unsigned r = (unsigned)__builtin_ctzll(need);

		if (!pd_user_reg(im->in.perf, s, r, &regs[r]))
			return false;
		need &= need - 1;
	}
	return true;
}

/* Returns the memory_opcodes.id of an instruction with these accesses; -1 if it neither loads nor
 * stores. */
static int32_t opcode_of(bool load, bool store)
{
	return load && store ? MEMORY_LOAD_STORE : store ? MEMORY_STORE : load ? MEMORY_LOAD : -1;
}

static void decoded_access(struct access_kind *kind, bool load, bool store, bool lock,
			   uint8_t bytes)
{
	kind->memory_opcode = opcode_of(load, store);
	if (lock)
		kind->memory_lock = MEMORY_LOCKED;
	if (bytes)
		COLUMN_SET(*kind, access_bytes, bytes);
}

/* Computes a data address from the recipe *d: a formula of registers, which the decoder made for
 * the instruction. Returns false with the reason in *why if the sample lacks a register, or if the
 * address is relative to an unknown thread pointer. */
static bool recipe_address(struct import *im, const struct sample_context *c,
			   const struct dec_recipe *d, uint64_t *address, enum addr_reason *why)
{
	uint64_t regs[64], base = 0;

	*why = ADDR_NO_REGISTERS;
	if (!read_registers(im, c->s, dec_registers(d), regs))
		return false;
	*why = ADDR_SEGMENT;
	if (d->thread_relative && !(base = tls_pointer(&im->model.space, c->thread, c->sp)))
		return false;
	*address = import_untag(im, base + dec_address(d, regs, c->s->ip));
	return true;
}

/* Stores the operand of recipe *d, at this address, as the access of the sample. */
static void set_operand(struct row_sample *row, struct accessor *by, const struct dec_recipe *d,
			uint64_t address)
{
	COLUMN_SET(row->data, address, address);
	row->kind.addr_source = d->source;
	by->known = true;
	by->insn = d->insn_offset;
	decoded_access(&row->kind, d->load, d->store, d->lock, d->bytes);
}

/* Computes the sample's address from the code around ip and the registers, without the wait
 * analysis of waits.c. Sets `waited` if it is not set yet. If `lost` is set, the sample does not
 * belong to the operand of the instruction before ip. Returns ADDR_OK, or the reason why there is
 * no address. */
static enum addr_reason near_address(struct import *im, const struct sample_context *c, bool lost,
				     struct row_sample *row, struct accessor *by)
{
	const struct dec_recipe *d = im->model.emulated
					     ? code_instruction(&im->model.code, c->location)
					     : code_recipe(&im->model.code, c->location);
	enum addr_reason why;
	uint64_t address;

	if (!d)
		return ADDR_NO_CODE;
	if (d->reason != ADDR_BAD_CODE && !im->model.emulated && row->kind.waited < 0)
		row->kind.waited = d->waited;
	if (d->source == ADDR_NONE)
		return (enum addr_reason)d->reason;
	if (lost && d->source == ADDR_RETIRED)
		return ADDR_CLOBBERED;
	if (!recipe_address(im, c, d, &address, &why))
		return why;
	if (!address && d->source == ADDR_RETIRED)
		/* an access to address 0 would have ended the program, so a jump must have skipped
		 * this access */
		return ADDR_NO_OPERAND;
	set_operand(row, by, d, address);
	return ADDR_OK;
}

/* Returns why only the object of an access is known; `elements` as in struct wait_candidate. */
static enum addr_reason object_reason(uint8_t elements)
{
	return elements > 1 ? ADDR_VECTOR : ADDR_CLOBBERED;
}

/* Stores in *row the access that the thread waited for, as found by waits.c: its address or, if the
 * address is lost, its object. Returns false if neither is known. */
static bool waited_address(const struct waited_for *w, struct row_sample *row, struct accessor *by)
{
	if (w->source == ADDR_NONE)
		return false;
	row->kind.addr_source = w->source;
	by->known = w->source != ADDR_NEARBY;
	by->from_start = true;
	by->insn = (int32_t)w->operand.insn;
	decoded_access(&row->kind, w->operand.load, w->operand.store, w->operand.lock,
		       w->operand.bytes);
	if (w->source == ADDR_OBJECT)
		row->kind.addr_reason = object_reason(w->operand.elements);
	if (w->step)
		COLUMN_SET(row->kind, step, w->step);
	if (w->address)
		COLUMN_SET(row->data, address, w->address);
	row->data.object_id = w->object;
	return true;
}

void address_of_object(struct row_sample *row, const struct lost_operand *lost)
{
	row->kind.has &= ~(uint32_t)(HAS_access_bytes | HAS_step);
	row->data.has &= ~(uint32_t)(HAS_address | HAS_object_offset);
	row->data.address = row->data.object_offset = 0;
	row->kind.memory_lock = -1;
	row->kind.addr_source = ADDR_OBJECT;
	row->kind.addr_reason = object_reason(lost->elements);
	decoded_access(&row->kind, lost->load, lost->store, lost->lock, lost->bytes);
}

/* Does code of this kind (time_kinds.id) always wait for another thread, and not for its data? */
static bool is_synchronization(int32_t kind)
{
	return kind == TIME_FENCE || kind == TIME_SPIN || kind == TIME_WAIT;
}

/* Returns the time_kinds.id of a sample, corrected by the result of waits.c. `kind` is the id that
 * follows from the code alone: an instruction with a memory operand waits for memory, an
 * instruction without one computes. w->level, the slowest access that the sample may have waited
 * for, shows when `kind` is wrong. WAIT_STREAMS changes nothing, because the hardware prefetches
 * streams while the instruction computes. Code that waits for other threads keeps its kind. In all
 * other code, the first of these cases decides:
 * - The thread waited for a cache line that another thread uses (w->moved). The kind is
 *   TIME_SHARING, but unknown if the loop's arithmetic or its jumps may hide this wait
 *   (waits/moves.h).
 * - An atomic operation ran before ip (w->atomic). The code alone does not show this if ip is the
 *   target of a jump. The kind is TIME_MEMORY if an access missed the caches, otherwise
 *   TIME_ATOMIC.
 * - An access missed the caches, and the instruction computes or its kind is unknown. It may have
 *   waited for the loaded value, so the kind is TIME_MEMORY.
 * - The level is WAIT_UNCLEAR. TIME_MEMORY and TIME_COMPUTE become TIME_UNKNOWN: the time of a
 *   mispredicted jump (w->jumped) is sampled at the instructions after it, and that of a loop whose
 *   arithmetic may take as long as its accesses at any of its instructions, whatever they do. But
 *   outside such a loop, an instruction that computes does not wait for streams (w->streams).
 * - All accesses hit the first-level cache, or take no longer than the arithmetic of their loop.
 *   TIME_MEMORY becomes TIME_CACHED. */
static int32_t time_by_waits(int32_t kind, const struct waited_for *w)
{
	if (w->moved && !is_synchronization(kind))
		return w->level == WAIT_UNCLEAR ? TIME_UNKNOWN : TIME_SHARING;
	if (w->atomic && !is_synchronization(kind))
		return w->level == WAIT_MISSES ? TIME_MEMORY : TIME_ATOMIC;
	if (w->level == WAIT_MISSES && (kind == TIME_COMPUTE || kind == TIME_UNKNOWN))
		return TIME_MEMORY;
	if (w->level == WAIT_UNCLEAR &&
	    (kind == TIME_MEMORY || (kind == TIME_COMPUTE && (w->jumped || !w->streams))))
		return TIME_UNKNOWN;
	return w->level == WAIT_HITS && kind == TIME_MEMORY ? TIME_CACHED : kind;
}

/* Does the sample count as a miss of the operand that it waited for? `code` is the kind of time
 * that follows from the code alone, and `kind` the result of time_by_waits(). Returns false in
 * these cases:
 * - All accesses hit the first-level cache, or take no longer than the arithmetic of their loop.
 * - The thread computes, while the hardware prefetches the operand's stream; or perhaps does so,
 *   because the loop's arithmetic may take longer than its accesses.
 * - The kernel works.
 * - Another thread uses the operand's cache line, but the loop's arithmetic or jumps may hide the
 *   wait for the line.
 * - A mispredicted jump may have taken the time.
 * - It is not clear whether it is a wait, and another such sample is a cost for it (w->costless).
 */
static bool is_miss(const struct waited_for *w, int32_t code, int32_t kind)
{
	if (w->level == WAIT_UNCLEAR &&
	    (w->moved || w->jumped || w->costless || (code == TIME_COMPUTE && !w->unsure)))
		return false;
	return w->level != WAIT_HITS && kind != TIME_COMPUTE && kind != TIME_SYSTEM;
}

/* Computes the address of a sample in a string instruction with rep, such as the loops of memset()
 * and memcpy(). When interrupted, such an instruction continues at the same ip, so the sample was
 * taken while it ran. Half of the samples of a copy get the address that is loaded, half the
 * address that is stored, because the thread may wait for either. Also sets `waited`, `missed` and
 * the kind of time. Returns false if the instruction at ip is a different one, or if the sample
 * lacks a register that is needed. */
static bool repeated_address(struct import *im, const struct sample_context *c,
			     struct row_sample *row, struct accessor *by)
{
	const struct dec_recipe *d = code_instruction(&im->model.code, c->location);
	const bool stores = im->out.sample_id % 2;
	struct dec_recipe r;
	enum addr_reason why;
	uint64_t address, left;

	if (!d || d->source != ADDR_NEXT || d->insn_offset || !d->repeats)
		return false;
	r = *d;
	r.source = ADDR_RETIRED;
	if (r.moves && stores) {
		r.base = REG_X86_DI;
		r.load = false;
		r.store = true;
	}
	if (!recipe_address(im, c, &r, &address, &why) ||
	    !pd_user_reg(im->in.perf, c->s, REG_X86_CX, &left))
		return false;
	set_operand(row, by, &r, address);
	row->kind.waited = row->kind.missed = 1;
	if (row->kind.time_kind >= 0)
		row->kind.time_kind = left >= LONG_REPETITION / (r.bytes ? r.bytes : 1)
					      ? TIME_MEMORY
					      : TIME_UNKNOWN;
	return true;
}

/* Computes the address of a timer sample from instructions and registers. Returns ADDR_OK, or the
 * reason why there is no address. Sets *last as described at address_find(). */
static enum addr_reason decode_address(struct import *im, const struct sample_context *c,
				       struct row_sample *row, struct accessor *by, int32_t *last)
{
	const struct waiter who = { .sample = c->s,
				    .process = c->process,
				    .thread = c->thread,
				    .location = c->location,
				    .path = row->data.call_path_id,
				    .sp = c->sp,
				    .period = (uint64_t)row->data.period,
				    .elsewhere = is_synchronization(row->kind.time_kind) ||
						 row->kind.time_kind == TIME_SYSTEM,
				    .computes = row->kind.time_kind == TIME_COMPUTE };
	const int32_t code = row->kind.time_kind;
	enum addr_reason reason;
	struct waited_for w;
	bool followed;

	if (c->kernel)
		return ADDR_KERNEL;
	if (!c->user || !c->location)
		return ADDR_NO_CODE;
	if (!(c->s->has & PERF_SAMPLE_REGS_USER) || c->s->user_regs_abi != PERF_SAMPLE_REGS_ABI_64)
		return ADDR_NO_REGISTERS;
	if (!im->model.emulated && !im->model.tagged && repeated_address(im, c, row, by))
		return ADDR_OK;
	followed = !im->model.emulated && waits_find(im, &who, &w);
	if (followed) {
		by->lost = w.learns;
		row->kind.waited = 1;
		row->kind.time_kind = time_by_waits(code, &w);
		row->kind.missed = is_miss(&w, code, row->kind.time_kind);
		*last = w.last;
		if (waited_address(&w, row, by))
			return ADDR_OK;
	}
	reason = near_address(im, c, followed && w.lost, row, by);
	if (!followed) {
		*last = row->kind.waited == 1 ? -1 : 0;
		if (who.elsewhere)
			row->kind.missed = 0;
	}
	return reason;
}

/* Returns the first user address of the sample's call chain; 0 if the chain has none. */
static uint64_t first_user_frame(struct import *im, const struct pd_sample *s)
{
	struct cursor chain =
		cursor_make(s->callchain, (size_t)s->ncallchain * 8, pd_swapped(im->in.perf));

	for (uint64_t i = 1; i < s->ncallchain; i++)
		if (cursor_u64(&chain) == PERF_CONTEXT_USER)
			return cursor_u64(&chain);
	return 0;
}

/* Does not use the sample's own ip, which is in the kernel if the sample interrupted the kernel.
 * Returns the ip from the user registers or, if there are none, from the call chain. */
uint64_t address_user_ip(struct import *im, const struct pd_sample *s)
{
	uint64_t ip;

	if (s->user_regs_abi == PERF_SAMPLE_REGS_ABI_64 &&
	    pd_user_reg(im->in.perf, s, im->model.ip_register, &ip))
		return ip;
	return first_user_frame(im, s);
}

/* Computes the address for a sample in the kernel's page-fault handler. The instruction at the user
 * ip faulted before it was executed, so the registers still yield the address of its operand, which
 * is the address that faulted. If the instruction has two memory operands, the loaded one is used.
 * If the record of the fault follows, its address replaces this one (held.c). */
void address_of_fault(struct import *im, const struct sample_context *c, uint64_t ip,
		      struct row_sample *row)
{
	const uint32_t location = ip ? space_location(&im->model.space, c->process, false, ip) : 0;
	const struct dec_recipe *d = location ? code_instruction(&im->model.code, location) : NULL;
	uint64_t regs[64];

	row->kind.addr_source = ADDR_FAULT;
	row->kind.waited = 0;
	if (!d || d->source != ADDR_NEXT || d->insn_offset ||
	    !read_registers(im, c->s, dec_registers(d), regs))
		return;
	COLUMN_SET(row->data, address, import_untag(im, dec_address(d, regs, ip)));
	row->kind.addr_reason = -1;
	decoded_access(&row->kind, d->load, d->store, d->lock, d->bytes);
}

/* Prefers the address that the hardware has recorded: it is always exact, while a computed one
 * depends on the decoding. Otherwise computes an address only for events that sample time or
 * cycles. For an event that counts accesses but does not record their addresses, the ip is not that
 * of the access. */
int32_t address_find(struct import *im, const struct sample_context *c, struct row_sample *row,
		     struct accessor *by)
{
	const struct pd_sample *s = c->s;
	enum addr_reason reason = ADDR_NOT_SAMPLED;
	int32_t last = 0;

	*by = (struct accessor){ 0 };
	if ((s->has & PERF_SAMPLE_ADDR) && s->addr) {
		COLUMN_SET(row->data, address, s->addr);
		row->kind.addr_source = ADDR_HARDWARE;
		return 0;
	}
	if (c->role == ROLE_TIME || c->role == ROLE_CYCLES)
		reason = decode_address(im, c, row, by, &last);
	/* A thread that waits for another thread does not wait for the data. (If an atomic
	 * operation waits for its cache line, time_by_waits() has replaced TIME_ATOMIC with a
	 * different kind.) */
	if (row->kind.time_kind == TIME_ATOMIC || is_synchronization(row->kind.time_kind))
		row->kind.missed = 0;
	if (reason == ADDR_OK)
		return last;
	row->kind.addr_source = ADDR_NONE;
	row->kind.addr_reason = reason;
	return last;
}

/* Returns how the kernel function of this name accesses the program's memory: a memory_opcodes.id;
 * -1 means unknown. */
static int32_t kernel_opcode(const char *function)
{
	static const struct {
		const char *part;
		int32_t opcode;
	} parts[] = {
		{ "from_user", MEMORY_LOAD },      { "from_iter", MEMORY_LOAD },
		{ "copyin", MEMORY_LOAD },         { "_readable", MEMORY_LOAD },
		{ "to_user", MEMORY_STORE },       { "to_iter", MEMORY_STORE },
		{ "copyout", MEMORY_STORE },       { "_writeable", MEMORY_STORE },
		{ "put_user", MEMORY_STORE },      { "clear_user", MEMORY_STORE },
		{ "sys_write", MEMORY_LOAD },      { "sys_pwrite", MEMORY_LOAD },
		{ "sys_send", MEMORY_LOAD },       { "sys_read", MEMORY_STORE },
		{ "sys_pread", MEMORY_STORE },     { "sys_recv", MEMORY_STORE },
		{ "sys_getrandom", MEMORY_STORE },
	};

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (strstr(function, parts[i].part))
			return parts[i].opcode;
	return -1;
}

/* Like kernel_opcode(), for the kernel function at this location. Location 0 means none and yields
 * -1. */
static int32_t location_opcode(const struct import *im, uint32_t location)
{
	const struct code *code = &im->model.code;
	const char *name =
		location ? code_symbol_name(code, AT_ID(code->locations, location).symbol) : NULL;

	return name ? kernel_opcode(name) : -1;
}

/* Returns the memory_opcodes.id of the kernel's access to the program's memory that caused a page
 * fault. Goes from the function at `location`, which faulted, to its callers in the kernel along
 * `path`; the first function whose effect is known decides. -1 means that there is no such
 * function. */
static int32_t kernel_fault_opcode(const struct import *im, uint32_t location, uint32_t path)
{
	int32_t opcode = location_opcode(im, location);

	while (path && opcode < 0) {
		const struct call_path *p = &AT_ID(im->model.code.call_paths, path);

		if (p->kind != CALL_KERNEL)
			break;
		opcode = location_opcode(im, p->location);
		path = p->parent;
	}
	return opcode;
}

/* Did the instruction's operand cause the fault, and not the fetch of its code or a push? Called if
 * the operand's address cannot be computed. Then only the faulting address can show this: it must
 * be neither in a page of the instruction nor in the words below sp, to which a push or a call
 * writes. Returns false if sp is unknown. */
static bool is_only_operand(const struct sample_context *c)
{
	const uint64_t address = c->s->addr, ip = c->s->ip;

	return c->sp && address - (c->sp - LARGEST_PUSH) >= LARGEST_PUSH &&
	       address >> PAGE_BITS != ip >> PAGE_BITS &&
	       address >> PAGE_BITS != (ip + LONGEST_INSTRUCTION) >> PAGE_BITS;
}

/* In the kernel, the functions on the path decide (kernel_fault_opcode()). In user code, the
 * operand of the faulting instruction decides; -1 if that operand's address is not the one that
 * faulted. If the operand's address cannot be computed, is_only_operand() decides whether the
 * operand faulted. */
int32_t address_opcode(struct import *im, const struct sample_context *c, uint32_t path)
{
	const struct dec_recipe *d;
	enum addr_reason why;
	uint64_t address;

	if (c->kernel)
		return kernel_fault_opcode(im, c->location, path);
	if (!c->user || !c->location || c->s->user_regs_abi != PERF_SAMPLE_REGS_ABI_64)
		return -1;
	d = code_instruction(&im->model.code, c->location);
	if (!d || d->source != ADDR_NEXT || d->insn_offset)
		return -1;
	if (!recipe_address(im, c, d, &address, &why))
		return is_only_operand(c) ? opcode_of(d->load, d->store) : -1;
	if (c->s->addr - address > (d->bytes ? d->bytes - 1u : 63u))
		return -1;
	return opcode_of(d->load, d->store);
}
