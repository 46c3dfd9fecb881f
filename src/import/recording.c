/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads capture.json, in which memdb record describes a recording: the command, its exit status,
 * the sampler, the role of each event. memdb record writes it at the start, and again at the end.
 *
 * The file is untrusted, like all inputs. It is missing if perf alone made the recording. If memdb
 * record was killed, it is incomplete. A member that is missing or has the wrong type counts as
 * unknown.
 */
#include "import/recording.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mapfile.h"
#include "import/losses.h"
#include "import/pipeline.h"
#include "perfdata/samplers.h"
#include "track_format.h" /* for TRACK_SAMPLE_MOST */

/* MOST_JSON: maximum size of a capture.json in bytes; memdb writes far smaller ones. MOST_THINNED:
 * maximum of thinned.samples */
enum { MOST_JSON = 16 << 20, MOST_THINNED = 1 << 20 };

/* Returns a member that is a string, borrowed from the document; NULL if it is missing or not a
 * string. */
static const char *json_text(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string)
		       ? json_object_get_string(v)
		       : NULL;
}

/* Gets a member that is an integer. If it is missing or not an integer, leaves *value unchanged and
 * returns false. */
static bool json_number(struct json_object *o, const char *key, int64_t *value)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v) || !json_object_is_type(v, json_type_int))
		return false;
	*value = json_object_get_int64(v);
	return true;
}

/* Returns a member; NULL if it is missing. */
static struct json_object *json_child(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? v : NULL;
}

/* Returns the strings of an array, joined by blanks; the caller frees them. NULL if it is not an
 * array. */
static char *json_words(struct json_object *array)
{
	char *all = NULL;
	size_t len = 0;
	FILE *f;

	if (!array || !json_object_is_type(array, json_type_array))
		return NULL;
	f = open_memstream(&all, &len);
	if (!f)
		return NULL;
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(array, i));

		fprintf(f, "%s%s", i ? " " : "", word ? word : "");
	}
	fclose(f);
	return all;
}

/* Returns o.when.clock, the time of a clock in ns at a moment such as "start". `when` and `clock`
 * are keys. Returns 0 if the time is missing or not positive. */
static uint64_t json_moment(struct json_object *o, const char *when, const char *clock)
{
	struct json_object *v = json_child(o, when);
	int64_t ns = 0;

	return v && json_number(v, clock, &ns) && ns > 0 ? (uint64_t)ns : 0;
}

/* Reads how the recording was thinned. An impossible number of samples or blocks counts as 1. */
static void fill_thinned(struct recording *r)
{
	struct json_object *o = json_child(r->json, "thinned");
	struct recording_thinned *t = &r->thinned;

	if (!o)
		return;
	json_number(o, "samples", &t->samples);
	json_number(o, "blocks", &t->blocks);
	json_number(o, "removed_samples", &t->removed_samples);
	json_number(o, "removed_faults", &t->removed_faults);
	if (t->samples < 1 || t->samples > MOST_THINNED)
		t->samples = 1;
	if (t->blocks < 1 || t->blocks > TRACK_SAMPLE_MOST)
		t->blocks = 1;
}

/* Reads how long no minor page faults were recorded. Impossible numbers count as 0. */
static void fill_storm(struct recording *r)
{
	struct json_object *o = json_child(r->json, "storm");
	int64_t ns = 0, processes = 0, begin = 0, end = 0;

	if (!o || !json_number(o, "ns", &ns) || !json_number(o, "processes", &processes) ||
	    ns < 0 || processes < 0)
		return;
	r->storm_ns = (uint64_t)ns;
	r->storm_processes = (uint64_t)processes;
	if (json_number(o, "begin_ns", &begin) && json_number(o, "end_ns", &end) && begin > 0 &&
	    end > begin) {
		r->storm_begin = (uint64_t)begin;
		r->storm_end = (uint64_t)end;
	}
}

