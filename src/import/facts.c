/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what the model has collected, once, after all events have been read: processes, threads,
 * mappings, files, symbols, source lines, objects, call paths.
 */
#include "import/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "import/lines.h"
#include "import/losses.h"
#include "import/pipeline.h"
#include "import/run.h"
#include "naming/naming.h"

/* Writes nodes, their distances, and CPUs. Leaves out a CPU whose node and core are unknown. */
static void write_machine(struct import *im)
{
	const struct topology *t = &im->model.topology;

	for (uint32_t i = 0; i < t->nodes.n; i++)
		writer_put_node(im->out.w,
				&(struct row_node){
					.id = t->nodes.at[i].id,
					.cpus = t->nodes.at[i].cpus,
					.mem_total_bytes = (int64_t)t->nodes.at[i].mem_total_bytes,
					.mem_free_bytes = (int64_t)t->nodes.at[i].mem_free_bytes,
					.has = t->nodes.at[i].cpus ? HAS_NODE_MEMORY : 0,
				});
	for (uint32_t i = 0; i < t->distances.n; i++)
		writer_put_node_distance(im->out.w, &(struct row_node_distance){
							    .from_node_id = t->distances.at[i].from,
							    .to_node_id = t->distances.at[i].to,
							    .distance = t->distances.at[i].distance,
						    });
	for (uint32_t i = 0; i < t->cpus.n; i++)
		if (t->cpus.at[i].node >= 0 || t->cpus.at[i].core >= 0)
			writer_put_cpu(im->out.w, &(struct row_cpu){
							  .id = t->cpus.at[i].id,
							  .node_id = t->cpus.at[i].node,
							  .core = t->cpus.at[i].core,
							  .socket = t->cpus.at[i].socket,
						  });
}

/* Writes processes, threads and comms. Leaves out the kernel: only in the model it is a process,
 * which owns the kernel's mappings. */
static void write_processes(struct import *im)
{
	const struct space *s = &im->model.space;
	const struct strings *names = &im->model.code.names;

	for (uint32_t i = 0; i < s->processes.n; i++) {
		const struct process *p = &s->processes.at[i];

		if (i + 1 != s->kernel)
			writer_put_process(im->out.w,
					   &(struct row_process){
						   .id = i + 1,
						   .parent_id = p->parent,
						   .pid = (int32_t)p->pid,
						   .exe = space_exe(&im->model.space, p),
						   .command = p->memory ? p->memory->command : NULL,
						   .start_ns = (int64_t)p->start,
						   .end_ns = (int64_t)p->end,
						   .tracked = p->tracked,
					   });
	}
	for (uint32_t i = 0; i < s->threads.n; i++)
		writer_put_thread(im->out.w,
				  &(struct row_thread){
					  .id = i + 1,
					  .process_id = s->threads.at[i].process,
					  .pid = (int32_t)space_pid(s, &s->threads.at[i]),
					  .tid = (int32_t)s->threads.at[i].tid,
					  .comm = strings_text(names, s->threads.at[i].comm),
					  .start_ns = (int64_t)s->threads.at[i].start,
					  .end_ns = (int64_t)s->threads.at[i].end,
				  });
	for (uint32_t i = 0; i < s->comms.n; i++)
		writer_put_comm(im->out.w, &(struct row_comm){
						   .id = i + 1,
						   .thread_id = s->comms.at[i].thread,
						   .time = (int64_t)s->comms.at[i].time,
						   .comm = strings_text(names, s->comms.at[i].comm),
						   .exec = s->comms.at[i].exec,
						   .tracked = s->comms.at[i].tracked,
					   });
}

/* Writes mappings. The kernel's mappings belong to no process, so their process_id is NULL. */
static void write_mappings(struct import *im)
{
	for (uint32_t i = 0; i < im->model.space.mappings.n; i++) {
		const struct mapping *m = &im->model.space.mappings.at[i];

		writer_put_mapping(im->out.w,
				   &(struct row_mapping){
					   .id = i + 1,
					   .process_id = m->process == im->model.space.kernel
								 ? 0
								 : m->process,
					   .dso_id = m->dso,
					   .time = (int64_t)m->time,
					   .end_time = (int64_t)m->end_time,
					   .address_start = (int64_t)m->start,
					   .address_end = (int64_t)m->end,
					   .file_offset = (int64_t)m->pgoff,
					   .prot = m->prot,
					   .flags = m->flags,
					   .source = "perf",
					   .has = m->has_prot ? HAS_MAPPING_PROT : 0,
				   });
	}
}

