/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "owners.h"

#include "text.h"

void (*track_owners)(uint64_t address, uint64_t bytes);

#if defined(__x86_64__)
#define TEXT(...)  TEXT_(__VA_ARGS__)
#define TEXT_(...) #__VA_ARGS__

/* Loads the first of two words; the emulator shows their address to the sampler. */
static void report_to_emulator(uint64_t address, uint64_t bytes)
{
	const uint64_t words[2] = { address, bytes };
	uint64_t first;

	__asm__ volatile(".byte " TEXT(TRACK_OWNERS_MARK) "; mov (%1), %0"
			 : "=r"(first)
			 : "r"(words)
			 : "memory");
}
#endif

void owners_init(const char *options)
{
#if defined(__x86_64__)
	if (text_option(options, "owners", 0))
		track_owners = report_to_emulator;
#endif
}
