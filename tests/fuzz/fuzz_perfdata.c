/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads arbitrary bytes as a perf.data and uses every field. Reading must end and must not access
 * bytes outside the image. libFuzzer runs this target (meson -Dfuzz=true), and so does
 * replay_perfdata.c.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/perfdata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void touch(const void *p, uint64_t n)
{
	const uint8_t *b = p;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += b[i];
	sink += sum;
}

static void touch_string(const char *s)
{
	if (s)
		touch(s, strlen(s));
}

static void touch_sample(struct pd_file *f, const struct pd_raw *rec)
{
	struct pd_sample s;
	uint64_t value;

	if (pd_sample(f, rec, &s))
		return;
	touch(s.callchain, s.ncallchain * 8);
	touch(s.branches, s.nbranches * 24);
	touch(s.raw, s.raw_size);
	touch(s.user_stack, s.user_stack_size);
	touch(s.aux, s.aux_size);
	if (s.intr_regs)
		touch(s.intr_regs, (uint64_t)__builtin_popcountll(s.intr_regs_mask) * 8);
	for (unsigned reg = 0; reg < 70; reg++) {
		if (pd_user_reg(f, &s, reg, &value))
			sink += value;
	}
}

static void touch_side(struct pd_file *f, const struct pd_raw *rec)
{
	struct pd_side s;

	if (pd_side(f, rec, &s) != 1)
		return;
	if (s.kind == PERF_RECORD_MMAP || s.kind == PERF_RECORD_MMAP2)
		touch_string(s.map.path);
	else if (s.kind == PERF_RECORD_COMM)
		touch_string(s.comm.comm);
	else if (s.kind == PERF_RECORD_KSYMBOL)
		touch_string(s.ksymbol.name);
	else if (s.kind == PERF_RECORD_CGROUP)
		touch_string(s.cgroup.path);
}

static void touch_features(struct pd_file *f)
{
	const struct pd_features *t = pd_features(f);
	struct pd_formats it;
	struct pd_format format;

	touch_string(t->hostname);
	touch_string(t->cpuid);
	for (uint32_t i = 0; i < t->npmus; i++) {
		touch_string(t->pmus[i].name);
		touch_string(t->pmus[i].cpus);
		touch_string(t->pmus[i].caps);
	}
	for (uint32_t i = 0; i < t->nmemories; i++) {
		uint64_t block = 0, start, end;

		pd_memory_bytes(f, &t->memories[i]);
		while (pd_memory_next(f, &t->memories[i], &block, &start, &end)) {
		}
	}
	touch(t->tracing_data, t->tracing_data_size);
	touch(t->cpus, t->ncpus * sizeof(*t->cpus));
	for (uint32_t i = 0; i < t->ncmdline; i++)
		touch_string(t->cmdline[i]);
	for (uint32_t i = 0; i < t->nnodes; i++)
		touch_string(t->nodes[i].cpus);
	for (uint32_t i = 0; i < t->nbuild_ids; i++)
		touch_string(t->build_ids[i].path);
	for (uint32_t i = 0; i < pd_evsel_count(f); i++) {
		touch_string(pd_evsel_at(f, i)->name);
		touch(pd_evsel_at(f, pd_evsel_at(f, i)->leader), sizeof(struct pd_evsel));
		touch(pd_evsel_at(f, i)->ids, (uint64_t)pd_evsel_at(f, i)->nids * 8);
	}
	touch_string(pd_losses(f)->what);
	if (!pd_formats_open(f, &it))
		return;
	while (pd_formats_next(&it, &format)) {
		touch_string(format.system);
		touch(format.name, format.name_len);
		touch(format.text, format.text_size);
	}
}

static uint64_t file_order(struct pd_file *f)
{
	struct pd_raw rec;
	uint64_t time, n = 0;

	while (pd_next(f, &rec, NULL) > 0) {
		n++;
		touch(rec.body, rec.size);
		sink += pd_time(f, &rec, &time);
		if (rec.type == PERF_RECORD_SAMPLE)
			touch_sample(f, &rec);
		else
			touch_side(f, &rec);
		if (pd_position(f) > pd_data_size(f))
			abort();
	}
	return n;
}

static uint64_t time_order(struct pd_file *f)
{
	struct pd_order *o;
	struct pd_raw rec;
	uint64_t time, n = 0;

	if (pd_order_open(f, &o, NULL))
		return 0;
	while (pd_order_next(o, &rec, &time, NULL) > 0) {
		n++;
		touch(rec.body, rec.size);
		if (rec.type == PERF_RECORD_SAMPLE)
			touch_sample(f, &rec);
	}
	pd_order_close(o);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct md_err err = { 0 };
	/* exactly as large as the input, so that sanitizers detect a read outside of it */
	uint8_t *image = malloc(size ? size : 1);
	struct pd_file *f;
	uint64_t n;

	if (!image)
		return 0;
	memcpy(image, data, size);
	if (pd_open_mem(image, size, &f, &err)) {
		if (f || !err.msg[0])
			abort();
		free(image);
		return 0;
	}
	n = file_order(f);
	touch_features(f);
	pd_rewind(f);
	/* reading in file order and in time order must give the same number of records */
	if (time_order(f) != n)
		abort();
	pd_close(f);
	free(image);
	return 0;
}
