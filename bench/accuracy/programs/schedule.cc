// SPDX-License-Identifier: GPL-2.0-or-later
// A queue of jobs, ordered by time: takes the first entry from a std::priority_queue of 2 Mi
// entries (32 MiB), and puts it back with a later time, by the duration of its job (64 MiB,
// at random).

// held out

// object jobs -DJOB_MASK=63 jobs*

// object queue -DENTRIES=256 all
#include <queue>
#include <vector>

#include "program.h"

#ifndef JOB_MASK
#define JOB_MASK (JOBS - 1)
#endif
#ifndef ENTRIES
#define ENTRIES (1 << 21)
#endif

enum { JOBS = 1 << 20, STEPS = 1 << 21 };

struct job {
	uint64_t duration, more[7];
};

struct entry {
	uint64_t time;
	uint32_t job;
	bool operator<(const entry &other) const
	{
		return time > other.time;
	}
};

static std::vector<job> jobs;
static std::priority_queue<entry> queue;

void init()
{
	jobs.resize(JOBS);
	for (auto &j : jobs)
		j.duration = random_number() >> 8;
	std::vector<entry> all(ENTRIES);
	for (auto &e : all)
		e = entry{ random_number() >> 8, random_number() };
	queue = std::priority_queue<entry>(std::less<entry>(), std::move(all));
}

__attribute__((flatten)) double kernel()
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < STEPS; i++) {
		entry e = queue.top();

		queue.pop();
		sum += e.time;
		e.time += 1 + (jobs[MIX(e.job, i) & (JOBS - 1) & JOB_MASK].duration ^
			       (i * 0x9E3779B1u >> 8));
		e.job = random_number();
		queue.push(e);
	}
	return (double)sum;
}
