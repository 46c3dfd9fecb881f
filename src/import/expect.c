/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between two samples there may be a thousand events of the tracker. The plan of the next sample
 * depends only on the code at its ip, so it is made while these events are applied. They may map
 * other code there; then the sample finds its plan itself, and the one that was asked for is in
 * vain.
 */
#include "import/expect.h"

#include "import/pipeline.h"

/* Finds the code at an ip of a process, if nothing must be opened or added for it. */
static bool code_of(struct import *im, uint32_t process, uint64_t ip, struct code_bytes *out)
{
	struct space *space = &im->model.space;
	const struct mapping *m = process && space_process(space, process)->memory
					  ? space_mapping_at(space, process, ip)
					  : NULL;
	const struct dso *d = m && m->executable ? &AT_ID(im->model.code.dsos, m->dso) : NULL;

	return d && d->file && !d->is_tracker &&
	       code_bytes_at(&im->model.code, m->dso, ip - m->start + m->pgoff, out) &&
	       out->from_start;
}

/* Is the sample of an event for which waits are searched, and does it show user code? */
static bool may_wait(const struct import *im, const struct pd_sample *s)
{
	const uint16_t mode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const uint64_t has = PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER;

	if (!s->evsel || s->evsel->index >= im->in.nroles || (s->has & has) != has ||
	    s->user_regs_abi != PERF_SAMPLE_REGS_ABI_64 || mode != PERF_RECORD_MISC_USER)
		return false;
	return im->in.roles[s->evsel->index] == ROLE_TIME ||
	       im->in.roles[s->evsel->index] == ROLE_CYCLES;
}

void expect_record(struct import *im, const struct recorded *r)
{
	struct planner *planner = im->model.waits.planner;
	struct pd_sample s;
	struct code_bytes b;

	/* without events before the sample, there is no time to gain */
	if (!planner || im->model.emulated || r->next.type != PERF_RECORD_SAMPLE ||
	    r->time <= im->silent_until || !pd_sample_peek(r->file, &r->next, &s) ||
	    !may_wait(im, &s))
		return;
	if (code_of(im, space_process_of(&im->model.space, s.pid, false, r->time), s.ip, &b))
		planner_ask(planner, &(struct planner_code){ b.key, b.code, b.len, b.at });
}
