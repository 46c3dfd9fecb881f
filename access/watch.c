/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "maps.h"
#include "track_format.h"
#include "x86_operand.h"
#include "sampler.h"

/* QEMU passes these structs to the callbacks: one for each instruction and each block of code that
 * it has translated. They are never freed, because the translated code refers to them. */
struct insn {
	uint64_t ip, next; /* address of the instruction, and of the next one */
};

struct block {
	uint64_t ip;
	uint32_t n;
	struct insn insns[];
};

static struct access access_of(const struct insn *in, qemu_plugin_meminfo_t info, uint64_t address)
{
	unsigned kind = MEMINFO_RW(info);

	if (!kind)
		kind = qemu_plugin_mem_is_store(info) ? ACCESS_STORE : ACCESS_LOAD;
	return (struct access){ in->ip, address, 1u << qemu_plugin_mem_size_shift(info), kind };
}

/* Do the current accesses of the thread count as the program's own? They do not while the thread
 * runs the tracker's code or a function that the tracker has called through the procedure linkage
 * table, or while sampling is stopped. */
static bool is_seen(const struct thread *t)
{
	return !thread_stopped && !t->away && !t->in_tracker;
}

static void see_whole(struct thread *t, const struct access *a)
{
	sampler_finish(t);
	sampler_access(t, a);
}

static void on_whole(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = sampler_thread();
	const struct access a = access_of(insn, info, address);

	if (is_seen(t))
		see_whole(t, &a);
}

static void before_parts(unsigned int cpu, void *insn)
{
	if (thread_self)
		thread_self->operand_kinds = 0;
}

/* Receives the access to a part of a wide operand. All parts of an operand count as one access, at
 * the address of the first part; an operand that is loaded and stored counts as two. */
static void on_part(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = sampler_thread();
	const struct access a = access_of(insn, info, address);
	bool first;

	if (!is_seen(t))
		return;
	first = a.kind & ~t->operand_kinds;
	t->operand_kinds |= a.kind;
	if (first)
		sampler_finish(t);
	if (thread_options.model)
		sampler_part(t, &a, first);
	else if (first)
		sampler_access(t, &a);
}

static void learn_stack(struct thread *t, uint64_t address)
{
	t->stack_known = true;
	if (t->stream.pid == t->stream.tid)
		maps_write_stack(&t->stream, address);
}

/* Receives an access that a call instruction makes: the store of the return address, or the
 * preceding load of the call's target from memory. For the store, also records the call. */
static void on_call(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = sampler_thread();
	const struct access a = access_of(insn, info, address);

	if (!is_seen(t))
		return;
	see_whole(t, &a);
	if (!(a.kind & ACCESS_STORE))
		return;
	if (!t->stack_known)
		learn_stack(t, address);
	sampler_call(t, address, ((const struct insn *)insn)->next);
}

static void on_return(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn)
{
	struct thread *t = sampler_thread();
	const struct access a = access_of(insn, info, address);

	if (!is_seen(t))
		return;
	see_whole(t, &a);
	sampler_return(t, address);
}

static void on_block(unsigned int cpu, void *data)
{
	struct thread *t = sampler_thread();
	const struct block *b = data;

	t->in_tracker = false;
	if (is_seen(t))
		sampler_instructions(t, b->ip, b->n);
}

static void watch_insn(struct qemu_plugin_insn *q, struct insn *in)
{
	static const qemu_plugin_mem_fn callbacks[] = {
		[OPERAND_WHOLE] = on_whole,
		[OPERAND_PARTS] = on_part,
		[OPERAND_CALL] = on_call,
		[OPERAND_RETURN] = on_return,
	};
	const size_t bytes = qemu_plugin_insn_size(q);
	const enum operand kind = operand_of(qemu_plugin_insn_data(q), bytes);

	in->ip = qemu_plugin_insn_vaddr(q);
	in->next = in->ip + bytes;
	if (kind == OPERAND_PARTS)
		qemu_plugin_register_vcpu_insn_exec_cb(q, before_parts, QEMU_PLUGIN_CB_NO_REGS,
						       NULL);
	qemu_plugin_register_vcpu_mem_cb(q, callbacks[kind], QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_RW, in);
}

void watch_block(struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = malloc(sizeof(*b) + n * sizeof(b->insns[0]));

	if (!b)
		thread_no_memory();
	b->ip = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
	b->n = (uint32_t)n;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
	for (size_t i = 0; i < n; i++)
		watch_insn(qemu_plugin_tb_get_insn(tb, i), &b->insns[i]);
}

/* Is this instruction a call from the tracker to a function of another library, through the
 * procedure linkage table? The table can be read directly, because in the emulator the program's
 * code has the same addresses. */
static bool leaves_tracker(const struct qemu_plugin_insn *q)
{
	const uint64_t target =
		operand_call_target(qemu_plugin_insn_data(q), qemu_plugin_insn_size(q),
				    qemu_plugin_insn_vaddr(q));

	return thread_is_trackers(target) && thread_is_trackers(target + PLT_BYTES) &&
	       operand_is_plt((const uint8_t *)target);
}

static void on_tracker(unsigned int cpu, void *ip)
{
	struct thread *t = sampler_thread();

	t->in_tracker = true;
	if (t->away == (uint64_t)ip)
		t->away = 0;
}

static void on_leaving(unsigned int cpu, void *back)
{
	struct thread *t = sampler_thread();

	if (!t->away)
		t->away = (uint64_t)back;
}

static void on_owners(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *unused)
{
	const uint64_t *words = (const uint64_t *)address;

	owners_change(words[0], words[1]);
}

/* Is this the instruction by which the tracker reports that memory has another owner? */
static bool reports_owners(const struct qemu_plugin_insn *q)
{
	static const uint8_t mark[] = { TRACK_OWNERS_MARK };

	return qemu_plugin_insn_size(q) > sizeof(mark) &&
	       !memcmp(qemu_plugin_insn_data(q), mark, sizeof(mark));
}

void watch_tracker(struct qemu_plugin_tb *tb)
{
	const uint64_t ip = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));

	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_tracker, QEMU_PLUGIN_CB_NO_REGS, (void *)ip);
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);

		if (reports_owners(q))
			qemu_plugin_register_vcpu_mem_cb(q, on_owners, QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW, NULL);
		if (leaves_tracker(q))
			qemu_plugin_register_vcpu_insn_exec_cb(q, on_leaving,
							       QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(qemu_plugin_insn_vaddr(q) +
									qemu_plugin_insn_size(q)));
	}
}
