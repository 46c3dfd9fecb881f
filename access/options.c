/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "thread.h"

static void read_shape(const char *text, struct cache_shape *shape)
{
	char *end;

	shape->bytes = strtoull(text, &end, 10) << (*end == 'm' ? 20 : *end == 'k' ? 10 : 0);
	end = strchr(end, ':');
	if (end)
		shape->ways = (uint32_t)strtoul(end + 1, NULL, 10);
}

static bool names_option(const char *word, const char *name_and_equals)
{
	return !strncmp(word, name_and_equals, strlen(name_and_equals));
}

bool options_read(const char *word)
{
	const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : "";

	if (names_option(word, "period="))
		thread_options.period = strtoull(value, NULL, 10);
	else if (names_option(word, "seed="))
		thread_options.seed = strtoull(value, NULL, 10);
	else if (names_option(word, "lost="))
		thread_options.lost_at = strtoull(value, NULL, 10);
	else if (names_option(word, "model="))
		thread_options.model = counts_modelled = *value == '1';
	else if (word[0] == 'l' && word[1] >= '1' && word[1] <= '3' && word[2] == '=')
		read_shape(value, &thread_options.shapes[word[1] - '1']);
	else
		return false;
	return thread_options.period;
}

bool options_read_all(const char *words)
{
	while (*words) {
		if (!options_read(words))
			return false;
		words += strcspn(words, ",");
		words += *words == ',';
	}
	return true;
}
