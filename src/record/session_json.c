/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes capture.json. record/capture.h describes its members.
 *
 * It is written before the program starts, again when the program has started and after each
 * thinning of samples, so that a recording that is cut short can be imported, too. It is written
 * for the last time at the end, when the result is known.
 */
#include <fcntl.h>
#include <json.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import/recording.h"
#include "record/capture_files.h"
#include "record/machine.h"
#include "record/session.h"

#define SPARE_BYTES 16384

#ifndef MEMDB_VERSION
#error "MEMDB_VERSION comes from the build"
#endif

static void add_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

static void add_int(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

static void add_bool(struct json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

static void add_words(struct json_object *o, const char *key, char *const *v)
{
	struct json_object *a = json_object_new_array();

	for (; v && *v; v++)
		json_object_array_add(a, json_object_new_string(*v));
	json_object_object_add(o, key, a);
}

/* Adds the facts about the machine, and the working directory. */
static void add_machine(struct json_object *o)
{
	struct utsname u = { 0 };
	char cwd[PATH_MAX];

	uname(&u);
	add_string(o, "cwd", getcwd(cwd, sizeof(cwd)) ? cwd : "");
	add_string(o, "hostname", u.nodename);
	add_string(o, "kernel", u.release);
	add_string(o, "machine", u.machine);
	if (machine_emulator())
		add_string(o, "emulator", machine_emulator());
	if (!machine_zero_page())
		add_bool(o, "zero_page", false);
}

/* Adds the cache sizes, from which the import estimates how long the accesses in timer samples
 * took. They are those of the simulated caches, if caches are simulated, otherwise the CPU's. */
static void add_caches(struct json_object *o, const struct sampling *sampling)
{
	struct json_object *a = json_object_new_array();
	uint64_t bytes[MACHINE_CACHES];

	if (sampling->model)
		exact_caches(sampling, bytes);
	else
		machine_caches(bytes);
	for (int i = 0; i < MACHINE_CACHES; i++)
		json_object_array_add(a, json_object_new_uint64(bytes[i]));
	json_object_object_add(o, "cache_bytes", a);
}

/* Adds the user's options, or their defaults. */
static void add_options(struct json_object *o, const struct session *s)
{
	const struct session_options *so = s->o;
	struct json_object *opt = json_object_new_object();

	add_int(opt, "period", so->sampling.period);
	add_int(opt, "frequency", so->sampling.frequency);
	add_int(opt, "latency", so->sampling.latency);
	add_string(opt, "call_graph", call_graph_name(so->call_graph));
	if (so->sampling.model)
		json_object_object_add(opt, "model_caches", json_object_new_boolean(true));
	add_int(opt, "min_size", so->min_size);
	if (so->sample_every)
		add_int(opt, "sample_small", so->sample_every);
	if (so->sample_bytes)
		add_int(opt, "sample_small_bytes", so->sample_bytes);
	if (so->max_bytes)
		add_int(opt, "max_size", so->max_bytes);
	if (so->keep_all)
		add_bool(opt, "keep_all", true);
	add_bool(opt, "faults", so->sampling.faults);
	add_bool(opt, "kernel", s->plan.kernel);
	add_bool(opt, "track", so->track);
	add_int(opt, "follow_interval_ns", so->follow_interval_ns);
	json_object_object_add(o, "options", opt);
}

/* Adds the role of each event. On another machine, the import cannot derive the role from type and
 * config, because a PMU may have a different number there. */
static void add_roles(struct json_object *o, const struct sampler_plan *plan)
{
	struct json_object *roles = json_object_new_array();

	for (unsigned i = 0; i < plan->count; i++) {
		struct json_object *e = json_object_new_object();

		add_int(e, "type", plan->events[i].attr.type);
		add_int(e, "config", plan->events[i].attr.config);
		add_string(e, "role", event_role_name(plan->events[i].role));
		json_object_array_add(roles, e);
	}
	json_object_object_add(o, "event_roles", roles);
}

/* Adds the sampler, its events, perf's command, and whether allocations are tracked; if they are
 * not, the reason. */
static void add_sampler(struct json_object *o, const struct session *s)
{
	struct json_object *events = json_object_new_array();
	struct json_object *perf = json_object_new_object();
	bool tracked = s->library[0] && !s->target.untracked;

	for (unsigned i = 0; i < s->plan.count; i++)
		json_object_array_add(events, json_object_new_string(s->plan.events[i].perf));
	add_string(o, "sampler", sampler_name(s->plan.sampler));
	json_object_object_add(o, "events", events);
	add_roles(o, &s->plan);
	add_bool(o, "tracked", tracked);
	if (!tracked)
		add_string(o, "untracked_reason",
			   s->o->track ? target_untracked_text(s->target.untracked)
				       : "not asked for");
	add_words(perf, "command", s->command.v);
	add_string(perf, "version", s->perf.version);
	json_object_object_add(o, "perf", perf);
}

static void add_moment(struct json_object *o, const char *key, const uint64_t ns[2])
{
	struct json_object *m = json_object_new_object();

	add_int(m, "monotonic_ns", ns[0]);
	add_int(m, "realtime_ns", ns[1]);
	json_object_object_add(o, key, m);
}

/* Adds what was left out to keep the capture below its maximum size. `samples` and `blocks` are
 * numbers N: one in N samples was kept, and one in N small heap blocks was recorded at the end; 1
 * means all. removed_samples and removed_faults are counts. */
static void add_thinned(struct json_object *o, const struct session *s)
{
	struct json_object *t = json_object_new_object();

	add_int(t, "samples", s->thin.every > 1 ? s->thin.every : 1);
	add_int(t, "removed_samples", s->thin.removed);
	add_int(t, "blocks", s->thin_every > 1 ? s->thin_every : 1);
	add_int(t, "removed_faults", s->faults_missing.removed);
	json_object_object_add(o, "thinned", t);
}

/* Adds how long no minor page faults were recorded, because many processes started. */
static void add_storm(struct json_object *o, const struct faults_missing *m)
{
	struct json_object *t = json_object_new_object();

	add_int(t, "ns", m->storm_ns);
	add_int(t, "processes", m->storm_processes);
	add_int(t, "begin_ns", m->storm_begin);
	add_int(t, "end_ns", m->storm_end);
	json_object_object_add(o, "storm", t);
}

/* Adds the times of the recording, what was thinned, the program's process and its end, and the
 * warnings. What did not happen, or has not happened yet, is left out. */
static void add_result(struct json_object *o, const struct session *s)
{
	const struct launch_result *r = &s->result;

	add_moment(o, "start", s->start);
	if (s->complete)
		add_moment(o, "end", s->end);
	if (s->full[0])
		add_moment(o, "full", s->full);
	if (s->thin.every > 1 || s->thin_every > 1)
		add_thinned(o, s);
	if (s->faults_missing.storm_ns)
		add_storm(o, &s->faults_missing);
	if (r->started) {
		add_int(o, "waiter_pid", (uint64_t)r->start.waiter);
		add_int(o, "pid", (uint64_t)r->start.pid);
		add_int(o, "start_ticks", r->start.start_ticks);
	}
	if (r->ended) {
		if (WIFEXITED(r->end.code))
			add_int(o, "exit_code", (uint64_t)WEXITSTATUS(r->end.code));
		else
			add_int(o, "signal", (uint64_t)WTERMSIG(r->end.code));
		add_int(o, "user_ns", r->end.user_ns);
		add_int(o, "system_ns", r->end.system_ns);
		add_int(o, "max_rss_bytes", r->end.max_rss_bytes);
	}
	add_int(o, "left_running", s->left_running);
	add_words(o, "warnings", s->warnings.v);
}

/* Writes the text. Until the recording is complete, blanks are appended up to SPARE_BYTES, so that
 * the file is usually at least as large as the final text will be. So the final text can be written
 * even if the recording has filled the disk. */
static int write_text(const struct session *s, const char *text, struct md_err *err)
{
	int fd = capture_open(&s->capture, "capture.json", O_WRONLY);
	size_t len = strlen(text);
	int size = s->complete || len >= SPARE_BYTES ? (int)len : SPARE_BYTES;
	bool good = fd >= 0 && dprintf(fd, "%-*s\n", size, text) == size + 1 &&
		    !ftruncate(fd, size + 1);

	if (!good)
		md_fail_errno(err, MD_EIO, "cannot write '%s/capture.json'", s->capture.dir);
	if (fd >= 0)
		close(fd);
	return good ? 0 : MD_EIO;
}

static int write_object(const struct session *s, struct json_object *o, struct md_err *err)
{
	const char *text =
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE);

	return text ? write_text(s, text, err) : md_nomem(err);
}

int session_write_json(const struct session *s, struct md_err *err)
{
	struct json_object *o = json_object_new_object();
	int ret;

	if (!o)
		return md_nomem(err);
	add_int(o, "format", CAPTURE_FORMAT);
	add_string(o, "memdb", MEMDB_VERSION);
	add_bool(o, "complete", s->complete);
	add_words(o, "argv", s->o->argv);
	add_string(o, "path", s->target.path);
	if (s->target.interpreter[0])
		add_string(o, "interpreter", s->target.interpreter);
	add_machine(o);
	add_caches(o, &s->o->sampling);
	add_sampler(o, s);
	add_options(o, s);
	add_result(o, s);
	json_object_object_add(o, "files", capture_files(&s->capture));
	ret = write_object(s, o, err);
	if (ret) {
		/* on a full disk, the list may not fit into the room that the first text has
		 * reserved; capture.json is then written without the list */
		json_object_object_del(o, "files");
		ret = write_object(s, o, err);
	}
	json_object_put(o);
	return ret;
}
