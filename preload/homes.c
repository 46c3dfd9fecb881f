/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/auxv.h>

#include "addresses.h"
#include "clock.h"
#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "seal.h"
#include "start.h"
#include "text.h"

enum {
	/* maximum number of pages of a block whose nodes are looked up; their array is on the
	 * stack, which may be small */
	HOMES_MOST = 32,
	LARGE_BLOCKS = 1 << 18,
	/* a value of the set `large` encodes a size in pages as a floating-point number: the low
	 * SIZE_BITS bits are the mantissa, the five bits above them are the exponent of two */
	SIZE_BITS = 14,
};

/* The addresses of the live large blocks, with their sizes. */
static struct addresses large START_STATE;

uint64_t homes_page_bytes(void)
{
	uint64_t bytes = getauxval(AT_PAGESZ);

	return bytes ? bytes : 4096;
}

static bool homes_matter(void)
{
	char text[64];

	/* the file contains "0" on a machine with one node, otherwise a list or a range */
	return text_read_file("/sys/devices/system/node/online", text, sizeof(text)) > 0 &&
	       (strchr(text, '-') || strchr(text, ','));
}

void homes_init(const char *options)
{
	uint64_t wanted = text_option(options, "homes", 2);

	image.homes_size = UINT64_MAX;
	if (wanted == 2 ? !homes_matter() : !wanted)
		return;
	image.homes_size = text_option(options, "homes_size", 64 << 10);
	addresses_init(&large, LARGE_BLOCKS);
}

static uint32_t pack_size(uint64_t size)
{
	uint64_t pages = size / 4096;
	uint32_t power = 0;

	for (; pages >> SIZE_BITS; pages /= 2)
		power++;
	return (uint32_t)pages | power << SIZE_BITS;
}

static uint64_t unpack_size(uint32_t value)
{
	return (uint64_t)(value & ((1 << SIZE_BITS) - 1)) * 4096 << (value >> SIZE_BITS);
}

void homes_born_large(const void *p, uint64_t size)
{
	/* The address may be in the set already: an earlier block was replaced by a mapping, or was
	 * freed by a call that the hooks do not see. */
	addresses_remove(&large, (uint64_t)(uintptr_t)p);
	addresses_add(&large, (uint64_t)(uintptr_t)p, pack_size(size));
}

bool homes_gone_large(const void *p)
{
	return addresses_remove(&large, (uint64_t)(uintptr_t)p);
}

void homes_record(struct thread *t, uint32_t pid, uint64_t address, uint64_t size)
{
	uint64_t page = homes_page_bytes(), first = (address + page - 1) & ~(page - 1),
		 pages = address + size > first ? (address + size - first) / page : 0;
	uint64_t step = page * track_homes_step(pages, HOMES_MOST), asked[HOMES_MOST];
	struct track_event ev = { .ticks = clock_ticks(),
				  .address = first,
				  .size = size,
				  .stack = STACK_TRUNCATED,
				  .subject = pid,
				  .mode = (uint32_t)step };
	int32_t nodes[HOMES_MOST];
	uint32_t n = 0;

	if (!pages || step > UINT32_MAX || seal_notice())
		return;
	for (; n < HOMES_MOST && n * step < pages * page; n++)
		asked[n] = first + n * step;
	if (rawcall6(SYS_move_pages, pid, n, (long)asked, 0, (long)nodes, 0) < 0)
		return;
	ev.extra = n;
	log_event(t, &ev, TL_HOMES, TL_FN_NONE, nodes, sizeof(nodes[0]));
}

void homes_record_known(struct thread *t, uint32_t pid, uint64_t address, const int *nodes,
			uint64_t n)
{
	uint64_t page = homes_page_bytes();
	struct track_event ev = { .ticks = clock_ticks(),
				  .stack = STACK_TRUNCATED,
				  .subject = pid,
				  .mode = (uint32_t)page };

	for (uint64_t at = 0, some; at < n; at += some) {
		some = n - at < 2 * TRACK_EXTRA_WORDS ? n - at : 2 * TRACK_EXTRA_WORDS;
		ev.address = address + at * page;
		ev.size = some * page;
		ev.extra = (uint32_t)some;
		log_event(t, &ev, TL_HOMES, TL_FN_NONE, nodes + at, sizeof(nodes[0]));
	}
}

void homes_record_all(struct thread *t)
{
	uint64_t at = 0, address;
	uint32_t value;

	while (addresses_next(&large, &at, &address, &value))
		homes_record(t, 0, address, unpack_size(value));
}
