/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/remembered.h"

#include <stdlib.h>
#include <string.h>

enum {
	BITS = 12, /* each place has room for one instruction */
	PLACES = 1 << BITS,
	LONGEST = 15, /* bytes of an instruction */
};

struct remembered_insn {
	uint64_t key[2]; /* the instruction's bytes and its length; 0 means none */
	struct insn insn;
};

void remembered_release(struct remembered *r)
{
	free(r->at);
	r->at = NULL;
}

/* Stores in key[] the bytes of the instruction at `code`, and its length in the last byte. Returns
 * the length; 0 if the bytes are no instruction. */
static size_t key_of(const uint8_t *code, size_t len, uint64_t key[2])
{
	const size_t size = x86_length(code, len);
	uint8_t bytes[16] = { 0 };

	if (!size || size > LONGEST)
		return 0;
	memcpy(bytes, code, size);
	bytes[LONGEST] = (uint8_t)size;
	memcpy(key, bytes, sizeof(bytes));
	return size;
}

static struct remembered_insn *place_of(struct remembered *r, const uint64_t key[2])
{
	const uint64_t hash = (key[0] ^ key[1] * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	if (!r->at)
		r->at = calloc(PLACES, sizeof(*r->at));
	return r->at ? &r->at[hash >> (64 - BITS)] : NULL;
}

/* An instruction is remembered only if Capstone finds the length that x86_length() does: then its
 * meaning depends on no byte after it. */
bool remembered_decode(struct remembered *r, struct x86 *x, const uint8_t *code, size_t len,
		       struct insn *out)
{
	struct remembered_insn *p;
	uint64_t key[2];
	const size_t size = key_of(code, len, key);
	bool ok;

	p = size ? place_of(r, key) : NULL;
	if (p && p->key[0] == key[0] && p->key[1] == key[1]) {
		*out = p->insn;
		return true;
	}
	ok = x86_decode(x, code, len, out);
	if (p && ok && out->size == size)
		*p = (struct remembered_insn){ { key[0], key[1] }, *out };
	return ok;
}
