/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to this folder: the open file, and the functions that its source files share. */
#ifndef MEMDB_PERFDATA_INTERNAL_H
#define MEMDB_PERFDATA_INTERNAL_H

#include "base/arena.h"
#include "base/cursor.h"
#include "perfdata/perfdata.h"

/* User-space record types, from tools/lib/perf/include/perf/event.h up to perf 6.17. The installed
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
	PD_USER_LAST = 86,   /* SCHEDSTAT_DOMAIN */
	PD_KERNEL_LAST = 22, /* CALLCHAIN_DEFERRED */

	/* Record types of simpleperf, Android's recorder. The size of such a record has 32 bits:
	   the upper half is in the field misc. */
	PD_SIMPLEPERF_FIRST = 32768,
	PD_SIMPLEPERF_SPLIT = 32772, /* one part of a record of more than 64 KiB */
	PD_SIMPLEPERF_SPLIT_END = 32773,
	PD_SIMPLEPERF_EVENT_ID = 32774,
	PD_SIMPLEPERF_TRACING_DATA = 32777,
	PD_SIMPLEPERF_LAST = 32778,
};

/* Reads type, misc and size of the record whose 8-byte header is at p. A size below 8 in the file
 * gives a huge rec->size, which no cursor has. */
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

/* Reads the next record, except its offset. Sets c->failed if there is no complete record. */
static inline __attribute__((always_inline)) void pd_take_record(struct cursor *c,
								 struct pd_raw *rec)
{
	const uint8_t *header = cursor_bytes(c, sizeof(struct perf_event_header));

	if (!header)
		return;
	pd_take_header(header, c->swap, rec);
	rec->body = cursor_bytes(c, rec->size); /* also fails for a size below 8 */
}

/* The offsets of the fields in an event's records, computed once per event. */
struct pd_layout {
	uint64_t type;                 /* PERF_SAMPLE_* bits to decode */
	uint64_t user_mask, intr_mask; /* registers */
	uint64_t read_format;
	uint32_t fixed;             /* bytes of the fields up to PERIOD */
	uint8_t id_word, time_word; /* word offset from the start of a sample, or PD_NO_WORD */
	uint8_t tail_words; /* size of the sample_id that ends other records; 0 means none */
	uint8_t tail_id, tail_time; /* word offset from the end of sample_id, 1 is the last word;
				     * 0 means none */
	bool branch_index;          /* a u64 precedes the branch entries */
	bool branch_counters;       /* one u64 per branch entry follows the entries */
};

enum {
	PD_NO_WORD = 255,
	PD_BRANCH_COUNTERS = 1 << 19, /* PERF_SAMPLE_BRANCH_COUNTERS, since Linux 6.8 */
	PD_FEATURES = 35,             /* HEADER_* up to CLN_SIZE */
	PD_FORMAT_LOST = 1 << 4,      /* PERF_FORMAT_LOST, since Linux 6.0 */
};

struct evsel {
	struct pd_evsel pub; /* first member: pd_evsel_at() returns its address */
	struct pd_layout layout;
	bool unnamed; /* the name is a default, made from type and config */
};

/* id → event: open addressing, a power of two of slots. */
struct pd_ids {
	struct pd_id_slot {
		uint64_t id;
		struct evsel *evsel; /* NULL means free */
	} * slots;
	uint64_t seed; /* random, so that no file can choose colliding ids */
	size_t nslots, count;
	struct pd_id_slot last; /* result of the last successful lookup */
};

struct pd_inflate; /* zstd.c */

/* A sequence of records: the data section of a file, or a complete data.N of a directory. */
struct pd_segment {
	const uint8_t *image; /* base of all offsets */
	size_t len;
	const uint8_t *data, *data_end;
	uint64_t before;  /* bytes of the segments before this one */
	bool mapped;      /* pd_close() unmaps image */
	bool damage_told; /* losses already counts the unread bytes of this segment */
};

struct pd_file {
	const uint8_t *image; /* the file with the header */
	size_t len;
	bool swap, pipe;

	const uint8_t *data, *data_end; /* its data section */
	struct pd_segment *segments;    /* the data section comes first */
	uint32_t nsegments;
	struct pd_segment *segment; /* current segment */
	const uint8_t *pos, *end;   /* source of the next record: the data section or inflated
				     * bytes */
	const uint8_t *main_pos;    /* while inflating: next record of the data section */
	bool inflating;
	uint64_t enclosing; /* while inflating: offset of the compressed record */
	struct pd_inflate *inflate;

	unsigned pass;             /* from 1 */
	uint64_t nseen, nseen_max; /* records other than samples: number in this pass, and largest
				      number of any pass */
	unsigned sample_pass,
		side_pass; /* the pass in which damage was first found; 0 means none */

	struct evsel **evsels;
	uint32_t nevsels, evsels_cap;
	uint64_t nids; /* sum over all events */
	struct pd_ids ids;
	struct pd_layout common; /* leading fields that all events' samples have */
	bool tails_agree;        /* the layout of sample_id is the same for every event */
	uint32_t id_words;       /* bit n: some event's id is word n of its samples */
	uint32_t tail_ids;       /* bit n: some event's id is the nth word from the end */

