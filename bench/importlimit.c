/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * importlimit PERF.DATA OUT.DB: measures the least time that an import into SQLite can take.
 * Decodes the samples of a little-endian file whose events all have the layout of the first event,
 * distinguishes call chains by a hash, and writes one row of 20 integers per sample with one
 * prepared INSERT. Does not handle processes, symbols or names.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 20, STACKS = 1 << 20 };

struct file {
	const char *data, *end;
	uint64_t sample_type;
};

struct sample {
	uint64_t ip, time, addr, period, weight, src;
	uint32_t pid, tid, cpu, stack;
	uint64_t nchain;
	const uint64_t *chain;
};

static uint64_t stack_hash[STACKS];
static uint32_t stack_number[STACKS], stacks;

static void die(const char *what)
{
	fprintf(stderr, "importlimit: %s\n", what);
	exit(1);
}

static struct file open_data(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	/* the file's header as 64-bit words: magic; sizes; offset and bytes of the attributes;
	 * offset and bytes of the data */
	const uint64_t *h;
	const char *p;

	if (fd < 0 || fstat(fd, &st))
		die("cannot open the recording");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED || memcmp(p, "PERFILE2", 8))
		die("not a perf.data file");
	h = (const uint64_t *)(const void *)p;
	return (struct file){
		.data = p + h[5],
		.end = p + h[5] + h[6],
		.sample_type =
			((const struct perf_event_attr *)(const void *)(p + h[3]))->sample_type,
	};
}

static void decode(const struct perf_event_header *h, uint64_t type, struct sample *s)
{
	const uint64_t *p = (const uint64_t *)(const void *)(h + 1);

	*s = (struct sample){ .period = 1 };
	p += !!(type & PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_IP)
		s->ip = *p++;
	if (type & PERF_SAMPLE_TID) {
		s->pid = (uint32_t)*p;
		s->tid = (uint32_t)(*p++ >> 32);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = *p++;
	if (type & PERF_SAMPLE_ADDR)
		s->addr = *p++;
	p += !!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID);
	if (type & PERF_SAMPLE_CPU)
		s->cpu = (uint32_t)*p++;
	if (type & PERF_SAMPLE_PERIOD)
		s->period = *p++;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->nchain = *p++;
		s->chain = p;
		p += s->nchain;
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		s->weight = *p++;
	if (type & PERF_SAMPLE_DATA_SRC)
		s->src = *p++;
}

static uint32_t number_of_stack(const struct sample *s)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ s->nchain;

	for (uint64_t i = 0; i < s->nchain; i++) {
		h = (h ^ s->chain[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	h |= 1;
	for (uint32_t k = (uint32_t)(h >> 20) % STACKS;; k = (k + 1) % STACKS) {
		if (stack_hash[k] == h)
			return stack_number[k];
		if (stack_hash[k])
			continue;
		if (stacks > STACKS / 2)
			die("too many stacks");
		stack_hash[k] = h;
		return stack_number[k] = ++stacks;
	}
}

static void bind(sqlite3_stmt *st, int64_t id, const struct sample *s)
{
	const uint64_t c[COLUMNS] = {
		s->time,
		s->pid,
		s->tid,
		s->cpu,
		s->ip,
		s->addr,
		s->src,
		s->weight,
		s->period,
		s->stack,
		s->src & 31,
		s->src >> 5 & 0x3fff,
		s->src >> 19 & 31,
		s->src >> 24 & 3,
		s->src >> 26 & 127,
		s->ip & 0xfff,
		1,
		s->addr >> 12 & 0xfffff,
		s->addr & 0xfff,
		0,
	};

	sqlite3_bind_int64(st, 1, id);
	for (int i = 0; i < COLUMNS; i++)
		sqlite3_bind_int64(st, i + 2, (int64_t)c[i]);
}

static sqlite3 *create(const char *path, sqlite3_stmt **insert)
{
	sqlite3 *db;

	unlink(path);
	if (sqlite3_open(path, &db) ||
	    sqlite3_exec(
		    db,
		    "PRAGMA page_size=16384; PRAGMA journal_mode=off; PRAGMA synchronous=off;"
		    "PRAGMA locking_mode=exclusive; PRAGMA cache_size=-65536;"
		    "CREATE TABLE samples (id INTEGER PRIMARY KEY, time, pid, tid, cpu, ip, addr,"
		    " src, weight, period, stack, op, lvl, snoop, lock, dtlb, c1, c2, c3, c4, c5);"
		    "BEGIN",
		    NULL, NULL, NULL) ||
	    sqlite3_prepare_v3(
		    db, "INSERT INTO samples VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		    -1, SQLITE_PREPARE_PERSISTENT, insert, NULL))
		die(sqlite3_errmsg(db));
	return db;
}

int main(int argc, char **argv)
{
	struct file f;
	struct sample s;
	sqlite3_stmt *insert;
	sqlite3 *db;
	int64_t n = 0;

	if (argc != 3)
		die("usage: importlimit PERF.DATA OUT.DB");
	f = open_data(argv[1]);
	db = create(argv[2], &insert);
	for (const char *p = f.data; p < f.end;) {
		const struct perf_event_header *h = (const void *)p;

		if (h->size < sizeof(*h))
			die("a record without bytes");
		p += h->size;
		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		decode(h, f.sample_type, &s);
		s.stack = s.nchain ? number_of_stack(&s) : 0;
		bind(insert, ++n, &s);
		if (sqlite3_step(insert) != SQLITE_DONE)
			die(sqlite3_errmsg(db));
		sqlite3_reset(insert);
	}
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_finalize(insert);
	sqlite3_close(db);
	printf("%lld samples, %u stacks\n", (long long)n, stacks);
	return 0;
}
