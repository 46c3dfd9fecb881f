/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/shown.h"

#include <string.h>

#include "base/count.h"
#include "base/terminal.h"
#include "cmd/cmd.h"

enum { OPT_COLOR = 0x1101, OPT_NO_PAGER };

static const struct argp_option options[] = {
	{ "color", OPT_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
	  "colour answers, headings and hints: always, never or auto, that "
	  "is on a terminal unless NO_COLOR is set (default: auto)",
	  9 },
	{ "no-pager", OPT_NO_PAGER, NULL, 0,
	  "do not show output to a terminal with $MEMDB_PAGER, $PAGER or less", 9 },
	{ 0 },
};

static enum terminal_colours parse_colours(const char *arg, struct argp_state *state)
{
	static const char *const names[] = {
		[TERMINAL_AUTO] = "auto",
		[TERMINAL_ALWAYS] = "always",
		[TERMINAL_NEVER] = "never",
	};
	ASSERT_NAMES(names, TERMINAL_NEVER);

	if (!arg)
		return TERMINAL_ALWAYS;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(names[i], arg))
			return (enum terminal_colours)i;
	cmd_misused(state, "--color is always, never or auto, not '%s'", arg);
	return TERMINAL_AUTO;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const bool *wanted = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		/* a state->hook that is not NULL means that the pager is used */
		state->hook = &state->next;
		return 0;
	case OPT_COLOR:
		terminal_set_colours(parse_colours(arg, state));
		return 0;
	case OPT_NO_PAGER:
		state->hook = NULL;
		return 0;
	case ARGP_KEY_SUCCESS:
		if (state->hook && (!wanted || *wanted))
			terminal_page();
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp shown_argp = { .options = options, .parser = parse };
