/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the header features that describe events: names, groups, PMUs. */
#include "perfdata/feature.h"

static void set_name(struct evsel *e, const char *name)
{
	e->pub.name = name;
	e->unnamed = false;
}

/* Reads the name of each event, in the order of the attributes. An event that got its name from a
 * record of its own (EVENT_UPDATE) keeps that name. */
int pd_read_event_desc(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c), attr_bytes = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->failed; i++) {
		const char *name;
		uint32_t nids;

		cursor_skip(c, attr_bytes);
		nids = cursor_u32(c);
		name = pd_feature_string(f, c);
		if (!name)
			return c->failed ? 0 : MD_ENOMEM;
		cursor_skip(c, (uint64_t)nids * 8);
		if (i < f->nevsels && *name && f->evsels[i]->unnamed)
			set_name(f->evsels[i], name);
	}
	return 0;
}

/* Reads which events form groups: the index of the leader and the number of members. The events of
 * a group were counted at the same times. */
int pd_read_group_desc(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c), left = f->nevsels; /* left: events in no group yet; an
							* event is in at most one group */

	for (uint32_t i = 0; i < n && !c->failed; i++) {
		uint32_t leader, members;

		cursor_skip(c, cursor_u32(c)); /* a name, in most files "{anon_group}" */
		leader = cursor_u32(c);
		members = cursor_u32(c);
		if (leader >= f->nevsels || members > f->nevsels - leader || members > left) {
			c->failed = true;
			return 0;
		}
		left -= members;
		for (uint32_t e = leader; e < leader + members; e++)
			f->evsels[e]->pub.leader = leader;
	}
	return 0;
}

/* Returns the type of the PMU that counts an event. For a generic event on a hybrid CPU, the upper
 * half of config is the type of that PMU. */
static uint32_t pmu_type(const struct perf_event_attr *a)
{
	bool generic = a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE;

	return generic && a->config >> 32 ? (uint32_t)(a->config >> 32) : a->type;
}

void pd_finish_events(struct pd_file *f)
{
	for (uint32_t i = 0; i < f->nevsels; i++)
		f->evsels[i]->pub.pmu = pd_pmu_of_type(f, pmu_type(&f->evsels[i]->pub.attr));
}

int pd_read_event_update(struct pd_file *f, const struct pd_raw *rec, struct md_err *err)
{
	enum { UPDATE_NAME = 2 };
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint64_t what = cursor_u64(&c), id = cursor_u64(&c);
	struct evsel *e = pd_ids_find(&f->ids, id);
	size_t n = cursor_left(&c);
	const char *name;

	if (c.failed)
		return MD_EFORMAT;
	if (what != UPDATE_NAME || !e)
		return 0;
	name = arena_copy(&f->arena, (const char *)c.p, strnlen((const char *)c.p, n));
	if (!name)
		return md_nomem(err);
	if (*name)
		set_name(e, name);
	return 0;
}
