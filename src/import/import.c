/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports one recording, from its files to a database.
 *
 * Opens all inputs and the output, merges the inputs' events (replay.c), writes the rows that the
 * model has collected, and completes the database.
 *
 * What must stay true: memory grows with the number of live or distinct objects, not with the
 * number of events. The database gets its name only when it is complete.
 */
#include "import/import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/mapfile.h"
#include "base/monotonic.h"
#include "decode/perf_regs.h"
#include "import/facts.h"
#include "import/inputs.h"
#include "import/replay.h"
#include "import/pipeline.h"
#include "import/policy.h"
#include "import/symbols.h"
#include "symbol/child.h"

/* Initializes the model for the recorded machine, which may differ from this one. If the recording
 * does not name its architecture, x86-64 is assumed. Instructions of architectures other than
 * x86-64 and AArch64 are not decoded; everything else is imported. */
static int open_model(struct import *im)
{
	struct sym_options so = { .debug_dirs = im->o->debug_dirs,
				  .root = im->o->symfs,
				  .no_lines = im->o->no_lines,
				  .origin = &im->in.origin };
	const struct pd_features *f = pd_features(im->in.perf);
	const char *machine = f->arch ? f->arch : im->in.recording.arch;
	enum dec_arch arch = DEC_X86_64;
	int ret = code_init(&im->model.code, &so, im->err);

	if (!ret)
		ret = chains_init(&im->model.chains, im->err);
	if (ret)
		return ret;
	symbols_find(im);
	if (machine && !strcmp(machine, "aarch64"))
		arch = DEC_AARCH64;
	im->model.tagged = arch == DEC_AARCH64;
	im->model.sp_register = arch == DEC_AARCH64 ? REG_ARM64_SP : REG_X86_SP;
	im->model.ip_register = arch == DEC_AARCH64 ? REG_ARM64_PC : REG_X86_IP;
	if (!machine || !strcmp(machine, "x86_64") || arch == DEC_AARCH64)
		ret = decoder_open(arch, &im->model.code.decoder, NULL);
	if (ret == MD_ENOMEM)
		return md_nomem(im->err);
	ret = waits_begin(im);
	if (ret)
		return ret;
	space_init(&im->model.space, &im->model.code);
	objects_init(&im->model.objects, &im->model.space,
		     &(struct block_sink){ .call_path = track_call_path,
					   .count = track_count_block,
					   .store = track_store_block,
					   .arg = im,
					   .keep_bytes = im->o->keep_bytes,
					   .keep_most = im->o->keep_most });
	return 0;
}

/* Passes to the model the build-ids that perf stored at the end of the recording. A file with such
 * a build-id is proven to be the one that ran. */
static void note_build_ids(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);

	for (uint32_t i = 0; i < f->nbuild_ids; i++) {
		struct sym_build_id id = { .size = f->build_ids[i].size };

		memcpy(id.bytes, f->build_ids[i].id, sizeof(id.bytes));
		if (f->build_ids[i].path[0] == '/' || !strcmp(f->build_ids[i].path, "[vdso]"))
			code_dso(&im->model.code, f->build_ids[i].path, &id);
	}
}

/* Numbers the events (perf's "evsels"), first those of perf's file, then those of the page-fault
 * file, and finds the role of each. Also finds out whether every page fault has a record. */
static int know_events(struct import *im)
{
	uint32_t n = 0;

	for (int f = 0; f < RECORDED; f++)
		im->in.nroles += pd_evsel_count(im->in.recorded[f].file);
	im->in.roles = calloc(im->in.nroles ? im->in.nroles : 1, sizeof(*im->in.roles));
	if (!im->in.roles)
		return md_nomem(im->err);
	for (int f = 0; f < RECORDED; f++) {
		struct pd_file *file = im->in.recorded[f].file;

		pd_number_events(file, n);
		for (uint32_t i = 0; i < pd_evsel_count(file); i++) {
			const struct pd_evsel *e = pd_evsel_at(file, i);

			im->in.roles[n] = event_role(im, e);
			im->in.every_fault |= im->in.roles[n++] == ROLE_FAULT && !e->attr.freq &&
					      e->attr.sample_period == 1;
		}
	}
	return 0;
}

/* Prepares to read the records of one file in the order of time. */
static int open_order(struct import *im, int which, struct pd_file *file)
{
	im->in.recorded[which].file = file;
	return pd_order_open(file, &im->in.recorded[which].order, im->err);
}

/* Opens perf's file. An AUX trace is converted before the records are sorted, because the converted
 * file, which contains the trace's samples, replaces perf's file. */
static int open_perf(struct import *im)
{
	int ret = pd_open_path(im->in.perf_path, im->o->stop, &im->in.perf, im->err);

	if (ret)
		return inputs_advise(im, ret);
	ret = auxtrace_open(im);
	if (ret)
		return ret;
	ret = open_order(im, RECORDED_BY_PERF, im->in.perf);
	if (ret)
		return ret;
	return tp_open(im->in.perf, &im->in.tracepoints, im->err);
}

