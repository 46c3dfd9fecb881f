/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens page-fault events. perf opens all other events; record/faults.h explains why memdb opens
 * these itself. If callers are recorded, each record contains a part of the user stack, large
 * enough to find the callers of the function that caused the fault. Each CPU has a ring buffer,
 * which a thread of memdb empties.
 *
 * Each event is for one CPU and one process tree, so there is one buffer for each CPU: the kernel
 * does not permit a buffer for inherited events that count on all CPUs.
 */
#include "record/fault_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "decode/perf_regs.h"

enum { LEAST_PAGES = 4, WAKE_PART = 8 };

/* Masks of registers in a record. The kernel takes longer to copy one register than 64 bytes of the
 * stack. So most records contain only FEW_REGISTERS: those that show which operand of an
 * instruction caused the fault, and those from which most stacks can be unwound. */
#if defined(__x86_64__)
#define FEW_REGISTERS                                                                        \
	(1ull << REG_X86_SI | 1ull << REG_X86_DI | 1ull << REG_X86_BP | 1ull << REG_X86_SP | \
	 1ull << REG_X86_IP)
#define ALL_REGISTERS 0xff01ffull /* the general registers and the instruction pointer */
#elif defined(__aarch64__)
#define FEW_REGISTERS \
	(1ull << REG_ARM64_FP | 1ull << REG_ARM64_LR | 1ull << REG_ARM64_SP | 1ull << REG_ARM64_PC)
#define ALL_REGISTERS ((1ull << (REG_ARM64_PC + 1)) - 1)
#else
#error "which general registers has this architecture?"
#endif

/* Returns the attributes that all events of a ring have: they begin with the program, in all its
 * processes, and their times are those of CLOCK_MONOTONIC. */
