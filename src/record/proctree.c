/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the program's process tree from /proc. Pids are reused, so pid and start time together
 * identify a process. A process may end between two reads, so files that cannot be read are
 * skipped. */
#include "record/proctree.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/idlist.h"

#define MAX_CPUS 8192

static void free_process(struct proctree_process *p)
{
	for (size_t i = 0; i < p->nthreads; i++)
		free(p->threads[i].cpus);
	free(p->threads);
}

void proctree_release(struct proctree *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_process(&t->v[i]);
	free(t->v);
	*t = (struct proctree){ 0 };
}

bool proctree_stat(pid_t pid, uint32_t *ppid, uint64_t *start_ticks, char *state)
{
	char name[64], line[1024] = "";
	unsigned long long ticks = 0;
	unsigned parent = 0;
	int got = 0;
	const char *s;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	f = fopen(name, "re");
	if (!f)
		return false;
	/* the name is in parentheses and may contain any character: it ends at the last ')' */
	s = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	if (s)
		got = sscanf(s + 1,
			     " %c %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			     "%*s %*s %llu",
			     state, &parent, &ticks);
	fclose(f);
	*ppid = parent;
	*start_ticks = ticks;
	return got == 3;
}

/* Does a process in this state still run? A zombie ('Z') no longer has memory. */
static bool is_running(char state)
{
	return state != 'Z' && state != 'X';
}

/* Returns the FNV-1a hash of a text. A look compares it with the hash from the previous look, to
 * find out whether the text has changed. */
static uint64_t hash_text(const char *s)
{
	uint64_t h = 14695981039346656037u;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 1099511628211u;
	return h;
}

/* Reads the path of the program that a process executes. It is "" for kernel threads and if
 * permission is missing. */
static void read_exe(uint32_t pid, char *out, size_t len)
{
	char name[64];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%u/exe", pid);
	n = readlink(name, out, len - 1);
	out[n < 0 ? 0 : n] = 0;
}

static void read_comm(uint32_t pid, uint32_t tid, char *out, size_t len)
{
	char name[64];
	FILE *f;

	*out = 0;
	snprintf(name, sizeof(name), "/proc/%u/task/%u/comm", pid, tid);
	f = fopen(name, "re");
	if (!f)
		return;
	if (fgets(out, (int)len, f))
		out[strcspn(out, "\n")] = 0;
	fclose(f);
}

bool proctree_affinity(uint32_t tid, char *out, size_t len)
{
	static __thread uint64_t set[MAX_CPUS / 64];

	memset(set, 0, sizeof(set));
	if (sched_getaffinity((pid_t)tid, sizeof(set), (cpu_set_t *)(void *)set))
		return false;
	idlist_write(set, COUNT_OF(set), out, len);
	return true;
}

/* Finds a process by its pid. A linear search is enough, because only processes that are alive are
 * in the list. */
static struct proctree_process *find_process(struct proctree *t, uint32_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].pid == pid)
			return &t->v[i];
	return NULL;
}

/* Doubles the array, which makes pointers to processes invalid. Returns 0 or MD_ENOMEM. */
static int grow_processes(struct proctree *t)
{
	size_t cap = t->cap ? 2 * t->cap : 16;
	struct proctree_process *v = realloc(t->v, cap * sizeof(*v));

	if (!v)
		return MD_ENOMEM;
	t->v = v;
	t->cap = cap;
	return 0;
}

/*
 * Adds the process to the tree if it is unknown and running. A process with a known pid but a
 * different start time is a new one: the pid was reused. Returns 0 or MD_ENOMEM.
 */
static int add_process(struct proctree *t, pid_t pid)
{
	struct proctree_process *p = find_process(t, (uint32_t)pid);
	struct proctree_process now = { .pid = (uint32_t)pid };
	char state;

	if (!proctree_stat(pid, &now.ppid, &now.start_ticks, &state) || !is_running(state))
		return 0;
	if (p && p->start_ticks == now.start_ticks)
		return 0;
	if (p)
		free_process(p);
	else if (t->n == t->cap && grow_processes(t))
		return MD_ENOMEM;
	else
		p = &t->v[t->n++];
	*p = now;
	return 0;
}

int proctree_init(struct proctree *t, pid_t root)
{
	int ret;

	*t = (struct proctree){ 0 };
	ret = add_process(t, root);
	return ret || t->n ? ret : MD_ENOENT;
}

