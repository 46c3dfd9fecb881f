/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the part of QEMU's qemu-plugin.h that memdb uses. It is version 1 of the plugin
 * interface, in which plugins cannot read registers. Some distributions do not ship that file. */
#ifndef MEMDB_ACCESS_PLUGIN_H
#define MEMDB_ACCESS_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

typedef struct {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus, max_vcpus;
	} system;
} qemu_info_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { QEMU_PLUGIN_CB_NO_REGS };
enum { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void (*qemu_plugin_tb_fn)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*qemu_plugin_mem_fn)(unsigned int, qemu_plugin_meminfo_t, uint64_t, void *);
typedef void (*qemu_plugin_exec_fn)(unsigned int, void *);
typedef void (*qemu_plugin_exit_fn)(qemu_plugin_id_t, void *);
typedef void (*qemu_plugin_syscall_fn)(qemu_plugin_id_t, unsigned int, int64_t, uint64_t, uint64_t,
				       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef void (*qemu_plugin_syscall_ret_fn)(qemu_plugin_id_t, unsigned int, int64_t, int64_t);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_tb_fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, qemu_plugin_exec_fn, int,
					  void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, qemu_plugin_mem_fn, int, int,
				      void *);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, qemu_plugin_exec_fn, int,
					    void *);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, qemu_plugin_syscall_fn);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t, qemu_plugin_syscall_ret_fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, qemu_plugin_exit_fn, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

/*
 * Returns two bits of a qemu_plugin_meminfo_t: bit 0 means a load, bit 1 a store. The interface has
 * no names for them. An atomic update has both.
 */
#define MEMINFO_RW(info) ((info) >> 16 & 3)

#endif