	struct pd_features features;
	struct cursor sections[PD_FEATURES]; /* bytes of each feature found */
	struct pd_cpu *cpus;
	struct pd_pmu *pmus;
	struct pd_build_id *build_ids;
	uint32_t build_ids_cap;
	struct pd_losses losses;
	struct arena arena;
};

/* container.c: keeps the sentence about the first damage; later damage is only counted. */
void pd_damage(struct pd_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Gets the number of payload bytes that follow the record and are not part of its size. False if
 * the record is too short to contain this number. */
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

/* scan.c: reads the records that all others depend on. Counts damaged ones and goes on. Returns 0
 * or MD_ENOMEM. */
int pd_scan(struct pd_file *f, struct md_err *err);

/* open.c: appends a segment. Returns 0, then pd_close() unmaps its image if it is mapped; or
 * MD_ENOMEM. */
int pd_add_segment(struct pd_file *f, const struct pd_segment *segment);

/* header.c: reads the file or pipe header, the attributes and the table of features. Returns as
 * pd_open_mem(). */
int pd_read_header(struct pd_file *f, struct md_err *err);

/*
 * attr.c: adds an event. attr holds the bytes of its attribute in file byte order, ids those of its
 * ids. Returns 0, MD_EFORMAT if one of them lies outside the file or if there are more ids than the
 * file has room for, or MD_ENOMEM.
 */
int pd_add_evsel(struct pd_file *f, struct cursor attr, struct cursor ids, struct md_err *err);
/* Adds the event of a PERF_RECORD_HEADER_ATTR (pipe format). Returns as pd_add_evsel(). */
int pd_read_attr_record(struct pd_file *f, const struct pd_raw *rec, struct md_err *err);
void pd_read_attr(struct cursor c, struct perf_event_attr *attr);
void pd_free_evsels(struct pd_file *f);

/* layout.c */
void pd_layout_make(struct pd_layout *l, const struct perf_event_attr *attr);
/* Updates f->common, tails_agree, id_words and tail_ids for one more event. */
void pd_layout_join(struct pd_file *f, const struct evsel *e);

/* ids.c */
int pd_ids_add(struct pd_ids *t, uint64_t id, struct evsel *e); /* 0 or MD_ENOMEM */
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

/* name.c: makes perf's name for an event that the file does not name. The arena owns the name.
 * Returns NULL if out of memory. */
const char *pd_event_name(struct arena *a, const struct perf_event_attr *attr);

/* tracing.c: names the tracepoints that have no name yet. Returns 0 or MD_ENOMEM. */
int pd_name_tracepoints(struct pd_file *f, struct md_err *err);

/* feature.c: pd_note_feature() remembers where a feature is, in a section of the header or in a
 * pipe's record. The bytes are borrowed. pd_read_features() reads all remembered features. It
 * returns 0 or MD_ENOMEM, and reports damage in losses. */
void pd_note_feature(struct pd_file *f, uint64_t feature, struct cursor bytes);
int pd_read_features(struct pd_file *f, struct md_err *err);

/* feature_event.c: sets an event's name from a PERF_RECORD_EVENT_UPDATE. Returns 0, MD_EFORMAT or
 * MD_ENOMEM. */
int pd_read_event_update(struct pd_file *f, const struct pd_raw *rec, struct md_err *err);

/* buildid.c: adds one build-id record (without its header), or a table of records. Returns 0 or
 * MD_ENOMEM. pd_add_build_id() returns MD_EFORMAT if the record is damaged; pd_read_build_ids()
 * reports damage in losses. */
int pd_add_build_id(struct pd_file *f, uint16_t misc, struct cursor body, struct md_err *err);
int pd_read_build_ids(struct pd_file *f, struct cursor table, struct md_err *err);

/*
 * zstd.c: inflates the records inside compressed records. All payloads form one stream.
 * pd_inflate_begin() takes the payload of one record. It sets f->pos and f->end to the inflated
 * bytes that are not read yet. Returns 0 or MD_ENOMEM. pd_inflate_more() moves these bytes to the
 * front of the window and inflates more bytes after them. Returns 1, 0 if the payload is used up,
 * or MD_EFORMAT with the reason in *err.
 */
int pd_inflate_begin(struct pd_file *f, const uint8_t *payload, size_t size, struct md_err *err);
int pd_inflate_more(struct pd_file *f, struct md_err *err);
void pd_inflate_reset(struct pd_inflate *z); /* back to the start of the stream; NULL is fine */
size_t pd_inflate_rest(const struct pd_inflate *z); /* bytes of an incomplete record */
/* Does the stream end inside a block, or before its first block? */
bool pd_inflate_in_block(const struct pd_inflate *z);
void pd_inflate_free(struct pd_inflate *z);

/* sample.c: finds an event with the layout of the record's sample_id (for records other than
 * samples): the event that the sample_id names, or any event if all have the same layout. NULL
 * means unknown. */
const struct evsel *pd_tail_evsel(struct pd_file *f, const struct pd_raw *rec);

#endif
