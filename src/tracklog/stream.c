/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the words in the chunks of a stream into events. preload/track_format.h describes the
 * words. */
#include "tracklog/internal.h"

#include <string.h>

static int32_t cpu_of(unsigned cpu, unsigned none)
{
	return cpu == none ? -1 : (int32_t)cpu;
}

static uint64_t address_of(uint64_t word)
{
	return TRACK_GET(SHORT_ADDRESS, word) << TRACK_ADDRESS_SHIFT;
}

/* Sets the time of the current event, in ticks. If a signal handler logs an event while the thread
 * writes a record, the times in the chunk are not ascending. An event whose time is too early gets
 * the time of the previous event. */
static void set_ticks(struct stream *s, uint64_t ticks)
{
	if (ticks < s->ticks)
		ticks = s->ticks;
	s->ticks = ticks;
	s->head.e.time = ticks;
}

static uint64_t short_ticks(const struct tl_log *l, const struct stream *s, uint64_t word)
{
	return s->base + (TRACK_GET(SHORT_TIME, word) << l->shift);
}

static void begin_event(struct stream *s, enum tl_kind kind, enum tl_function fn)
{
	memset(&s->head, 0, sizeof(s->head));
	s->head.e.kind = kind;
	s->head.e.function = fn;
	s->head.e.tid = s->tid;
	s->head.e.cpu = -1;
	s->head.e.weight = 1;
}

/* Can this function cause an event of this kind? If not, the record is damaged. */
static bool function_fits(enum tl_kind kind, unsigned fn)
{
	switch (kind) {
	case TL_BIRTH:
		return fn > TL_FN_NONE && fn < TL_FN_MMAP && fn != TL_FN_FREE && fn != TL_FN_DELETE;
	case TL_DEATH:
		return fn > TL_FN_NONE && fn < TL_FN_MMAP;
	case TL_MAP:
	case TL_UNMAP:
		return fn >= TL_FN_MMAP && fn <= TL_FN_SHMDT;
	case TL_POLICY:
		return fn >= TL_FN_MBIND && fn <= TL_FN_MADVISE;
	/* other kinds of events do not use the function, so it only has to be a valid number */
	default:
		return fn < TL_FUNCTIONS;
	}
}

static void short_death(struct tl_log *l, struct stream *s, uint64_t word, enum tl_function fn)
{
	begin_event(s, TL_DEATH, fn);
	set_ticks(s, short_ticks(l, s, word));
	s->head.e.address = address_of(word);
}

static unsigned body_function(uint64_t body)
{
	return TRACK_GET(BIRTH_FUNCTION, body);
}

static void short_birth(struct tl_log *l, struct stream *s, uint64_t word, uint64_t body)
{
	begin_event(s, TL_BIRTH, (enum tl_function)body_function(body));
	set_ticks(s, short_ticks(l, s, word));
	s->head.e.address = address_of(word);
	s->head.e.size = TRACK_GET(BIRTH_SIZE, body);
	s->head.e.cpu = cpu_of(TRACK_GET(BIRTH_CPU, body), TRACK_BIRTH_CPU_NONE);
	s->head.e.stack = tl_stacks_number(l, s, TRACK_GET(BIRTH_STACK, body));
}

/* Reads the next word if it is the second word of a TRACK_BIRTH; otherwise reads nothing and
 * returns 0. */
static uint64_t body_word(struct cursor *c)
{
	struct cursor ahead = *c;
	uint64_t word = cursor_u64(&ahead);

	if (ahead.failed || TRACK_TYPE(word) != TRACK_BODY ||
	    !function_fits(TL_BIRTH, body_function(word)))
		return 0;
	*c = ahead;
	return word;
}

static bool realloc_record(struct tl_log *l, struct stream *s, uint64_t word)
{
	struct cursor ahead = s->c;
	uint64_t birth = cursor_u64(&ahead), body = body_word(&ahead);

	if (TRACK_TYPE(birth) != TRACK_BIRTH || !body)
		return false;
	s->c = ahead;
	short_death(l, s, word, (enum tl_function)body_function(body));
	s->second = true;
	s->second_words[0] = birth;
	s->second_words[1] = body;
	return true;
}

/* Sets the stack of an event. A birth or a mapping whose stack is missing or unknown is counted as
 * a lost stack. Other events may have no stack; they are counted only if they have one that is
 * unknown. */
static void event_stack(struct tl_log *l, struct stream *s, uint32_t id)
{
	enum tl_kind kind = s->head.e.kind;

	if (kind == TL_BIRTH || kind == TL_MAP || id >= STACK_FIRST_ID)
		s->head.e.stack = tl_stacks_number(l, s, id);
}

/* Decodes a long record that is an event; c contains the words after the first word, `head`.
 * Returns false if the record is invalid. */
