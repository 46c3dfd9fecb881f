/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes where the fields are in the records of an event, from the sample_type of the event. */
#include "base/count.h"
#include "perfdata/internal.h"

/* The fields with which a sample begins, in their order. Each has one word. */
static const uint64_t fixed_order[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,       PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
};

/* The fields of sample_id, in the reverse of their order: they are found from the end of a
 * record. */
static const uint64_t tail_order[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,  PERF_SAMPLE_STREAM_ID,
	PERF_SAMPLE_ID,         PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
};

static void place_fixed(struct pd_layout *l)
{
	uint8_t word = 0;

	l->id_word = l->time_word = PD_NO_WORD;
	for (size_t i = 0; i < COUNT_OF(fixed_order); i++) {
		uint64_t bit = l->type & fixed_order[i];

		if (!bit)
			continue;
		if (bit == PERF_SAMPLE_TIME)
			l->time_word = word;
		if (bit == PERF_SAMPLE_IDENTIFIER ||
		    (bit == PERF_SAMPLE_ID && l->id_word == PD_NO_WORD))
			l->id_word = word;
		word++;
	}
	l->fixed = word * 8u;
}

static void place_tail(struct pd_layout *l)
{
	uint8_t word = 0;

	for (size_t i = 0; i < COUNT_OF(tail_order); i++) {
		uint64_t bit = l->type & tail_order[i];

		if (!bit)
			continue;
		word++;
		if (bit == PERF_SAMPLE_TIME)
			l->tail_time = word;
		if (bit == PERF_SAMPLE_IDENTIFIER || (bit == PERF_SAMPLE_ID && !l->tail_id))
			l->tail_id = word;
	}
	l->tail_words = word;
}

void pd_layout_make(struct pd_layout *l, const struct perf_event_attr *attr)
{
	*l = (struct pd_layout){
		.type = attr->sample_type & (PERF_SAMPLE_MAX - 1),
		.user_mask = attr->sample_regs_user,
		.intr_mask = attr->sample_regs_intr,
		.read_format = attr->read_format,
		.branch_index = attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX,
		.branch_counters = attr->branch_sample_type & PD_BRANCH_COUNTERS,
	};
	place_fixed(l);
	if (attr->sample_id_all)
		place_tail(l);
}

static bool same_sample(const struct pd_layout *a, const struct pd_layout *b)
{
	return a->type == b->type && a->user_mask == b->user_mask && a->intr_mask == b->intr_mask &&
	       a->read_format == b->read_format && a->branch_index == b->branch_index &&
	       a->branch_counters == b->branch_counters;
}

/* Keeps in *l only those leading fields (fixed_order) that the layout b has at the same offsets. */
static void keep_common(struct pd_layout *l, const struct pd_layout *b)
{
	uint64_t agreed = 0;

	for (size_t i = 0; i < COUNT_OF(fixed_order); i++) {
		if ((l->type ^ b->type) & fixed_order[i])
			break;
		agreed |= l->type & fixed_order[i];
	}
	l->type = agreed;
	place_fixed(l);
}

static bool same_tail(const struct pd_layout *a, const struct pd_layout *b)
{
	uint64_t fields = 0;

	for (size_t i = 0; i < COUNT_OF(tail_order); i++)
		fields |= tail_order[i];
	if (!a->tail_words && !b->tail_words)
		return true;
	return a->tail_words == b->tail_words && !((a->type ^ b->type) & fields);
}

void pd_layout_join(struct pd_file *f, const struct evsel *e)
{
	const struct pd_layout *l = &e->layout;

	if (e->pub.index == 0) {
		f->common = *l;
		f->tails_agree = true;
	} else {
		if (!same_sample(&f->common, l))
			keep_common(&f->common, l);
		f->tails_agree = f->tails_agree && same_tail(&f->evsels[0]->layout, l);
	}
	if (l->id_word != PD_NO_WORD)
		f->id_words |= 1u << l->id_word;
	if (l->tail_id)
		f->tail_ids |= 1u << l->tail_id;
}
