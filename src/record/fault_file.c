/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes faults.data: page faults in perf's format, in the compressed records that perf uses, too
 * (PERF_RECORD_COMPRESSED). So the importer reads them with the same code as perf's file.
 *
 * The header is written twice: at the start with a data size of 0, which marks an unfinished file,
 * and at the end with the real size.
 */
#include "record/fault_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
	LEVEL = 1,
	WINDOW_LOG = 18, /* zstd searches the last 2^18 bytes for repeated text */
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_ROUND = 68,
	/* the largest multiple of 8 that fits the 16-bit size of a record */
	RECORD_BYTES = 65528,
	FEATURE_COMPRESSED = 27,
	BLOCK_BYTES = 128 << 10, /* maximum number of bytes of input that zstd may keep before it
				  * produces output */
};

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	struct perf_event_attr attr;
	struct section ids;
};

struct fault_file {
	int fd, sys; /* sys: errno of the first write that failed */
	ZSTD_CCtx *zstd;
	struct file_header header;
	uint64_t at;    /* number of bytes that were written to the file so far */
	bool unflushed; /* whether zstd has input that is not written yet */
	/* number of bytes of input that the current record contains, before compression */
	uint64_t inside;
	uint64_t largest; /* maximum of `inside` over all records */
	struct {
		struct perf_event_header header;
		uint8_t bytes[RECORD_BYTES - sizeof(struct perf_event_header)];
	} record;
	size_t used; /* bytes used in record.bytes */
};

/* Writes all bytes. Stores the errno of the first error in f->sys, and writes nothing more after
 * it. */
static void write_bytes(struct fault_file *f, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n && !f->sys) {
		ssize_t done = write(f->fd, p, n);

		if (done < 0 && errno != EINTR)
			f->sys = errno;
		if (done <= 0)
			continue;
		p += done;
		n -= (size_t)done;
		f->at += (size_t)done;
	}
}

/* Writes the ids of each event on all CPUs, then the attributes, which refer to the ids. */
static void write_events(struct fault_file *f, const struct fault_rings *r)
{
	struct section ids[FAULT_EVENTS];

	for (unsigned i = 0; i < r->nattrs; i++) {
		ids[i] = (struct section){ f->at, r->n * sizeof(uint64_t) };
		for (unsigned c = 0; c < r->n; c++)
			write_bytes(f, &r->at[c].ids[i], sizeof(uint64_t));
	}
	f->header.attrs = (struct section){ f->at, r->nattrs * sizeof(struct file_attr) };
	for (unsigned i = 0; i < r->nattrs; i++)
		write_bytes(f, &(struct file_attr){ r->attrs[i], ids[i] },
			    sizeof(struct file_attr));
	f->header.data.offset = f->at;
}

/*
 * Writes the header at the start of the file. A data size of 0 means that the file is unfinished
 * and that its records reach to the end of the file.
 */
static void write_header(struct fault_file *f)
{
	ssize_t n;

	do
		n = pwrite(f->fd, &f->header, sizeof(f->header), 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 && !f->sys)
		f->sys = errno;
}

/* Borrows fd: the caller closes it. */
int fault_file_open(const struct fault_rings *rings, int fd, struct fault_file **out,
		    struct md_err *err)
{
	struct fault_file *f = calloc(1, sizeof(*f));

	*out = NULL;
	if (!f)
		return md_nomem(err);
	f->fd = fd;
	f->zstd = ZSTD_createCCtx();
	if (!f->zstd) {
		free(f);
		return md_nomem(err);
	}
	ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_windowLog, WINDOW_LOG);
	f->header = (struct file_header){ .magic = "PERFILE2",
					  .size = sizeof(f->header),
					  .attr_size = sizeof(struct file_attr) };
	write_bytes(f, &f->header, sizeof(f->header));
	write_events(f, rings);
	write_header(f);
	*out = f;
	return 0;
}

/* Ends the current record and writes it to the file. No record of perf's format can be larger than
 * 64 KiB, not even a compressed one. */
static void end_record(struct fault_file *f)
{
	if (!f->used)
		return;
	f->record.header = (struct perf_event_header){
		.type = RECORD_COMPRESSED,
		.size = (uint16_t)(sizeof(f->record.header) + f->used),
	};
	write_bytes(f, &f->record, f->record.header.size);
	f->used = 0;
	if (f->inside > f->largest)
		f->largest = f->inside;
	f->inside = 0;
}

/* Compresses all n bytes into the current record. Writes each record that is full. */
static void compress_bytes(struct fault_file *f, const void *bytes, size_t n,
			   ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { f->record.bytes, sizeof(f->record.bytes), f->used };
		size_t before = in.pos;

		left = ZSTD_compressStream2(f->zstd, &out, &in, mode);
		if (ZSTD_isError(left)) {
			f->sys = f->sys ? f->sys : ENOMEM;
			return;
		}
		f->inside += in.pos - before;
		f->used = out.pos;
		if (out.pos == out.size)
			end_record(f);
	} while (in.pos < in.size || (mode != ZSTD_e_continue && left));
}

/* The bytes need not end where a record ends, because a ring buffer may wrap in the middle of a
 * record. */
void fault_file_add(struct fault_file *f, const void *records, size_t bytes)
{
	compress_bytes(f, records, bytes, ZSTD_e_continue);
	f->unflushed = true;
}

/* Writes what zstd still has in its buffers. Does not end the zstd frame, because perf reads only
 * one frame of a file. */
static void flush_output(struct fault_file *f)
{
	if (f->unflushed)
		compress_bytes(f, NULL, 0, ZSTD_e_flush);
	f->unflushed = false;
	end_record(f);
}

/* Writes perf's mark for the end of a round. All records after it are newer than those before the
 * previous mark, so the importer can then sort and use the older ones. */
void fault_file_end_round(struct fault_file *f)
{
	const struct perf_event_header round = { .type = RECORD_FINISHED_ROUND,
						 .size = sizeof(round) };

	flush_output(f);
	write_bytes(f, &round, sizeof(round));
}

/*
 * Writes the header feature in which perf describes the compression: version, type (zstd), level,
 * ratio, and an upper limit for the bytes that one record has after decompression.
 */
static void write_feature(struct fault_file *f)
{
	const uint32_t words[] = { 1, 1, LEVEL, 1,
				   (uint32_t)(f->largest + 2 * BLOCK_BYTES + RECORD_BYTES) };
	const struct section s = { f->at + sizeof(s), sizeof(words) };

	write_bytes(f, &s, sizeof(s));
	write_bytes(f, words, sizeof(words));
	f->header.features[0] = 1ull << FEATURE_COMPRESSED;
}

/* Frees f even if writing fails. f may be NULL. */
int fault_file_close(struct fault_file *f, struct md_err *err)
{
	int ret = 0;

	if (!f)
		return 0;
	flush_output(f);
	if (!f->sys) {
		f->header.data.size = f->at - f->header.data.offset;
		write_feature(f);
	}
	if (!f->sys)
		write_header(f);
	if (f->sys) {
		errno = f->sys;
		ret = md_fail_errno(err, MD_EIO, "the page faults are cut short");
	}
	ZSTD_freeCCtx(f->zstd);
	free(f);
	return ret;
}
