/* SPDX-License-Identifier: GPL-2.0-or-later */
/* seed_tracklog FILE: writes a seed (a first input) for the fuzz target fuzz_tracklog.c: a
 * tracker's log with one record of each kind. */
#include <stdio.h>

#include "../unit/tracklog_build.h"

static size_t build(struct log_build *b)
{
	const struct track_event one = { .ticks = 1200, .extra = 1 }, none = { .ticks = 1201 };
	const uint64_t pcs[] = { 0xa, 0xb }, pair[] = { 1150, 1150 }, tid = 7;

	log_header(b)->clock = TRACK_CLOCK_TSC;
	log_chunk(b, 0, 0, 101);
	log_nodes(b, 2, 0, pcs, 2);
	log_time(b, 1000);
	log_short(b, TRACK_BIRTH, 1, 0x10);
	log_birth_body(b, TL_FN_MALLOC, 0, 1, 3);
	log_short(b, TRACK_REALLOC, 2, 0x10);
	log_short(b, TRACK_BIRTH, 3, 0x20);
	log_birth_body(b, TL_FN_REALLOC, 0, 1, 3);
	log_long(b, TRACK_PAIR, 0, pair, 2);
	log_long(b, TRACK_THREAD, 0, &tid, 1);
	log_free(b, 4, 0x20);
	log_long_event(b, TL_POLICY, TL_FN_MBIND, &one, "12345678", 8);
	log_long_event(b, TL_AFFINITY, TL_FN_SCHED_SETAFFINITY, &one, "12345678", 8);
	log_long_event(b, TL_NAME, TL_FN_PTHREAD_SETNAME, &one, "x", 1);
	log_long_event(b, TL_HOMES, 0, &one, "1234", 4);
	log_long_event(b, TL_MAP, TL_FN_SHMAT, &none, NULL, 0);
	log_long_event(b, TL_UNMAP, TL_FN_SHMDT, &none, NULL, 0);
	log_long_event(b, TL_THREAD, TL_FN_THREAD_START, &one, "12345678", 8);
	log_long_event(b, TL_END, 0, &one, "e", 1);
	return (size_t)((char *)b->p - (char *)b->words);
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
	struct log_build *b = log_new();
	size_t n = build(b);
	int ok = f && fwrite(b->words, 1, n, f) == n;

	if (f && fclose(f))
		ok = 0;
	free(b);
	return !ok;
}
