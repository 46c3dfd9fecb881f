/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills every field of samples and events with different values, for the tests of the perf.data
 * reader. */
#ifndef MEMDB_TESTS_PERFDATA_FILL_H
#define MEMDB_TESTS_PERFDATA_FILL_H

#include "perfdata/perfdata.h"

enum { FILL_WORDS = 64 };

/* Storage for the arrays that a filled sample points to. */
struct fill {
	uint64_t words[FILL_WORDS];
	uint8_t raw[12]; /* size of the bytes (u32, a multiple of 8), then the bytes */
};

/* Returns the next random number (xorshift64*). The sequence is the same on every machine. */
static inline uint64_t fill_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* Returns an attribute of this sample_type with five user and three interrupt registers. */
static inline struct perf_event_attr fill_attr(uint64_t sample_type)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = sample_type,
		.sample_period = 1,
		.sample_id_all = 1,
		.exclude_guest = 1,
		.sample_regs_user = 0x1f,
		.sample_regs_intr = 0x70,
		.sample_stack_user = 24,
		.read_format = PERF_FORMAT_ID,
	};
}

/* Sets every field of *s to a value derived from *state. The sample points into *f. */
static inline void fill_sample(struct pd_sample *s, struct fill *f, uint64_t id, uint64_t *state)
{
	const uint8_t *words = (const uint8_t *)f->words;

	for (unsigned i = 0; i < FILL_WORDS; i++)
		f->words[i] = fill_next(state);
	for (unsigned i = 0; i < sizeof(f->raw); i++)
		f->raw[i] = (uint8_t)fill_next(state);
	*s = (struct pd_sample){ .misc = PERF_RECORD_MISC_USER, .id = id };
	s->ip = fill_next(state);
	s->time = fill_next(state) >> 20;
	s->addr = fill_next(state);
	s->stream_id = fill_next(state);
	s->period = fill_next(state) >> 32;
	s->pid = (uint32_t)fill_next(state) >> 8;
	s->tid = (uint32_t)fill_next(state) >> 8;
	s->cpu = (uint32_t)fill_next(state) & 511;
	s->weight = (uint32_t)fill_next(state);
	s->ins_lat = (uint16_t)fill_next(state);
	s->p_stage_cyc = (uint16_t)fill_next(state);
	s->data_src = fill_next(state);
	s->transaction = fill_next(state);
	s->phys_addr = fill_next(state);
	s->cgroup = fill_next(state);
	s->data_page_size = 4096;
	s->code_page_size = 2 << 20;
	s->read_value = fill_next(state);
	s->callchain = words;
	s->ncallchain = fill_next(state) % 9;
	s->branches = words + 8;
	s->nbranches = fill_next(state) % 5;
	s->raw = f->raw;
	s->raw_size = sizeof(f->raw);
	s->user_regs_abi = s->intr_regs_abi = PERF_SAMPLE_REGS_ABI_64;
	s->user_regs = words + 16;
	s->intr_regs = words + 24;
	s->user_stack = words + 32;
	s->user_stack_size = fill_next(state) % 4 * 8 + 8;
	s->aux = words + 40;
	s->aux_size = fill_next(state) % 4 * 8;
}

#endif
