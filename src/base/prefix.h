/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares a name with a list of words or beginnings. */
#ifndef MEMDB_BASE_PREFIX_H
#define MEMDB_BASE_PREFIX_H

#include <stdbool.h>
#include <stddef.h>

/* Does s begin with this word? Usually the first bytes differ. Then this loop is faster than
 * strncmp() with strlen(). */
static inline bool begins_with(const char *s, const char *word)
{
	while (*word && *s == *word) {
		s++;
		word++;
	}
	return !*word;
}

/* Does s begin with one of the n words? What follows the word in s is not compared. */
static inline bool begins_with_any(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (begins_with(s, words[i]))
			return true;
	return false;
}

/* Is s[0..len) one of the n words? */
static inline bool equals_any(const char *s, size_t len, const char *const *words, size_t n)
{
	for (size_t i = 0, k; i < n; i++) {
		for (k = 0; k < len && words[i][k] == s[k];)
			k++;
		if (k == len && !words[i][k])
			return true;
	}
	return false;
}

#endif
