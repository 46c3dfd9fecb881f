/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what this machine and its kernel permit. Reads it once, so that all decisions and messages
 * are based on the same values. `root` is "" or, in tests, a folder with its own /proc and /sys. */
#include "record/machine.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/count.h"
#include "base/idlist.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define BUFFER_BYTES_ALL (256u << 20) /* limit for the buffers of all CPUs together */
#define BUFFER_BYTES_MIN (64u << 10)

/* Returns NULL for a virtual machine that executes code on the real CPU. */
const char *machine_emulator(void)
{
#ifdef __x86_64__
	unsigned int a, name[3], unused;

	if (__get_cpuid(1, &a, &unused, &name[0], &unused) && name[0] >> 31) {
		/* this CPUID leaf contains the name of the hypervisor */
		__cpuid(0x40000000, a, name[0], name[1], name[2]);
		if (!memcmp(name, "TCGTCGTCGTCG", sizeof(name)))
			return "QEMU TCG";
	}
#endif
	return NULL;
}

#ifdef __x86_64__
/* Reads entry i of a CPUID leaf that describes caches. Stores the cache's size in the element of
 * `bytes` for its level, unless it is an instruction cache or a larger cache of this level is
 * known. The leaves of Intel and AMD have the same format. Returns false after the last entry. */
static bool read_cache(unsigned leaf, unsigned i, uint64_t bytes[MACHINE_CACHES])
{
	enum { NONE = 0, INSTRUCTIONS = 2 };
	unsigned a, b, c, d, type, level;
	uint64_t size;

	if (!__get_cpuid_count(leaf, i, &a, &b, &c, &d))
		return false;
	type = a & 31;
	level = a >> 5 & 7;
	size = ((b >> 22) + UINT64_C(1)) * ((b >> 12 & 1023) + 1) * ((b & 4095) + 1) *
	       (c + UINT64_C(1));
	if (type != INSTRUCTIONS && level - 1 < MACHINE_CACHES && size > bytes[level - 1])
		bytes[level - 1] = size;
	return type != NONE;
}
#endif

void machine_caches(uint64_t bytes[MACHINE_CACHES])
{
	memset(bytes, 0, MACHINE_CACHES * sizeof(*bytes));
#ifdef __x86_64__
	static const unsigned leaves[] = { 4, 0x8000001d };
	enum { MOST = 16 };

	for (unsigned l = 0; l < COUNT_OF(leaves) && !bytes[0]; l++)
		for (unsigned i = 0; i < MOST && read_cache(leaves[l], i, bytes); i++) {
		}
#endif
}

