/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing a name with a list of beginnings. */
#ifndef MEMDB_BASE_PREFIX_H
#define MEMDB_BASE_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Does s begin with one of the n words? What follows the word in s is not compared. */
static inline bool begins_with_any(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(s, words[i], strlen(words[i])))
			return true;
	return false;
}

#endif