/* Opens the file of page faults. If it is not a perf.data, the import goes on without it, and
 * reports the damage. This happens if memdb record was killed before it wrote the header. */
static int open_faults(struct import *im)
{
	struct md_err why = { 0 };
	struct pd_file *file;
	int ret;

	if (!im->in.faults_path)
		return 0;
	ret = pd_open_path(im->in.faults_path, im->o->stop, &file, &why);
	if (!ret)
		return open_order(im, RECORDED_FAULTS, file);
	if (ret != MD_EFORMAT)
		return md_fail(im->err, ret, "%s", why.msg);
	snprintf(im->in.faults_damage, sizeof(im->in.faults_damage), "%.250s", why.msg);
	return 0;
}

/* Reads capture.json, which names the roles of some events. Then finds the role of every event, so
 * that each sample only looks it up. */
static int read_recording(struct import *im)
{
	recording_read(im);
	return know_events(im);
}

/* Creates the database before the inputs are read: an import whose output cannot be written must
 * fail at once, not after minutes. */
static int open_output(struct import *im)
{
	int ret = writer_open(im->o->output, im->o->force, &im->out.w, im->err);

	if (!ret && im->o->check)
		writer_check_everything(im->out.w);
	if (!ret && im->o->sqlite_inserts)
		writer_insert_all(im->out.w);
	return ret;
}

/* Initializes those parts of the model that depend on the topology. Must be called after the
 * topology has been read. */
static int know_machine(struct import *im)
{
	const uint64_t page_bytes = im->model.topology.page_bytes;

	im->model.space.page_bytes = page_bytes;
	im->model.homes.page_bytes = im->model.shared_homes.page_bytes = page_bytes;
	im->model.policies.page_bytes = page_bytes;
	policies_know(im);
	im->model.single_node = topology_single_node(&im->model.topology);
	note_build_ids(im);
	return 0;
}

/* Runs the step of the import called `name`. If it fails, makes sure that im->err describes this
 * failure: clears the error of an earlier failure after which the import went on, and sets a
 * sentence if the step set none. */
static int run_step(struct import *im, const char *name, int (*step)(struct import *im))
{
	struct md_err old;
	int ret;

	*im->err = (struct md_err){ 0 };
	ret = step(im);
	if (!ret || (im->err->code == ret && im->err->msg[0]))
		return ret;
	old = *im->err; /* a bug: the step must say what failed */
	md_fail(im->err, ret, "the import failed with %d at its step '%s'%s%.800s", ret, name,
		old.msg[0] ? ": " : ", and no reason", old.msg);
	im->err->sys = old.sys;
	return ret;
}

/* Opens all inputs and the output. Each step needs the results of the previous steps. */
static int open_all(struct import *im)
{
	static const struct {
		const char *name;
		int (*run)(struct import *im);
	} steps[] = {
		{ "find inputs", inputs_find },
		{ "check inputs", inputs_check },
		{ "open perf.data", open_perf },
		{ "open page faults", open_faults },
		{ "read capture.json", read_recording },
		{ "make the model", open_model },
		{ "create the database", open_output },
		{ "open follow.log", follow_open },
		{ "open the tracker's logs", tracks_open },
		{ "compare clocks", clock_open },
		{ "read the topology", recording_topology },
		{ "apply the topology", know_machine },
	};
	int ret = 0;

	for (size_t i = 0; i < COUNT_OF(steps) && !ret; i++)
		ret = run_step(im, steps[i].name, steps[i].run);
	return ret;
}

bool import_out_of_memory(const struct import *im)
{
	return im->nomem || im->model.code.nomem || im->model.space.nomem ||
	       im->model.objects.nomem || homes_nomem(&im->model.homes) ||
	       homes_nomem(&im->model.shared_homes) || im->model.shared.nomem ||
	       im->model.policies.nomem || im->model.affinities.nomem;
}

/* Writes the rows of blocks that are still alive at the end of the recording. */
static int end_all(struct import *im)
{
	for (uint32_t i = 1; i <= im->model.space.processes.n; i++)
		objects_end_process(&im->model.objects, i, 0, BLOCK_LIVES);
	ended_flush(im);
	if (import_out_of_memory(im))
		return md_nomem(im->err);
	return 0;
}

/* Callback of writer_finish(): begins the measurement of the next step. Returns non-zero if the
 * user has interrupted, because building indexes and sums takes a while. */
static int on_finish(void *arg, const char *step)
{
	struct import *im = arg;

	phases_step(im, step);
	return im->o->stop && *im->o->stop;
}

/* Writes the rows that the model has collected. Must be called after all inputs have been read. */
static int write_collected(struct import *im)
{
	int ret = end_all(im);

	if (ret)
		return ret;
	writer_end_counts(im->out.w);
	ret = waits_write(im);
	if (!ret)
		ret = facts_write(im);
	if (ret)
		return ret;
	return import_out_of_memory(im) ? md_nomem(im->err) : mapfile_failed(im->err);
}

