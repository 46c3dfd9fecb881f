/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "import/losses.h"
#include "import/pipeline.h"
#include "import/types.h"
#include "naming/naming.h"

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

static void write_processes(struct import *im)
{
	const struct space *s = &im->model.space;

	for (uint32_t i = 0; i < s->processes.n; i++) {
		const struct process *p = &s->processes.at[i];

		if (i + 1 != s->kernel)
			writer_put_process(im->out.w,
					   &(struct row_process){
						   .id = i + 1,
						   .parent_id = p->parent,
						   .pid = (int32_t)p->pid,
						   .exe = p->exe,
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
					  .comm = s->threads.at[i].comm,
					  .start_ns = (int64_t)s->threads.at[i].start,
					  .end_ns = (int64_t)s->threads.at[i].end,
				  });
	for (uint32_t i = 0; i < s->comms.n; i++)
		writer_put_comm(im->out.w, &(struct row_comm){
						   .id = i + 1,
						   .thread_id = s->comms.at[i].thread,
						   .time = (int64_t)s->comms.at[i].time,
						   .comm = s->comms.at[i].comm,
						   .exec = s->comms.at[i].exec,
						   .tracked = s->comms.at[i].tracked,
					   });
}

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

/* Is the event a group leader? Members of a group are sampled with their leader. */
static bool is_leader(const struct pd_file *f, uint32_t place)
{
	const struct pd_evsel *next = pd_evsel_at(f, place + 1);

	return next && next->leader == pd_evsel_at(f, place)->index;
}

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

static const char *dso_state_name(const struct dso *d)
{
	static const char *const names[] = {
		[SYM_OK] = "ok",
		[SYM_MISSING] = "missing",
		[SYM_REPLACED] = "replaced",
		[SYM_NOT_ELF] = "not elf",
		[SYM_UNVERIFIED] = "ok", /* a build-id recorded later proved it */
		[SYM_REFUSED] = "unverified",
	};
	ASSERT_NAMES(names, SYM_REFUSED);

	return d->doubt ? "unverified" : d->file ? names[sym_file_state(d->file)] : NULL;
}

/* What is missing or doubtful about the symbols of a DSO. */
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

/* Source files and types, stored once each. */
struct lines {
	struct strings files;
	uint32_t written, frames;
	struct types types;
	struct sources *sources; /* NULL: their text is left out */
	struct {
		struct text_line {
			uint32_t file, line;
		} * at;
		uint32_t n, cap;
	} texts; /* by source_lines.id */
	struct index text_index;
};

static uint32_t file_id(struct import *im, struct lines *x, const char *path)
{
	uint32_t id = path ? strings_id(&x->files, path) : 0;

	if (id > x->written)
		writer_put_file(im->out.w,
				&(struct row_file){ .id = x->written = id, .path = path });
	return id;
}

enum { MAX_TEXT = 400 }; /* bytes of a source line that are stored */

/* Stores the text of a line, once. A file that is newer than the DSO is not what it was made from.
 */
static void store_text(struct import *im, struct lines *x, uint32_t file, uint32_t line,
		       uint32_t dso)
{
	uint32_t hash = index_hash(file, line), place = hash, id;
	const char *text;
	char cut[MAX_TEXT + 1];

	if (!x->sources || !file || !line || !dso)
		return;
	while ((id = index_next(&x->text_index, hash, &place)))
		if (AT_ID(x->texts, id).file == file && AT_ID(x->texts, id).line == line)
			return;
	text = source_line(x->sources, strings_text(&x->files, file), line,
			   sym_file_mtime(code_file(&im->model.code, dso)));
	if (!text)
		return;
	if (!VEC_ROOM(&x->texts) || !index_add(&x->text_index, hash, x->texts.n + 1)) {
		im->nomem = true;
		return;
	}
	x->texts.at[x->texts.n++] = (struct text_line){ file, line };
	snprintf(cut, sizeof(cut), "%s", text);
	writer_put_source_line(im->out.w, &(struct row_source_line){ .id = x->texts.n,
								     .file_id = file,
								     .line = line,
								     .text = cut });
}

static bool wants_lines(const struct import *im, uint32_t dso)
{
	const struct dso *d = dso ? &AT_ID(im->model.code.dsos, dso) : NULL;

	return d && d->kind == DSO_FILE && d->file && !im->o->no_lines;
}

/* Announces all lines that will be looked up, so that they are resolved in the background. */
static void prepare_lines(struct import *im)
{
	const struct used_ids *used = &im->out.used.locations;
	const struct code *c = &im->model.code;
	uint64_t *offsets = malloc(c->locations.n * sizeof(*offsets)); /* grouped by file */
	/* start of each file's group */
	uint32_t *first = calloc(c->dsos.n + 2, sizeof(*first));

	if (!offsets || !first)
		goto out; /* without the announcement each line is resolved when needed */
	for (uint32_t i = 0; i < c->locations.n; i++)
		if (used_has(used, i + 1))
			first[c->locations.at[i].dso]++;
	for (uint32_t dso = 1; dso <= c->dsos.n + 1; dso++)
		first[dso] += first[dso - 1];
	for (uint32_t i = c->locations.n; i-- > 0;)
		if (used_has(used, i + 1))
			offsets[--first[c->locations.at[i].dso]] = c->locations.at[i].offset;
	for (uint32_t dso = 1; dso <= c->dsos.n; dso++)
		if (first[dso + 1] > first[dso] && wants_lines(im, dso))
			sym_lines_prepare(AT_ID(c->dsos, dso).file, offsets + first[dso],
					  first[dso + 1] - first[dso]);
out:
	free(first);
	free(offsets);
}

static void write_location(struct import *im, struct lines *x, uint32_t id)
{
	const struct location *l = &AT_ID(im->model.code.locations, id);
	struct sym_line at[SYM_MAX_INLINE] = { 0 };
	unsigned n = 0;
	struct row_location row = {
		.id = id, .dso_id = l->dso, .symbol_id = l->symbol, .offset = (int64_t)l->offset
	};

	if (wants_lines(im, l->dso))
		n = sym_lines_at(AT_ID(im->model.code.dsos, l->dso).file, l->offset, at,
				 SYM_MAX_INLINE);
	if (l->symbol) {
		row.symbol_offset =
			(int64_t)(l->offset - AT_ID(im->model.code.symbols, l->symbol).sym->start);
		row.has |= HAS_LOCATION_SYMBOL_OFFSET;
		row.function = code_symbol_name(&im->model.code, l->symbol);
	}
	if (n) {
		row.file_id = file_id(im, x, at[0].file);
		row.line = at[0].line;
		row.column = at[0].column;
		row.has |= at[0].line ? HAS_LOCATION_LINE : 0;
		row.function = at[0].function ? at[0].function : row.function;
		row.own_depth = site_own_frame(at, n);
		store_text(im, x, row.file_id, at[0].line, l->dso);
	}
	writer_put_location(im->out.w, &row);
	for (unsigned i = 1; i < n; i++) {
		const uint32_t file = file_id(im, x, at[i].file);

		writer_put_inlined_frame(im->out.w, &(struct row_inlined_frame){
							    .id = ++x->frames,
							    .location_id = id,
							    .depth = i,
							    .function = at[i].function,
							    .file_id = file,
							    .line = at[i].line,
						    });
		store_text(im, x, file, at[i].line, l->dso);
	}
}

static bool was_interrupted(const struct import *im)
{
	return im->o->stop && *im->o->stop;
}

static int write_locations(struct import *im, struct lines *lines)
{
	uint32_t i;

	for (i = 0; i < im->model.code.locations.n && !was_interrupted(im); i++)
		if (used_has(&im->out.used.locations, i + 1))
			write_location(im, lines, i + 1);
	return i < im->model.code.locations.n ? md_fail(im->err, MD_EINTR, "interrupted") : 0;
}

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
		.file_id = file_id(im, lines, o->line.file),
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

static int write_objects(struct import *im, struct sources *sources, struct lines *lines)
{
	struct arena arena = { 0 };
	const struct naming naming = {
		.code = &im->model.code,
		.objects = &im->model.objects,
		.sources = sources,
		.arena = &arena,
		.no_lines = im->o->no_lines,
		.drawn = im->in.tracks.sample_every,
	};
	struct object_origin o;

	for (uint32_t id = 1; id <= im->model.objects.objects.n; id++) {
		if (!object_origin(&naming, id, &o)) {
			arena_release(&arena);
			return md_nomem(im->err);
		}
		write_object(im, lines, id, &o);
		im->nomem |= lines->types.nomem;
		arena_release(&arena);
	}
	im->r->objects = im->model.objects.objects.n;
	return 0;
}

static void write_call_paths(struct import *im)
{
	static const char *const kinds[] = {
		[CALL_ROOT] = "root",     [CALL_TRUNCATED] = "truncated", [CALL_USER] = "user",
		[CALL_KERNEL] = "kernel", [CALL_GUEST] = "guest",
	};
	ASSERT_NAMES(kinds, CALL_GUEST);

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

/* Without source text, objects are named after functions instead of variables. */
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
	prepare_lines(im);
	write_symbols(im);
	ret = write_objects(im, sources, &lines);
	if (!ret)
		ret = write_locations(im, &lines);
	write_call_paths(im);
	write_dsos(im);
	note_newer_sources(im, sources);
	losses_write(im);
	recording_write(im); /* last, because it reports whether anything was damaged */
	strings_release(&lines.files);
	types_release(&lines.types);
	free(lines.texts.at);
	index_release(&lines.text_index);
	sources_free(sources);
	return ret;
}
