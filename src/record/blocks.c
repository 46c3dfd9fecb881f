/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes which ranges of physical memory belong to which node. The ranges come from the kernel's
 * memory blocks. With them, the importer finds the node of a sample's page from the physical
 * address in the sample.
 *
 * A block that has pages of two nodes is left out, because its addresses do not determine the node.
 */
#include "record/blocks.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/index.h"
#include "base/idlist.h"
#include "record/machine.h"

struct block {
	uint64_t number;
	unsigned node;
};

struct blocks {
	struct block *at;
	uint32_t n, cap;
};

/* Adds the memory blocks of a node to the list b. Returns false when out of memory. */
static bool add_blocks(struct blocks *b, const char *root, unsigned node)
{
	char path[PATH_MAX];
	bool ok = true;
	struct dirent *e;
	uint64_t number;
	DIR *d;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u", root, node);
	d = opendir(path);
	while (d && ok && (e = readdir(d))) {
		if (sscanf(e->d_name, "memory%" SCNu64, &number) != 1)
			continue;
		ok = VEC_ROOM(b);
		if (ok)
			b->at[b->n++] = (struct block){ number, node };
	}
	if (d)
		closedir(d);
	return ok;
}

static int by_number(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Does block i contain memory of two nodes? Then it is in the list twice. The list is sorted by
 * block number, so the other entry is next to it. */
static bool is_shared(const struct blocks *b, uint32_t i)
{
	return (i && b->at[i - 1].number == b->at[i].number) ||
	       (i + 1 < b->n && b->at[i + 1].number == b->at[i].number);
}

/* Blocks i to i + run - 1 of the sorted list form one range of addresses on one node. Does block i
 * + run continue this range? It does if it is only on the same node, and begins where the range
 * ends. */
static bool continues_run(const struct blocks *b, uint32_t i, uint32_t run)
{
	return i + run < b->n && b->at[i + run].node == b->at[i].node &&
	       b->at[i + run].number == b->at[i].number + run && !is_shared(b, i + run);
}

/*
 * Writes one line for each range of adjacent blocks of a node. The address of a block is its number
 * times the block size.
 */
static void write_runs(const struct blocks *b, uint64_t bytes, FILE *out)
{
	for (uint32_t i = 0, run; i < b->n; i += run) {
		run = 1;
		if (is_shared(b, i))
			continue;
		while (continues_run(b, i, run))
			run++;
		fprintf(out, "memory\t%u\t%" PRIx64 "\t%" PRIx64 "\n", b->at[i].node,
			b->at[i].number * bytes, (b->at[i].number + run) * bytes);
	}
}

/* Without memory hotplug, the kernel has no memory blocks, and this function writes nothing. */
void blocks_write(const char *root, const char *nodes, FILE *out)
{
	struct idlist l = idlist_make(nodes);
	struct blocks b = { 0 };
	char line[32];
	uint64_t bytes;
	unsigned node;

	machine_read_line(root, "/sys/devices/system/memory/block_size_bytes", line, sizeof(line));
	bytes = strtoull(line, NULL, 16);
	if (!bytes)
		return;
	while (idlist_next(&l, &node))
		if (!add_blocks(&b, root, node))
			goto out;
	if (b.n)
		qsort(b.at, b.n, sizeof(b.at[0]), by_number);
	write_runs(&b, bytes, out);
out:
	free(b.at);
}
