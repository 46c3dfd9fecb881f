/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes PERF_RECORD_SAMPLE to struct pd_sample. The fields come in the order in which the
 * kernel's perf_output_sample() writes them. An import spends much of its time here: a page-fault
 * sample with a call chain takes about 10 ns.
 */
#include "perfdata/internal.h"

/* Returns word n of the body, in the byte order of this machine. The caller has checked the
 * length. */
static uint64_t word_at(const struct pd_file *f, const uint8_t *body, size_t n)
{
	uint64_t v;

	memcpy(&v, body + n * 8, sizeof(v));
	return f->swap ? __builtin_bswap64(v) : v;
}

/* Finds the event of a sample by the id in the sample. Where the id is depends on the event. So
 * each offset at which some event has its id is tried. An offset is right if the word there is the
 * id of an event that has its id at this offset. */
static const struct evsel *evsel_by_id(struct pd_file *f, const struct pd_raw *rec)
{
	for (uint32_t left = f->id_words; left; left &= left - 1) {
		unsigned word = (unsigned)__builtin_ctz(left);
		const struct evsel *e;

		if ((word + 1) * 8 > rec->size)
			break;
		e = pd_ids_find(&f->ids, word_at(f, rec->body, word));
		if (e && e->layout.id_word == word)
			return e;
		/* samples that perf itself makes have id 0 and belong to the first event */
		if (!word_at(f, rec->body, word) && f->evsels[0]->layout.id_word == word)
			return f->evsels[0];
	}
	return NULL;
}

static const struct evsel *sample_evsel(struct pd_file *f, const struct pd_raw *rec)
{
	if (f->nevsels == 1)
		return f->evsels[0];
	return evsel_by_id(f, rec);
}

/* Reads the next word. The caller has checked the length. */
static inline __attribute__((always_inline)) uint64_t take_u64(const uint8_t **p, bool swap)
{
	uint64_t v;

	memcpy(&v, *p, sizeof(v));
	*p += sizeof(v);
	return swap ? __builtin_bswap64(v) : v;
}

static inline __attribute__((always_inline)) uint32_t take_u32(const uint8_t **p, bool swap)
{
	uint32_t v;

	memcpy(&v, *p, sizeof(v));
	*p += sizeof(v);
	return swap ? __builtin_bswap32(v) : v;
}

/* Decodes the leading fields, which have one word each. The caller has checked the size of all of
 * them (layout.fixed) at once. */
static inline __attribute__((always_inline)) void read_fixed(const uint8_t *p, bool swap,
							     uint64_t type, struct pd_sample *s)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = take_u64(&p, swap);
	if (type & PERF_SAMPLE_IP)
		s->ip = take_u64(&p, swap);
	if (type & PERF_SAMPLE_TID) {
		s->pid = take_u32(&p, swap);
		s->tid = take_u32(&p, swap);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = take_u64(&p, swap);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = take_u64(&p, swap);
	if (type & PERF_SAMPLE_ID)
		s->id = take_u64(&p, swap);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = take_u64(&p, swap);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = take_u32(&p, swap);
		p += 4;
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = take_u64(&p, swap);
}

/* Returns the next n elements of `each` bytes. If there are fewer, returns NULL and sets
 * c->failed. */
static inline __attribute__((always_inline)) const uint8_t *read_array(struct cursor *c, uint64_t n,
								       size_t each)
{
	if (n > cursor_left(c) / each) {
		c->failed = true;
		return NULL;
	}
	return cursor_bytes(c, n * each);
}

/* Reads the counters of PERF_SAMPLE_READ: one value or, for a group, {value, id, lost} of each
 * event in it. Stores the value of the event with the sample's id; if there is no such event, the
 * value of the leader, which comes first. */