/* Fills in *r from the JSON document, which owns its strings and lives as long as *r. */
static void fill_recording(struct recording *r)
{
	struct json_object *perf = json_child(r->json, "perf");
	struct json_object *tracked = json_child(r->json, "tracked");
	struct json_object *complete = json_child(r->json, "complete");
	struct json_object *zero_page = json_child(r->json, "zero_page");
	int64_t pid;

	r->sampler = json_text(r->json, "sampler");
	r->memdb_version = json_text(r->json, "memdb");
	r->hostname = json_text(r->json, "hostname");
	r->kernel = json_text(r->json, "kernel");
	r->arch = json_text(r->json, "machine");
	r->emulator = json_text(r->json, "emulator");
	r->reads_place = zero_page && !json_object_get_boolean(zero_page);
	r->cwd = json_text(r->json, "cwd");
	r->command = json_words(json_child(r->json, "argv"));
	r->perf_command = perf ? json_words(json_child(perf, "command")) : NULL;
	r->perf_version = perf ? json_text(perf, "version") : NULL;
	r->start_ns = json_moment(r->json, "start", "monotonic_ns");
	r->start_realtime_ns = json_moment(r->json, "start", "realtime_ns");
	r->end_ns = json_moment(r->json, "end", "monotonic_ns");
	r->full_ns = json_moment(r->json, "full", "monotonic_ns");
	r->has_exit_code = json_number(r->json, "exit_code", &r->exit_code);
	r->has_exit_signal = json_number(r->json, "signal", &r->exit_signal);
	r->tracked = tracked && json_object_get_boolean(tracked);
	r->untracked_reason = r->tracked ? NULL : json_text(r->json, "untracked_reason");
	fill_thinned(r);
	fill_storm(r);
	r->unfinished = complete && !json_object_get_boolean(complete);
	if (json_number(r->json, "pid", &pid))
		r->pid = (uint32_t)pid;
	if (json_number(r->json, "waiter_pid", &pid))
		r->waiter_pid = (uint32_t)pid;
}

/* Finds the sizes of the data caches. perf.data has the sizes that the kernel reported. Otherwise
 * capture.json may have sizes: those of the simulated caches if the sampler simulated caches, or
 * else those that the CPU reported. */
static void find_caches(struct recording *r, const struct pd_features *f)
{
	_Static_assert(sizeof(r->cache_bytes) == sizeof(f->cache_bytes), "copied as they are");
	struct json_object *a = json_child(r->json, "cache_bytes");
	int64_t bytes;

	if (f->cache_bytes[0]) {
		memcpy(r->cache_bytes, f->cache_bytes, sizeof(r->cache_bytes));
		r->caches = "kernel";
		return;
	}
	for (size_t i = 0; i < CACHE_LEVELS && json_object_is_type(a, json_type_array); i++) {
		bytes = json_object_get_int64(json_object_array_get_idx(a, i));
		r->cache_bytes[i] = bytes > 0 ? (uint64_t)bytes : 0;
	}
	if (!r->cache_bytes[0])
		r->caches = NULL;
	else if (json_child(json_child(r->json, "options"), "model_caches"))
		r->caches = "model";
	else
		r->caches = "cpu";
}

int recording_role(const struct recording *r, uint32_t type, uint64_t config)
{
	struct json_object *roles = json_child(r->json, "event_roles");
	size_t n =
		json_object_is_type(roles, json_type_array) ? json_object_array_length(roles) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *e = json_object_array_get_idx(roles, i);
		const char *role = json_text(e, "role");
		int64_t of_type, of_config;

		if (role && json_number(e, "type", &of_type) &&
		    json_number(e, "config", &of_config) && of_type == (int64_t)type &&
		    of_config == (int64_t)config)
			return (int)event_role_by_name(role);
	}
	return -1;
}

/* Checks that the object is a capture.json in the format that this memdb reads. */
static int check_format(struct json_object *o, const char *path, struct md_err *why)
{
	int64_t format;

	if (!json_number(o, "format", &format))
		return md_fail(why, MD_EFORMAT,
			       "cannot read '%s': it is not of memdb, or was changed", path);
	if (format != CAPTURE_FORMAT)
		return md_fail(why, MD_EFORMAT,
			       "cannot read '%s': format %" PRId64 ", this memdb reads %d", path,
			       format, CAPTURE_FORMAT);
	return 0;
}

/* Reads the JSON object in a file. Returns NULL with the reason in *why if that fails. */
static struct json_object *read_object(const char *path, struct md_err *why)
{
	struct json_tokener *parser = json_tokener_new();
	struct json_object *o = NULL;
	struct mapfile f;

	if (!mapfile_open(path, "capture.json", NULL, &f, why)) {
		if (parser && f.len <= MOST_JSON)
			o = json_tokener_parse_ex(parser, f.bytes, (int)f.len);
		if (!json_object_is_type(o, json_type_object)
			    ? md_fail(why, MD_EFORMAT, "cannot read '%s': no JSON object", path)
			    : check_format(o, path, why)) {
			json_object_put(o);
			o = NULL;
		}
	}
	mapfile_close(&f);
	if (parser)
		json_tokener_free(parser);
	return o;
}

