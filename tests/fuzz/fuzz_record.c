/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: reads arbitrary bytes as the fields of records, whose event is also a part of
 * the input. The rest of the file is valid, so that the input reaches the decoders.
 *
 * u8 flags: bit 0: a pipe; bit 1: the other byte order; bit 2: a second event of the same kind
 * u32 sample_type (bits), u8 read_format, u8 registers, u8 branch_sample_type
 * then for each record: u8 type, u8 misc, u8 n, n * 8 bytes
 *
 * Pointers in a decoded record must point into the record.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 8, RECORD_HEAD = 3 };

static volatile uint64_t sink;

static struct perf_event_attr attr_of(const uint8_t *p)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.sample_id_all = 1,
		.read_format = p[5],
		.sample_regs_user = (uint64_t)p[6] << (p[6] & 31),
		.sample_regs_intr = p[6],
		.branch_sample_type = (uint64_t)p[7] << 12,
	};
	uint32_t type;

	memcpy(&type, p + 1, sizeof(type));
	attr.sample_type = type;
	return attr;
}

static void add_record(struct pd_build *b, const uint8_t *head, const uint8_t *body, size_t size)
{
	pd_build_begin(b, head[0], (uint16_t)(head[1] << 8 | (head[1] & 7)));
	pd_build_bytes(b, body, size);
	pd_build_end(b);
}

static uint8_t *build(const uint8_t *p, size_t size, size_t *len)
{
	struct perf_event_attr attr = attr_of(p);
	const uint8_t *end = p + size;
	struct pd_build b;
	uint8_t *image;
	uint64_t id = 1;

	pd_build_init(&b, p[0] & 1, p[0] & 2);
	pd_build_event(&b, &attr, &id, 1);
	id = 2;
	if (p[0] & 4)
		pd_build_event(&b, &attr, &id, 1);
	for (p += HEAD; end - p >= RECORD_HEAD;) {
		size_t n = (size_t)p[2] * 8, left = (size_t)(end - p) - RECORD_HEAD;

		n = n < left ? n : left;
		add_record(&b, p, p + RECORD_HEAD, n);
		p += RECORD_HEAD + n;
	}
	image = pd_build_image(&b, len);
	pd_build_release(&b);
	return image;
}

/* Aborts unless the n bytes at p are inside the record; reads them. */
static void inside(const struct pd_raw *rec, const uint8_t *p, uint64_t n)
{
	if (!n)
		return;
	if (p < rec->body || n > rec->size || p + n > rec->body + rec->size)
		abort();
	for (uint64_t i = 0; i < n; i++)
		sink += p[i];
}

static void use_sample(struct pd_file *f, const struct pd_raw *rec)
{
	struct pd_sample s;
	uint64_t value;

	if (pd_sample(f, rec, &s))
		return;
	inside(rec, s.callchain, s.ncallchain * 8);
	inside(rec, s.branches, s.nbranches * 24);
	inside(rec, s.raw, s.raw_size);
	inside(rec, s.user_stack, s.user_stack_size);
	inside(rec, s.aux, s.aux_size);
	for (unsigned reg = 0; reg < 70; reg++)
		if (pd_user_reg(f, &s, reg, &value))
			sink += value;
	sink += s.id + s.time + s.read_value;
}

static void use_side(struct pd_file *f, const struct pd_raw *rec)
{
	const char *text = NULL;
	struct pd_side s;

	if (pd_side(f, rec, &s) != 1)
		return;
	if (s.kind == PERF_RECORD_MMAP || s.kind == PERF_RECORD_MMAP2)
		text = s.map.path;
	else if (s.kind == PERF_RECORD_COMM)
		text = s.comm.comm;
	else if (s.kind == PERF_RECORD_KSYMBOL)
		text = s.ksymbol.name;
	else if (s.kind == PERF_RECORD_CGROUP)
		text = s.cgroup.path;
	sink += text ? strlen(text) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;
	uint64_t time;
	size_t len;

	if (size < HEAD)
		return 0;
	image = build(data, size, &len);
	if (!pd_open_mem(image, len, &f, NULL)) {
		while (pd_next(f, &rec, NULL) > 0) {
			sink += pd_time(f, &rec, &time);
			if (rec.type == PERF_RECORD_SAMPLE)
				use_sample(f, &rec);
			else
				use_side(f, &rec);
		}
		pd_close(f);
	}
	free(image);
	return 0;
}