static bool long_event(struct tl_log *l, struct stream *s, uint64_t head, struct cursor *c)
{
	unsigned kind = TRACK_GET(LONG_KIND, head) - TRACK_EVENT,
		 fn = TRACK_GET(LONG_FUNCTION, head);
	size_t unit = kind == TL_POLICY || kind == TL_AFFINITY || kind == TL_THREAD ? 8
		      : kind == TL_HOMES                                            ? 4
										    : 1;
	const void *p = cursor_bytes(c, sizeof(struct track_event) - 8);
	struct track_event ev;

	if (!p || kind < TL_BIRTH || kind > TL_THREAD || !function_fits((enum tl_kind)kind, fn))
		return false;
	memcpy(&ev.ticks, p, sizeof(ev) - 8);
	if (ev.extra > cursor_left(c) / unit || ev.extra * unit > sizeof(l->words) - 1)
		return false;
	begin_event(s, (enum tl_kind)kind, (enum tl_function)fn);
	s->head.e.cpu = cpu_of(TRACK_GET(LONG_CPU, head), TRACK_LONG_CPU_NONE);
	s->head.e.address = ev.address;
	s->head.e.size = ev.size;
	s->head.e.old_address = ev.old_address;
	s->head.e.result = (int)ev.result;
	s->head.e.subject = ev.subject;
	s->head.mode = ev.mode;
	if (kind == TL_BIRTH && ev.mode && ev.mode <= TRACK_SAMPLE_MOST)
		s->head.e.weight = ev.mode;
	s->head.flags = ev.flags;
	s->head.extra = ev.extra;
	s->head.extra_bytes = ev.extra * unit;
	s->head.extra_at = c->p;
	set_ticks(s, ev.ticks);
	event_stack(l, s, ev.stack);
	return true;
}

/* Decodes a long record (TRACK_LONG), whose first word is `head`. Returns 1 if s->head is an event
 * now, 0 if it is not, or MD_ENOMEM. */
static int long_record(struct tl_log *l, struct stream *s, uint64_t head, struct md_err *err)
{
	const uint8_t *at = s->c.p - 8;
	uint64_t bytes = TRACK_GET(LONG_WORDS, head) * 8, ticks;
	unsigned kind = TRACK_GET(LONG_KIND, head);
	struct cursor c;

	if (bytes < 8 || bytes - 8 > cursor_left(&s->c)) {
		tl_damage(l, 8, at, "a record longer than its chunk");
		return 0;
	}
	c = cursor_make(s->c.p, bytes - 8, false);
	cursor_skip(&s->c, bytes - 8);
	if (!(head & TRACK_LONG_COMPLETE))
		return 0; /* the thread was killed, or left the write by longjmp */
	switch (kind) {
	case TRACK_PAIR:
		ticks = cursor_u64(&c);
		tl_clock_pair(l, ticks, cursor_u64(&c));
		return 0;
	case TRACK_THREAD:
		s->tid = (uint32_t)cursor_u64(&c);
		return 0;
	case TRACK_NODES:
		return tl_stacks_add(l, s, &c, err);
	}
	if (long_event(l, s, head, &c))
		return 1;
	tl_damage(l, bytes, at, "a record of unknown kind");
	return 0;
}

/* Decodes the next record, or skips a word that does not begin a record. Returns 1 if s->head is an
 * event now, 0 if it is not, or MD_ENOMEM. */
static int decode_record(struct tl_log *l, struct stream *s, struct md_err *err)
{
	uint64_t word = cursor_u64(&s->c), body;

	switch (TRACK_TYPE(word)) {
	case TRACK_EMPTY:
	case TRACK_BODY: /* the second word of a record whose first word was never written */
		return 0;
	case TRACK_DEATH:
		short_death(l, s, word, TL_FN_FREE);
		return 1;
	case TRACK_BIRTH:
		body = body_word(&s->c);
		if (body) {
			short_birth(l, s, word, body);
			return 1;
		}
		break;
	case TRACK_REALLOC:
		if (realloc_record(l, s, word))
			return 1;
		break;
	case TRACK_TIME:
		s->base = TRACK_GET(TIME_TICKS, word);
		return 0;
	case TRACK_LONG:
		return long_record(l, s, word, err);
	}
	tl_damage(l, 8, s->c.p - 8, "a word that begins no record");
	return 0;
}

/* Makes the next chunk of the stream the current one. Returns false if there are no more chunks. */
static bool next_chunk(struct tl_log *l, struct stream *s)
{
	const struct chunk *c;

	l->passed += s->chunk_bytes;
	s->chunk_bytes = 0;
	if (s->chunk >= s->chunk_end)
		return false;
	c = &l->chunks[s->chunk++];
	s->chunk_bytes = c->size;
	s->c = chunk_records(c);
	s->tid = c->tid;
	return true;
}

int tl_stream_next(struct tl_log *l, struct stream *s, struct md_err *err)
{
	uint64_t old;
	int ret = 0;

	if (s->second) {
		s->second = false;
		old = s->head.e.address;
		short_birth(l, s, s->second_words[0], s->second_words[1]);
		s->head.e.old_address = old;
		return 1;
	}
	while (!ret) {
		if (cursor_left(&s->c) < 8) {
			if (!next_chunk(l, s))
				return 0;
			continue;
		}
		ret = decode_record(l, s, err);
	}
	return ret;
}
