/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe phase of a hash join: takes a key (64 MiB, in order), reads the head of its list (32
 * MiB), the key of the entry at the head (32 MiB) and, for half of the entries, the payload (64
 * MiB). */
// object probe -DPROBE_MASK=63
// object heads -DHEAD_MASK=63
// object keys -DKEY_MASK=63
// object payload -DPAYLOAD_MASK=63
#include "program.h"

enum { ENTRIES = 1 << 23, PROBES = 1 << 24 };
#ifndef PROBE_MASK
#define PROBE_MASK (PROBES - 1)
#endif
#ifndef HEAD_MASK
#define HEAD_MASK (ENTRIES - 1)
#endif
#ifndef KEY_MASK
#define KEY_MASK (ENTRIES - 1)
#endif
#ifndef PAYLOAD_MASK
#define PAYLOAD_MASK (ENTRIES - 1)
#endif

static uint32_t probe[PROBES], heads[ENTRIES], keys[ENTRIES];
static double payload[ENTRIES];

void init(void)
{
	for (int i = 0; i < PROBES; i++)
		probe[i] = random_number();
	for (int i = 0; i < ENTRIES; i++) {
		heads[i] = random_number();
		keys[i] = random_number();
		payload[i] = 1;
	}
}

double kernel(void)
{
	double sum = 0;

	for (int repeat = 0; repeat < 2; repeat++) {
		for (uint32_t i = 0; i < PROBES; i++) {
			uint32_t key = MIX(probe[i & PROBE_MASK], i);
			uint32_t entry = MIX(heads[(key ^ key >> 15) & HEAD_MASK], i);

			if ((keys[entry & KEY_MASK] ^ key) & 64)
				sum += payload[(entry ^ entry >> 9) & PAYLOAD_MASK];
		}
	}
	return sum;
}
