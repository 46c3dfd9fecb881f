/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the declarations of an event's fields with libtraceevent. That library trusts its input,
 * because it usually comes from the running kernel. So memdb passes to it only lines that have the
 * form which kernels write, and limits their number and length. The event's print format, whose
 * syntax is complex, and bytes of samples are not passed to it at all.
 */
#include "perfdata/tracepoint_format.h"

#include <ctype.h>
#include <event-parse.h>
#include <stdlib.h>

#include "base/count.h"

#define HEAD "name: event\nID: 1\nformat:\n"
#define TAIL "\nprint fmt: \"\""

/* The text for libtraceevent: HEAD, the lines of a format's text that declare fields, and TAIL.
 * `lines` counts those lines. */
struct declarations {
	char *text;
	size_t len;
	unsigned lines;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool begins_with(const char *s, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(s, with, strlen(with));
}

static size_t word_length(const char *s, size_t n)
{
	size_t len = 0;

	while (len < n && is_word(s[len]))
		len++;
	return len;
}

/* Is this a declaration such as "unsigned long args[6]" or "__data_loc char[] name"? A declaration
 * consists of words and stars, and at most one pair of brackets. The brackets are empty or contain
 * a word. They come after the name or, in an array of variable length, before it. */
static bool is_declaration(const char *s, size_t n)
{
	unsigned words = 0, behind = 0;
	bool brackets = false;

	for (size_t i = 0, len; i < n; i += len) {
		len = word_length(s + i, n - i);
		if (len) {
			words++;
			behind += brackets;
		} else if (s[i] == '[' && words && !brackets) {
			len = 1 + word_length(s + i + 1, n - i - 1) + 1;
			brackets = true;
			if (i + len > n || s[i + len - 1] != ']')
				return false;
		} else if (s[i] == ' ' || (s[i] == '*' && words && !brackets)) {
			len = 1;
		} else {
			return false;
		}
	}
	if (memmem(s, n, "LOCAL_PR_FMT", 12)) /* libtraceevent treats this word as a macro */
		return false;
	if (behind &&
	    (words < 3 || (!begins_with(s, n, "__data_loc ") && !begins_with(s, n, "__rel_loc "))))
		return false;
	return words >= 2 && behind <= 1 && (is_word(s[n - 1]) || s[n - 1] == ']');
}

/* Skips the text `with`. Returns false if *p does not begin with it. */
static bool skip_text(const char **p, const char *end, const char *with)
{
	size_t n = strlen(with);

	if (!begins_with(*p, (size_t)(end - *p), with))
		return false;
	*p += n;
	return true;
}

static bool take_number(const char **p, const char *end)
{
	const char *start = *p;

	while (*p < end && isdigit((unsigned char)**p))
		++*p;
	return *p > start && *p - start <= 5 && skip_text(p, end, ";");
}

/* Is this the line of a field, in the form that kernels write? The oldest kernels omit "signed". */
static bool is_field(const char *p, const char *end)
{
	const char *declaration, *semicolon;

	if (!skip_text(&p, end, "\tfield:"))
		return false;
	declaration = p;
	semicolon = memchr(p, ';', (size_t)(end - p));
	if (!semicolon || !is_declaration(declaration, (size_t)(semicolon - declaration)))
		return false;
	p = semicolon + 1;
	if (!skip_text(&p, end, "\toffset:") || !take_number(&p, end) ||
	    !skip_text(&p, end, "\tsize:") || !take_number(&p, end))
		return false;
	return p == end || (skip_text(&p, end, "\tsigned:") && take_number(&p, end) && p == end);
}

static void add_declaration(struct declarations *d, const char *s, size_t n)
{
	memcpy(d->text + d->len, s, n);
	d->len += n;
}

/* Appends the line of a field, without its newline. Returns false if the line is not valid. */
static bool add_line(struct declarations *d, const char *s, size_t n)
{
	if (n > TP_MAX_LINE || ++d->lines > TP_MAX_FIELDS || !is_field(s, s + n))
		return false;
	add_declaration(d, s, n);
	add_declaration(d, "\n", 1);
	return true;
}

/* Copies from o->text to d->text what libtraceevent expects: the lines of the common fields, an
 * empty line, and the lines of the event's own fields. d->text has room for that. Returns false if
 * the text is not valid. */
static bool copy_lines(const struct pd_format *o, struct declarations *d)
{
	const char *p = memmem(o->text, o->text_size, "\nformat:\n", 9);
	const char *end = o->text + o->text_size;
	bool own = false;

	if (!p)
		return false;
	add_declaration(d, HEAD, strlen(HEAD));
	for (p += 9; !skip_text(&p, end, "print fmt:");) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl)
			return false; /* the text ends before the declarations do */
		if (nl > p) {
			if (!add_line(d, p, (size_t)(nl - p)))
				return false;
		} else if (!own) {
			add_declaration(d, "\n", 1);
			own = true;
		}
		p = nl + 1;
	}
	add_declaration(d, TAIL, strlen(TAIL));
	return own;
}

static bool is_width(uint64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

static bool set_key(struct tp_field *to, const char *name)
{
	size_t n = strlen(name);

	if (!n || n > TP_MAX_NAME)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_word(name[i]))
			return false;
	to->key_len = (uint8_t)sprintf(to->key, ",\"%s\":", name);
	return true;
}

/* Is the field a text? Only an array of plain char is a text; "unsigned char" and "u8" are
 * numbers. */