static void write_pmus(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);

	for (uint32_t i = 0; i < f->npmus; i++)
		writer_put_pmu(im->out.w, &(struct row_pmu){ .id = i + 1,
							     .type = f->pmus[i].type,
							     .name = f->pmus[i].name,
							     .cpus = f->pmus[i].cpus,
							     .capabilities = f->pmus[i].caps });
}

/* Does the event lead a group? The next event is then a member of the group. */
static bool is_leader(const struct pd_file *f, uint32_t place)
{
	const struct pd_evsel *next = pd_evsel_at(f, place + 1);

	return next && next->leader == pd_evsel_at(f, place)->index;
}

/* Writes the events of one file. In a capture, perf.data and faults.data have events; the ids of
 * the second file continue those of the first. */
static void write_events_of(struct import *im, const struct pd_file *f)
{
	for (uint32_t i = 0; i < pd_evsel_count(f); i++) {
		const struct pd_evsel *e = pd_evsel_at(f, i);
		struct row_selected_event row = {
			.id = e->index + 1,
			.name = e->name,
			.role = event_role_name(im->in.roles[e->index]),
			.type = e->attr.type,
			.config = (int64_t)e->attr.config,
			.sample_type = (int64_t)e->attr.sample_type,
			.sample_period = (int64_t)e->attr.sample_period,
			.sample_freq = (int64_t)e->attr.sample_freq,
			.pmu = e->pmu ? e->pmu->name : NULL,
			.leader_id = e->leader != e->index || is_leader(f, i) ? e->leader + 1 : 0,
			.has = e->attr.freq ? HAS_EVENT_FREQ : HAS_EVENT_PERIOD,
		};

		writer_put_selected_event(im->out.w, &row);
	}
}

static void write_events(struct import *im)
{
	for (int f = 0; f < RECORDED; f++)
		write_events_of(im, im->in.recorded[f].file);
}

/* Returns the text for dsos.kind. DSO_KSYMBOL is code that the kernel generated, such as a BPF
 * program. */
static const char *dso_kind_name(enum dso_kind k)
{
	static const char *const names[] = {
		[DSO_FILE] = "file",           [DSO_KERNEL] = "kernel", [DSO_VDSO] = "vdso",
		[DSO_ANONYMOUS] = "anonymous", [DSO_MODULE] = "module", [DSO_JIT] = "jit",
		[DSO_KSYMBOL] = "jit",
	};
	ASSERT_NAMES(names, DSO_KSYMBOL);

	return names[k];
}

/* Returns the text for dsos.state; NULL if no symbol was looked up in the DSO's file, or if it has
 * no file. */
static const char *dso_state_name(const struct dso *d)
{
	static const char *const names[] = {
		[SYM_OK] = "ok",
		[SYM_MISSING] = "missing",
		[SYM_REPLACED] = "replaced",
		[SYM_NOT_ELF] = "not elf",
		/* no mapping record verified the file. But dso.doubt is NULL: the file has the
		 * build-id that perf stored at the end of the recording */
		[SYM_UNVERIFIED] = "ok",
		[SYM_REFUSED] = "unverified",
	};
	ASSERT_NAMES(names, SYM_REFUSED);

	if (d->kind == DSO_ANONYMOUS)
		return NULL;
	return d->doubt ? "unverified" : d->file ? names[sym_file_state(d->file)] : NULL;
}

/* Reports missing, doubtful or damaged symbols of a DSO as losses. */
static void write_dso_losses(struct import *im, uint32_t id)
{
	const struct dso *d = &AT_ID(im->model.code.dsos, id);
	const enum sym_state state = d->file ? sym_file_state(d->file) : SYM_OK;
	char detail[4400];

	if (d->doubt) {
		snprintf(detail, sizeof(detail), "%s: %s", d->path, d->doubt);
		import_loss(im, "symbols",
			    state == SYM_REFUSED ? "unverified files left out" : "unverified files",
			    1, detail);
	}
	if (d->kind == DSO_FILE && state == SYM_REPLACED)
		import_loss(im, "symbols", "replaced files", 1, d->path);
	else if (d->kind == DSO_FILE && state == SYM_MISSING)
		import_loss(im, "symbols", "missing files", 1, d->path);
	else if (d->kind == DSO_KERNEL && id == im->model.code.kernel_dso &&
		 im->model.code.kernel_problem)
		import_loss(im, "symbols", "kernel without symbols", 1,
			    im->model.code.kernel_problem);
	if (d->file && sym_file_problem(d->file))
		import_loss(im, "symbols", "damaged debug information", 1,
			    sym_file_problem(d->file));
}

