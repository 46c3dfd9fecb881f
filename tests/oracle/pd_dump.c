/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a perf.data in the format of `perf script -D`, without its hex dumps, so that
 * perfdump.sh can compare the two line by line.
 *
 * pd_dump FILE      records in time order
 * pd_dump -c FILE   number of records of each type, losses, features
 * pd_dump -e FILE   one line per sample: pid/tid time event
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/count.h"
#include "base/cursor.h"
#include "perfdata/perfdata.h"

enum { FINISHED_ROUND = 68 };

static uint64_t combined_type; /* sample_type bits that are set in at least one event */
static bool in_pipe;           /* whether the file has the header of a pipe */
static bool sample_ids;        /* true if records other than samples have a sample_id */

static void print_words(const struct pd_file *f, const uint8_t *p, uint64_t n)
{
	struct cursor c = cursor_make(p, n * 8, pd_swapped(f));

	for (uint64_t i = 0; i < n; i++)
		printf("..... %2d: %016" PRIx64 "\n", (int)i, cursor_u64(&c));
}

static void print_branches(const struct pd_file *f, const struct pd_sample *s)
{
	struct cursor c = cursor_make(s->branches, s->nbranches * 24, pd_swapped(f));

	printf("... branch stack: nr:%" PRIu64 "\n", s->nbranches);
	for (uint64_t i = 0; i < s->nbranches; i++) {
		uint64_t from = cursor_u64(&c), to = cursor_u64(&c);

		cursor_skip(&c, 8);
		printf("..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64 "\n", i, from, to);
	}
}

static void print_regs(const struct pd_file *f, const char *which, uint64_t abi, uint64_t mask,
		       const uint8_t *regs)
{
	struct cursor c = cursor_make(regs, (size_t)__builtin_popcountll(mask) * 8, pd_swapped(f));

	printf("... %s regs: mask 0x%" PRIx64 " ABI %s\n", which, mask,
	       abi == 0   ? "none"
	       : abi == 1 ? "32-bit"
			  : "64-bit");
	while (cursor_left(&c))
		printf(".... 0x%016" PRIx64 "\n", cursor_u64(&c));
}

static const char *page_name(uint64_t bytes)
{
	static char buf[32];
	unsigned unit = 0;

	if (!bytes)
		return "N/A";
	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	snprintf(buf, sizeof(buf), "%" PRIu64 "%c", bytes, "BKMG"[unit]);
	return buf;
}

static void print_memory(const struct pd_sample *s)
{
	if (s->has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) {
		printf("... weight: %" PRIu64, s->weight);
		if (s->has & PERF_SAMPLE_WEIGHT_STRUCT)
			printf(",0x%" PRIx16 ",0x%" PRIx16, s->ins_lat, s->p_stage_cyc);
		printf("\n");
	}
	if (s->has & PERF_SAMPLE_DATA_SRC)
		printf(" . data_src: 0x%" PRIx64 "\n", s->data_src);
	if (s->has & PERF_SAMPLE_PHYS_ADDR)
		printf(" .. phys_addr: 0x%" PRIx64 "\n", s->phys_addr);
	if (s->has & PERF_SAMPLE_DATA_PAGE_SIZE)
		printf(" .. data page size: %s\n", page_name(s->data_page_size));
	if (s->has & PERF_SAMPLE_CODE_PAGE_SIZE)
		printf(" .. code page size: %s\n", page_name(s->code_page_size));
	if (s->has & PERF_SAMPLE_TRANSACTION)
		printf("... transaction: %" PRIx64 "\n", s->transaction);
}

/* Prints a sample as perf does: a missing field is -1, and a missing period is the period of the
 * event. */
static void print_sample(struct pd_file *f, const struct pd_raw *rec)
{
	struct pd_sample s;

	if (pd_sample(f, rec, &s)) {
		printf(" damaged\n");
		return;
	}
	if (!(s.has & PERF_SAMPLE_TID))
		s.pid = s.tid = UINT32_MAX;
	if (!(s.has & PERF_SAMPLE_PERIOD) && s.evsel)
		s.period = s.evsel->attr.sample_period;
	printf("(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n", s.misc,
	       (int)s.pid, (int)s.tid, s.ip, s.period, s.addr);
	if (s.has & PERF_SAMPLE_CALLCHAIN) {
		printf("... FP chain: nr:%" PRIu64 "\n", s.ncallchain);
		print_words(f, s.callchain, s.ncallchain);
	}
	if (s.has & PERF_SAMPLE_BRANCH_STACK)
		print_branches(f, &s);
	if (s.has & PERF_SAMPLE_REGS_USER && s.user_regs)
		print_regs(f, "user", s.user_regs_abi, s.user_regs_mask, s.user_regs);
	if (s.has & PERF_SAMPLE_REGS_INTR && s.intr_regs)
		print_regs(f, "intr", s.intr_regs_abi, s.intr_regs_mask, s.intr_regs);
	if (s.has & PERF_SAMPLE_STACK_USER)
		printf("... ustack: size %" PRIu64 "\n", s.user_stack_size);
	print_memory(&s);
}

static void print_map(const struct pd_side *s)
{
	printf(" %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ ", s->map.pid, s->map.tid, s->map.start,
	       s->map.len);
	printf(s->map.pgoff ? "%#" PRIx64 : "%" PRIx64, s->map.pgoff);
	if (s->kind == PERF_RECORD_MMAP) {
		printf("]: %c %s\n", s->map.is_data ? 'r' : 'x', s->map.path);
		return;
	}
	if (s->map.build_id_size || s->misc & 1 << 14) {
		printf(" <");
		for (unsigned i = 0; i < s->map.build_id_size; i++)
			printf("%02x", s->map.build_id[i]);
		printf(">]: ");
	} else {
		printf(" %02x:%02x %" PRIu64 " %" PRIu64 "]: ", s->map.maj, s->map.min, s->map.ino,
		       s->map.ino_generation);
	}
	printf("%c%c%c%c %s\n", s->map.prot & PROT_READ ? 'r' : '-',
	       s->map.prot & PROT_WRITE ? 'w' : '-', s->map.prot & PROT_EXEC ? 'x' : '-',
	       s->map.flags & MAP_SHARED ? 's' : 'p', s->map.path);
}

static void print_switch(const struct pd_side *s)
{
	printf(" %s", !s->context.out ? "IN" : s->context.preempt ? "OUT preempt" : "OUT");
	if (s->kind == PERF_RECORD_SWITCH_CPU_WIDE)
		printf(" %s pid/tid: %d/%d", s->context.out ? "next" : "prev",
		       (int)s->context.next_prev_pid, (int)s->context.next_prev_tid);
	printf("\n");
}

static void print_side(const struct pd_side *s)
{
	switch (s->kind) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		print_map(s);
		break;
	case PERF_RECORD_COMM:
		printf("%s: %s:%d/%d\n", s->comm.exec ? " exec" : "", s->comm.comm,
		       (int)s->comm.pid, (int)s->comm.tid);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		printf("(%d:%d):(%d:%d)\n", (int)s->task.pid, (int)s->task.tid, (int)s->task.ppid,
		       (int)s->task.ptid);
		break;
	case PERF_RECORD_LOST:
		printf(": id:%" PRIu64 ": lost:%" PRIu64 "\n", s->lost.id, s->lost.lost);
		break;
	case PERF_RECORD_KSYMBOL:
		printf(" addr %" PRIx64 " len %u name %s\n", s->ksymbol.addr, s->ksymbol.len,
		       s->ksymbol.name);
		break;
	case PERF_RECORD_CGROUP:
		printf(" cgroup: %" PRIu64 " %s\n", s->cgroup.id, s->cgroup.path);
		break;
	case PERF_RECORD_AUX:
		printf(" offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 "\n",
		       s->aux.offset, s->aux.size, s->aux.flags);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		print_switch(s);
		break;
	default:
		printf("\n");
	}
}

