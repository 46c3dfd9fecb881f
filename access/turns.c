/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turns.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "stream.h"

/* For each CPU, the number of threads of this process that may run only there, and the number of
 * their turns so far. Threads that wait for their turn use the second number as a futex. */
static struct {
	_Atomic uint32_t threads, turns;
} cpus[CPU_SETSIZE];

static int only_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) != 1)
		return 0;
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	return cpu + 1;
}

static void set_cpu(struct turns *t, int cpu)
{
	turns_pass(t);
	if (t->cpu)
		cpus[t->cpu - 1].threads--;
	if (cpu)
		cpus[cpu - 1].threads++;
	t->cpu = cpu;
}

void turns_look(struct turns *t)
{
	const int cpu = only_cpu();

	if (cpu != t->cpu)
		set_cpu(t, cpu);
}

void turns_end(struct turns *t)
{
	set_cpu(t, 0);
}

void turns_forget(struct turns *t)
{
	for (int i = 0; i < CPU_SETSIZE; i++)
		cpus[i].threads = 0;
	if (t && t->cpu)
		cpus[t->cpu - 1].threads = 1;
}

static void wake(int cpu)
{
	syscall(SYS_futex, &cpus[cpu].turns, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void turns_pass(const struct turns *t)
{
	if (!t->cpu || cpus[t->cpu - 1].threads < 2)
		return;
	cpus[t->cpu - 1].turns++;
	wake(t->cpu - 1);
}

/* If another thread ends its turn before this one waits, the number of turns has changed, and this
 * thread does not wait. */
void turns_change(struct turns *t)
{
	static const struct timespec most = { 0, TURN_WAIT_NS };
	const int cpu = t->cpu - 1;
	uint32_t turn;

	if (cpus[cpu].threads < 2 || (t->next && stream_now() < t->next))
		return;
	turn = ++cpus[cpu].turns;
	wake(cpu);
	t->next = 0;
	if (syscall(SYS_futex, &cpus[cpu].turns, FUTEX_WAIT_PRIVATE, turn, &most, NULL, 0) &&
	    errno == ETIMEDOUT)
		t->next = stream_now() + TURN_WITHOUT_NS;
}
