/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the record of a sample. The functions are in a header because as/fast.c, which may use no
 * vector registers, needs them, too. */
#ifndef MEMDB_ACCESS_SAMPLE_RECORD_H
#define MEMDB_ACCESS_SAMPLE_RECORD_H

#include "stream.h"

static inline uint8_t *put64(uint8_t *at, uint64_t v)
{
	__builtin_memcpy(at, &v, sizeof(v));
	return at + sizeof(v);
}

static inline uint8_t *put32(uint8_t *at, uint32_t a, uint32_t b)
{
	return put64(at, a | (uint64_t)b << 32);
}

/* Returns the number of bytes of the record of a sample with n callers. The call chain begins with
 * two more entries: the marker PERF_CONTEXT_USER and ip. */
static inline size_t record_bytes(uint32_t ncallers)
{
	return sizeof(struct perf_event_header) + (9 + 2 + ncallers) * 8;
}

/* Writes the body of the record of a sample, in which `time` is not 0. */
static inline void record_put(uint8_t *at, const struct stream *s, const struct stream_sample *what,
			      uint32_t cpu)
{
	at = put64(at, what->event);
	at = put64(at, what->ip);
	at = put32(at, s->pid, s->tid);
	at = put64(at, what->time);
	at = put64(at, what->address);
	at = put32(at, cpu, 0);
	at = put64(at, what->period);
	at = put64(at, what->ncallers + 2);
	at = put64(at, (uint64_t)PERF_CONTEXT_USER);
	at = put64(at, what->ip);
	for (uint32_t i = 0; i < what->ncallers; i++)
		at = put64(at, what->callers[i]);
	put64(at, what->source);
}

#endif
