/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes records that are not samples: processes, mappings, losses. */
#include "perfdata/internal.h"

enum {
	MISC_MMAP_BUILD_ID = 1 << 14, /* PERF_RECORD_MISC_MMAP_BUILD_ID, since Linux 5.12 */
	KSYMBOL_UNREGISTER = 1,
};

/* Decodes the sample_id, the fields at the end of a record that the kernel wrote. If there are
 * none, *id is 0. */
static void read_sample_id(struct pd_file *f, const struct pd_raw *rec, struct pd_sample_id *id)
{
	const struct evsel *e = pd_tail_evsel(f, rec);
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint64_t type;

	*id = (struct pd_sample_id){ 0 };
	if (!e || !e->layout.tail_words || rec->size < e->layout.tail_words * 8u)
		return;
	type = e->layout.type;
	cursor_skip(&c, rec->size - e->layout.tail_words * 8u);
	if (type & PERF_SAMPLE_TID) {
		id->pid = cursor_u32(&c);
		id->tid = cursor_u32(&c);
	}
	if (type & PERF_SAMPLE_TIME)
		id->time = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		id->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		id->stream_id = cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = cursor_u32(&c);
		cursor_skip(&c, 4);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		id->id = cursor_u64(&c);
	id->has = type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
}

/* Returns the string at the cursor, then moves the cursor to the end of the record. */
static const char *read_text(struct cursor *c)
{
	return cursor_string(c, cursor_left(c));
}

static void read_mmap2(struct cursor *c, struct pd_side *s)
{
	if (s->misc & MISC_MMAP_BUILD_ID) {
		uint8_t size = cursor_u8(c);
		const uint8_t *id;

		cursor_skip(c, 3);
		id = cursor_bytes(c, sizeof(s->map.build_id));
		if (size > sizeof(s->map.build_id))
			c->failed = true;
		if (c->failed)
			return;
		memcpy(s->map.build_id, id, size);
		s->map.build_id_size = size;
	} else {
		s->map.maj = cursor_u32(c);
		s->map.min = cursor_u32(c);
		s->map.ino = cursor_u64(c);
		s->map.ino_generation = cursor_u64(c);
	}
	s->map.prot = cursor_u32(c);
	s->map.flags = cursor_u32(c);
	s->map.has_prot = true;
}

static void read_map(struct cursor *c, struct pd_side *s)
{
	s->map.pid = cursor_u32(c);
	s->map.tid = cursor_u32(c);
	s->map.start = cursor_u64(c);
	s->map.len = cursor_u64(c);
	s->map.pgoff = cursor_u64(c);
	s->map.is_data = s->misc & PERF_RECORD_MISC_MMAP_DATA;
	if (s->kind == PERF_RECORD_MMAP2)
		read_mmap2(c, s);
	s->map.path = read_text(c);
}

static void read_comm(struct cursor *c, struct pd_side *s)
{
	s->comm.pid = cursor_u32(c);
	s->comm.tid = cursor_u32(c);
	s->comm.comm = read_text(c);
	s->comm.exec = s->misc & PERF_RECORD_MISC_COMM_EXEC;
}

static void read_task(struct cursor *c, struct pd_side *s)
{
	s->task.pid = cursor_u32(c);
	s->task.ppid = cursor_u32(c);
	s->task.tid = cursor_u32(c);
	s->task.ptid = cursor_u32(c);
	s->task.time = cursor_u64(c);
}

static void read_throttle(struct cursor *c, struct pd_side *s)
{
	s->throttle.time = cursor_u64(c);
	s->throttle.id = cursor_u64(c);
	s->throttle.stream_id = cursor_u64(c);
}

static void read_switch(struct cursor *c, struct pd_side *s)
{
	s->context.out = s->misc & PERF_RECORD_MISC_SWITCH_OUT;
	s->context.preempt = s->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	if (s->kind == PERF_RECORD_SWITCH)
		return;
	s->context.next_prev_pid = cursor_u32(c);
	s->context.next_prev_tid = cursor_u32(c);
}

static void read_ksymbol(struct cursor *c, struct pd_side *s)
{
	s->ksymbol.addr = cursor_u64(c);
	s->ksymbol.len = cursor_u32(c);
	cursor_skip(c, 2); /* the kind of symbol: BPF program or trampoline */
	s->ksymbol.unregister = cursor_u16(c) & KSYMBOL_UNREGISTER;
	s->ksymbol.name = read_text(c);
}

/* Decodes records that consist of a few numbers. Returns false for a type that memdb does not
 * import. */
static bool read_numbers(struct cursor *c, struct pd_side *s)
{
	switch (s->kind) {
	case PERF_RECORD_LOST:
		s->lost.id = cursor_u64(c);
		s->lost.lost = cursor_u64(c);
		return true;
	case PERF_RECORD_LOST_SAMPLES:
		s->lost.lost = cursor_u64(c);
		return true;
	case PERF_RECORD_NAMESPACES:
		s->namespaces.pid = cursor_u32(c);
		s->namespaces.tid = cursor_u32(c);
		return true;
	case PERF_RECORD_CGROUP:
		s->cgroup.id = cursor_u64(c);
		s->cgroup.path = read_text(c);
		return true;
	case PERF_RECORD_AUX:
		s->aux.offset = cursor_u64(c);
		s->aux.size = cursor_u64(c);
		s->aux.flags = cursor_u64(c);
		return true;
	default:
		return false;
	}
}

static bool read_body(struct cursor *c, struct pd_side *s)
{
	switch (s->kind) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		read_map(c, s);
		return true;
	case PERF_RECORD_COMM:
		read_comm(c, s);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		read_task(c, s);
		return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		read_throttle(c, s);
		return true;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		read_switch(c, s);
		return true;
	case PERF_RECORD_KSYMBOL:
		read_ksymbol(c, s);
		return true;
	default:
		return read_numbers(c, s);
	}
}

int pd_side(struct pd_file *f, const struct pd_raw *rec, struct pd_side *out)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);

	memset(out, 0, sizeof(*out));
	out->kind = rec->type;
	out->misc = rec->misc;
	if (rec->type >= PD_USER_FIRST || rec->type == PERF_RECORD_SAMPLE)
		return 0;
	read_sample_id(f, rec, &out->id);
	if (!read_body(&c, out))
		return 0;
	if (!c.failed)
		return 1;
	if (!f->side_pass)
		f->side_pass = f->pass;
	if (f->pass == f->side_pass)
		f->losses.damaged_records++;
	pd_damage(f, "the record at offset %llu (type %u) is shorter than its fields",
		  (unsigned long long)rec->offset, rec->type);
	return MD_EFORMAT;
}