/* Adds the child processes that were forked by this thread: /proc lists children for each thread.
 */
static int add_children_of_thread(struct proctree *t, uint32_t pid, uint32_t tid)
{
	char name[64];
	int child, ret = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%u/task/%u/children", pid, tid);
	f = fopen(name, "re");
	if (!f)
		return 0;
	while (!ret && fscanf(f, "%d", &child) == 1)
		ret = add_process(t, child);
	fclose(f);
	return ret;
}

/* Removes processes that have ended: the last element of the array takes the place of each. */
static void forget_dead(struct proctree *t)
{
	for (size_t i = 0; i < t->n;) {
		struct proctree_process *p = &t->v[i];
		uint64_t ticks;
		uint32_t ppid;
		char state;

		if (proctree_stat((pid_t)p->pid, &ppid, &ticks, &state) &&
		    ticks == p->start_ticks && is_running(state)) {
			i++;
			continue;
		}
		free_process(p);
		*p = t->v[--t->n];
	}
}

static struct proctree_thread *find_thread(struct proctree_process *p, uint32_t tid)
{
	for (size_t i = 0; i < p->nthreads; i++)
		if (p->threads[i].tid == tid)
			return &p->threads[i];
	return NULL;
}

/* Fills *now with the state of the thread `tid` of process p. Returns true if it differs from
 * `old`, the state at the previous look (NULL if there is none). The caller frees now->cpus. */
static bool look_at_thread(const struct proctree_process *p, uint32_t tid,
			   const struct proctree_thread *old, struct proctree_thread *now)
{
	char cpus[1024];

	*now = (struct proctree_thread){ .tid = tid };
	read_comm(p->pid, tid, now->comm, sizeof(now->comm));
	if (proctree_affinity(tid, cpus, sizeof(cpus)))
		now->cpus = strdup(cpus);
	return now->cpus && (!old || strcmp(old->comm, now->comm) || strcmp(old->cpus, now->cpus));
}

/* Updates the threads of process i, reports those that are new or have changed, and adds their
 * children to the tree. Returns 0 or MD_ENOMEM. */
static int look_at_threads(struct proctree *t, size_t i, proctree_fn changed, void *arg)
{
	struct proctree_process *p = &t->v[i];
	struct proctree_thread *v = NULL;
	size_t n = 0, cap = 0;
	struct dirent *e;
	char name[64];
	int ret = 0;
	DIR *d;

	snprintf(name, sizeof(name), "/proc/%u/task", p->pid);
	d = opendir(name);
	while (d && !ret && (e = readdir(d))) {
		uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);

		if (!tid)
			continue;
		if (n == cap) {
			struct proctree_thread *more = realloc(v, (2 * cap + 16) * sizeof(*v));

			if (!more) {
				ret = MD_ENOMEM;
				break;
			}
			v = more;
			cap = 2 * cap + 16;
		}
		if (look_at_thread(p, tid, find_thread(p, tid), &v[n]))
			changed(arg, p, NULL, &v[n]);
		n += v[n].cpus != NULL;
		ret = add_children_of_thread(t, p->pid, tid);
		p = &t->v[i]; /* adding a child may have reallocated the array */
	}
	if (d)
		closedir(d);
	free_process(p);
	p->threads = v;
	p->nthreads = n;
	return ret;
}

/* Reports a process that is new or executes a different program than at the previous look, then its
 * threads. A different program is recognized by the hash of its path, so that the paths need not be
 * stored. */
static int look_at_process(struct proctree *t, size_t i, proctree_fn changed, void *arg)
{
	struct proctree_process *p = &t->v[i];
	char exe[PATH_MAX];
	uint64_t h;

	read_exe(p->pid, exe, sizeof(exe));
	h = hash_text(exe);
	if (h != p->exe_hash)
		changed(arg, p, exe, NULL);
	p->exe_hash = h;
	return look_at_threads(t, i, changed, arg);
}

/* The loop also looks at child processes that are appended to the array during the loop. */
int proctree_look(struct proctree *t, proctree_fn changed, void *arg)
{
	int ret = 0;

	forget_dead(t);
	for (size_t i = 0; i < t->n && !ret; i++)
		ret = look_at_process(t, i, changed, arg);
	return ret;
}
