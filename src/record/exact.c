/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prepares the samplers exact and soft, which write perf.data themselves. exact runs in an emulator
 * that executes the program. soft runs in the program itself, which was built to report its
 * accesses.
 *
 * memdb writes the head of perf.data, with the events, in perf's pipe format. The sampler appends
 * records to it. So the importer can read the file as if perf had written it.
 *
 * What must stay true: the head that is written here and the records of the sampler use the same
 * event numbers, ids and sample fields. access/access_format.h defines them.
 */
#include "record/exact.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/monotonic.h"
#include "access_format.h"
#include "record/emulate.h"
#include "record/session.h"
#include "track_format.h"

#define PLUGIN "libmemdb-access.so"

/* types of records that the kernel's headers do not define, because only perf writes them */
enum { PERF_RECORD_HEADER_ATTR = 64, PERF_RECORD_EVENT_UPDATE = 78 };
enum { PAGE = 4096, OPTIONS_BYTES = 256, WHOLE = 512 };

/* Finds an executable file in PATH. `out` has room for PATH_MAX bytes. */
static bool in_path(const char *name, char *out)
{
	const char *path = getenv("PATH");

	for (const char *dir = path ? path : ""; *dir; dir += *dir == ':') {
		size_t n = strcspn(dir, ":");

		if (snprintf(out, PATH_MAX, "%.*s/%s", (int)n, dir, name) < PATH_MAX &&
		    !access(out, X_OK))
			return true;
		dir += n;
	}
	return false;
}

/* Finds the emulator in PATH and the plugin in memdb's own folders. */
int exact_find(struct exact *x, struct md_err *err)
{
#ifndef __x86_64__
	return md_fail(err, MD_ENOTSUP, "the sampler exact knows x86-64 programs only");
#endif
	if (!in_path("qemu-x86_64", x->emulator))
		return md_fail(err, MD_ENOTSUP,
			       "there is no qemu-x86_64 in PATH (package qemu-user), in which the "
			       "sampler exact runs the program");
	if (session_find_library(PLUGIN, NULL, x->plugin, sizeof(x->plugin), err))
		return MD_ENOTSUP;
	if (strchr(x->plugin, ','))
		return md_fail(err, MD_ENOTSUP,
			       "the path '%s' has a comma, which qemu-x86_64 takes for a separator",
			       x->plugin);
	return 0;
}

/* Builds the command only to find out, before the recording starts, whether it can be built. Also
 * refuses a program that is linked with ThreadSanitizer. */
int exact_check(const struct exact *x, const struct target *t, struct md_err *err)
{
	const struct emulation e = { x->emulator, x->plugin, "", "" };
	char name[] = "", *const argv[] = { name, NULL };
	struct words command = { 0 }, env = { 0 };
	const char *why = emulate(&e, t->path, argv, &command, &env);

	words_release(&command);
	words_release(&env);
	if (t->tsan)
		why = "it is linked with ThreadSanitizer, which takes tens of gigabytes in an "
		      "emulator: build it without";
	return why ? md_fail(err, MD_ENOTSUP, "the sampler exact cannot run '%s': %s", t->path, why)
		   : 0;
}

/* Adds bytes to the head of perf.data. Write errors are not reported here: exact_write_head()
 * checks ferror() at the end. */
static void put_bytes(FILE *f, const void *p, size_t n)
{
	fwrite(p, 1, n, f);
}

/*
 * Writes the two records that describe an event in perf's pipe format: its attributes and its name.
 */