static const char *const names[] = {
	[1] = "MMAP",           [2] = "LOST",          [3] = "COMM",
	[4] = "EXIT",           [5] = "THROTTLE",      [6] = "UNTHROTTLE",
	[7] = "FORK",           [8] = "READ",          [9] = "SAMPLE",
	[10] = "MMAP2",         [11] = "AUX",          [12] = "ITRACE_START",
	[13] = "LOST_SAMPLES",  [14] = "SWITCH",       [15] = "SWITCH_CPU_WIDE",
	[16] = "NAMESPACES",    [17] = "KSYMBOL",      [18] = "BPF_EVENT",
	[19] = "CGROUP",        [20] = "TEXT_POKE",    [21] = "AUX_OUTPUT_HW_ID",
	[64] = "H_ATTR",        [65] = "H_EVENT_TYPE", [66] = "H_TRACING",
	[67] = "H_BUILD_ID",    [68] = "FIN_ROUND",    [69] = "ID_INDEX",
	[70] = "AUXTRACE_INFO", [71] = "AUXTRACE",     [72] = "AUXTRACE_ERROR",
	[73] = "THREAD_MAP",    [74] = "CPU_MAP",      [75] = "STAT_CONFIG",
	[76] = "STAT",          [77] = "STAT_ROUND",   [78] = "EVENT_UPDATE",
	[79] = "TIME_CONV",     [80] = "H_FEATURE",    [81] = "COMPRESSED",
	[82] = "FINISHED_INIT", [83] = "COMPRESSED2",
};

