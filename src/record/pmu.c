/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes an event of a PMU, such as "cpu/mem-loads,ldlat=30/", in the same way as perf. For each
 * term, such as ldlat, a file in sysfs says which bits of which member of perf_event_attr (config,
 * config1, config2) contain its value. memdb needs the encoded event to test it before perf starts,
 * because perf's error messages do not say what the user can do. */
#include "record/pmu.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/machine.h"

#define DEVICES   "/sys/bus/event_source/devices"
#define MAX_TERMS 256 /* maximum size of the text of an event's terms, with its NUL */

/* Does /sys have this file of a PMU? Its path is PMU/DIR/NAME; `dir` and `name` may be "". */
static bool pmu_file_exists(const char *root, const char *pmu, const char *dir, const char *name)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s" DEVICES "/%s%s%s%s%s", root, pmu, *dir ? "/" : "",
			 dir, *name ? "/" : "", name);

	return (size_t)n < sizeof(path) && !access(path, F_OK);
}

/* Checks only whether sysfs has the PMU. Perhaps this PMU cannot sample. */
bool pmu_exists(const char *root, const char *pmu)
{
	return pmu_file_exists(root, pmu, "", "");
}

bool pmu_has_event(const char *root, const char *pmu, const char *event)
{
	return pmu_file_exists(root, pmu, "events", event);
}

bool pmu_has_format(const char *root, const char *pmu, const char *field)
{
	return pmu_file_exists(root, pmu, "format", field);
}

/* Reads the first line of a PMU's file. Returns 0, or -1 if the file is missing or empty. */
static int read_file(const char *root, const char *pmu, const char *dir, const char *name,
		     char *out, size_t len)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s/%s%s%s", pmu, dir, *dir ? "/" : "", name);
	return machine_read_line(root, path, out, len) <= 0 ? -1 : 0;
}

/* Stores the lowest bits of `value` in the bits lo..hi of *config. Returns the remaining high bits
 * of `value`, shifted to the right: they belong in the next range of bits of the format. */
static uint64_t set_bits(uint64_t *config, unsigned lo, unsigned hi, uint64_t value)
{
	unsigned width = hi - lo + 1;
	uint64_t mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;

	*config = (*config & ~(mask << lo)) | (value & mask) << lo;
	return width >= 64 ? 0 : value >> width;
}

/* Stores the value of a term in the bits of *attr that `format` names, for example "config1:0-15"
 * or "config:0-7,32-35". Returns 0, MD_EFORMAT, or MD_EUSAGE if the value is too large. */
static int apply_format(const char *format, uint64_t value, struct perf_event_attr *attr)
{
	uint64_t config1 = attr->config1, config2 = attr->config2, config = attr->config;
	uint64_t *word = !strncmp(format, "config1:", 8)   ? &config1
			 : !strncmp(format, "config2:", 8) ? &config2
			 : !strncmp(format, "config:", 7)  ? &config
							   : NULL;
	const char *p = strchr(format, ':');

	if (!word || !p)
		return MD_EFORMAT;
	while (*p) {
		char *end;
		unsigned long lo = strtoul(++p, &end, 10), hi = lo;

		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		if (end == p || lo > hi || hi > 63 || (*end && *end != ','))
			return MD_EFORMAT;
		value = set_bits(word, (unsigned)lo, (unsigned)hi, value);
		p = end;
	}
	if (value) /* the value has more bits than the field */
		return MD_EUSAGE;
	attr->config = config;
	attr->config1 = config1;
	attr->config2 = config2;
	return 0;
}

static int apply_terms(const char *root, const char *pmu, const char *terms, bool nested,
		       struct perf_event_attr *attr, struct md_err *err);

/* Applies a named event, such as mem-loads. Its file in sysfs contains a list of terms. */
static int apply_event(const char *root, const char *pmu, const char *name,
		       struct perf_event_attr *attr, struct md_err *err)
{
	char terms[MAX_TERMS];

	if (read_file(root, pmu, "events", name, terms, sizeof(terms)))
		return md_fail(err, MD_ENOENT, "PMU '%s' has no event '%s'", pmu, name);
	return apply_terms(root, pmu, terms, true, attr, err);
}

/* Applies one term. A term without "=" may be the name of an event. `nested` is true for the terms
 * in the list of a named event: they cannot be names of events again. */
static int apply_term(const char *root, const char *pmu, char *term, bool nested,
		      struct perf_event_attr *attr, struct md_err *err)
{
	char *value = strchr(term, '=');
	char format[MAX_TERMS];
	int ret;

	if (value)
		*value++ = 0;
	if (read_file(root, pmu, "format", term, format, sizeof(format))) {
		if (!value && !nested)
			return apply_event(root, pmu, term, attr, err);
		return md_fail(err, MD_ENOENT, "PMU '%s' has no field '%s'", pmu, term);
	}
	ret = apply_format(format, value ? strtoull(value, NULL, 0) : 1, attr);
	if (ret == MD_EUSAGE)
		return md_fail(err, MD_EUSAGE, "PMU '%s' takes no %s as large as %s (%s)", pmu,
			       term, value ? value : "1", format);
	if (ret)
		return md_fail(err, MD_EFORMAT, "PMU '%s' gives field '%s' as '%s'", pmu, term,
			       format);
	return 0;
}

/* Applies all terms of a list; they are separated by commas. */
static int apply_terms(const char *root, const char *pmu, const char *terms, bool nested,
		       struct perf_event_attr *attr, struct md_err *err)
{
	char copy[MAX_TERMS], *save = NULL;
	int ret = 0;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", terms) >= sizeof(copy))
		return md_fail(err, MD_EFORMAT, "terms of PMU '%s' are too long", pmu);
	for (char *t = strtok_r(copy, ",", &save); t && !ret; t = strtok_r(NULL, ",", &save))
		ret = apply_term(root, pmu, t, nested, attr, err);
	return ret;
}

int pmu_encode(const char *root, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct md_err *err)
{
	char path[PATH_MAX];
	int type;

	snprintf(path, sizeof(path), DEVICES "/%s/type", pmu);
	type = machine_read_int(root, path);
	if (type < 0)
		return md_fail(err, MD_ENOENT, "there is no PMU '%s'", pmu);
	attr->type = (unsigned)type;
	return apply_terms(root, pmu, terms, false, attr, err);
}
