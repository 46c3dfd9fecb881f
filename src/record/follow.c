/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The follower is a thread of memdb that reads the state of the program's processes from outside:
 * their threads, affinities, memory policies and page homes. It finds facts that no event reports,
 * but only at certain moments (each is a "look").
 *
 * It must use little CPU time even for a large program. So the pauses between looks double up to
 * the interval, and each pause is at least COST_SHARE times as long as the CPU time of the previous
 * look. Successive looks query different pages of a large mapping, so that several looks together
 * cover all of it.
 */
#include "record/follow.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"
#include "record/homes.h"
#include "record/machine.h"
#include "record/proctree.h"
#include "record/topology.h"

/* Pause before the first look. It is short, so that short programs are seen, too. Each further
 * pause is twice as long as the previous one, up to the interval. */
#define FIRST_LOOK_NS 50000000u
#define COST_SHARE    50 /* a look of 1 ms CPU time is followed by a pause of at least 50 ms */
/* Reading numa_maps is slow. So only the first and every 16th look at a process reads it. */
#define POLICY_ROUNDS 16

struct follow {
	struct follow_options o;
	char *track_dir;
	struct follow_stats stats;
	struct proctree tree;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
	uint64_t looked; /* when the previous look began, ns */
	/* number of huge pages that the kernel had made from small ones (collapses) by the time
	 * `looked` */
	uint64_t collapses;
};

/* Writes a string as a field of follow.log. Escapes tab, newline and backslash with a backslash,
 * because tabs separate fields and newlines separate records. */
static void write_escaped(const char *s, FILE *out)
{
	for (; *s; s++) {
		if (*s == '\t' || *s == '\n' || *s == '\\')
			fputc('\\', out);
		fputc(*s == '\t' ? 't' : *s == '\n' ? 'n' : *s, out);
	}
}

/* Called by proctree_look() for each process or thread that is new or has changed: writes a line
 * about it. */
static void write_change(void *arg, const struct proctree_process *p, const char *exe,
			 const struct proctree_thread *thread)
{
	const struct follow_options *o = arg;
	FILE *out = o->out;
	uint64_t now = monotonic_ns();

	if (thread) {
		fprintf(out, "thread\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t", now, p->pid,
			thread->tid);
		write_escaped(thread->comm, out);
		fprintf(out, "\t%s\n", thread->cpus);
	} else {
		fprintf(out, "process\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t", now,
			p->pid, p->start_ticks, p->ppid);
		write_escaped(exe, out);
		fputc('\n', out);
		if (o->jitmaps)
			jitmaps_see(o->jitmaps, p->pid);
	}
}

/* Returns the number of times that the kernel has merged small pages into a huge page since boot; 0
 * if the kernel does not report it. */
static uint64_t count_collapses(void)
{
	FILE *f = fopen("/proc/vmstat", "re");
	unsigned long long n = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "thp_collapse_alloc %llu", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

/* Writes how many pages the kernel placed on other nodes because their node was full. If the kernel
 * has merged small pages into huge ones since the previous look, also writes which processes have
 * huge pages. After the end of the program, it is unknown which processes had huge pages, so the
 * line has pid 0. */
static void look_at_memory(struct follow *f, bool ended)
{
	const uint64_t now = monotonic_ns(), collapses = count_collapses();

	topology_write_foreign("", f->o.out);
	if (ended && collapses != f->collapses)
		fprintf(f->o.out, "collapse\t%" PRIu64 "\t0\t%" PRIu64 "\n", now, f->looked);
	for (size_t i = 0; i < f->tree.n && !ended && collapses != f->collapses; i++)
		homes_write_collapse(f->tree.v[i].pid, f->looked, f->o.out);
	f->looked = now;
	f->collapses = collapses;
}

/*
 * Looks once at all processes. Processes and threads are written before pages, because the importer
 * cannot use pages of a process that it does not know.
 */
static void follow_look(struct follow *f)
{
	struct homes_options homes = HOMES_DEFAULT;

	proctree_look(&f->tree, write_change, &f->o);
	if (f->o.homes)
		look_at_memory(f, false);
	homes.page_bytes = f->o.page_bytes;
	homes.track_dir = f->o.track_dir;
	for (size_t i = 0; f->o.homes && i < f->tree.n; i++) {
		struct proctree_process *p = &f->tree.v[i];

		if (p->looks % POLICY_ROUNDS == 0)
			homes_write_policies(&homes, p->pid, f->o.out);
		f->stats.pages += homes_write(&homes, p->pid, p->looks++, f->o.out);
	}
	fflush(f->o.out);
	f->stats.looks++;
}

/* Sleeps until `when` or until follow_stop() is called. Returns false after follow_stop(). */
static bool pause_until(struct follow *f, uint64_t when)
{
	struct timespec t = { .tv_sec = (time_t)(when / 1000000000u),
			      .tv_nsec = (long)(when % 1000000000u) };
	bool stop;
	int ret = 0;

	pthread_mutex_lock(&f->lock);
	while (!f->stop && !ret)
		ret = pthread_cond_timedwait(&f->wake, &f->lock, &t);
	stop = f->stop;
	pthread_mutex_unlock(&f->lock);
	return !stop;
}

/* Looks at intervals until follow_stop() is called. The first pauses are short, because a short
 * program ends before the first interval is over. */
static void *follow_loop(void *arg)
{
	struct follow *f = arg;
	uint64_t gap = FIRST_LOOK_NS < f->o.interval_ns ? FIRST_LOOK_NS : f->o.interval_ns;
	uint64_t when = monotonic_ns() + gap;

	while (pause_until(f, when)) {
		uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID), cost;

		follow_look(f);
		cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
		f->stats.cpu_ns += cost;
		gap = 2 * gap < f->o.interval_ns ? 2 * gap : f->o.interval_ns;
		when = monotonic_ns() + (cost * COST_SHARE > gap ? cost * COST_SHARE : gap);
	}
	return NULL;
}

