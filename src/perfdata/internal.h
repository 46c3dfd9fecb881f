/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the source files of this folder: the open file, and functions that several of them
 * use. */
#ifndef MEMDB_PERFDATA_INTERNAL_H
#define MEMDB_PERFDATA_INTERNAL_H

#include "base/arena.h"
#include "base/cursor.h"
#include "perfdata/perfdata.h"

/* Types of records that perf itself writes, from tools/lib/perf/include/perf/event.h. The installed
 * headers may lack the newer ones. */
enum {
	PD_HEADER_ATTR = 64,
	PD_HEADER_TRACING_DATA = 66,
	PD_HEADER_BUILD_ID = 67,
	PD_FINISHED_ROUND = 68,
	PD_AUXTRACE_INFO = 70,
	PD_AUXTRACE = 71,
	PD_EVENT_UPDATE = 78,
	PD_TIME_CONV = 79,
	PD_HEADER_FEATURE = 80,
	PD_COMPRESSED = 81,
	PD_COMPRESSED2 = 83,
	PD_USER_FIRST = 64,
	PD_USER_LAST = 86,   /* the last one is SCHEDSTAT_DOMAIN */
	PD_KERNEL_LAST = 22, /* the last one is CALLCHAIN_DEFERRED */

	/* Types of records of simpleperf, Android's recorder. The size of such a record has 32
	 * bits, and the upper half of it is in the field misc. */
	PD_SIMPLEPERF_FIRST = 32768,
	PD_SIMPLEPERF_SPLIT = 32772, /* one of the parts of a record of more than 64 KiB */
	PD_SIMPLEPERF_EVENT_ID = 32774,
	PD_SIMPLEPERF_TRACING_DATA = 32777,
	PD_SIMPLEPERF_LAST = 32778,
};

/* Reads type, misc and size of the record whose header is at p. In the file, the size includes the
 * 8 bytes of the header; rec->size does not. If the size in the file is below 8, rec->size becomes
 * larger than any buffer. */
static inline __attribute__((always_inline)) void pd_take_header(const uint8_t *p, bool swap,
								 struct pd_raw *rec)
{
	struct perf_event_header h;
	uint32_t size;

	memcpy(&h, p, sizeof(h));
	rec->type = swap ? __builtin_bswap32(h.type) : h.type;
	rec->misc = swap ? __builtin_bswap16(h.misc) : h.misc;
	size = swap ? __builtin_bswap16(h.size) : h.size;
	if (__builtin_expect(rec->type >= PD_SIMPLEPERF_FIRST, 0)) {
		size |= (uint32_t)rec->misc << 16;
		rec->misc = 0;
	}
	rec->size = size - sizeof(h);
}

/* Reads the next record, but does not set rec->offset. Sets c->failed if there is no complete
 * record. */
static inline __attribute__((always_inline)) void pd_take_record(struct cursor *c,
								 struct pd_raw *rec)
{
	const uint8_t *header = cursor_bytes(c, sizeof(struct perf_event_header));

	if (!header)
		return;
	pd_take_header(header, c->swap, rec);
	/* also fails if the size in the header is below 8, because rec->size is huge then */
	rec->body = cursor_bytes(c, rec->size);
}

/* Where the fields are in the records of an event. Computed once for each event. */
struct pd_layout {
	uint64_t type;                 /* PERF_SAMPLE_* bits of the fields */
	uint64_t user_mask, intr_mask; /* masks of the recorded registers */
	uint64_t read_format;
	/* size in bytes of the fields up to PERIOD, which have one word each */
	uint32_t fixed;
	uint8_t id_word, time_word; /* index of the word in a sample, or PD_NO_WORD */
	/* number of words in sample_id, the fields at the end of records that are not samples; 0
	 * means that there are none */
	uint8_t tail_words;
	/* position of id and time, counted from the end of sample_id: 1 is the last word; 0 means
	 * there is none */
	uint8_t tail_id, tail_time;
	bool branch_index;    /* a u64 comes before the branch entries */
	bool branch_counters; /* after the branch entries, a u64 with counters comes for each of
			       * them */
};

enum {
	PD_NO_WORD = 255,
	PD_BRANCH_COUNTERS = 1 << 19, /* PERF_SAMPLE_BRANCH_COUNTERS, since Linux 6.8 */
	PD_FEATURES = 35,             /* number of features, HEADER_* up to CLN_SIZE */
	PD_FORMAT_LOST = 1 << 4,      /* PERF_FORMAT_LOST, since Linux 6.0 */
};

