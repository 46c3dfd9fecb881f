/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/calls.h"

#include <string.h>
#include <strings.h>

#include "base/count.h"

bool is_growing_method(const struct tokens *ts, int i)
{
	return (token_kind(ts, i - 1) == '.' || token_kind(ts, i - 1) == TOK_ARROW) &&
	       token_kind(ts, i + 1) == '(' &&
	       token_in(
		       ts, i,
		       " resize reserve push_back emplace_back push emplace insert emplace_hint "
		       "append "
		       "try_emplace insert_or_assign assign push_front emplace_front reset rehash "
		       "shrink_to_fit insert_after emplace_after push_str extend extend_from_slice "
		       "entry Resize Reserve Push PushBack PushFront Emplace EmplaceBack Insert "
		       "Append ");
}

bool is_storing_method(const struct tokens *ts, int i)
{
	return is_growing_method(ts, i) &&
	       !token_in(ts, i, " reset reserve Reserve rehash shrink_to_fit append Append ");
}

bool is_out_function(const struct tokens *ts, int i)
{
	static const char *const prefixes[] = { "cudaMalloc", "hipMalloc", "PetscMalloc",
						"PetscCalloc", "MPI_Win_alloc" };
	const struct token *t = token_at(ts, i);

	if (t->kind != TOK_NAME || token_kind(ts, i + 1) != '(')
		return false;
	if (token_in(ts, i, " posix_memalign asprintf vasprintf getline getdelim MPI_Alloc_mem "))
		return true;
	for (size_t p = 0; p < COUNT_OF(prefixes); p++)
		if (t->len >= strlen(prefixes[p]) &&
		    memcmp(t->s, prefixes[p], strlen(prefixes[p])) == 0)
			return true;
	return false;
}

static bool has_alloc_in_it(const struct token *t)
{
	for (size_t i = 0; i + 5 <= t->len; i++)
		if (strncasecmp(t->s + i, "alloc", 5) == 0)
			return true;
	return false;
}

bool is_allocating_call(const struct tokens *ts, int i)
{
	const struct token *t = token_at(ts, i);
	int next = token_kind(ts, i + 1);

	if (t->kind != TOK_NAME)
		return false;
	if (token_in(ts, i, " new "))
		return true;
	if (next != '(' && next != '<')
		return false;
	return has_alloc_in_it(t) ||
	       token_in(ts, i,
			" mmap mmap64 mremap memalign strdup strndup wcsdup realpath getcwd "
			"make_unique make_shared make_unique_for_overwrite shmat fopen "
			"fdopen opendir sbrk ");
}

bool allocates_in(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++)
		if (is_allocating_call(ts, i) || is_out_function(ts, i))
			return true;
	return false;
}