enum { NNAMES = COUNT_OF(names) };

static void print_stamp(uint32_t cpu, uint64_t time, uint64_t has)
{
	if (combined_type & PERF_SAMPLE_CPU)
		printf("%u ", has & PERF_SAMPLE_CPU ? cpu : UINT32_MAX);
	if (combined_type & PERF_SAMPLE_TIME)
		printf("%" PRIu64 " ", has & PERF_SAMPLE_TIME ? time : UINT64_MAX);
}

/* Prints a record of the kernel. Records of perf itself (type 64 and above) are omitted;
 * perfdump.sh also removes them from perf's output. */
static void print_record(struct pd_file *f, const struct pd_raw *rec)
{
	struct pd_side side;
	struct pd_sample s;
	int ret = 0;

	if (rec->type >= 64 || rec->type >= NNAMES || !names[rec->type])
		return;
	if (rec->type == PERF_RECORD_SAMPLE) {
		pd_sample(f, rec, &s);
		print_stamp(s.cpu, s.time, s.has);
	} else {
		ret = pd_side(f, rec, &side);
		if (sample_ids)
			print_stamp(side.id.cpu, side.id.time, side.id.has);
		else
			printf("-1 -1 ");
	}
	/* perf counts offsets in a pipe from the end of the 16-byte header */
	printf("%#" PRIx64 " [%#zx]: PERF_RECORD_%s", rec->offset - (in_pipe ? 16 : 0),
	       rec->size + 8, names[rec->type]);
	if (rec->type == PERF_RECORD_SAMPLE)
		print_sample(f, rec);
	else if (ret < 0)
		printf(" damaged\n");
	else
		print_side(&side);
}

/* Sets combined_type and sample_ids for the events so far. In a pipe, imitates an error of perf, so
 * that the outputs agree: perf uses the attributes of the first event for all later events, too. */
static void note_events(const struct pd_file *f)
{
	uint32_t n = pd_evsel_count(f);

	combined_type = 0;
	for (uint32_t i = 0; i < (in_pipe && n ? 1 : n); i++) {
		combined_type |= pd_evsel_at(f, i)->attr.sample_type;
		sample_ids |= pd_evsel_at(f, i)->attr.sample_id_all;
	}
}

static int dump(struct pd_file *f, bool events, struct md_err *err)
{
	struct pd_order *o;
	struct pd_raw rec;
	struct pd_sample s;
	uint64_t time;
	int ret = pd_order_open(f, &o, err);

	if (ret)
		return ret;
	note_events(f);
	while ((ret = pd_order_next(o, &rec, &time, err)) > 0) {
		if (in_pipe && rec.type == 64)
			note_events(f);
		if (!events)
			print_record(f, &rec);
		else if (rec.type == PERF_RECORD_SAMPLE && !pd_sample(f, &rec, &s))
			printf("%d/%d %" PRIu64 ".%09" PRIu64 ": %s:\n", (int)s.pid, (int)s.tid,
			       s.time / 1000000000, s.time % 1000000000,
			       s.evsel ? s.evsel->name : "?");
	}
	pd_order_close(o);
	return ret;
}