/* On failure, `out` is "". */
int machine_read_line(const char *root, const char *path, char *out, size_t len)
{
	char name[PATH_MAX];
	size_t n;
	FILE *f;

	*out = 0;
	if ((size_t)snprintf(name, sizeof(name), "%s%s", root, path) >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	f = fopen(name, "re");
	if (!f)
		return -1;
	if (!fgets(out, (int)len, f))
		*out = 0;
	fclose(f);
	n = strcspn(out, "\n");
	out[n] = 0;
	return (int)n;
}

/* Also returns MACHINE_UNKNOWN if the file contains no number. */
int machine_read_int(const char *root, const char *path)
{
	char line[64], *end;
	long v;

	if (machine_read_line(root, path, line, sizeof(line)) <= 0)
		return MACHINE_UNKNOWN;
	v = strtol(line, &end, 10);
	return *end || v > INT_MAX || v < INT_MIN ? MACHINE_UNKNOWN : (int)v;
}

/* Counts the CPUs or nodes in a list of sysfs, such as "0-3,8". Returns 1 if the file does not
 * exist, as in a kernel without NUMA. */
static unsigned read_count(const char *root, const char *path)
{
	char line[4096];
	unsigned n = 0;

	if (machine_read_line(root, path, line, sizeof(line)) > 0)
		n = idlist_count(line);
	return n ? n : 1;
}

/* Returns the effective capabilities of this process as a bit mask. */
static uint64_t effective_capabilities(const char *root)
{
	char name[PATH_MAX], line[256];
	unsigned long long caps = 0;
	FILE *f;

	snprintf(name, sizeof(name), "%s/proc/self/status", root);
	f = fopen(name, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			break;
	fclose(f);
	return caps;
}

/* A value that cannot be read becomes MACHINE_UNKNOWN, which is not an error. */
void machine_read(struct machine *m, const char *root)
{
	uint64_t caps = effective_capabilities(root);
	struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };
	struct utsname u = { 0 };

	*m = (struct machine){
		.root = root,
		.paranoid = machine_read_int(root, "/proc/sys/kernel/perf_event_paranoid"),
		.mlock_kb = machine_read_int(root, "/proc/sys/kernel/perf_event_mlock_kb"),
		.max_sample_rate =
			machine_read_int(root, "/proc/sys/kernel/perf_event_max_sample_rate"),
		.kptr_restrict = machine_read_int(root, "/proc/sys/kernel/kptr_restrict"),
		.ptrace_scope = machine_read_int(root, "/proc/sys/kernel/yama/ptrace_scope"),
		.sys_admin = caps >> CAP_SYS_ADMIN & 1,
		.perfmon = (caps >> CAP_PERFMON & 1) || (caps >> CAP_SYS_ADMIN & 1),
		.ipc_lock = caps >> CAP_IPC_LOCK & 1,
		.cpus = read_count(root, "/sys/devices/system/cpu/online"),
		.nodes = read_count(root, "/sys/devices/system/node/has_memory"),
		.page_bytes = (size_t)sysconf(_SC_PAGESIZE),
	};
	getrlimit(RLIMIT_MEMLOCK, &r);
	m->memlock_kb = r.rlim_cur == RLIM_INFINITY ? UINT64_MAX : r.rlim_cur / 1024;
	uname(&u);
	sscanf(u.release, "%u.%u", &m->kernel_major, &m->kernel_minor);
}

/* Follows the kernel's rule: up to level 1 of perf_event_paranoid, users may sample the kernel. */
bool machine_kernel_allowed(const struct machine *m)
{
	return m->perfmon || (m->paranoid != MACHINE_UNKNOWN && m->paranoid <= 1);
}

/* Follows the kernel's rule: up to level 2 of perf_event_paranoid, users may sample their own
 * processes. Some distributions have added levels above 2, which forbid that. */
bool machine_user_allowed(const struct machine *m)
{
	return m->perfmon || (m->paranoid != MACHINE_UNKNOWN && m->paranoid <= 2);
}

/* Rounds down to a power of two, because perf's buffers must have such sizes. */
static uint64_t floor_power_of_two(uint64_t v)
{
	return v ? 1ull << (63 - __builtin_clzll(v)) : 0;
}

/* The limit on locked memory (RLIMIT_MEMLOCK) is for the buffers of all CPUs together, so each CPU
 * gets an equal part of it. In addition, the kernel permits mlock_kb for each CPU. The result is
 * at least BUFFER_BYTES_MIN, even if the user may lock less. */
unsigned machine_buffer_pages(const struct machine *m, uint64_t want_bytes, unsigned thirds)
{
	uint64_t bytes = want_bytes;

	if (m->cpus * bytes > BUFFER_BYTES_ALL)
		bytes = BUFFER_BYTES_ALL / m->cpus;
	/* `limit` is the size in bytes that this CPU's buffer may have, including its control page,
	 * because of the limit on locked memory */
	if (!m->ipc_lock && m->paranoid >= 0 && m->memlock_kb != UINT64_MAX) {
		uint64_t kb = m->memlock_kb / m->cpus;
		uint64_t limit;

		kb += m->mlock_kb > 0 ? (unsigned)m->mlock_kb : 0;
		limit = kb * 1024 * thirds / 3;
		limit = limit > m->page_bytes ? limit - m->page_bytes : 0;
		if (limit < bytes)
			bytes = limit;
	}
	if (bytes < BUFFER_BYTES_MIN)
		bytes = BUFFER_BYTES_MIN;
	return (unsigned)(floor_power_of_two(bytes) / m->page_bytes);
}

/* Returns the number of page faults of this thread that read nothing from disk; -1 on failure. */
static long minor_faults(void)
{
	struct rusage u;

	return getrusage(RUSAGE_THREAD, &u) ? -1 : u.ru_minflt;
}

/* Reads a new page and then writes to it. If the read has mapped the shared page of zeros, the
 * write causes a second fault. */
bool machine_zero_page(void)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *page =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long before, after;
	char zero;

	if (page == MAP_FAILED)
		return true;
	zero = *page;
	before = minor_faults();
	*page = zero;
	after = minor_faults();
	munmap((void *)page, bytes);
	return before < 0 || after != before;
}
