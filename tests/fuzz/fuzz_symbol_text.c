/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: parses text that memdb reads about symbols. The first byte selects what the
 * text is: a mangled name, a function's name, a line of source, a source file, or a file like
 * /proc/kallsyms or perf-PID.map.
 */
#include "base/arena.h"
#include "memory_file.h"
#include "naming/holder.h"
#include "naming/naming.h"
#include "symbol/demangle.h"
#include "symbol/symbol.h"

#include <string.h>

#include "base/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

static void use_demangler(const char *name)
{
	struct arena a = { 0 };
	const char *pretty = demangle_name(&a, name);

	sink += strlen(pretty);
	arena_release(&a);
}

static void use_line(const char *line)
{
	char name[256];

	if (assigned_name(line, name, sizeof(name)))
		sink += strlen(name);
}

static void use_symbols(struct sym_file *f, const char *text)
{
	const struct sym_symbol *s;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		uint64_t address = strtoull(line, NULL, 16);

		for (uint64_t at = address - 1; at != address + 2; at++) {
			s = sym_symbol_at(f, at);
			sink += s ? strlen(s->pretty) + s->size : 0;
		}
	}
}

static struct memory_file file;

static void use_kallsyms(const char *text)
{
	struct sym_file *f;

	if (sym_kallsyms_open(memory_file_set(&file, text, strlen(text)), NULL, &f, NULL))
		return;
	use_symbols(f, text);
	sym_file_close(f);
}

static void use_perfmap(const char *text)
{
	struct sym_file *f;

	if (sym_perfmap_open(memory_file_set(&file, text, strlen(text)), &f, NULL))
		return;
	use_symbols(f, text);
	sym_file_close(f);
}

static void use_function(const char *name)
{
	sink += is_allocator_frame(name, NULL);
}

/* Uses the text as a source file. Finds in each line the variable to which a new block is assigned,
 * as if the next line called the function that contains this line. */
static void use_source(const char *text)
{
	const char *path = memory_file_set(&file, text, strlen(text));
	struct sources *sources = sources_new();
	struct statement st;
	struct holder h = { "x", 0, 1 };
	struct holder_way way = { .callee = { { "", 0 }, { "", 0 } } };

	for (uint32_t line = 1; sources && line <= 16; line++) {
		if (!statement_at(sources, path, line, line % 3 * 8, 0, &st))
			continue;
		holder_in_caller(&h, &way, &st);
		if (holder_from(&h, &st.tokens, assigned_in(&st.tokens)))
			way = holder_way(&h, &st, line & 1 ? "A::A(int)" : "a::f<int>(int)");
		sink += strlen(h.text) + (size_t)way.path;
	}
	sources_free(sources);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const use[])(const char *) = { use_demangler, use_line,    use_kallsyms,
						     use_function,  use_perfmap, use_source };
	char *text;

	if (!size)
		return 0;
	/* exactly as large as the input, so that sanitizers detect a read outside of it */
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	use[data[0] % COUNT_OF(use)](text);
	free(text);
	return 0;
}