static int finish_output(struct import *im)
{
	struct writer *w = im->out.w;
	int ret;

	phases_step(im, "rows held back");
	im->out.w = NULL; /* writer_finish() frees the writer even if it fails */
	ret = writer_finish(w, on_finish, im, im->err);
	phases_step(im, NULL);
	phases_print(im);
	return ret;
}

/* Merges the inputs and writes the database. Prints the duration of each step if the user asked for
 * it. */
static int import_steps(struct import *im)
{
	int ret;

	im->phases.wanted = im->o->timing;
	phases_step(im, "read, join and insert");
	progress_start(&im->progress, "importing", im->o->progress);
	ret = run_step(im, "read events", replay_events);
	progress_end(&im->progress);
	phases_step(im, "names and lines");
	follow_close(im);
	if (ret)
		return ret;
	ret = run_step(im, "check inputs", inputs_spared);
	if (ret)
		return ret;
	ret = run_step(im, "write names and lines", write_collected);
	if (ret)
		return ret;
	/* once more, because finding names and lines has opened more files */
	ret = run_step(im, "check inputs", inputs_spared);
	if (ret)
		return ret;
	return run_step(im, "complete the database", finish_output);
}

static void release_inputs(struct inputs *in)
{
	fl_close(in->follow.log);
	for (int f = 0; f < RECORDED; f++)
		pd_order_close(in->recorded[f].order);
	pd_close(in->recorded[RECORDED_FAULTS].file);
	pd_close(in->perf);
	tp_close(in->tracepoints);
	recording_release(&in->recording);
	clock_release(&in->clock);
	free(in->roles);
	free(in->ahead.at);
	free(in->perf_path);
	free(in->faults_path);
	free(in->track_dir);
	free(in->follow_path);
	free(in->kallsyms_path);
	free(in->vdso_path);
	free(in->jit_dir);
}

static void release_model(struct model *m)
{
	chains_release(&m->chains);
	frames_release(&m->frames);
	pointees_release(&m->pointees);
	local_uses_release(&m->local_uses);
	arguments_release(&m->arguments);
	regions_release(&m->regions);
	callers_release(&m->callers);
	free(m->sites.at);
	free(m->kernel_works.at);
	free(m->is_lock.at);
	free(m->is_service.at);
	free(m->moved.at);
	homes_release(&m->homes);
	homes_release(&m->shared_homes);
	votes_release(&m->votes);
	shared_files_release(&m->shared);
	policies_release(&m->policies);
	affinities_release(&m->affinities);
	waits_release(&m->waits);
	objects_release(&m->objects);
	space_release(&m->space);
	code_release(&m->code);
	topology_release(&m->topology);
}

/* Frees everything. May be called after the failure of any step, because everything that was not
 * opened is zero. */
static void release_import(struct import *im)
{
	tracks_close(im);
	held_release(&im->out.held);
	learned_release(&im->out.learned);
	used_release(&im->out.used);
	writer_abort(im->out.w);
	free(im->out.ended.at);
	free(im->out.untracked.at);
	release_model(&im->model);
	release_inputs(&im->in);
}

/* Returns the cause in place of an error that is only its consequence: an interrupt makes system
 * calls fail, and a file that shrank while it was mapped reads as zeros. */
static int replace_error(const struct import *im, int ret)
{
	if (im->err->sys == EINTR && im->o->stop && *im->o->stop)
		ret = md_fail(im->err, MD_EINTR, "interrupted");
	return mapfile_failed(im->err) ? MD_EIO : ret;
}

/* Initializes those parts of *im that are not zero at the start. */
static void init_import(struct import *im)
{
	memset(im->r, 0, sizeof(*im->r));
	topology_init(&im->model.topology);
	homes_init(&im->model.homes, 0);
	homes_init(&im->model.shared_homes, 0);
	im->model.shared_homes.shared = true;
	im->model.homes.changed = moved_found;
	im->model.shared_homes.changed = moved_in_file;
	im->model.homes.arg = im->model.shared_homes.arg = im;
	policies_init(&im->model.policies, 0);
}

static int run_guarded(struct import *im)
{
	int ret;

	mapfile_guard();
	ret = open_all(im);
	if (!ret)
		ret = import_steps(im);
	if (ret)
		ret = replace_error(im, ret);
	release_import(im);
	mapfile_unguard();
	return ret;
}

int import_run(const struct import_options *o, struct import_result *r, struct md_err *err)
{
	const uint64_t start = monotonic_ns();
	struct import_result unused;
	struct md_err nowhere = { 0 };
	/* on the heap, because the struct has more than 40 KiB, and the limit of the stack may be
	 * below 100 KiB */
	struct import *im = calloc(1, sizeof(*im));
	int ret;

	if (!im)
		return md_nomem(err);
	im->o = o;
	im->r = r ? r : &unused;
	im->err = err ? err : &nowhere;
	child_stop = o->stop;
	init_import(im);
	ret = run_guarded(im);
	im->r->seconds = (double)(monotonic_ns() - start) * 1e-9;
	free(im);
	return ret;
}
