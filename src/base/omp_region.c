/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/omp_region.h"

#include <string.h>

#include "base/count.h"

/* Returns where the compiler's suffix begins in the name of a region; NULL if this is not the name
 * of a region. */
static const char *find_suffix(const char *name)
{
	static const char *const suffixes[] = { "._omp_fn.", ".omp_outlined", "..omp_par" };
	const char *at = NULL;

	for (size_t i = 0; i < COUNT_OF(suffixes) && !at; i++)
		at = strstr(name, suffixes[i]);
	return at;
}

bool region_is(const char *name)
{
	return find_suffix(name) != NULL;
}

size_t region_owner_length(const char *name)
{
	static const char clone[] = " [clone ";
	const char *suffix = find_suffix(name);
	const size_t n = suffix ? (size_t)(suffix - name) : 0, len = sizeof(clone) - 1;

	if (n && suffix[-1] == ':') /* a namespace, not the owner */
		return 0;
	return n > len && !memcmp(suffix - len, clone, len) ? n - len : n;
}