static void put_event(FILE *f, enum access_event id, uint64_t config, const char *name,
		      uint64_t period)
{
	const uint64_t ids[] = { id }, update[] = {
		2 /* the number 2 stands for the event's name (PERF_EVENT_UPDATE__NAME) */, id
	};
	const struct perf_event_attr attr = {
		.type = ACCESS_TYPE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = ACCESS_SAMPLE_TYPE,
		.read_format = 0,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.task = 1,
		.exclude_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	struct perf_event_header h = { .type = PERF_RECORD_HEADER_ATTR,
				       .size = sizeof(h) + sizeof(attr) + sizeof(ids) };
	char text[32] = "";

	put_bytes(f, &h, sizeof(h));
	put_bytes(f, &attr, sizeof(attr));
	put_bytes(f, ids, sizeof(ids));
	h.type = PERF_RECORD_EVENT_UPDATE;
	h.size = sizeof(h) + sizeof(update) + sizeof(text);
	snprintf(text, sizeof(text), "%s", name);
	put_bytes(f, &h, sizeof(h));
	put_bytes(f, update, sizeof(update));
	put_bytes(f, text, sizeof(text));
}

/* Reserves a record PERF_RECORD_LOST in the head. The samplers increment its count for each sample
 * that they cannot write. */
static void put_lost(FILE *f)
{
	const struct access_lost lost = {
		.header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) },
		.id = ACCESS_EVENT_ACCESS,
		.time = monotonic_ns(),
		.identifier = ACCESS_EVENT_ACCESS,
	};

	put_bytes(f, &lost, sizeof(lost));
}

