/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "append.h"
#include "sample_record.h"
#include "signals.h"

/* whether the file ends in the middle of a record, so that nothing more can be appended */
static bool torn;
static _Atomic uint64_t own_lost, *lost = &own_lost;

/* Maps the count of lost records (access_lost.lost), which is at offset `at` of the file, so that
 * all processes share it. It can be changed even if the disk is full, because its block of the file
 * exists. */
static void map_count(int fd, uint64_t at)
{
	long p = syscall(SYS_mmap, NULL, at + sizeof(*lost), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 0L);

	if (p != -1)
		lost = (_Atomic uint64_t *)((char *)p + at);
}

bool stream_open(const char *path, uint64_t lost_at)
{
	const int fd = append_open(path);

	if (fd >= 0 && lost_at)
		map_count(fd, lost_at);
	return fd >= 0;
}

uint64_t stream_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void stream_lose(uint64_t records)
{
	*lost += records;
}

static uint64_t records_in(const struct stream *s)
{
	struct perf_event_header h;
	uint64_t n = 0;

	for (uint32_t at = 0; at < s->used; at += h.size, n++)
		memcpy(&h, s->bytes + at, sizeof(h));
	return n;
}

/* If the disk is full, the last record in the file may be incomplete; readers stop there and report
 * it. From then on nothing is appended (torn), and all records count as lost. */
void stream_flush(struct stream *s)
{
	sigset_t before;
	long n;

	if (!s->used)
		return;
	signals_block(&before);
	n = torn ? -1 : append_bytes(s->bytes, s->used);
	if (n != (long)s->used)
		stream_lose(records_in(s));
	torn |= n >= 0 && n != (long)s->used;
	s->used = 0;
	signals_restore(&before);
}

/* Reserves room in the buffer for a record and writes its header. `size` includes the header and is
 * at most STREAM_BYTES. Returns where the body begins. The record becomes a part of the buffer only
 * in end_record(): so if a signal handler leaves the sampler before, there is no partial record. */
static uint8_t *begin_record(struct stream *s, uint32_t type, uint16_t misc, size_t size)
{
	struct perf_event_header h = { .type = type, .misc = misc, .size = (uint16_t)size };
	uint8_t *at;

	if (s->used + size > sizeof(s->bytes))
		stream_flush(s);
	at = s->bytes + s->used;
	memcpy(at, &h, sizeof(h));
	return at + sizeof(h);
}

static void end_record(struct stream *s)
{
	struct perf_event_header h;

	memcpy(&h, s->bytes + s->used, sizeof(h));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	s->used += h.size;
}

/* the bytes that PERF_SAMPLE_ID_ALL (sample_id_all) adds to each record that is not a sample: pid
 * and tid, time, CPU, identifier */
enum { TAIL_BYTES = 4 * 8 };

/* Ends a record that is not a sample. */
static void put_tail(struct stream *s, uint8_t *at, uint64_t time)
{
	at = put32(at, s->pid, s->tid);
	at = put64(at, time);
	at = put32(at, (uint32_t)sched_getcpu(), 0);
	put64(at, ACCESS_EVENT_ACCESS);
	end_record(s);
}

void stream_sample(struct stream *s, const struct stream_sample *what)
{
	struct stream_sample timed = *what;
	uint8_t *at = begin_record(s, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
				   record_bytes(what->ncallers));

	timed.time = what->time ? what->time : stream_now();
	record_put(at, s, &timed, (uint32_t)sched_getcpu());
	end_record(s);
}

/* Writes which file is mapped: its build-id, or its device and inode. */
static uint8_t *put_file(uint8_t *at, const struct stream_map *m)
{
	if (!m->build_id_size) {
		at = put32(at, m->major, m->minor);
		at = put64(at, m->inode);
		return put64(at, 0);
	}
	at = put32(at, m->build_id_size, 0) - 4;
	memcpy(at, m->build_id, sizeof(m->build_id));
	return at + sizeof(m->build_id);
}

void stream_map(struct stream *s, const struct stream_map *m)
{
	const size_t text = strnlen(m->path, PATH_MAX - 1), room = (text + 8) & ~(size_t)7;
	const size_t size = sizeof(struct perf_event_header) + 8 * 8 + room + TAIL_BYTES;
	const bool code = m->prot & 4;
	const uint16_t misc = PERF_RECORD_MISC_USER | (code ? 0 : PERF_RECORD_MISC_MMAP_DATA) |
			      (m->build_id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	uint8_t *at = begin_record(s, PERF_RECORD_MMAP2, misc, size);

	at = put32(at, s->pid, s->tid);
	at = put64(at, m->start);
	at = put64(at, m->end - m->start);
	at = put64(at, m->offset);
	at = put_file(at, m);
	at = put32(at, m->prot, m->flags);
	memset(at, 0, room);
	memcpy(at, m->path, text);
	put_tail(s, at + room, m->time ? m->time : stream_now());
}

static void put_name(struct stream *s, const char *name, bool executed, uint64_t time)
{
	uint8_t *at = begin_record(s, PERF_RECORD_COMM, executed ? PERF_RECORD_MISC_COMM_EXEC : 0,
				   sizeof(struct perf_event_header) + 8 + 16 + TAIL_BYTES);

	at = put32(at, s->pid, s->tid);
	memset(at, 0, 16);
	memcpy(at, name, strnlen(name, 15));
	put_tail(s, at + 16, time ? time : stream_now());
}

void stream_name(struct stream *s, const char *name)
{
	put_name(s, name, false, 0);
}

void stream_executed(struct stream *s, const char *name, uint64_t time)
{
	put_name(s, name, true, time);
}

static void put_task(struct stream *s, uint32_t type, const struct stream_task *t)
{
	const uint64_t now = t->time ? t->time : stream_now();
	uint8_t *at =
		begin_record(s, type, 0, sizeof(struct perf_event_header) + 3 * 8 + TAIL_BYTES);

	at = put32(at, t->pid, t->parent_pid);
	at = put32(at, t->tid, t->parent_tid);
	at = put64(at, now);
	put_tail(s, at, now);
}

void stream_begin(struct stream *s, const struct stream_task *task)
{
	put_task(s, PERF_RECORD_FORK, task);
}

void stream_end(struct stream *s)
{
	put_task(s, PERF_RECORD_EXIT, &(struct stream_task){ s->pid, s->tid, s->pid, s->tid, 0 });
	stream_flush(s);
}