static void read_counts(struct cursor *c, const struct pd_layout *l, struct pd_sample *s)
{
	uint64_t format = l->read_format;
	bool group = format & PERF_FORMAT_GROUP, ids = format & PERF_FORMAT_ID;
	size_t each = 8 + (ids ? 8 : 0) + (format & PD_FORMAT_LOST ? 8 : 0);
	uint64_t n = group ? cursor_u64(c) : 1;

	if (!group)
		s->read_value = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cursor_skip(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cursor_skip(c, 8);
	if (!group) {
		cursor_skip(c, each - 8);
		return;
	}
	if (n > cursor_left(c) / each) {
		c->failed = true;
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t value = cursor_u64(c);
		uint64_t id = ids ? cursor_u64(c) : 0;

		cursor_skip(c, each - 8 - (ids ? 8 : 0));
		if (i == 0 || (id && id == s->id))
			s->read_value = value;
	}
}

static void read_raw(struct cursor *c, struct pd_sample *s)
{
	/* the size includes padding at the end of the raw data, which aligns the next field */
	s->raw_size = cursor_u32(c);
	s->raw = cursor_bytes(c, s->raw_size);
}

static void read_branches(struct cursor *c, const struct pd_layout *l, struct pd_sample *s)
{
	s->nbranches = cursor_u64(c);
	if (l->branch_index)
		cursor_skip(c, 8);
	s->branches = read_array(c, s->nbranches, 24);
	if (l->branch_counters)
		read_array(c, s->nbranches, 8);
}

static const uint8_t *read_regs(struct cursor *c, uint64_t *abi, uint64_t *mask, uint64_t wanted)
{
	*abi = cursor_u64(c);
	if (!*abi)
		return NULL;
	*mask = wanted;
	return cursor_bytes(c, 8 * (uint64_t)__builtin_popcountll(wanted));
}

/* Reads a part of the user's stack: the reserved size, the bytes, then the size that the kernel
 * has filled. */
static void read_stack(struct cursor *c, struct pd_sample *s)
{
	uint64_t size = cursor_u64(c);

	if (!size)
		return;
	s->user_stack = cursor_bytes(c, size);
	s->user_stack_size = cursor_u64(c);
	if (s->user_stack_size > size)
		c->failed = true;
}

/* Reads the weight, a u64. With PERF_SAMPLE_WEIGHT_STRUCT, its lower half is the latency, whatever
 * the byte order of the file. */
static void read_weight(struct cursor *c, uint64_t type, struct pd_sample *s)
{
	uint64_t w = cursor_u64(c);

	s->weight = w;
	if (type & PERF_SAMPLE_WEIGHT)
		return;
	s->weight = (uint32_t)w;
	s->ins_lat = (uint16_t)(w >> 32);
	s->p_stage_cyc = (uint16_t)(w >> 48);
}

static inline __attribute__((always_inline)) void read_memory(struct cursor *c, uint64_t type,
							      struct pd_sample *s)
{
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		read_weight(c, type, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cursor_u64(c);
}

/* Fields that few recordings have. One test of all these bits skips all these fields. */
#define TAIL_FIELDS                                                           \
	(PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

static void read_tail(struct cursor *c, const struct pd_layout *l, struct pd_sample *s)
{
	if (l->type & PERF_SAMPLE_REGS_INTR)
		s->intr_regs = read_regs(c, &s->intr_regs_abi, &s->intr_regs_mask, l->intr_mask);
	if (l->type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(c);
	if (l->type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	if (l->type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor_u64(c);
	if (l->type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor_u64(c);
	if (l->type & PERF_SAMPLE_AUX) {
		s->aux_size = cursor_u64(c);
		s->aux = cursor_bytes(c, s->aux_size);
	}
}

/* Decodes the fields of a sample. Returns false if the record is too short. The compiler makes one
 * version for each value of `swap`, so that the native byte order costs nothing. */
static inline __attribute__((always_inline)) bool decode_sample(const struct pd_raw *rec, bool swap,
								const struct pd_layout *l,
								struct pd_sample *s)
{
	struct cursor c = cursor_make(rec->body, rec->size, swap);
	const uint8_t *fixed = cursor_bytes(&c, l->fixed);
	const uint64_t type = l->type;

	if (!fixed)
		return false;
	read_fixed(fixed, swap, type, s);
	if (type & PERF_SAMPLE_READ)
		read_counts(&c, l, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->ncallchain = cursor_u64(&c);
		s->callchain = read_array(&c, s->ncallchain, 8);
	}
	if (type & PERF_SAMPLE_RAW)
		read_raw(&c, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(&c, l, s);
	if (type & PERF_SAMPLE_REGS_USER)
		s->user_regs = read_regs(&c, &s->user_regs_abi, &s->user_regs_mask, l->user_mask);
	if (type & PERF_SAMPLE_STACK_USER)
		read_stack(&c, s);
	read_memory(&c, type, s);
	if (type & TAIL_FIELDS)
		read_tail(&c, l, s);
	return !c.failed;
}

/* Counts a damaged sample. Samples may be decoded in several passes, so damaged ones are counted
 * only in the first pass that finds one. Returns MD_EFORMAT. */
static int damaged_sample(struct pd_file *f, const struct pd_raw *rec)
{
	if (!f->sample_pass)
		f->sample_pass = f->pass;
	if (f->pass == f->sample_pass)
		f->losses.damaged_records++;
	pd_damage(f, "the sample at offset %llu is shorter than its fields",
		  (unsigned long long)rec->offset);
	return MD_EFORMAT;
}

int pd_sample(struct pd_file *f, const struct pd_raw *rec, struct pd_sample *out)
{
	const struct evsel *e = sample_evsel(f, rec);
	const struct pd_layout *l = e ? &e->layout : &f->common;

	*out = (struct pd_sample){ .evsel = e ? &e->pub : NULL, .has = l->type, .misc = rec->misc };
	if (f->swap ? decode_sample(rec, true, l, out) : decode_sample(rec, false, l, out))
		return 0;
	return damaged_sample(f, rec);
}

const struct evsel *pd_tail_evsel(struct pd_file *f, const struct pd_raw *rec)
{
	size_t words = rec->size / 8;

	if (f->nevsels == 1)
		return f->evsels[0];
	for (uint32_t left = f->tail_ids; left; left &= left - 1) {
		unsigned word = (unsigned)__builtin_ctz(left);
		const struct evsel *e;
		uint64_t id;

		if (word > words)
			break;
		id = word_at(f, rec->body + rec->size - word * 8, 0);
		e = pd_ids_find(&f->ids, id);
		if (e && e->layout.tail_id == word)
			return e;
		/* records that perf itself makes have id 0 and belong to the first event */
		if (!id && f->evsels[0]->layout.tail_id == word)
			return f->evsels[0];
	}
	/* the layout of sample_id is the same for all events, so any event can be used */
	return f->tails_agree && f->nevsels ? f->evsels[0] : NULL;
}

/* Gets the time of a sample without decoding the rest. Returns false if the sample has no time. */
static bool sample_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time)
{
	const struct evsel *e = NULL;
	uint8_t word = f->common.time_word;

	if (word == PD_NO_WORD && f->nevsels > 1) {
		e = sample_evsel(f, rec);
		word = e ? e->layout.time_word : PD_NO_WORD;
	}
	if (word == PD_NO_WORD || rec->size < (word + 1u) * 8)
		return false;
	*time = word_at(f, rec->body, word);
	return true;
}

/* Gets the time in the body of a FORK, EXIT, THROTTLE or UNTHROTTLE, for recordings whose sample_id
 * has no time. Returns false for other records. */
static bool own_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);

	switch (rec->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		cursor_skip(&c, 16);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		break;
	default:
		return false;
	}
	*time = cursor_u64(&c);
	return !c.failed;
}

static bool side_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time)
{
	const struct evsel *e = pd_tail_evsel(f, rec);
	uint8_t word = e ? e->layout.tail_time : 0;

	if (!word)
		return own_time(f, rec, time);
	if (rec->size < word * 8u)
		return false;
	*time = word_at(f, rec->body + rec->size - word * 8u, 0);
	return true;
}

bool pd_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time)
{
	bool has;

	if (rec->type >= PD_USER_FIRST)
		return false;
	has = rec->type == PERF_RECORD_SAMPLE ? sample_time(f, rec, time) : side_time(f, rec, time);
	/* records that perf itself makes have 0 or -1 if they have no time */
	return has && *time && *time != UINT64_MAX;
}

bool pd_user_reg(const struct pd_file *f, const struct pd_sample *s, unsigned reg, uint64_t *value)
{
	uint64_t below;

	if (reg >= 64 || !s->user_regs || !(s->user_regs_mask >> reg & 1))
		return false;
	below = s->user_regs_mask & ((UINT64_C(1) << reg) - 1);
	*value = word_at(f, s->user_regs, (size_t)__builtin_popcountll(below));
	return true;
}
