/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: reads arbitrary bytes as header features of a perf.data file. The rest of the
 * file is valid. The input is:
 *
 * u8 flags: bit 0: a pipe; bit 1: the other byte order
 * then for each feature: u8 number, u16 size, the bytes
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEATURES = 64, HEAD = 3 };

static volatile uint64_t sink;

static uint8_t *build(const uint8_t *p, size_t size, size_t *len)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	const uint8_t *end = p + size;
	struct pd_build b;
	uint8_t *image;
	uint64_t id = 1;

	pd_build_init(&b, p[0] & 1, p[0] & 2);
	pd_build_event(&b, &attr, &id, 1);
	for (p++; end - p >= HEAD;) {
		size_t n = p[1] | (size_t)p[2] << 8, left = (size_t)(end - p) - HEAD;

		n = n < left ? n : left;
		if (n < UINT16_MAX - 64)
			pd_build_feature(&b, p[0] % FEATURES, p + HEAD, n);
		p += HEAD + n;
	}
	image = pd_build_image(&b, len);
	pd_build_release(&b);
	return image;
}

static void use(const char *s)
{
	sink += s ? strlen(s) : 0;
}

static void use_features(const struct pd_file *f)
{
	const struct pd_features *t = pd_features(f);

	use(t->hostname);
	use(t->osrelease);
	use(t->version);
	use(t->arch);
	use(t->cpudesc);
	use(t->cpuid);
	for (uint32_t i = 0; i < t->npmus; i++) {
		use(t->pmus[i].name);
		use(t->pmus[i].cpus);
		use(t->pmus[i].caps);
	}
	for (uint32_t i = 0; i < t->nmemories; i++) {
		uint64_t block = 0, start, end;

		sink += pd_memory_bytes(f, &t->memories[i]);
		while (pd_memory_next(f, &t->memories[i], &block, &start, &end))
			sink += start ^ end;
	}
	for (uint32_t i = 0; i < t->ncmdline; i++)
		use(t->cmdline[i]);
	for (uint32_t i = 0; i < t->nnodes; i++)
		use(t->nodes[i].cpus);
	for (uint32_t i = 0; i < t->ncpus; i++)
		sink += (uint64_t)t->cpus[i].core + (uint64_t)t->cpus[i].node;
	for (uint32_t i = 0; i < t->nbuild_ids; i++)
		use(t->build_ids[i].path);
	for (size_t i = 0; i < t->tracing_data_size; i++)
		sink += t->tracing_data[i];
}

static void use_formats(const struct pd_file *f)
{
	struct pd_format format;
	struct pd_formats it;

	if (!pd_formats_open(f, &it))
		return;
	while (pd_formats_next(&it, &format)) {
		use(format.system);
		sink += format.name_len ? (uint64_t)format.name[format.name_len - 1] : 0;
		sink += format.text_size ? (uint64_t)format.text[format.text_size - 1] : 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;
	size_t len;

	if (!size)
		return 0;
	image = build(data, size, &len);
	if (!pd_open_mem(image, len, &f, NULL)) {
		/* in a pipe, features are records, so they must be read first */
		while (pd_next(f, &rec, NULL) > 0)
			sink += rec.type;
		use_features(f);
		use_formats(f);
		for (uint32_t i = 0; i < pd_evsel_count(f); i++)
			use(pd_evsel_at(f, i)->name);
		pd_close(f);
	}
	free(image);
	return 0;
}
