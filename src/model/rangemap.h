/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ordered map from 64-bit keys to 32-bit values: a B+ tree. It holds the live blocks and
 * mappings by start address: the one that contains an address has the greatest key at or below it.
 *
 * Several maps can share nodes, as a forked child shares its parent's memory. A shared node is
 * copied when one of its maps changes it, so a fork costs nothing and memory grows with the
 * changes.
 *
 * Cost with 100,000 keys: about 50 ns for each operation, 14 to 20 bytes a key.
 */
#ifndef MEMDB_MODEL_RANGEMAP_H
#define MEMDB_MODEL_RANGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rangemap_node;

/*
 * Reference counting for values that must live as long as any map contains them. Pass one reference
 * with each put; rangemap_del() returns it. In between, a value that stands in n nodes has n
 * references.
 */
struct rangemap_holds {
	void (*hold)(void *arg, uint32_t value);
	void (*drop)(void *arg, uint32_t value);
	void *arg;
};

/* { 0 } is an empty map. */
struct rangemap {
	struct rangemap_node *root;
	unsigned height;                    /* 0 means the root is a leaf */
	uint32_t owner;                     /* distinguishes maps that share nodes */
	const struct rangemap_holds *holds; /* NULL means values are plain numbers */
	bool nomem; /* memory ran out: a change was made in part or not at all */
};

/* Sets key to value and drops its former value. MD_ENOMEM: the keys are unchanged. */
int rangemap_put(struct rangemap *m, uint64_t key, uint32_t value);

/* Sets key to value if there is no key from `key` to `last`. Returns 0; 1 if there is such a key,
 * or if this cannot be decided without a second search; or MD_ENOMEM. The keys change only if it
 * returns 0. */
int rangemap_put_free(struct rangemap *m, uint64_t key, uint64_t last, uint32_t value);

/* Removes key and gives its value to *value. If value is NULL, drops the value. False if there is
 * no such key, or when out of memory. */
bool rangemap_del(struct rangemap *m, uint64_t key, uint32_t *value);

bool rangemap_get(const struct rangemap *m, uint64_t key, uint32_t *value);

/* rangemap_le() finds the greatest key <= key, rangemap_ge() the smallest key >= key. False if
 * there is none. at and value may be NULL. */
bool rangemap_le(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value);
bool rangemap_ge(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value);

static inline bool rangemap_empty(const struct rangemap *m)
{
	return !m->root;
}

/* Returns the number of keys. Visits every node. */
size_t rangemap_count(const struct rangemap *m);

/* Makes the empty map `to` a copy of `from`. Both need owner numbers, which must differ. */
void rangemap_share(struct rangemap *to, const struct rangemap *from);

/* Called by rangemap_cut() with each key before its value is dropped. */
typedef void rangemap_gone_fn(void *arg, uint64_t key, uint32_t value);

/*
 * Removes all keys from `first` to `last`, both included, and reports them in order. Long runs of
 * keys that m took over from another map and never changed are not reported, so the cost is bounded
 * by that of the puts. gone may be NULL; it must not use the map. Returns 0; 1 if some keys were
 * not reported; MD_ENOMEM if some keys are left.
 */
int rangemap_cut(struct rangemap *m, uint64_t first, uint64_t last, rangemap_gone_fn *gone,
		 void *arg);

/* Removes all keys without reporting them. */
void rangemap_release(struct rangemap *m);

#endif
