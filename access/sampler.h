/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done at each access. */
#ifndef MEMDB_ACCESS_SAMPLER_H
#define MEMDB_ACCESS_SAMPLER_H

#include "plugin.h"
#include "thread.h"

/* Callbacks of QEMU for the memory operands of instructions, with their struct insn: of one that
 * accesses its operand as a whole; of one whose operand may come in parts, which are one access of
 * the first part's address; of calls; and of returns. */
void sampler_whole(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn);
void sampler_parts(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn);
void sampler_call(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn);
void sampler_return(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *insn);

/* Before an instruction of sampler_parts(). */
void sampler_begin_parts(unsigned int cpu, void *insn);

/* A block of code runs. */
struct block {
	uint64_t ip;
	uint32_t instructions;
};

void sampler_block(unsigned int cpu, void *block);

#endif
