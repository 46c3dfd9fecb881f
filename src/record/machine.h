/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine and this user allow: kernel settings, limits, rights. Read once.
 */
#ifndef MEMDB_RECORD_MACHINE_H
#define MEMDB_RECORD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_UNKNOWN (-100) /* a setting that this kernel has not */

struct machine {
	const char *root;     /* before every path of /proc/sys and /sys; "" for the real ones */
	int paranoid;         /* kernel.perf_event_paranoid, or MACHINE_UNKNOWN */
	int mlock_kb;         /* kernel.perf_event_mlock_kb */
	int max_sample_rate;  /* kernel.perf_event_max_sample_rate, samples per second */
	int kptr_restrict;    /* kernel.kptr_restrict */
	int ptrace_scope;     /* kernel.yama.ptrace_scope */
	bool perfmon;         /* effective CAP_PERFMON or CAP_SYS_ADMIN */
	bool ipc_lock;        /* effective CAP_IPC_LOCK: perf's buffers are not limited */
	bool sys_admin;       /* effective CAP_SYS_ADMIN */
	uint64_t memlock_kb;  /* RLIMIT_MEMLOCK; UINT64_MAX: unlimited */
	unsigned cpus, nodes; /* online */
	unsigned kernel_major, kernel_minor;
	size_t page_bytes;
};

/* Reads the machine if root is "", else a tree of files, for tests. Never fails: an unreadable
 * value is MACHINE_UNKNOWN, or 1 for a count. */
void machine_read(struct machine *m, const char *root);

/* May this user sample kernel mode, and physical addresses? */
bool machine_kernel_allowed(const struct machine *m);

/* May this user sample own processes at all? */
bool machine_user_allowed(const struct machine *m);

/* Holds a burst of page faults until their thread gets its CPU: a record has 384 bytes and a loop
 * of first touches makes 500,000 a second, so this lasts for 80 ms. */
#define MACHINE_BUFFER_BYTES (16u << 20)

/* Pages of a ring buffer for each CPU, a power of two: enough for want_bytes, or as many as the
 * number of CPUs and so many thirds of what an ordinary user may lock allow. */
unsigned machine_buffer_pages(const struct machine *m, uint64_t want_bytes, unsigned thirds);

/* Reads the first line of a small file below m->root, without its newline. Returns its length,
 * or -1 with errno. */
int machine_read_line(const char *root, const char *path, char *out, size_t len);

/* The emulator of this CPU, as "QEMU TCG"; NULL: none that we know. A hypervisor that runs the
 * program on the real CPU is not an emulator. */
const char *machine_emulator(void);

enum { MACHINE_CACHES = 3 };

/* Sizes of this CPU's data caches in bytes, from the first level; 0: unknown. They come from the
 * CPUID instruction, for systems whose kernel does not show them. */
void machine_caches(uint64_t bytes[MACHINE_CACHES]);

/* One integer, or MACHINE_UNKNOWN. */
int machine_read_int(const char *root, const char *path);

#endif