struct evsel {
	/* must be the first member, because pd_evsel_at() returns its address */
	struct pd_evsel pub;
	struct pd_layout layout;
	/* the file contains no name for the event, so pub.name was made from type and config */
	bool unnamed;
};

/* Finds events by their ids: a hash table with open addressing. The number of slots is a power of
 * two. */
struct pd_ids {
	struct pd_id_slot {
		uint64_t id;
		struct evsel *evsel; /* NULL means that the slot is free */
	} * slots;
	uint64_t seed; /* random, so that nobody can make a file with many ids of the same hash */
	size_t nslots, count;
	struct pd_id_slot last; /* what the last successful lookup found */
};

struct pd_inflate; /* the state of a decompression; defined in zstd.c */

/* A sequence of records: the data section of a file, or one file data.N of a directory. */
struct pd_segment {
	const uint8_t *image; /* offsets of records are relative to this */
	size_t len;
	const uint8_t *data, *data_end;
	uint64_t before; /* size of all segments before this one */
	bool mapped;     /* pd_close() must unmap the image */
	/* the damage in this segment, and the bytes that are unread because of it, were counted in
	 * pd_file.losses */
	bool damage_told;
};

struct pd_file {
	const uint8_t *image; /* the file that has the header */
	size_t len;
	bool swap, pipe;

	const uint8_t *data, *data_end; /* data section of that file */
	bool size_known;                /* the header contains the length of the data section */
	struct pd_segment *segments;    /* the first one is the data section */
	uint32_t nsegments;
	struct pd_segment *segment; /* the segment that is read now */
	/* where the next record is read: in the data section, or in inflated bytes */
	const uint8_t *pos, *end;
	const uint8_t *main_pos; /* while inflating: the record after the compressed one */
	bool inflating;
	uint64_t enclosing; /* while inflating: offset of the compressed record */
	struct pd_inflate *inflate;

	unsigned pass; /* number of the pass over the file, from 1 */
	/* how many records that are not samples were read: in this pass so far, and the maximum
	 * over all passes. A record beyond nseen_max is read for the first time, so its losses are
	 * counted */
	uint64_t nseen, nseen_max;
	/* number of the pass that first found damage in samples (sample_pass) or in other records
	 * (side_pass). Damage is counted only in that pass. 0 means that there was none */
	unsigned sample_pass, side_pass;

	struct evsel **evsels;
	uint32_t nevsels, evsels_cap;
	uint64_t nids; /* number of ids of all events together */
	struct pd_ids ids;
	/* all fields, if the samples of all events have the same layout; otherwise the leading
	 * fields that have the same offsets in all of them. They can be read even if the event is
	 * not known */
	struct pd_layout common;
	bool tails_agree; /* all events have the same layout of sample_id */
	/* where ids may be in a sample: bit n is set if an event has its id in word n */
	uint32_t id_words;
	/* where ids may be in a sample_id: bit n is set if an event has its id in the n-th word
	 * from the end */
	uint32_t tail_ids;

	struct pd_features features;
	struct cursor sections[PD_FEATURES]; /* the bytes of each feature that was found */
	struct pd_cpu *cpus;
	struct pd_pmu *pmus;
	struct pd_build_id *build_ids;
	uint32_t build_ids_cap;
	struct pd_losses losses;
	struct arena arena;
};

/* container.c: keeps the sentence about the first damage. Later damage is only counted. */
void pd_damage(struct pd_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Gets how many bytes of payload follow the record without being part of its size. Returns false if
 * the record is too short to contain that number. */
static inline bool pd_payload(const struct pd_file *f, const struct pd_raw *rec, uint64_t *n)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);

	*n = 0;
	if (rec->type == PD_AUXTRACE)
		*n = cursor_u64(&c);
	else if (rec->type == PD_HEADER_TRACING_DATA)
		*n = cursor_u32(&c);
	return !c.failed;
}

/* preread.c: reads the records on which all others depend. Counts damaged records and goes on.
 * Returns 0 or MD_ENOMEM. */
int pd_scan(struct pd_file *f, struct md_err *err);

/* open.c: appends a segment. If its image is mapped, pd_close() unmaps it. Returns 0 or
 * MD_ENOMEM. */
int pd_add_segment(struct pd_file *f, const struct pd_segment *segment);

/* header.c: reads the header of a file or pipe; for a file also the attributes and the table of
 * features. Returns 0 or an error of pd_open_mem(). */
int pd_read_header(struct pd_file *f, struct md_err *err);