/* Was the CPU emulated? QEMU's TCG takes interrupts only between blocks of translated code, so the
 * ip of a sample is not exact. The CPU's name contains TCG, unless QEMU was told to show another
 * name; then capture.json has the emulator's name. */
static bool has_emulated_cpu(const struct import *im)
{
	const char *cpu = pd_features(im->in.perf)->cpudesc;

	return (cpu && strstr(cpu, "TCG")) || im->in.recording.emulator;
}

/* Reports an unreadable capture.json as damage and goes on, because the samples can still be used.
 */
void recording_read(struct import *im)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/capture.json", im->o->input);
	im->in.recording.thinned = (struct recording_thinned){ .samples = 1, .blocks = 1 };
	im->in.recording.has_file = !access(path, F_OK);
	if (im->in.recording.has_file)
		im->in.recording.json = read_object(path, &im->in.recording.why);
	if (im->in.recording.json)
		fill_recording(&im->in.recording);
	find_caches(&im->in.recording, pd_features(im->in.perf));
	im->model.emulated = has_emulated_cpu(im);
}

/* Does the folder contain a file that only memdb record writes? */
static bool has_memdbs_files(const struct import *im)
{
	return im->in.follow_path || im->in.faults_path || im->in.kallsyms_path || im->in.vdso_path;
}

/* Reports for how long before the end of the program nothing was recorded, because the capture had
 * reached --max-size or perf had ended. If perf ran until the end of the program, its file contains
 * the exit of the program. */
static void report_missing_end(struct import *im)
{
	const struct recording *r = &im->in.recording;
	const enum sampler s = r->sampler ? sampler_by_name(r->sampler) : SAMPLERS;
	const bool by_perf = s < SAMPLERS && sampler_run(s) == RUN_PERF;
	uint64_t last = im->out.perf_last_time > r->start_ns ? im->out.perf_last_time : r->start_ns;

	if (r->full_ns)
		import_missing(im, "recording", "ms at the end",
			       r->end_ns > r->full_ns ? (r->end_ns - r->full_ns) / 1000000 : 0,
			       "the capture had reached --max-size, and nothing later is in it");
	else if (by_perf && (r->has_exit_code || r->has_exit_signal) && !im->out.perf_saw_end)
		import_missing(im, "perf", "ms at the end",
			       r->end_ns > last ? (r->end_ns - last) / 1000000 : 0,
			       "perf ended before the program, or its file is cut short: nothing "
			       "later is in it");
}

bool recording_refused_tracker(const struct import *im)
{
	const char *reason = im->in.recording.untracked_reason;

	return reason && strcmp(reason, "not asked for") != 0 && !im->in.tracks.n;
}

/* Reports that the tracker could not work in the program. */
static void report_untracked(struct import *im)
{
	char detail[200];

	if (!recording_refused_tracker(im))
		return;
	snprintf(detail, sizeof(detail), "%s; its heap memory is known by its mappings only",
		 im->in.recording.untracked_reason);
	import_loss(im, "tracker", "programs not tracked", 1, detail);
}

/* Reports logs of the tracker that should be there, because a program mapped them, capture.json
 * says that there are logs, or the user named their folder. */
static void report_missing_logs(struct import *im)
{
	const bool tracked = im->in.recording.tracked;
	const struct strings *gone = &im->in.tracks.gone;
	char detail[400], more[64] = "";

	if (gone->n) {
		if (gone->n > 1)
			snprintf(more, sizeof(more), " and %" PRIu32 " more", gone->n - 1);
		snprintf(detail, sizeof(detail),
			 "%.200s%s: mapped by a program, and not in the folder: removed, or a disk "
			 "was full",
			 strings_text(gone, 1), more);
		import_missing(im, "tracker", "missing logs", gone->n, detail);
	} else if (tracked && !im->in.track_dir) {
		import_damage(im, "tracker", "missing logs", 1,
			      "the folder with the tracker's logs is missing: capture.json says "
			      "that allocations were recorded");
	} else if ((tracked || im->o->track_dir) && !im->in.tracks.files) {
		import_missing(im, "tracker", "missing logs", 1,
			       "the folder has none: the tracker made no log, or its logs were "
			       "removed");
	}
}

