/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inflates PERF_RECORD_COMPRESSED and COMPRESSED2. The payloads of all compressed records of a file
 * form one zstd stream, whose frame perf never ends. An inflated record may begin in one compressed
 * record and end in the next one. The stream is inflated into a sliding window of fixed size, so
 * memdb's memory does not depend on what the stream claims.
 */
#include "perfdata/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

enum {
	RECORD_MAX = 65536,
	/* room for an incomplete record and the new bytes after it */
	WINDOW_BYTES = RECORD_MAX + 256 * 1024,
	/* log2 of the largest window that perf's streams need (level 22, size of the input
	 * unknown); larger windows are refused */
	WINDOW_LOG_MAX = 27,
	BLOCK_HEADER = 3, /* between two blocks of a frame, zstd expects this many bytes */
	/* Records inflate to 3 to 130 times their size. A stream that inflates more than this is
	 * malicious: it would waste time. */
	RATIO_MAX = 1000,
	RATIO_SLACK = 64 << 20,
};

struct pd_inflate {
	ZSTD_DCtx *ctx;
	ZSTD_inBuffer in;
	uint64_t in_bytes, out_bytes; /* sums over all records of the stream so far */
	/* maximum of out_bytes until the next compressed record begins */
	uint64_t out_limit;
	size_t rest;     /* bytes of an incomplete record at the front of the window */
	size_t expected; /* how many more bytes zstd expects, as the last call returned */
	bool full;       /* the last call filled the window, so zstd may have more output */
	uint8_t window[WINDOW_BYTES];
};

void pd_inflate_free(struct pd_inflate *z)
{
	if (z)
		ZSTD_freeDCtx(z->ctx);
	free(z);
}

void pd_inflate_reset(struct pd_inflate *z)
{
	if (!z)
		return;
	ZSTD_DCtx_reset(z->ctx, ZSTD_reset_session_only);
	z->in_bytes = z->out_bytes = 0;
	z->expected = 0;
	z->rest = 0;
}

size_t pd_inflate_rest(const struct pd_inflate *z)
{
	return z ? z->rest : 0;
}

bool pd_inflate_in_block(const struct pd_inflate *z)
{
	return z && z->expected && (z->expected != BLOCK_HEADER || !z->out_bytes);
}

static struct pd_inflate *inflate_new(void)
{
	struct pd_inflate *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->ctx = ZSTD_createDCtx();
	if (!z->ctx ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		pd_inflate_free(z);
		return NULL;
	}
	return z;
}

int pd_inflate_begin(struct pd_file *f, const uint8_t *payload, size_t size, struct md_err *err)
{
	struct pd_inflate *z = f->inflate ? f->inflate : inflate_new();

	if (!z)
		return md_nomem(err);
	f->inflate = z;
	z->in = (ZSTD_inBuffer){ .src = payload, .size = size };
	z->in_bytes += size;
	z->out_limit = z->in_bytes * RATIO_MAX + RATIO_SLACK;
	z->full = false;
	f->pos = z->window;
	f->end = z->window + z->rest;
	return 0;
}

int pd_inflate_more(struct pd_file *f, struct md_err *err)
{
	struct pd_inflate *z = f->inflate;
	ZSTD_outBuffer out = { .dst = z->window, .size = sizeof(z->window) };
	size_t ret;

	z->rest = (size_t)(f->end - f->pos);
	memmove(z->window, f->pos, z->rest);
	out.pos = z->rest;
	f->pos = z->window;
	f->end = z->window + z->rest;
	if (z->in.pos == z->in.size && !z->full)
		return 0;
	ret = ZSTD_decompressStream(z->ctx, &out, &z->in);
	if (ZSTD_isError(ret))
		return md_fail(err, MD_EFORMAT, "%s", ZSTD_getErrorName(ret));
	z->expected = ret;
	z->out_bytes += out.pos - z->rest;
	if (z->out_bytes > z->out_limit)
		return md_fail(err, MD_EFORMAT, "inflates to more than %d times its size",
			       RATIO_MAX);
	z->full = out.pos == out.size;
	f->end = z->window + out.pos;
	return 1;
}