/*
 * attr.c: adds an event to f. `attr` has the bytes of its perf_event_attr, `ids` the bytes of its
 * ids, both in the byte order of the file. Returns 0, MD_ENOMEM, or MD_EFORMAT if attr or ids lie
 * outside the file, or if all events together have more ids than fit into a file of this size.
 */
int pd_add_evsel(struct pd_file *f, struct cursor attr, struct cursor ids, struct md_err *err);
/* Adds the event of a PERF_RECORD_HEADER_ATTR, in a pipe. Returns 0 or an error of pd_add_evsel().
 */
int pd_read_attr_record(struct pd_file *f, const struct pd_raw *rec, struct md_err *err);
void pd_free_evsels(struct pd_file *f);

/* In layout.c. */
void pd_layout_make(struct pd_layout *l, const struct perf_event_attr *attr);
/* Updates f->common, tails_agree, id_words and tail_ids, which describe all events, for one more
 * event. */
void pd_layout_join(struct pd_file *f, const struct evsel *e);

/* In ids.c. */
int pd_ids_add(struct pd_ids *t, uint64_t id, struct evsel *e); /* returns 0 or MD_ENOMEM */
void pd_ids_release(struct pd_ids *t);
struct evsel *pd_ids_search(const struct pd_ids *t, uint64_t id);

/* Returns the event with an id, or NULL. */
static inline struct evsel *pd_ids_find(struct pd_ids *t, uint64_t id)
{
	struct evsel *e;

	if (t->last.evsel && t->last.id == id)
		return t->last.evsel;
	e = pd_ids_search(t, id);
	if (e)
		t->last = (struct pd_id_slot){ .id = id, .evsel = e };
	return e;
}

/* name.c: makes the name that perf would show for an event to which the file gives none. The arena
 * owns it. Returns NULL when out of memory. */
const char *pd_event_name(struct arena *a, const struct perf_event_attr *attr);

/* tracing.c: names the tracepoints that have no name. Returns 0 or MD_ENOMEM. */
int pd_name_tracepoints(struct pd_file *f, struct md_err *err);

/* feature.c: pd_note_feature() stores where the bytes of a feature are: in a section of the header,
 * or in a record of a pipe. It does not copy them. pd_read_features() reads all features. It
 * returns 0 or MD_ENOMEM, and reports damage in losses. */
void pd_note_feature(struct pd_file *f, uint64_t feature, struct cursor bytes);
int pd_read_features(struct pd_file *f, struct md_err *err);

/* feature_event.c: sets an event's name from a PERF_RECORD_EVENT_UPDATE. Returns 0, MD_EFORMAT or
 * MD_ENOMEM. */
int pd_read_event_update(struct pd_file *f, const struct pd_raw *rec, struct md_err *err);

/* buildid.c: add one build-id record (without its header), or a table of such records. Both return
 * 0 or MD_ENOMEM. pd_add_build_id() also returns MD_EFORMAT, if the record is damaged;
 * pd_read_build_ids() reports damage in losses. */
int pd_add_build_id(struct pd_file *f, uint16_t misc, struct cursor body, struct md_err *err);
int pd_read_build_ids(struct pd_file *f, struct cursor table, struct md_err *err);

/*
 * zstd.c: inflates the records inside compressed records, whose payloads form one stream.
 * pd_inflate_begin() takes the payload of one record, and sets f->pos and f->end to the inflated
 * bytes that are not read yet. It returns 0 or MD_ENOMEM. pd_inflate_more() moves these bytes to
 * the front of the window and inflates more after them. It returns 1; 0 if all of the payload was
 * inflated; or MD_EFORMAT with the reason in *err.
 */
int pd_inflate_begin(struct pd_file *f, const uint8_t *payload, size_t size, struct md_err *err);
int pd_inflate_more(struct pd_file *f, struct md_err *err);
void pd_inflate_reset(struct pd_inflate *z); /* returns to the start of the stream; z may be NULL */
/* returns the size of the incomplete record that is left in the window */
size_t pd_inflate_rest(const struct pd_inflate *z);
/* Does the stream end inside a block, or before its first block? */
bool pd_inflate_in_block(const struct pd_inflate *z);
void pd_inflate_free(struct pd_inflate *z);

/* sample.c: finds an event whose layout fits the sample_id of a record that is not a sample: the
 * event that the sample_id names or, if all events have the same layout, any event. NULL means
 * unknown. */
const struct evsel *pd_tail_evsel(struct pd_file *f, const struct pd_raw *rec);

#endif