/* Writes the DSOs. Their build-ids are the recorded ones: the file on this machine may have a
 * different build-id. */
static void write_dsos(struct import *im)
{
	for (uint32_t i = 0; i < im->model.code.dsos.n; i++) {
		const struct dso *d = &im->model.code.dsos.at[i];
		const struct sym_build_id *id = &d->build_id;
		char hex[2 * sizeof(id->bytes) + 1] = "";

		for (unsigned k = 0; k < id->size && k < sizeof(id->bytes); k++)
			snprintf(hex + 2 * k, 3, "%02x", id->bytes[k]);
		writer_put_dso(im->out.w,
			       &(struct row_dso){
				       .id = i + 1,
				       .short_name = d->short_name,
				       .long_name = d->path,
				       .build_id = id->size ? hex : NULL,
				       .kind = dso_kind_name(d->kind),
				       .state = dso_state_name(d),
				       .has_lines = d->file && sym_file_has_lines(d->file),
			       });
		write_dso_losses(im, i + 1);
	}
}

/* Writes the symbols. The model contains only symbols that a sample or a call path hit. */
static void write_symbols(struct import *im)
{
	for (uint32_t i = 0; i < im->model.code.symbols.n; i++) {
		const struct symbol *s = &im->model.code.symbols.at[i];

		writer_put_symbol(im->out.w,
				  &(struct row_symbol){
					  .id = i + 1,
					  .dso_id = s->dso,
					  .name = s->sym->pretty,
					  .linkage_name = s->sym->name,
					  .sym_start = (int64_t)s->sym->vaddr,
					  .sym_end = (int64_t)(s->sym->vaddr + s->sym->size),
				  });
	}
}

/* Writes an object. Its name and type come from *o. They were found in debug information or in the
 * source text along the call path. */
static void write_object(struct import *im, struct lines *lines, uint32_t id,
			 const struct object_origin *o)
{
	static const char *const kinds[] = {
		[OBJECT_HEAP] = "heap",
		[OBJECT_STATIC] = "static",
		[OBJECT_STACK] = "stack",
		[OBJECT_MAPPING] = "mapping",
	};
	ASSERT_NAMES(kinds, OBJECT_MAPPING);
	const struct object *x = &AT_ID(im->model.objects.objects, id);
	struct row_object row = {
		.id = id,
		.name = o->name,
		.kind = kinds[x->kind],
		.dso_id = x->dso,
		.call_path_id = x->call_path,
		.location_id = o->location,
		.thread_id = x->thread,
		.process_id = x->process,
		.function = o->line.function,
		.wrapper = o->wrapper,
		.file_id = lines_file_id(im, lines, o->line.file),
		.line = o->line.line,
		.address_start = (int64_t)x->address,
		.size_bytes = (int64_t)(x->blocks ? x->peak_bytes : x->extent),
		.allocations = (int64_t)x->blocks,
		.allocated_bytes = (int64_t)x->total_bytes,
		.first_sample_id = x->first_sample,
		.first_fault_id = x->first_fault,
		.estimated = x->estimated,
		.type_id = types_id(&lines->types, im->out.w, o->type),
	};

	row.has = (x->has_address ? HAS_OBJECT_ADDRESS : 0) | (o->line.line ? HAS_OBJECT_LINE : 0);
	if (row.type_id) {
		row.type_source = o->type_source;
		row.type_start = (int64_t)o->type_start;
		row.type_repeats = o->type_repeats;
		row.has |= HAS_OBJECT_TYPE;
	}
	used_location(im, o->location);
	writer_put_object(im->out.w, &row);
}

/* Reports each wrapper that the user named although no block was allocated through it: the name may
 * be misspelt. met[] is naming.wrappers_met. */
