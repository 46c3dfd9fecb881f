/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads arbitrary bytes as the raw data of one sample and the format of its tracepoint. The input
 * is: one byte of flags (bit 0: the other byte order; bit 1: a long has 4 bytes; bit 2: the event
 * belongs to ftrace), two bytes with the size of the raw data, the raw data, the format. The output
 * must be valid JSON of limited size. libFuzzer runs this target (meson -Dfuzz=true), and so does
 * replay_tracepoint.c.
 */
#include <json.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/tracepoint_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(const char *text, const struct tp_format *f, size_t raw_size)
{
	struct json_tokener *t = json_tokener_new();
	struct json_object *o = json_tokener_parse_ex(t, text, (int)strlen(text) + 1);

	if (!o || !json_object_is_type(o, json_type_object))
		abort();
	if (strlen(text) > 2 + f->count * (TP_MAX_NAME + 24) + raw_size * 2 * 6)
		abort();
	json_object_put(o);
	json_tokener_free(t);
}

static void check_write(const struct tp_format *f, const uint8_t *bytes, size_t size, bool swap)
{
	/* exactly as large as the input, so that sanitizers detect a read outside of it */
	uint8_t *raw = malloc(size ? size : 1);
	struct json j = { 0 };

	if (!raw)
		return;
	memcpy(raw, bytes, size);
	if (tp_format_write(f, raw, size, swap, &j) && !j.failed)
		check_json(json_end(&j), f, size);
	json_release(&j);
	free(raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_format format;
	struct pd_format o = { .system = "fuzz", .name = "event", .name_len = 5, .id = 1 };
	struct md_err err = { 0 };
	size_t raw_size;
	char *text;
	int ret;

	if (size < 3)
		return 0;
	raw_size = data[1] | (size_t)data[2] << 8;
	raw_size = raw_size < size - 3 ? raw_size : size - 3;
	o.text_size = size - 3 - raw_size;
	text = malloc(o.text_size ? o.text_size : 1);
	if (!text)
		return 0;
	memcpy(text, data + 3 + raw_size, o.text_size);
	o.text = text;
	o.system = data[0] & 4 ? "ftrace" : "fuzz";
	ret = tp_format_parse(&o, data[0] & 2 ? 4 : 8, &format, &err);
	/* from here on, a pointer from the parsed format into the text would be an error */
	free(text);
	if (ret && (format.count || format.fields || !err.msg[0]))
		abort();
	if (!ret)
		check_write(&format, data + 3, raw_size, data[0] & 1);
	tp_format_release(&format);
	return 0;
}
