/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the raw data of a tracepoint's sample as JSON. */
#include "perfdata/tracepoint_format.h"

static int64_t read_number(struct cursor *c, unsigned width, bool is_signed)
{
	switch (width) {
	case 1: {
		uint8_t v = cursor_u8(c);

		return is_signed ? (int8_t)v : (int64_t)v;
	}
	case 2: {
		uint16_t v = cursor_u16(c);

		return is_signed ? (int16_t)v : (int64_t)v;
	}
	case 4: {
		uint32_t v = cursor_u32(c);

		return is_signed ? (int32_t)v : (int64_t)v;
	}
	default:
		return (int64_t)cursor_u64(c);
	}
}

static void write_numbers(const struct tp_field *f, struct cursor c, struct json *j)
{
	json_raw(j, "[", 1);
	for (bool first = true; cursor_left(&c); first = false) {
		if (!first)
			json_raw(j, ",", 1);
		json_int(j, read_number(&c, f->width, f->is_signed));
	}
	json_raw(j, "]", 1);
}

/* Appends the value of a field; c contains its bytes. */
static void write_value(const struct tp_field *f, struct cursor c, struct json *j)
{
	size_t n = cursor_left(&c);

	if (f->kind == TP_NUMBER)
		json_int(j, read_number(&c, f->width, f->is_signed));
	else if (f->kind == TP_TEXT)
		json_string(j, (const char *)c.p, strnlen((const char *)c.p, n));
	else if (f->kind == TP_NUMBERS && n % f->width == 0)
		write_numbers(f, c, j);
	else
		json_hex(j, c.p, n);
}

/* Returns the bytes of a field of variable length; the word in c contains their offset and length.
 * Subtracts the length from *budget. Sets `failed` in the result if the bytes are outside the data
 * or exceed the budget. If the length is 0, the offset does not matter. */
static struct cursor dynamic_array(const struct tp_field *f, struct cursor c, const uint8_t *raw,
				   size_t size, size_t *budget)
{
	uint32_t word = cursor_u32(&c), len = word >> 16;
	uint32_t offset = (word & 0xffff) + (f->is_relative ? f->offset + f->size : 0);
	struct cursor all = cursor_make(raw, size, c.swap);
	struct cursor part;

	if (!len)
		return cursor_make(raw, 0, c.swap);
	cursor_skip(&all, offset);
	part = cursor_make(all.p, 0, c.swap);
	if (!cursor_bytes(&all, len) || len > *budget) {
		part.failed = true;
		return part;
	}
	*budget -= len;
	part.end = part.p + len;
	return part;
}

bool tp_format_write(const struct tp_format *f, const uint8_t *raw, size_t size, bool swap,
		     struct json *j)
{
	/* limit for the sum of all arrays of variable length: in valid data they do not overlap */
	size_t budget = size;

	json_raw(j, "{", 1);
	for (uint32_t i = 0; i < f->count; i++) {
		const struct tp_field *field = &f->fields[i];
		struct cursor c = cursor_make(raw, size, swap);

		cursor_skip(&c, field->offset);
		if (field->size > cursor_left(&c))
			return false;
		c.end = c.p + field->size;
		if (field->is_dynamic)
			c = dynamic_array(field, c, raw, size, &budget);
		if (c.failed)
			return false;
		json_raw(j, field->key + !i, field->key_len - !i);
		write_value(field, c, j);
	}
	json_raw(j, "}", 1);
	return true;
}
