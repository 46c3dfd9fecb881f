/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds samples of any sample_type for perfdata_build.h. Their fields must be in the order in
 * which perf_event_open(2) lists them. */
#include "perfdata_build.h"

static void words(struct pd_build *b, const uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, p + i * 8, sizeof(v));
		pd_build_u64(b, v);
	}
}

static void fixed_fields(struct pd_build *b, uint64_t type, const struct pd_sample *s)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		pd_build_u64(b, s->id);
	if (type & PERF_SAMPLE_IP)
		pd_build_u64(b, s->ip);
	if (type & PERF_SAMPLE_TID) {
		pd_build_u32(b, s->pid);
		pd_build_u32(b, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		pd_build_u64(b, s->time);
	if (type & PERF_SAMPLE_ADDR)
		pd_build_u64(b, s->addr);
	if (type & PERF_SAMPLE_ID)
		pd_build_u64(b, s->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		pd_build_u64(b, s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		pd_build_u32(b, s->cpu);
		/* The other half of the field CPU is reserved: a reader must ignore it. */
		pd_build_u32(b, 0x77777777);
	}
	if (type & PERF_SAMPLE_PERIOD)
		pd_build_u64(b, s->period);
}

static void counter(struct pd_build *b, uint64_t format, uint64_t value, uint64_t id)
{
	pd_build_u64(b, value);
	if (!(format & PERF_FORMAT_GROUP)) {
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			pd_build_u64(b, 0x1111);
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			pd_build_u64(b, 0x2222);
	}
	if (format & PERF_FORMAT_ID)
		pd_build_u64(b, id);
	if (format & PERF_FORMAT_LOST)
		pd_build_u64(b, 3);
}

static void read_values(struct pd_build *b, uint64_t format, const struct pd_sample *s)
{
	if (!(format & PERF_FORMAT_GROUP)) {
		counter(b, format, s->read_value, s->id);
		return;
	}
	pd_build_u64(b, 2);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		pd_build_u64(b, 0x1111);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		pd_build_u64(b, 0x2222);
	if (format & PERF_FORMAT_ID) {
		counter(b, format, s->read_value + 1, s->id + 1);
		counter(b, format, s->read_value, s->id);
	} else {
		counter(b, format, s->read_value, 0);
		counter(b, format, s->read_value + 1, 0);
	}
}

static void branch_stack(struct pd_build *b, uint64_t kinds, const struct pd_sample *s)
{
	pd_build_u64(b, s->nbranches);
	if (kinds & PERF_SAMPLE_BRANCH_HW_INDEX)
		pd_build_u64(b, UINT64_MAX);
	words(b, s->branches, s->nbranches * 3);
	for (uint64_t i = 0; kinds & 1 << 19 && i < s->nbranches; i++)
		pd_build_u64(b, i);
}

static void registers(struct pd_build *b, uint64_t abi, uint64_t mask, const uint8_t *regs)
{
	pd_build_u64(b, abi);
	if (abi)
		words(b, regs, (uint64_t)__builtin_popcountll(mask));
}

static void user_stack(struct pd_build *b, const struct pd_sample *s)
{
	if (!s->user_stack) {
		pd_build_u64(b, 0);
		return;
	}
	pd_build_u64(b, s->user_stack_size + 8);
	pd_build_bytes(b, s->user_stack, s->user_stack_size);
	pd_build_u64(b, 0);
	pd_build_u64(b, s->user_stack_size);
}

static void variable_fields(struct pd_build *b, const struct perf_event_attr *attr,
			    const struct pd_sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		read_values(b, attr->read_format, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		pd_build_u64(b, s->ncallchain);
		words(b, s->callchain, s->ncallchain);
	}
	if (type & PERF_SAMPLE_RAW) {
		pd_build_u32(b, s->raw_size);
		pd_build_bytes(b, s->raw, s->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		branch_stack(b, attr->branch_sample_type, s);
	if (type & PERF_SAMPLE_REGS_USER)
		registers(b, s->user_regs_abi, attr->sample_regs_user, s->user_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		user_stack(b, s);
}

static void memory_fields(struct pd_build *b, const struct perf_event_attr *attr,
			  const struct pd_sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_WEIGHT)
		pd_build_u64(b, s->weight);
	else if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		pd_build_u64(b, (uint32_t)s->weight | (uint64_t)s->ins_lat << 32 |
					(uint64_t)s->p_stage_cyc << 48);
	if (type & PERF_SAMPLE_DATA_SRC)
		pd_build_u64(b, s->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		pd_build_u64(b, s->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		registers(b, s->intr_regs_abi, attr->sample_regs_intr, s->intr_regs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		pd_build_u64(b, s->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		pd_build_u64(b, s->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		pd_build_u64(b, s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		pd_build_u64(b, s->code_page_size);
	if (type & PERF_SAMPLE_AUX) {
		pd_build_u64(b, s->aux_size);
		pd_build_bytes(b, s->aux, s->aux_size);
	}
}

void pd_build_sample(struct pd_build *b, const struct perf_event_attr *attr,
		     const struct pd_sample *s)
{
	pd_build_begin(b, PERF_RECORD_SAMPLE, s->misc);
	fixed_fields(b, attr->sample_type, s);
	variable_fields(b, attr, s);
	memory_fields(b, attr, s);
	pd_build_end(b);
}