static bool is_text(const struct tep_format_field *f)
{
	return (f->flags & TEP_FIELD_IS_STRING) && strstr(f->type, "char") &&
	       !strstr(f->type, "signed char");
}

/* Returns the size of an element of an array; 0 means unknown. libtraceevent sets it for arrays of
 * fixed length and for few others. For the rest, this function finds it by the name of the type. */
static unsigned element_width(const struct tep_format_field *f, unsigned long_bytes)
{
	static const struct {
		const char *name;
		unsigned width; /* size of the type in bytes; 0 means the size of a long */
	} types[] = {
		{ "u8[", 1 },        { "s8[", 1 },       { "char[", 1 },     { "u16[", 2 },
		{ "s16[", 2 },       { "short[", 2 },    { "u32[", 4 },      { "s32[", 4 },
		{ "int[", 4 },       { "unsigned[", 4 }, { "u64[", 8 },      { "s64[", 8 },
		{ "long long[", 8 }, { "long[", 0 },     { "cpumask_t", 0 },
	};

	if (is_width(f->elementsize) || !(f->flags & TEP_FIELD_IS_DYNAMIC))
		return f->elementsize;
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (strstr(f->type, types[i].name))
			return types[i].width ? types[i].width : long_bytes;
	return 0;
}

static uint8_t kind_of(const struct tep_format_field *f, unsigned width)
{
	if (!(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)))
		return is_width((uint64_t)f->size) ? TP_NUMBER : TP_BYTES;
	if (is_text(f))
		return TP_TEXT;
	if (is_width(width) && (f->flags & TEP_FIELD_IS_DYNAMIC || (unsigned)f->size % width == 0))
		return TP_NUMBERS;
	return TP_BYTES;
}

static bool take_field(const struct tep_format_field *f, unsigned long_bytes, struct tp_field *to)
{
	unsigned width = element_width(f, long_bytes);

	if (f->offset < 0 || f->size < 0 || f->offset > TP_MAX_BYTES || f->size > TP_MAX_BYTES)
		return false;
	to->offset = (uint32_t)f->offset;
	to->size = (uint32_t)f->size;
	to->kind = kind_of(f, width);
	to->width = (uint8_t)(to->kind == TP_NUMBER    ? to->size
			      : to->kind == TP_NUMBERS ? width
						       : 1);
	to->is_signed = f->flags & TEP_FIELD_IS_SIGNED;
	to->is_dynamic = f->flags & TEP_FIELD_IS_DYNAMIC;
	to->is_relative = f->flags & TEP_FIELD_IS_RELATIVE;
	if (to->is_dynamic && to->size != 4)
		return false;
	return set_key(to, f->name);
}

/* Can the fields be disjoint? Checks only that their sizes add up to no more than the range that
 * they cover. Kernels write no overlapping fields. A malicious file could use them to produce much
 * output from few bytes. */
static bool are_apart(const struct tp_format *t)
{
	uint64_t sum = 0, start = TP_MAX_BYTES, end = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t e = t->fields[i].offset + t->fields[i].size;

		sum += t->fields[i].size;
		start = t->fields[i].offset < start ? t->fields[i].offset : start;
		end = e > end ? e : end;
	}
	return !sum || (sum <= end - start && end <= TP_MAX_BYTES);
}

static int take_fields(const struct tep_event *event, unsigned long_bytes, struct tp_format *out)
{
	const struct tep_format_field *f;
	uint32_t n = 0;

	for (f = event->format.fields; f && n < TP_MAX_FIELDS; f = f->next)
		n++;
	out->fields = calloc(n ? n : 1, sizeof(*out->fields));
	if (!out->fields)
		return MD_ENOMEM;
	for (f = event->format.fields; out->count < n; f = f->next)
		if (!take_field(f, long_bytes, &out->fields[out->count++]))
			return MD_EFORMAT;
	return are_apart(out) ? 0 : MD_EFORMAT;
}

static int parse_declarations(const struct declarations *d, const struct pd_format *o,
			      unsigned long_bytes, struct tp_format *out)
{
	struct tep_handle *tep = tep_alloc();
	struct tep_event *event;
	int ret = MD_EFORMAT;

	if (!tep)
		return MD_ENOMEM;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, (int)long_bytes);
	if (!tep_parse_event(tep, d->text, d->len, o->system)) {
		event = tep_get_first_event(tep);
		if (event)
			ret = take_fields(event, long_bytes, out);
	}
	tep_free(tep);
	return ret;
}

int tp_format_parse(const struct pd_format *o, unsigned long_bytes, struct tp_format *out,
		    struct md_err *err)
{
	struct declarations d = { 0 };
	int ret = MD_EFORMAT;

	*out = (struct tp_format){ 0 };
	if (o->text_size <= TP_MAX_TEXT && is_width(long_bytes) && long_bytes >= 4) {
		d.text = malloc(o->text_size + strlen(HEAD TAIL) + 2);
		if (!d.text)
			ret = MD_ENOMEM;
		else if (copy_lines(o, &d))
			ret = parse_declarations(&d, o, long_bytes, out);
	}
	free(d.text);
	if (!ret)
		return 0;
	tp_format_release(out);
	if (ret == MD_ENOMEM)
		return md_nomem(err);
	return md_fail(err, ret, "the format of %s:%.*s is not understood", o->system,
		       o->name_len < 100 ? (int)o->name_len : 100, o->name);
}

void tp_format_release(struct tp_format *f)
{
	free(f->fields);
	*f = (struct tp_format){ 0 };
}
