/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin for QEMU's emulation of a single program (qemu-x86_64), which sees every access of an
 * unmodified binary. What it counts: one access for each memory operand and execution. An operand
 * that the emulator accesses in parts is one access; gathers count each element, `rep` each step;
 * an atomic update is a load and a store; push, pop, call and return count, prefetches do not.
 * System calls' accesses are not seen.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "maps.h"
#include "operand.h"
#include "pages.h"
#include "sampler.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

static struct {
	char program[17];
	char skip[4096];              /* a library whose accesses are not the program's */
	uint64_t skip_low, skip_high; /* where it is mapped */
} state;

/* Instructions live as long as the process: translations refer to them. */
static struct {
	pthread_mutex_t lock;
	struct insn **at; /* open addressing by ip */
	uint64_t n, room;
} insns = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void need(const void *p)
{
	static const char text[] = "memdb: no memory for the exact sampler\n";

	if (!p && write(2, text, sizeof(text) - 1))
		_exit(125);
}

static uint64_t slot_of(struct insn **table, uint64_t room, uint64_t ip)
{
	uint64_t at = ip * UINT64_C(0x9e3779b97f4a7c15) >> 20;

	while (table[at & (room - 1)] && table[at & (room - 1)]->ip != ip)
		at++;
	return at & (room - 1);
}

static void grow_insns(void)
{
	const uint64_t room = insns.room ? insns.room * 2 : 1 << 14;
	struct insn **bigger = calloc(room, sizeof(bigger[0]));

	need(bigger);
	for (uint64_t i = 0; i < insns.room; i++)
		if (insns.at[i])
			bigger[slot_of(bigger, room, insns.at[i]->ip)] = insns.at[i];
	free(insns.at);
	insns.at = bigger;
	insns.room = room;
}

static struct insn *insn_at(uint64_t ip, size_t bytes)
{
	uint64_t slot;

	if (insns.n * 2 >= insns.room)
		grow_insns();
	slot = slot_of(insns.at, insns.room, ip);
	if (insns.at[slot])
		return insns.at[slot];
	insns.at[slot] = malloc(sizeof(struct insn));
	need(insns.at[slot]);
	insns.n++;
	*insns.at[slot] = (struct insn){
		.ip = ip,
		.next = ip + bytes,
		.id = insns.n < 1u << INSN_BITS ? (uint32_t)insns.n : 0,
	};
	return insns.at[slot];
}

static void watch(struct qemu_plugin_insn *q)
{
	static const qemu_plugin_mem_fn callbacks[] = {
		[OPERAND_WHOLE] = sampler_whole,
		[OPERAND_PARTS] = sampler_parts,
		[OPERAND_CALL] = sampler_call,
		[OPERAND_RETURN] = sampler_return,
	};
	const size_t bytes = qemu_plugin_insn_size(q);
	const enum operand kind = operand_of(qemu_plugin_insn_data(q), bytes);
	struct insn *in = insn_at(qemu_plugin_insn_vaddr(q), bytes);

	if (kind == OPERAND_PARTS)
		qemu_plugin_register_vcpu_insn_exec_cb(q, sampler_begin_parts,
						       QEMU_PLUGIN_CB_NO_REGS, NULL);
	qemu_plugin_register_vcpu_mem_cb(q, callbacks[kind], QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_RW, in);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);
	const uint64_t ip = n ? qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)) : 0;
	struct block *b = n ? malloc(sizeof(*b)) : NULL;

	if (!n || (ip >= state.skip_low && ip < state.skip_high)) {
		free(b);
		return;
	}
	need(b);
	*b = (struct block){ .ip = ip, .instructions = (uint32_t)n };
	qemu_plugin_register_vcpu_tb_exec_cb(tb, sampler_block, QEMU_PLUGIN_CB_NO_REGS, b);
	pthread_mutex_lock(&insns.lock);
	for (size_t i = 0; i < n; i++)
		watch(qemu_plugin_tb_get_insn(tb, i));
	pthread_mutex_unlock(&insns.lock);
}

/* What a system call was asked, until it returns. */
static __thread struct {
	uint64_t a, b, c, d;
} asked __attribute__((tls_model("initial-exec")));

static struct thread *self(void)
{
	return thread_self ? thread_self : thread_begin();
}