static void note_wrappers(struct import *im, const bool *met)
{
	char *list = im->r->wrappers;
	const size_t size = sizeof(im->r->wrappers);

	for (size_t i = 0; im->o->wrappers && im->o->wrappers[i]; i++) {
		size_t used = strlen(list);

		if (met[i])
			continue;
		import_loss(im, "names", "wrapper that allocates nothing", 1, im->o->wrappers[i]);
		snprintf(list + used, size - used, "%s'%s'", used ? ", " : "", im->o->wrappers[i]);
	}
}

static size_t count_wrappers(const struct import *im)
{
	size_t n = 0;

	while (im->o->wrappers && im->o->wrappers[n])
		n++;
	return n;
}

/* Writes all objects. The names of an object are in an arena, which is emptied after each object's
 * row, because a program may have millions of objects. Returns 0 or MD_ENOMEM. */
static int write_objects(struct import *im, struct sources *sources, struct lines *lines)
{
	struct arena arena = { 0 };
	bool *met = calloc(count_wrappers(im) + 1, sizeof(*met));
	const struct naming naming = {
		.code = &im->model.code,
		.objects = &im->model.objects,
		.votes = &im->model.votes,
		.sources = sources,
		.known_frames = known_frames_new(),
		.arena = &arena,
		.wrappers = im->o->wrappers,
		.wrappers_met = met,
		.no_lines = im->o->no_lines,
		.drawn = im->in.tracks.sample_every,
	};
	struct object_origin o;
	bool ok = met && naming.known_frames;

	for (uint32_t id = 1; ok && id <= im->model.objects.objects.n; id++) {
		ok = object_origin(&naming, id, &o);
		if (ok)
			write_object(im, lines, id, &o);
		im->nomem |= lines->types.nomem;
		arena_clear(&arena);
	}
	arena_release(&arena);
	if (ok)
		note_wrappers(im, met);
	known_frames_free(naming.known_frames);
	free(met);
	im->r->objects = im->model.objects.objects.n;
	return ok ? 0 : md_nomem(im->err);
}

/* Writes the used call paths. A parent has a smaller id than its children and comes first, so a
 * reader can build the tree in one pass. */
static void write_call_paths(struct import *im)
{
	static const char *const kinds[] = {
		[CALL_ROOT] = "root",         [CALL_TRUNCATED] = "truncated",
		[CALL_USER] = "user",         [CALL_KERNEL] = "kernel",
		[CALL_GUEST] = "guest",       [CALL_SKIPPED] = "skipped",
		[CALL_INFERRED] = "inferred",
	};
	ASSERT_NAMES(kinds, CALL_INFERRED);

	for (uint32_t i = 0; i < im->model.code.call_paths.n; i++) {
		const struct call_path *p = &im->model.code.call_paths.at[i];
		uint32_t symbol =
			p->location ? AT_ID(im->model.code.locations, p->location).symbol : 0;

		if (!used_has(&im->out.used.call_paths, i + 1))
			continue;
		writer_put_call_path(im->out.w, &(struct row_call_path){
							.id = i + 1,
							.parent_id = p->parent,
							.location_id = p->location,
							.symbol_id = symbol,
							.depth = p->depth,
							.kind = kinds[p->kind],
						});
	}
}

/* Reports source files that are newer than the program. Their text may differ from the compiled
 * text, so it is not used: objects are named after functions, not after source text. */
static void note_newer_sources(struct import *im, const struct sources *s)
{
	const char *first;
	uint32_t n = sources_newer(s, &first);

	import_loss(im, "sources", "newer than the program", n, first);
}

int facts_write(struct import *im)
{
	struct sources *sources = sources_new();
	struct lines lines = { 0 };
	int ret;

	if (!sources)
		return md_nomem(im->err);
	lines.sources = im->o->no_source ? NULL : sources;
	images_finish(im);
	write_machine(im);
	write_processes(im);
	write_mappings(im);
	write_pmus(im);
	write_events(im);
	used_complete(im);
	lines_prepare(im);
	write_symbols(im);
	ret = write_objects(im, sources, &lines);
	if (!ret)
		ret = lines_write_locations(im, &lines);
	write_call_paths(im);
	write_dsos(im);
	note_newer_sources(im, sources);
	losses_write(im);
	run_write(im); /* last, because the row of the run says whether a step found damage */
	lines_release(&lines);
	sources_free(sources);
	return ret;
}