static void print_features(const struct pd_file *f)
{
	const struct pd_features *t = pd_features(f);

	printf("host %s, release %s, perf %s, arch %s, cpu %s, %s\n", t->hostname, t->osrelease,
	       t->version, t->arch, t->cpudesc, t->cpuid);
	printf("cpus %u of %u, memory %" PRIu64 ", build ids %u, times %" PRIu64 " to %" PRIu64
	       ", clock %d (%d) %" PRIu64 " = %" PRIu64 "\n",
	       t->nrcpus_online, t->nrcpus_available, t->total_mem_bytes, t->nbuild_ids,
	       t->first_sample_ns, t->last_sample_ns, t->clockid, t->has_clockid, t->clock_ref_ns,
	       t->clock_ref_realtime_ns);
	printf("pmus");
	for (uint32_t i = 0; i < t->npmus; i++)
		printf(" %u:%s", t->pmus[i].type, t->pmus[i].name);
	printf("\ncmdline");
	for (uint32_t i = 0; i < t->ncmdline; i++)
		printf(" %s", t->cmdline[i]);
	printf("\n");
	for (uint32_t i = 0; i < t->nnodes; i++)
		printf("node %u: %s, %" PRIu64 " bytes\n", t->nodes[i].id, t->nodes[i].cpus,
		       t->nodes[i].mem_total_bytes);
	for (uint32_t i = 0; i < t->ncpus && i < 4; i++)
		printf("cpu %u: core %d socket %d node %d\n", i, t->cpus[i].core, t->cpus[i].socket,
		       t->cpus[i].node);
}

static int count(struct pd_file *f, struct md_err *err)
{
	static uint64_t n[NNAMES];
	const struct pd_losses *l = pd_losses(f);
	struct pd_raw rec;
	struct pd_sample s;
	uint64_t other = 0;
	int ret;

	while ((ret = pd_next(f, &rec, err)) > 0) {
		if (rec.type < NNAMES && names[rec.type])
			n[rec.type]++;
		else
			other++;
		if (rec.type == PERF_RECORD_SAMPLE)
			pd_sample(f, &rec, &s);
	}
	for (size_t i = 0; i < NNAMES; i++) {
		if (n[i])
			printf("%s: %" PRIu64 ", ", names[i], n[i]);
	}
	printf("other: %" PRIu64 "\n", other);
	for (uint32_t i = 0; i < pd_evsel_count(f); i++)
		printf("event %s ids %u type %" PRIx64 "\n", pd_evsel_at(f, i)->name,
		       pd_evsel_at(f, i)->nids, (uint64_t)pd_evsel_at(f, i)->attr.sample_type);
	print_features(f);
	printf("lost %" PRIu64 " samples %" PRIu64 " throttled %" PRIu64 " unknown %" PRIu64
	       " damaged %" PRIu64 " unread %" PRIu64 ": %s\n",
	       l->lost_events, l->lost_samples, l->throttled, l->unknown_records,
	       l->damaged_records, l->unread_bytes, l->what);
	return ret;
}

/* Does the file have the header of a pipe, which is only 16 bytes long? */
static bool has_pipe_header(const char *path)
{
	uint64_t words[2] = { 0 }; /* the magic number and the size of the header */
	FILE *f = fopen(path, "re");
	const bool read = f && fread(words, sizeof(words), 1, f);

	if (f)
		fclose(f);
	return read && (words[1] == sizeof(words) || words[1] == __builtin_bswap64(sizeof(words)));
}

int main(int argc, char **argv)
{
	bool counts = argc == 3 && !strcmp(argv[1], "-c");
	bool events = argc == 3 && !strcmp(argv[1], "-e");
	struct md_err err = { 0 };
	struct pd_file *f = NULL;
	int ret = MD_EUSAGE;

	if (argc == 2 || counts || events)
		ret = pd_open_path(argv[argc - 1], NULL, &f, &err);
	if (!ret)
		in_pipe = has_pipe_header(argv[argc - 1]);
	if (!ret)
		ret = counts ? count(f, &err) : dump(f, events, &err);
	if (ret)
		fprintf(stderr, "pd_dump: %s\n",
			ret == MD_EUSAGE ? "usage: pd_dump [-c|-e] FILE" : err.msg);
	pd_close(f);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
