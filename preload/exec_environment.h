/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of the environment with a change. A part of exec.c, which includes it. */
#ifndef MEMDB_PRELOAD_EXEC_ENVIRONMENT_H
#define MEMDB_PRELOAD_EXEC_ENVIRONMENT_H

/* bytes; room for ",TRACK_REMOVED=N" */
enum { MORE_OPTIONS = 24 };

/* Returns the number of bytes that fill_environment() needs. */
static size_t environment_room(char *const *envp)
{
	const char *preload;
	size_t count, bytes;

	has_all(envp, &count, &preload);
	bytes = (count + 4) * sizeof(char *) + strlen(PRELOAD) + strlen(ours.library) + 2 +
		strlen(ours.options) + MORE_OPTIONS;
	for (size_t i = 0; i < count; i++)
		if (is_variable(envp[i], PRELOAD))
			bytes += strlen(envp[i]) + 1;
	return bytes;
}

/* Removes the tracker's library, and the colon or blank after it, from LD_PRELOAD=…, as often as it
 * is there. */
static void remove_library(char *text)
{
	for (char *at = strstr(text, ours.library); at; at = strstr(at, ours.library)) {
		const char *end = at + strlen(ours.library);

		end += *end == ':' || *end == ' ';
		memmove(at, end, strlen(end) + 1);
	}
}

void exec_leave_environment(void)
{
	for (char **e = environ; ours.library && *ours.library && e && *e; e++)
		if (is_variable(*e, PRELOAD))
			remove_library(*e);
}

/* Writes the tracker's options for an image that is executed without the library in the
 * environment. Returns `to`. */
static char *add_removed(char *to)
{
	size_t n = 0, cap = strlen(ours.options) + MORE_OPTIONS;

	text_add(to, cap, &n, ours.options);
	text_add(to, cap, &n, "," TRACK_REMOVED "=");
	text_add_number(to, cap, &n, ours.removed + 1);
	return to;
}

/*
 * Copies all variables but the tracker's and the last LD_PRELOAD, whose value is `preload`, to the
 * array `to`. getenv() finds the first LD_PRELOAD, so those that the loader ignores stay, but
 * without the library if the new program must start without it; their texts are stored in `room`.
 * *earlier is set if one of them stays. Returns the number of variables.
 */
static size_t copy_variables(enum change change, char *const *envp, const char *preload, char **to,
			     char *room, bool *earlier)
{
	size_t n = 0;

	*earlier = false;
	for (; envp && *envp; envp++) {
		bool is_preload = is_variable(*envp, PRELOAD);

		if ((is_preload && *envp + strlen(PRELOAD) == preload) ||
		    is_variable(*envp, TRACK_ENV_DIR "=") ||
		    is_variable(*envp, TRACK_ENV_OPTIONS "="))
			continue;
		to[n] = *envp;
		if (is_preload && change != CHANGE_ADD && strstr(*envp, ours.library)) {
			to[n] = strcpy(room, *envp);
			remove_library(room);
			if (!strcmp(room, PRELOAD))
				continue;
			room += strlen(room) + 1;
		}
		n++;
		*earlier = *earlier || is_preload;
	}
	return n;
}

static char *const *fill_environment(enum change change, char *const *envp, void *room)
{
	char **to = room, *text, *options = ours.options;
	const char *preload;
	size_t count, n;
	bool earlier;

	has_all(envp, &count, &preload);
	text = (char *)(to + count + 4);
	if (change == CHANGE_ADD && !(preload && strstr(preload, ours.library))) {
		options = add_removed(text);
		text += strlen(text) + 1;
	}
	strcpy(text, PRELOAD);
	if (options != ours.options) {
		strcat(text, ours.library);
		strcat(text, preload ? ":" : "");
	}
	strcat(text, preload ? preload : "");
	if (change != CHANGE_ADD)
		remove_library(text);
	n = copy_variables(change, envp, preload, to, text + strlen(text) + 1, &earlier);
	/* if the loader ignored a variable, it must still find another one after it */
	if (earlier || strcmp(text, PRELOAD) != 0)
		to[n++] = text;
	if (change != CHANGE_CLEAR) {
		/* both are added even if the library is removed; they do no harm */
		to[n++] = ours.dir;
		to[n++] = options;
	}
	to[n] = NULL;
	return to;
}

#endif