static struct perf_event_attr common_attr(uint64_t config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_hv = 1,
		.watermark = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

/*
 * Returns the attributes of the event for ordinary faults. Its records contain address, time,
 * thread, a few registers and, if callers are recorded (o->stack_bytes), a part of the stack.
 */
static struct perf_event_attr fault_attr(const struct faults_options *o, uint64_t config)
{
	struct perf_event_attr a = common_attr(config);

	a.sample_period = 1;
	a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			PERF_SAMPLE_REGS_USER | PERF_SAMPLE_DATA_PAGE_SIZE |
			(o->phys_data ? PERF_SAMPLE_PHYS_ADDR : 0) |
			(o->stack_bytes ? PERF_SAMPLE_STACK_USER : 0);
	a.sample_regs_user = FEW_REGISTERS;
	a.sample_stack_user = o->stack_bytes;
	a.exclude_kernel = !o->kernel;
	/* the user part of a call chain is not needed: the copied part of the stack contains the
	 * callers, even without frame pointers */
	a.exclude_callchain_user = 1;
	a.sample_id_all = 1;
	return a;
}

/*
 * Returns the attributes of the events for faults in the kernel and for major faults. Their records
 * contain all registers and, if callers are recorded (o->stack_bytes), the kernel's call chain.
 */
static struct perf_event_attr detailed_attr(const struct faults_options *o, uint64_t config)
{
	struct perf_event_attr a = fault_attr(o, config);

	a.sample_regs_user = ALL_REGISTERS;
	if (o->stack_bytes)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	return a;
}

/* Each process has each event once for each CPU, and the kernel makes and ends them with it. So
 * there are few: the last event, that of major faults, is never paused, and for it the kernel also
 * writes a record when a process or a thread starts or ends.
 *
 * On a fault, the kernel counts the software event page-faults before it has created the page, and
 * minor-faults or major-faults afterwards, when the page's physical address and size are known. So
 * minor-faults and major-faults are recorded here. No fault may count for two of the events in
 * `attrs`: Linux 6.18 would write the second record with the id and the size of the first. */
unsigned fault_attrs(const struct faults_options *o, struct perf_event_attr attrs[FAULT_EVENTS])
{
	unsigned n = 0;

	attrs[n] = fault_attr(o, PERF_COUNT_SW_PAGE_FAULTS_MIN);
	attrs[n++].exclude_kernel = 1;
	if (o->kernel) {
		attrs[n] = detailed_attr(o, PERF_COUNT_SW_PAGE_FAULTS_MIN);
		attrs[n++].exclude_user = 1;
	}
	attrs[n] = detailed_attr(o, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	attrs[n++].task = 1;
	return n;
}

static int open_attr(struct perf_event_attr *a, int32_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * Opens an event. Kernels before 5.11 cannot report the size of a page; then the event is opened
 * without it. Returns the descriptor, or -1 with errno.
 */
static int open_event(struct fault_rings *r, unsigned event, int32_t pid, int cpu)
{
	struct perf_event_attr *a = &r->attrs[event];
	int fd = open_attr(a, pid, cpu);

	if (fd >= 0 || errno != EINVAL || !(a->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE))
		return fd;
	a->sample_type &= ~(uint64_t)PERF_SAMPLE_DATA_PAGE_SIZE;
	return open_attr(a, pid, cpu);
}

/* Maps a ring buffer of `pages` pages. If the user may not lock so much memory, tries half as many
 * pages, and so on. */
static bool map_ring(struct fault_ring *ring, unsigned pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = MAP_FAILED;

	for (; p == MAP_FAILED && pages >= LEAST_PAGES; pages /= 2) {
		ring->bytes = pages * page;
		p = mmap(NULL, page + ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fds[0],
			 0);
		if (p == MAP_FAILED && errno != EPERM && errno != ENOMEM)
			return false;
	}
	if (p == MAP_FAILED)
		return false;
	ring->page = p;
	return true;
}

/* Opens all events of one CPU, with one buffer of `pages` pages. Returns 1; 0 if the CPU is
 * offline; or MD_ESYS. */
static int open_ring(struct fault_rings *r, struct fault_ring *ring, unsigned pages, int32_t pid,
		     int cpu, struct md_err *err)
{
	for (unsigned i = 0; i < r->nattrs; i++) {
		ring->fds[i] = open_event(r, i, pid, cpu);
		if (ring->fds[i] < 0)
			return i || (errno != ENODEV && errno != ENXIO)
				       ? md_fail_errno(err, MD_ESYS,
						       "cannot open the events of page faults")
				       : 0;
		if ((!i && !map_ring(ring, pages)) ||
		    (i && ioctl(ring->fds[i], PERF_EVENT_IOC_SET_OUTPUT, ring->fds[0])) ||
		    ioctl(ring->fds[i], PERF_EVENT_IOC_ID, &ring->ids[i]))
			return md_fail_errno(err, MD_ESYS, "cannot map a buffer for page faults");
	}
	return 1;
}

static void close_ring(struct fault_ring *ring)
{
	*ring = (struct fault_ring){ 0 };
	for (unsigned i = 0; i < FAULT_EVENTS; i++)
		ring->fds[i] = -1;
}

int fault_rings_open(struct fault_rings *r, const struct faults_options *o, int32_t pid,
		     struct md_err *err)
{
	const int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	int ret = 0;

	*r = (struct fault_rings){ .at = calloc((size_t)cpus, sizeof(*r->at)) };
	if (!r->at)
		return md_nomem(err);
	r->nattrs = fault_attrs(o, r->attrs);
	for (unsigned i = 0; i < r->nattrs; i++)
		r->attrs[i].wakeup_watermark =
			o->buffer_pages * (uint32_t)sysconf(_SC_PAGESIZE) / WAKE_PART;
	for (int cpu = 0; cpu < cpus && ret >= 0; cpu++) {
		close_ring(&r->at[r->n]);
		ret = open_ring(r, &r->at[r->n], o->buffer_pages, pid, cpu, err);
		r->n += ret != 0;
	}
	if (ret >= 0 && r->n)
		return 0;
	if (ret >= 0)
		ret = md_fail(err, MD_ESYS, "no CPU has events of page faults");
	fault_rings_release(r);
	return ret;
}

/* When fault_rings_open() fails, it calls this function while only some of the events are open. */
void fault_rings_release(struct fault_rings *r)
{
	for (unsigned c = 0; c < r->n; c++) {
		struct fault_ring *ring = &r->at[c];

		if (ring->page)
			munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
		for (unsigned i = 0; i < r->nattrs; i++)
			if (ring->fds[i] >= 0)
				close(ring->fds[i]);
	}
	free(r->at);
	*r = (struct fault_rings){ 0 };
}

void fault_rings_pause(const struct fault_rings *r, bool pause)
{
	for (unsigned c = 0; c < r->n; c++)
		for (unsigned i = 0; i + 1 < r->nattrs; i++)
			ioctl(r->at[c].fds[i],
			      pause ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
}