/* Writes the memory policy of this process, which the program inherits. The first line of numa_maps
 * is the mapping of memdb's own file. That mapping has no policy of its own, so the line shows the
 * policy of the process. */
static void write_own_policy(const char *root, FILE *out)
{
	char line[512], *policy, *save = NULL;

	if (machine_read_line(root, "/proc/self/numa_maps", line, sizeof(line)) <= 0)
		return; /* no such file: the kernel has no NUMA support */
	policy = strtok_r(line, " ", &save) ? strtok_r(NULL, " ", &save) : NULL;
	if (policy)
		fprintf(out, "policy\t%s\n", policy);
}

/* Writes on which nodes this process may allocate (its cpuset). The program inherits the cpuset. */
static void write_own_nodes(const char *root, FILE *out)
{
	static const char key[] = "Mems_allowed_list:";
	char path[PATH_MAX], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/status", root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line[strcspn(line, "\n")] = 0;
		fprintf(out, "mems\t%s\n", line + strlen(key) + strspn(line + strlen(key), " \t"));
	}
	if (f)
		fclose(f);
}

/* Writes memdb's affinity, which the program inherits. */
static void write_own_affinity(FILE *out)
{
	char cpus[1024];

	if (proctree_affinity(0, cpus, sizeof(cpus)))
		fprintf(out, "affinity\t%s\n", cpus);
}

/* Writes the first lines of follow.log: they describe the machine and the program's settings when
 * the recording starts. Only the lines `foreign` have a time. */
void follow_write_head(FILE *out, const char *root, uint64_t page_bytes)
{
	int balancing = machine_read_int(root, "/proc/sys/kernel/numa_balancing");

	fputs("memdb-follow\t1\n", out);
	topology_write(root, out);
	fprintf(out, "page\t%" PRIu64 "\n", page_bytes);
	write_own_policy(root, out);
	write_own_affinity(out);
	write_own_nodes(root, out);
	if (balancing != MACHINE_UNKNOWN)
		fprintf(out, "balancing\t%d\n", balancing);
	topology_write_foreign(root, out); /* lines `foreign` */
	fflush(out);
}

/* follow_write_head() must have been called before, because the file begins with its lines. */
int follow_start(const struct follow_options *o, struct follow **out, struct md_err *err)
{
	struct follow *f = calloc(1, sizeof(*f));
	pthread_condattr_t attr;
	sigset_t all, old;
	int ret;

	*out = NULL;
	if (!f)
		return md_nomem(err);
	f->o = *o;
	f->track_dir = o->track_dir ? strdup(o->track_dir) : NULL;
	f->o.track_dir = f->track_dir;
	f->looked = monotonic_ns();
	f->collapses = count_collapses();
	if (proctree_init(&f->tree, o->root) == MD_ENOMEM) {
		free(f->track_dir);
		free(f);
		return md_nomem(err);
	}
	pthread_mutex_init(&f->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&f->wake, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	/* the thread inherits this mask, so the main thread gets all signals */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = o->interval_ns ? pthread_create(&f->thread, NULL, follow_loop, f) : 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret) {
		proctree_release(&f->tree);
		free(f->track_dir);
		free(f);
		return md_fail(err, MD_ESYS, "cannot start a thread: %s", strerror(ret));
	}
	*out = f;
	return 0;
}

/* Looks at the nodes once more, but not at the processes, because the program has ended already. */
void follow_stop(struct follow *f, struct follow_stats *stats)
{
	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	f->stop = true;
	pthread_cond_signal(&f->wake);
	pthread_mutex_unlock(&f->lock);
	if (f->o.interval_ns)
		pthread_join(f->thread, NULL);
	if (f->o.homes)
		look_at_memory(f, true);
	fflush(f->o.out);
	f->stats.write_failed = ferror(f->o.out);
	if (stats)
		*stats = f->stats;
	pthread_cond_destroy(&f->wake);
	pthread_mutex_destroy(&f->lock);
	proctree_release(&f->tree);
	free(f->track_dir);
	free(f);
}