/* The file contains no samples yet: the sampler appends them while the program runs. */
int exact_write_head(const struct capture *c, const struct sampling *o, uint64_t *bytes,
		     struct md_err *err)
{
	static const uint64_t start[] = { 0x32454c4946524550 /* the magic "PERFILE2" */, 16 };
	int fd = capture_open(c, "perf.data", O_WRONLY | O_TRUNC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool good;

	if (!f)
		return md_fail_errno(err, MD_EIO, "cannot write '%s/perf.data'", c->dir);
	put_bytes(f, start, sizeof(start));
	put_event(f, ACCESS_EVENT_ACCESS, ACCESS_CONFIG_ACCESS, "access",
		  o->period ? o->period : EXACT_PERIOD);
	put_event(f, ACCESS_EVENT_FAULT, ACCESS_CONFIG_FAULT, "first-access", 1);
	put_event(f, ACCESS_EVENT_INSTRUCTIONS, ACCESS_CONFIG_INSTRUCTIONS, "instructions", 1);
	put_lost(f);
	good = !ferror(f);
	*bytes = (uint64_t)ftell(f);
	if (fclose(f) || !good)
		return md_fail_errno(err, MD_EIO, "cannot write '%s/perf.data'", c->dir);
	return 0;
}

static uint64_t lost_at(uint64_t head_bytes)
{
	return head_bytes - sizeof(struct access_lost) + offsetof(struct access_lost, lost);
}

uint64_t exact_lost(const struct capture *c, uint64_t head_bytes)
{
	uint64_t n = 0;
	int fd = capture_open(c, "perf.data", O_RDONLY);

	if (fd < 0)
		return 0;
	if (pread(fd, &n, sizeof(n), (off_t)lost_at(head_bytes)) != sizeof(n))
		n = 0;
	close(fd);
	return n;
}

bool exact_has_records(const struct capture *c, uint64_t bytes)
{
	struct stat st;

	return !fstatat(c->fd, "perf.data", &st, 0) && (uint64_t)st.st_size > bytes;
}

/* Passes the path of perf.data to the program, because the sampler runs in the program's process
 * and opens the file there. `slashes` is the number of slashes before the file's name. */
static void pass_stream(const struct exact_run *r, struct job *job, size_t slashes)
{
	char stream[PATH_MAX + WHOLE + 16];
	int n = snprintf(stream, PATH_MAX, "%s", r->capture_dir);

	memset(stream + n, '/', slashes);
	strcpy(stream + n + slashes, "perf.data");
	words_set_env(&job->env, ACCESS_STREAM_VARIABLE, stream);
}

/* Moves a variable to the end of the environment. */
static void put_last(struct words *env, const char *name)
{
	const char *now = words_env(env, name);
	char *value = now ? strdup(now) : NULL;

	env->failed |= now && !value;
	words_unset_env(env, name);
	if (value)
		words_set_env(env, name, value);
	free(value);
}

/* Passes the path with so many slashes that the size of the environment is a multiple of WHOLE
 * bytes, whatever the name of the recording is. The stack begins below the environment. If it began
 * elsewhere in each recording, functions that handle strings would load those on the stack in other
 * pieces, and the counts would differ. The emulator reverses the variables. glibc 2.36 reads
 * GLIBC_TUNABLES and, by mistake, all that follows it, so both paths must come before it. */
static void pass_stream_padded(const struct exact_run *r, struct job *job)
{
	size_t bytes = 0;

	put_last(&job->env, TRACK_ENV_DIR);
	pass_stream(r, job, 1);
	for (size_t i = 0; i < job->env.n; i++)
		bytes += strlen(job->env.v[i]) + 1;
	pass_stream(r, job, 1 + (WHOLE - bytes % WHOLE) % WHOLE);
}

/* Returns a number that differs from run to run, so that two runs do not sample the same
 * accesses. */
static uint64_t random_seed(void)
{
	return monotonic_ns() % 1000000007;
}

void exact_caches(const struct sampling *o, uint64_t bytes[MACHINE_CACHES])
{
	static const uint64_t usual[MACHINE_CACHES] = { 48 << 10, 1 << 20, 32 << 20 };
	uint64_t here[MACHINE_CACHES];

	machine_caches(here);
	for (int i = 0; i < MACHINE_CACHES; i++)
		bytes[i] = o->caches[i] ? o->caches[i] : here[i] ? here[i] : usual[i];
}

/* Returns the associativity of a simulated cache. Many CPUs find the set of a first-level cache
 * before they have translated the address, so each way of this cache has the size of a page. The
 * other levels have 16 ways, and so has a first level whose size is not 1 to 32 whole pages. */
static unsigned associativity(int level, uint64_t bytes)
{
	return !level && bytes % PAGE == 0 && bytes / PAGE <= 32 ? (unsigned)(bytes / PAGE) : 16;
}

/* Writes the options as text, which access/options.c reads. */
static void write_options(const struct exact_run *r, char *out, size_t len)
{
	uint64_t caches[MACHINE_CACHES];
	int n = snprintf(out, len, "period=%" PRIu64 ",seed=%" PRIu64 ",lost=%" PRIu64,
			 r->sampling->period ? r->sampling->period : EXACT_PERIOD, random_seed(),
			 lost_at(r->head_bytes));
	if (!r->sampling->model)
		return;
	exact_caches(r->sampling, caches);
	snprintf(out + n, len - (size_t)n,
		 ",model=1,l1=%" PRIu64 ":%u,l2=%" PRIu64 ":%u,l3=%" PRIu64 ":%u", caches[0],
		 associativity(0, caches[0]), caches[1], associativity(1, caches[1]), caches[2],
		 associativity(2, caches[2]));
}

/* The only preparation for the sampler soft is to set environment variables. libmemdb-soft, with
 * which the program is linked, reads them. */
int soft_environment(const struct exact_run *r, struct job *job, struct md_err *err)
{
	char options[OPTIONS_BYTES];

	write_options(r, options, sizeof(options));
	words_set_env(&job->env, ACCESS_OPTIONS_VARIABLE, options);
	pass_stream(r, job, 1);
	return job->env.failed ? md_nomem(err) : 0;
}

/* Changes the job so that it executes the emulator, which gets the program's path and words as
 * arguments. */
int exact_command(const struct exact_run *r, struct job *job, struct words *out, struct md_err *err)
{
	char options[OPTIONS_BYTES];
	const struct emulation e = { r->x->emulator, r->x->plugin, options, r->tracker };
	const char *why;

	write_options(r, options, sizeof(options));
	why = emulate(&e, r->target->path, r->argv, out, &job->env);
	if (why)
		return md_fail(err, MD_ENOTSUP, "the sampler exact cannot run '%s': %s",
			       r->target->path, why);
	pass_stream_padded(r, job);
	words_release(&job->path);
	words_add(&job->path, r->x->emulator);
	return out->failed || job->env.failed || job->path.failed ? md_nomem(err) : 0;
}
