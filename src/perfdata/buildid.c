/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the table of build-ids: for each file that was mapped, the build-id that it had at the time
 * of the recording. */
#include <stdlib.h>

#include "perfdata/internal.h"

enum {
	ID_BYTES = 20,
	ID_FIELD_BYTES = 24,          /* room for the id, its size and three reserved bytes */
	MISC_BUILD_ID_SIZE = 1 << 15, /* the record has a size field; older ones have none */
};

static struct pd_build_id *next_build_id(struct pd_file *f)
{
	uint32_t n = f->features.nbuild_ids;

	if (n == f->build_ids_cap) {
		uint32_t cap = n ? n * 2 : 64;
		struct pd_build_id *p = reallocarray(f->build_ids, cap, sizeof(*p));

		if (!p)
			return NULL;
		f->build_ids = p;
		f->features.build_ids = p;
		f->build_ids_cap = cap;
	}
	f->features.nbuild_ids++;
	return &f->build_ids[n];
}

/* Appends a build-id with the path that follows it: the rest of c, up to its first NUL. Returns 0
 * or MD_ENOMEM. */
static int add_buildid(struct pd_file *f, uint16_t misc, int32_t pid, const uint8_t *id,
		       struct cursor c)
{
	const char *s = (const char *)c.p;
	const char *path = arena_copy(&f->arena, s, strnlen(s, cursor_left(&c)));
	struct pd_build_id *b = path ? next_build_id(f) : NULL;

	if (!b)
		return MD_ENOMEM;
	*b = (struct pd_build_id){ .path = path, .pid = pid, .misc = misc, .size = ID_BYTES };
	if (misc & MISC_BUILD_ID_SIZE && id[ID_BYTES] < ID_BYTES)
		b->size = id[ID_BYTES];
	memcpy(b->id, id, b->size);
	return 0;
}

int pd_add_build_id(struct pd_file *f, uint16_t misc, struct cursor body, struct md_err *err)
{
	int32_t pid = (int32_t)cursor_u32(&body);
	const uint8_t *id = cursor_bytes(&body, ID_FIELD_BYTES);

	if (body.failed)
		return MD_EFORMAT;
	if (add_buildid(f, misc, pid, id, body))
		return md_nomem(err);
	return 0;
}

/* Does the record show that the records of its table have no pid, as in files from before Linux
 * 2.6.35? Only the record with the name "[kernel.kallsyms]" shows this. Without the four bytes of a
 * pid, skipping pid and build-id also skips the first four bytes of the name, and "nel.kallsyms]"
 * is left. */
static bool has_no_pid(struct cursor body)
{
	static const char cut[] = "nel.kallsyms]";
	const void *name;

	cursor_skip(&body, 4 + ID_FIELD_BYTES);
	name = cursor_bytes(&body, sizeof(cut) - 1);
	return name && !memcmp(name, cut, sizeof(cut) - 1);
}

static int read_entry(struct pd_file *f, struct cursor body, uint16_t misc, bool no_pid,
		      struct md_err *err)
{
	const uint8_t *id;

	if (!no_pid)
		return pd_add_build_id(f, misc, body, err);
	id = cursor_bytes(&body, ID_FIELD_BYTES);
	if (!id)
		return MD_EFORMAT;
	if (add_buildid(f, misc & (uint16_t)~MISC_BUILD_ID_SIZE, -1, id, body))
		return md_nomem(err);
	return 0;
}

/* Returns the body (the bytes after the header) of the next record in the table, and moves *table
 * to the record after it. If the record is damaged, the cursor that is returned has `failed` set.
 */
static struct cursor next_entry(struct cursor *table, uint16_t *misc)
{
	const uint8_t *start = table->p;
	struct cursor body;
	uint16_t size;

	cursor_skip(table, 4); /* the type of the record, always 0 */
	*misc = cursor_u16(table);
	size = cursor_u16(table);
	body = cursor_range(table, start, 8, size < 8 ? UINT64_MAX : size - 8u);
	cursor_skip(table, size < 8 ? UINT64_MAX : size - 8u);
	return body;
}

int pd_read_build_ids(struct pd_file *f, struct cursor table, struct md_err *err)
{
	struct cursor scan = table, body;
	bool no_pid = false;
	uint16_t misc;
	int ret = 0;

	while (cursor_left(&scan) && !no_pid)
		no_pid = has_no_pid(next_entry(&scan, &misc));
	while (cursor_left(&table) && !ret) {
		body = next_entry(&table, &misc);
		ret = body.failed ? MD_EFORMAT : read_entry(f, body, misc, no_pid, err);
	}
	if (ret == MD_EFORMAT) {
		pd_damage(f, "the table of build-ids is damaged");
		ret = 0;
	}
	return ret;
}
