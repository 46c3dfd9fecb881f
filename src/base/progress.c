/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/monotonic.h"

static double monotonic_seconds(void)
{
	return (double)monotonic_ns() * 1e-9;
}

void progress_start(struct progress *p, const char *what, bool on)
{
	*p = (struct progress){ .what = what,
				.on = on && isatty(STDERR_FILENO),
				.start = monotonic_seconds() };
	p->next = p->start + 0.5;
}

void progress_set(struct progress *p, uint64_t done, uint64_t all)
{
	double t, part;

	if (!p->on || !all || !done)
		return;
	t = monotonic_seconds();
	if (t < p->next)
		return;
	part = done < all ? (double)done / (double)all : 1;
	fprintf(stderr, "\r%s: %3.0f %%, %.0f s to go \033[K", p->what, 100 * part,
		(t - p->start) * (1 - part) / part);
	fflush(stderr);
	p->shown = true;
	p->next = t + 0.1;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
