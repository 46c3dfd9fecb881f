#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that objects have names which functions allocate that a macro outside all functions defines: debug information
# reports the macro's line for all their code. The names are those of the members and of the callers' variables. Also
# proves it for a macro in a function that allocates several objects, of which only the sizes tell some apart.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/table.h" <<'EOF'
#define TABLE_TYPE(name, key_t, value_t) \
	struct name##_table { unsigned char *used; key_t *keys; value_t *values; long size; }; \
	struct name##_log { long *lines; long count; };

#define TABLE_CODE(name, SCOPE, key_t, value_t, has_values) \
	SCOPE struct name##_table *name##_make(void) \
	{ \
		return (struct name##_table *)calloc(1, sizeof(struct name##_table)); \
	} \
	SCOPE int name##_resize(struct name##_table *t, long n) /* all objects on one line */ \
	{ \
		key_t *keys; \
		unsigned char *used = (unsigned char *)malloc(n); \
		if (!used) \
			return -1; \
		keys = (key_t *)realloc(t->keys, n * sizeof(key_t)); \
		if (!keys) \
			return -1; \
		t->keys = keys; \
		if (has_values) { \
			value_t *values = (value_t *)realloc(t->values, n * sizeof(value_t)); \
			if (!values) \
				return -1; \
			t->values = values; \
		} \
		free(t->used); \
		t->used = used; \
		t->size = n; \
		return 0; \
	} \
	SCOPE int name##_start(struct name##_table *t) \
	{ \
		return name##_resize(t, 1000); \
	} \
	SCOPE void name##_note(struct name##_log *log, long n) \
	{ \
		log->lines = (long *)realloc(log->lines, n * sizeof(long)); \
		log->lines[n - 1] = n; \
	}

#define TABLE(name, key_t, value_t, has_values) \
	TABLE_TYPE(name, key_t, value_t) \
	TABLE_CODE(name, static __attribute__((noinline, unused)), key_t, value_t, has_values)

#define table_resize(name, t, n) name##_resize(t, n)
EOF
cat >"$T/macros.c" <<'EOF'
#include <stdlib.h>
#include "table.h"

TABLE(words, int, double, 1)
TABLE(marks, long, char, 0)
typedef struct words_table words;

struct index { words *words; struct words_log log; };

static struct marks_table marks;

int main(void)
{
	struct index index = { words_make(), { 0, 0 } };
	words *second = words_make();
	struct marks_log *log = malloc(3001 * sizeof(*log));
	long size = 5000;

	if (!index.words || !second || !log || table_resize(words, index.words, size) || words_start(second) ||
	    marks_resize(&marks, 2000))
		return 1;
	log[7].lines = NULL;
	words_note(&index.log, 700);
	marks_note((struct marks_log *)&log[7], 800);
	return index.words->size + second->size + index.log.lines[699] + log[7].lines[799] == 0;
}
EOF
cat >"$T/expected" <<'EOF'
1000 second->used
2000 marks.used
4000 second->keys
5000 index.words->used
5600 index.log.lines
6400 log[7].lines
8000 second->values
16000 marks.keys
20000 index.words->keys
40000 index.words->values
48016 log
EOF

for build in "gcc -O0" "gcc -O2" "gcc -O2 -gdwarf-4" "clang -O0" "clang -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -o "$T/macros" "$T/macros.c"
	record --sampler=timer "$T/macros"
	assert_eq "$build: objects" "$(cat "$T/expected")" \
		"$(sql "SELECT size_bytes, name FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 1000 AND 50000 ORDER BY 1" | tr '|' ' ')"
done

echo "== a macro in a function, with several allocations"
cat >"$T/map.h" <<'EOF'
#include <stdlib.h>
#include <string.h>
#define MAP_ALLOC(n) malloc(n)
#define MAP_CHECKED(x) x
#define MAP_MAKE(map, bytes) \
do { \
	(map)->head = (struct head *)MAP_ALLOC(sizeof(struct head)); \
	MAP_CHECKED(if ((map)->head) {) \
		(map)->head->cells = (struct cell *)MAP_ALLOC((bytes) * sizeof(struct cell)); \
		(map)->head->texts = (char *)MAP_ALLOC(bytes); \
		if ((bytes) > 5000) \
			(map)->head->others = (char *)MAP_ALLOC(bytes); \
	MAP_CHECKED(}) \
} while (0)
#define MAP_START(kind, map) MAP_MAKE(map, 1000)
EOF
cat >"$T/map.c" <<'EOF'
#include "map.h"

struct cell { char text[24]; };
struct head { struct cell *cells; char *texts, *others; char pad[5000]; };
struct map { struct head *head; };

static __attribute__((noinline)) void start(struct map *words)
{
	MAP_START(3, words);
}

int main(void)
{
	struct map map;

	start(&map);
	memset(map.head->pad, 1, sizeof(map.head->pad));
	memset(map.head->cells, 1, 24000);
	memset(map.head->texts, 1, 1000);
	return map.head->cells[3].text[1] == 2;
}
EOF
gcc -O1 -g -o "$T/map" "$T/map.c"
record --all-blocks --sampler=timer "$T/map"
assert_eq "objects" "1000 words (MAP_START)|5024 map.head|24000 words (MAP_START)" \
	"$(sql "SELECT size_bytes || ' ' || name FROM objects WHERE kind = 'heap' AND size_bytes IN (1000, 5024, 24000)
		ORDER BY size_bytes" | paste -sd '|')"
