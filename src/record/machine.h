/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads once what this machine permits this user: kernel settings, limits, rights. */
#ifndef MEMDB_RECORD_MACHINE_H
#define MEMDB_RECORD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_UNKNOWN (-100) /* value of a setting that this kernel does not have */

struct machine {
	const char *root;    /* prefix of every path of /proc and /sys; "" for the real ones */
	int paranoid;        /* kernel.perf_event_paranoid, or MACHINE_UNKNOWN */
	int mlock_kb;        /* kernel.perf_event_mlock_kb */
	int max_sample_rate; /* kernel.perf_event_max_sample_rate, samples per second */
	int kptr_restrict;   /* kernel.kptr_restrict */
	int ptrace_scope;    /* kernel.yama.ptrace_scope */
	bool perfmon;        /* whether this process has CAP_PERFMON or CAP_SYS_ADMIN */
	/* whether this process has CAP_IPC_LOCK, so that its buffers are not limited */
	bool ipc_lock;
	bool sys_admin;       /* whether this process has CAP_SYS_ADMIN */
	uint64_t memlock_kb;  /* RLIMIT_MEMLOCK in KiB; UINT64_MAX means that there is no limit */
	unsigned cpus, nodes; /* number of online CPUs, and of nodes with memory */
	unsigned kernel_major, kernel_minor;
	size_t page_bytes;
};

/*
 * Reads the files of the real machine if root is "", otherwise files in that folder, for tests. The
 * limit on locked memory, the kernel's version and the page size are always the real ones. Never
 * fails: a setting that cannot be read is MACHINE_UNKNOWN, and a count that cannot be read is 1.
 */
void machine_read(struct machine *m, const char *root);

/* May this user sample kernel mode, and physical addresses? */
bool machine_kernel_allowed(const struct machine *m);

/* May this user sample their own processes at all? */
bool machine_user_allowed(const struct machine *m);

/*
 * Default size of a CPU's buffer for page faults. The buffer must have room for all records until
 * the thread that reads them gets a CPU. A program that initializes memory causes 500,000 records
 * of 384 bytes per second, which fill the buffer in 87 ms.
 */
#define MACHINE_BUFFER_BYTES (16u << 20)

/* Returns the number of pages of each CPU's ring buffer, a power of two. The buffer has at most
 * want_bytes; it is smaller if there are many CPUs or if the user may lock less memory. perf's
 * buffers and the buffers for page faults share the lockable memory: `thirds` says how many thirds
 * of this memory the caller's buffers may use. */
unsigned machine_buffer_pages(const struct machine *m, uint64_t want_bytes, unsigned thirds);

/*
 * Reads the first line of a small file below root, without its newline. Returns its length, or -1
 * with errno.
 */
int machine_read_line(const char *root, const char *path, char *out, size_t len);

/*
 * Returns the name of the emulator that executes this code, such as "QEMU TCG"; NULL on a real CPU.
 * A hypervisor that runs on the real CPU is not an emulator.
 */
const char *machine_emulator(void);

/*
 * Returns whether the kernel maps a shared page of zeros when a program reads private memory that
 * it has never written, as Linux does. In some virtual machines, the kernel allocates a page for
 * the program at once. Also returns true if this cannot be found out.
 */
bool machine_zero_page(void);

enum { MACHINE_CACHES = 3 };

/*
 * Gets the sizes of this CPU's data caches in bytes, first level first; 0 means unknown. Uses
 * CPUID, for systems whose kernel does not report them.
 */
void machine_caches(uint64_t bytes[MACHINE_CACHES]);

/* Reads one integer. Returns MACHINE_UNKNOWN if the file does not contain one. */
int machine_read_int(const char *root, const char *path);

#endif
