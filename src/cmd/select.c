/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/select.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/cmd.h"

/* argp keys; they must differ from the keys of all other options of the commands that have these
 * options */
enum { OPT_FROM = 0x1001, OPT_TO, OPT_IN };

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Select a part of the samples; shares then refer to this part:", 1 },
	{ "from", OPT_FROM, "SECONDS", 0, "from this time after the start of the recording", 1 },
	{ "to", OPT_TO, "SECONDS", 0, "up to this time", 1 },
	{ "in", OPT_IN, "FUNCTION", 0, "in this function and what it called", 1 },
	{ 0 },
};

static double parse_seconds(const char *option, const char *arg, struct argp_state *state)
{
	char *end;
	double seconds = strtod(arg, &end);

	if (end == arg || *end || !isfinite(seconds) || seconds < 0)
		cmd_misused(state, "--%s is a number of seconds, such as 1.5; not '%s'", option,
			    arg);
	return seconds;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct selection *s = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case OPT_FROM:
		s->from = parse_seconds("from", arg, state);
		s->has_from = true;
		return 0;
	case OPT_TO:
		s->to = parse_seconds("to", arg, state);
		s->has_to = true;
		return 0;
	case OPT_IN:
		s->function = arg;
		return 0;
	case ARGP_KEY_END:
		if (s->has_from && s->has_to && s->from >= s->to)
			cmd_misused(state, "--from %g is not before --to %g", s->from, s->to);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp select_argp = { .options = options, .parser = parse };
