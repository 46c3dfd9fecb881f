/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine and this user allow: kernel settings, limits, rights. Read once.
 */
#ifndef MEMDB_RECORD_MACHINE_H
#define MEMDB_RECORD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_UNKNOWN (-100) /* a setting that this kernel does not have */

struct machine {
	const char *root;     /* prefix of every path of /proc and /sys; "" for the real ones */
	int paranoid;         /* kernel.perf_event_paranoid, or MACHINE_UNKNOWN */
	int mlock_kb;         /* kernel.perf_event_mlock_kb */
	int max_sample_rate;  /* kernel.perf_event_max_sample_rate, samples per second */
	int kptr_restrict;    /* kernel.kptr_restrict */
	int ptrace_scope;     /* kernel.yama.ptrace_scope */
	bool perfmon;         /* effective CAP_PERFMON or CAP_SYS_ADMIN */
	bool ipc_lock;        /* effective CAP_IPC_LOCK: perf's buffers are not limited */
	bool sys_admin;       /* effective CAP_SYS_ADMIN */
	uint64_t memlock_kb;  /* RLIMIT_MEMLOCK; UINT64_MAX means unlimited */
	unsigned cpus, nodes; /* online CPUs; nodes with memory */
	unsigned kernel_major, kernel_minor;
	size_t page_bytes;
};

/*
 * Reads the real machine if root is "", else a tree of files, for tests. Never fails: an unreadable
 * value becomes MACHINE_UNKNOWN, or 1 for a count.
 */
void machine_read(struct machine *m, const char *root);

/* May this user sample kernel mode, and physical addresses? */
bool machine_kernel_allowed(const struct machine *m);

/* May this user sample their own processes at all? */
bool machine_user_allowed(const struct machine *m);

/*
 * Holds a burst of page faults until their thread gets a CPU. A record has 384 bytes and a loop of
 * first touches makes 500,000 records per second, so this lasts for 80 ms.
 */
#define MACHINE_BUFFER_BYTES (16u << 20)

/*
 * Returns the pages of each CPU's ring buffer, a power of two. The buffer has at most want_bytes,
 * and less if the CPUs are many or an ordinary user may lock less. thirds limits it to that many
 * thirds of the lockable memory.
 */
unsigned machine_buffer_pages(const struct machine *m, uint64_t want_bytes, unsigned thirds);

/*
 * Reads the first line of a small file below root, without its newline. Returns its length, or -1
 * with errno.
 */
int machine_read_line(const char *root, const char *path, char *out, size_t len);

/*
 * Returns the name of the emulator that this CPU is, such as "QEMU TCG", or NULL. A hypervisor that
 * runs the program on the real CPU is not an emulator.
 */
const char *machine_emulator(void);

enum { MACHINE_CACHES = 3 };

/*
 * Gets the sizes of this CPU's data caches in bytes, from the first level; 0 means unknown. Reads
 * them by CPUID, for systems whose kernel does not show them.
 */
void machine_caches(uint64_t bytes[MACHINE_CACHES]);

/* Reads one integer. Returns MACHINE_UNKNOWN if there is none. */
int machine_read_int(const char *root, const char *path);

#endif