/* Reports the time in which only major page faults were recorded. */
static void report_storm(struct import *im)
{
	const struct recording *r = &im->in.recording;
	char detail[300];

	snprintf(detail, sizeof(detail),
		 "processes started so fast that minor page faults were not recorded for %.3g s in "
		 "all, in no process: who touched pages first then is unknown",
		 (double)r->storm_ns / 1e9);
	import_missing(im, "recording", "processes whose minor page faults were not recorded",
		       r->storm_processes, detail);
}

void recording_losses(struct import *im, bool logs_reported)
{
	const struct recording *r = &im->in.recording;

	import_damage(im, "import", "unreadable capture.json", r->why.msg[0] != 0, r->why.msg);
	import_damage(im, "import", "missing capture.json", has_memdbs_files(im) && !r->has_file,
		      "the command, its exit code and what memdb itself did in the recording are "
		      "not known without it");
	import_damage(im, "import", "recording without its end", r->unfinished,
		      "memdb was ended while it recorded: what the program did from then on is not "
		      "recorded");
	report_missing_end(im);
	report_untracked(im);
	import_missing(
		im, "recording", "thinned samples", (uint64_t)r->thinned.removed_samples,
		"the capture came near --max-size: samples were removed again, evenly over "
		"the run in pieces of 64 KiB, and each that is left counts for "
		"all of its share; intervals take neighbouring samples for independent, so "
		"they are too narrow (if memdb was killed, the last samples count for more)");
	import_missing(im, "recording", "thinned page faults", (uint64_t)r->thinned.removed_faults,
		       "the capture came near --max-size: from then on, only some page faults were "
		       "recorded");
	report_storm(im);
	import_missing(
		im, "recording", "small blocks for each recorded one",
		r->thinned.blocks > 1 ? (uint64_t)r->thinned.blocks : 0,
		"the capture came near --max-size: small blocks were recorded by chance, in the "
		"end so few, and each says how many it represents");
	if (!logs_reported)
		report_missing_logs(im);
}

/* Frees what *r owns and empties it, so a second call does nothing. */
void recording_release(struct recording *r)
{
	json_object_put(r->json);
	free(r->command);
	free(r->perf_command);
	memset(r, 0, sizeof(*r));
}

/* maximum number of ranges of physical memory; machines have far fewer, so a longer list comes from
 * a damaged file, and its rest is ignored */
enum { MOST_STRETCHES = 1 << 14 };

/* Reads which ranges of physical memory belong to which node. Also adds these nodes, if the file
 * does not describe nodes elsewhere. */
static int memory_topology(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);
	uint64_t block, start, end;
	uint32_t left = MOST_STRETCHES;
	int ret = 0;

	for (uint32_t i = 0; ret != MD_ENOMEM && i < f->nmemories; i++) {
		const struct pd_memory *m = &f->memories[i];

		if (!f->nnodes)
			ret = topology_node(&im->model.topology, m->node, "",
					    pd_memory_bytes(im->in.perf, m), 0);
		block = 0;
		while (ret != MD_ENOMEM && left &&
		       pd_memory_next(im->in.perf, m, &block, &start, &end)) {
			left--;
			ret = topology_memory(&im->model.topology, m->node, start, end);
		}
	}
	return ret;
}

bool recording_is_by(const struct recording *r, enum sampler_run run)
{
	const enum sampler s = r->sampler ? sampler_by_name(r->sampler) : SAMPLERS;

	return s < SAMPLERS && sampler_run(s) == run;
}

/* Skips nodes that the follower has described, because the follower's records also contain the
 * distances and the free memory of nodes. */
int recording_topology(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);
	int ret = 0;

	for (uint32_t i = 0; !ret && i < f->ncpus; i++)
		ret = topology_cpu(&im->model.topology, i, -1, f->cpus[i].core, f->cpus[i].socket);
	for (uint32_t i = 0; ret != MD_ENOMEM && i < f->nnodes; i++)
		if (!topology_described(&im->model.topology, (int32_t)f->nodes[i].id))
			ret = topology_node(&im->model.topology, (int32_t)f->nodes[i].id,
					    f->nodes[i].cpus, f->nodes[i].mem_total_bytes,
					    f->nodes[i].mem_free_bytes);
	if (ret != MD_ENOMEM && !im->in.follow.log)
		ret = memory_topology(im);
	return ret == MD_ENOMEM ? md_nomem(im->err) : 0;
}