static void learn_name(struct thread *t)
{
	char path[64], name[17] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", t->stream.tid);
	f = fopen(path, "re");
	if (f && fgets(name, sizeof(name), f)) {
		name[strcspn(name, "\n")] = 0;
		stream_name(&t->stream, name, false);
	}
	if (f)
		fclose(f);
}

/* Here the program is loaded, and nothing of it has run. */
static void begin_program(struct thread *t)
{
	stream_name(&t->stream, state.program, true);
	maps_write(&t->stream, 0, MAPS_ALL);
}

/* exec replaces the emulator too; what it starts is not seen, but for its name. */
static void before_exec(struct thread *t)
{
	stream_name(&t->stream, "", true);
	thread_flush_all();
	thread_stopped = false; /* it may fail */
}

static void at_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a,
		       uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,
		       uint64_t h)
{
	asked.a = a;
	asked.b = b;
	asked.c = c;
	asked.d = d;
	if (number == SYS_execve || number == SYS_execveat)
		before_exec(self());
}

static void after_mmap(uint64_t address)
{
	struct thread *t = self();

	pages_forget(address, asked.b);
	if (asked.d & MAP_ANONYMOUS)
		return;
	maps_write(&t->stream, address, asked.b);
	if (state.skip[0])
		maps_find(state.skip, &state.skip_low, &state.skip_high);
}

static void after_brk(uint64_t now)
{
	static uint64_t highest;

	if (now < highest)
		pages_forget(now, highest - now);
	highest = now;
}

static void after_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t ret)
{
	if (ret < 0 && ret > -4096) {
		if (number == SYS_execve || number == SYS_execveat)
			begin_program(self()); /* as before */
		return;
	}
	switch (number) {
	case SYS_mmap:
		after_mmap((uint64_t)ret);
		break;
	case SYS_munmap:
		pages_forget(asked.a, asked.b);
		break;
	case SYS_mremap:
		if ((uint64_t)ret != asked.a)
			pages_move(asked.a, (uint64_t)ret, asked.b < asked.c ? asked.b : asked.c);
		break;
	case SYS_madvise:
		if (asked.c == MADV_DONTNEED || asked.c == MADV_FREE || asked.c == MADV_REMOVE)
			pages_forget(asked.a, asked.b);
		break;
	case SYS_brk:
		after_brk((uint64_t)ret);
		break;
	case SYS_prctl:
		if (asked.a == 15) /* PR_SET_NAME */
			learn_name(self());
		break;
	}
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
	thread_flush_all();
}

static void first_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	static bool begun;

	if (!begun) {
		begun = true;
		begin_program(self());
	}
	translated(id, tb);
}

/* "48k:12" */
static void read_shape(const char *text, struct cache_shape *shape)
{
	char *end;

	shape->bytes = strtoull(text, &end, 10) << (*end == 'm' ? 20 : *end == 'k' ? 10 : 0);
	end = strchr(text, ':');
	if (end)
		shape->ways = (uint32_t)strtoul(end + 1, NULL, 10);
}

static bool read_option(const char *word)
{
	const char *value = strchr(word, '=');
	const size_t n = value ? (size_t)(value++ - word) : 0;

	if (!n)
		return false;
	if (!strncmp(word, "period", n))
		thread_options.period = strtoull(value, NULL, 10);
	else if (!strncmp(word, "seed", n))
		thread_options.seed = strtoull(value, NULL, 10);
	else if (!strncmp(word, "model", n))
		thread_options.model = counts_modelled = *value == '1';
	else if (!strncmp(word, "program", n))
		snprintf(state.program, sizeof(state.program), "%s", value);
	else if (!strncmp(word, "skip", n))
		snprintf(state.skip, sizeof(state.skip), "%s", value);
	else if (n == 2 && word[0] == 'l' && word[1] >= '1' && word[1] <= '3')
		read_shape(value, &thread_options.shapes[word[1] - '1']);
	else
		return false;
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *path = getenv(ACCESS_STREAM_VARIABLE);

	if (info->system_emulation)
		return 1;
	for (int i = 0; i < argc; i++)
		if (!read_option(argv[i])) {
			fprintf(stderr, "memdb: the exact sampler knows no option '%s'\n", argv[i]);
			return 1;
		}
	if (!path || !stream_open(path)) {
		fprintf(stderr, "memdb: cannot open the recording '%s'\n", path ? path : "");
		return 1;
	}
	maps_begin();
	if (!thread_options.period || !thread_begin_all())
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, first_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, at_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, after_syscall);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
