/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/borrowed.h"

#include "import/pipeline.h"

enum { STACK_REACH = 64 << 10 }; /* bytes around the stack pointer that count as the stack */

void borrowed_fault(struct import *im, const struct sample_context *c)
{
	const uint64_t at = c->s->addr;
	const bool on_stack = c->sp && at + STACK_REACH >= c->sp && at < c->sp + STACK_REACH;

	if (c->user && !on_stack)
		homes_separate(&im->model.homes, c->process);
}

/* Were all page faults recorded from time `from` to time `to`? */
static bool has_all_faults(const struct import *im, uint64_t from, uint64_t to)
{
	const struct recording *r = &im->in.recording;

	return im->in.faults_path && !im->in.faults_damage[0] && !r->thinned.removed_faults &&
	       (!r->storm_begin || to < r->storm_begin || from > r->storm_end);
}

void borrowed_exec(struct import *im, uint32_t process, uint64_t time)
{
	const uint64_t born = homes_fork_time(&im->model.homes, process);

	if (born && has_all_faults(im, born, time))
		homes_borrowed(&im->model.homes, process);
}
