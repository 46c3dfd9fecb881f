/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds the code of the recorded machine: files (DSOs), their symbols and locations, and call
 * paths. Each element has an id, and equal elements have the same id, so that rows and caches can
 * refer to them by number.
 *
 * A file is opened when its code is mapped (mapping.c needs its address range) or when a location
 * in it is first seen. A new location gets its symbol at once. A location is a file and an offset
 * in the file. The meaning of a location depends neither on the process nor on the time, so it can
 * be cached.
 *
 * What must stay true: a pointer to an element is valid only until the next element is added. An id
 * stays valid.
 */
#include "model/code.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/omp_region.h"
#include "model/internal.h"

/* The two roots of call paths must be added first: their ids are the constants CALL_PATH_ROOT and
 * CALL_PATH_TRUNCATED. */
int code_init(struct code *c, const struct sym_options *o, struct md_err *err)
{
	memset(c, 0, sizeof(*c));
	c->sym_options = *o;
	c->full_paths = FULL_PATHS;
	if (!code_call_path(c, 0, 0, CALL_ROOT) || !code_call_path(c, 0, 0, CALL_TRUNCATED))
		return md_nomem(err);
	return 0;
}

void code_release(struct code *c)
{
	for (uint32_t i = 0; i < c->dsos.n; i++) {
		sym_file_close(c->dsos.at[i].file);
		free(c->dsos.at[i].variables_to_object);
	}
	decoder_close(c->decoder);
	strings_release(&c->names);
	free(c->dsos.at);
	free(c->locations.at);
	free(c->symbols.at);
	free(c->call_paths.at);
	free(c->recipes.at);
	free(c->fold.at);
	index_release(&c->dso_index);
	index_release(&c->location_index);
	index_release(&c->symbol_index);
	index_release(&c->call_path_index);
	memset(c, 0, sizeof(*c));
}

/* Is `path` a perf map (/tmp/perf-PID.map), a file in which a JIT compiler lists the names of its
 * code? */
static bool is_perf_map(const char *path)
{
	unsigned pid;
	int end = 0;

	return sscanf(path, "/tmp/perf-%u.map%n", &pid, &end) == 1 && end && !path[end];
}

/* Is `path` a log of the tracker, DIR/track/PID-START-SEQUENCE.log? */
static bool is_tracker_log(const char *path)
{
	const char *slash = strrchr(path, '/');
	int end = 0;

	if (!slash || slash - path < 6 || strncmp(slash - 6, "/track", 6) != 0)
		return false;
	return sscanf(slash, "/%*u-%*u-%*u.log%n", &end) == 0 && end && !slash[end];
}

/* Is `path` a device, which contains no code? Files below /dev/shm are ordinary files. */
static bool is_device(const char *path)
{
	return !strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9) != 0;
}

/* Derives the kind of a DSO from `path`, the name that its mapping has in the recording. */
static enum dso_kind kind_of(const char *path)
{
	if (is_perf_map(path))
		return DSO_JIT;
	if (!strncmp(path, "/lib/modules/", 13) && strstr(path, ".ko"))
		return DSO_MODULE;
	if (!strncmp(path, "[kernel", 7) || !strncmp(path, "[guest.kernel", 13))
		return DSO_KERNEL;
	if (!strncmp(path, "[vdso", 5))
		return DSO_VDSO;
	if (path[0] != '/' || !strncmp(path, "//", 2) || is_device(path) ||
	    !strncmp(path, "/memfd:", 7) || !strncmp(path, "/SYSV", 5))
		return DSO_ANONYMOUS;
	return DSO_FILE;
}

bool dso_is_named(const struct dso *d)
{
	return d->path[0] == '/' && d->path[1] != '/' && strncmp(d->path, "/dev/zero", 9) != 0;
}

/* Are both build-ids known and equal? */
static bool equal_ids(const struct sym_build_id *a, const struct sym_build_id *b)
{
	size_t n =
		/* compares only the bytes that both have: older versions of perf append zeros to
		 * short build-ids */
		a->size < b->size ? a->size : b->size;

	return n && !memcmp(a->bytes, b->bytes, n);
}

/* Can a mapping with build-id *b belong to this DSO? No if both build-ids are known and differ:
 * then the file at this path was replaced during the run, and the mappings belong to two DSOs. If
 * the recording has no build-id for the DSO, but its file has been opened, *b is compared with the
 * build-id of that file; a file without a build-id does not match. */
static bool same_build(const struct dso *d, const struct sym_build_id *b)
{
	struct sym_build_id own;
	enum sym_state state;

	if (!b->size)
		return true;
	if (d->build_id.size)
		return equal_ids(&d->build_id, b);
	state = d->file && d->kind == DSO_FILE ? sym_file_state(d->file) : SYM_MISSING;
	if (state != SYM_OK && state != SYM_UNVERIFIED)
		return true;
	own = sym_file_build_id(d->file);
	return equal_ids(&own, b);
}

/* Finds the DSO with this hash, path and build-id. Returns 0 if there is no such DSO. */
static uint32_t find_dso(const struct code *c, uint32_t hash, const char *path,
			 const struct sym_build_id *build_id)
{
	uint32_t place = hash, id;

	while ((id = index_next(&c->dso_index, hash, &place))) {
		const struct dso *d = &AT_ID(c->dsos, id);

		if (d->path == path && same_build(d, build_id))
			return id;
	}
	return 0;
}

static bool has_dso(const struct code *c, uint32_t hash)
{
	uint32_t place = hash;

	return index_next(&c->dso_index, hash, &place) != 0;
}

/* Appends a DSO. The path must be interned. Returns the id; 0 means out of memory. */
static uint32_t add_dso(struct code *c, uint32_t hash, const char *path,
			const struct sym_build_id *build_id)
{
	const char *slash;
	struct dso *d;

	if (!VEC_ROOM(&c->dsos) || !index_add(&c->dso_index, hash, c->dsos.n + 1))
		return code_nomem(c);
	d = &c->dsos.at[c->dsos.n++];
	*d = (struct dso){ .path = path, .build_id = *build_id };
	d->kind = kind_of(d->path);
	slash = d->path[0] == '/' && d->kind != DSO_ANONYMOUS ? strrchr(d->path, '/') : NULL;
	d->short_name = slash ? slash + 1 : d->path;
	d->is_heap = !strcmp(d->path, "[heap]");
	d->is_anonymous = d->kind == DSO_ANONYMOUS && !strncmp(d->path, "//anon", 6);
	d->is_tracker = !strncmp(d->short_name, "libmemdb-track", 14);
	d->is_tracker_log = is_tracker_log(d->path);
	return c->dsos.n;
}

/* Sets the build-id of a DSO that had none. If the file was refused because there was no build-id
 * to compare, closes it: the next use opens it again and compares the build-ids. Closing is safe,
 * because nothing points into a refused file. */
static void learn_build_id(struct dso *d, const struct sym_build_id *build_id)
{
	if (d->file && sym_file_state(d->file) == SYM_REFUSED) {
		sym_file_close(d->file);
		d->file = NULL;
	}
	d->build_id = *build_id;
	d->doubt = NULL;
}

/* Stores the first DSO of a path in the index under the hash of the path alone, and later builds
 * under the hash of path and build-id. If all builds of a path had the same hash, a recording with
 * many of them would make searches slow. */
uint32_t code_dso(struct code *c, const char *path, const struct sym_build_id *build_id)
{
	const struct sym_build_id none = { 0 };
	uint32_t name = strings_id(&c->names, path), hash, id;

	if (!name)
		return code_nomem(c);
	if (!build_id)
		build_id = &none;
	path = strings_text(&c->names, name);
	hash = index_hash(name, 0);
	id = find_dso(c, hash, path, build_id);
	if (!id && has_dso(c, hash)) {
		hash = index_hash_bytes(build_id->bytes, build_id->size, name);
		id = find_dso(c, hash, path, build_id);
	}
	if (!id)
		return add_dso(c, hash, path, build_id);
	if (build_id->size && !AT_ID(c->dsos, id).build_id.size)
		learn_build_id(&AT_ID(c->dsos, id), build_id);
	return id;
}

/* Finds or adds the DSO of the kernel, under perf's name for it. Returns 0 when out of memory. */
uint32_t code_kernel(struct code *c)
{
	if (!c->kernel_dso)
		c->kernel_dso = code_dso(c, "[kernel.kallsyms]", NULL);
	return c->kernel_dso;
}

/* Each function that the kernel generated is a DSO of its own, whose path is the function's
 * name. */
uint32_t code_ksymbol(struct code *c, const char *name, uint32_t size)
{
	uint32_t before = c->dsos.n, id = code_dso(c, name, NULL);
	struct dso *d = id ? &AT_ID(c->dsos, id) : NULL;

	if (d && id > before) {
		d->kind = DSO_KSYMBOL;
		d->short_name = d->path;
		d->is_heap = d->is_anonymous = d->is_tracker = false;
	}
	if (!d || d->kind != DSO_KSYMBOL)
		return 0;
	if (!d->file && size > d->hi)
		d->hi = size;
	return id;
}

/* Also returns 0 if another user may have written the perf map, because its names cannot be trusted
 * then. */
uint32_t code_jit(struct code *c, uint32_t pid)
{
	char path[PATH_MAX], name[64];

	if (!c->jit.path ||
	    (size_t)snprintf(path, sizeof(path), "%s/perf-%u.map", c->jit.path, pid) >=
		    sizeof(path) ||
	    access(path, R_OK) || (c->jit_by && !sym_perfmap_is_ours(path, c->jit_by)))
		return 0;
	snprintf(name, sizeof(name), "/tmp/perf-%u.map", pid);
	return code_dso(c, name, NULL);
}

/* The kernel's load address differs from boot to boot. perf records the load address of one symbol.
 * The difference between that address and the symbol's address in the kernel's file is the same for
 * all symbols. A DSO is ignored unless its path is "[kernel.kallsyms]" followed by the name of that
 * symbol. */
void code_kernel_at(struct code *c, uint32_t dso, uint64_t address)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const char *path = AT_ID(c->dsos, dso).path;

	if (!strncmp(path, kernel, sizeof(kernel) - 1) && path[sizeof(kernel) - 1])
		c->kernel_at = (struct sym_kernel){ path + sizeof(kernel) - 1, address };
}

/* Opens the kernel's symbols. If the file cannot be read, sets c->kernel_problem to the reason.
 * Without a file, the import has set c->kernel_problem already. */
static int open_kernel(struct code *c, struct dso *d)
{
	struct md_err err = { 0 };
	uint32_t why;
	int ret;

	if (!c->kallsyms.path)
		return MD_ENOENT;
	ret = sym_kallsyms_open(c->kallsyms.path, &c->kernel_at, &d->file, &err);
	d->doubt = ret ? NULL : c->kallsyms.doubt;
	if (!ret || ret == MD_ENOMEM)
		return ret;
	why = strings_id(&c->names, err.msg);
	c->kernel_problem = why ? strings_text(&c->names, why) : NULL;
	return ret;
}

/* Opens a perf map: a list of the functions that a process generated at run time. memdb record
 * copies the list into the recording; for a recording made with perf alone, c->jit.path is /tmp. */
static int open_jit(struct code *c, struct dso *d)
{
	char path[PATH_MAX];

	if (!c->jit.path || (size_t)snprintf(path, sizeof(path), "%s/%s", c->jit.path,
					     d->short_name) >= sizeof(path))
		return MD_ENOENT;
	d->doubt = c->jit.doubt;
	return sym_perfmap_open(path, &d->file, NULL);
}

/*
 * Opens the file of a DSO. If that fails, returns an empty sym_file that contains the reason.
 * Returns NULL only when out of memory.
 */
static struct sym_file *open_file(struct code *c, struct dso *d)
{
	const char *path = d->path;
	struct sym_options o = c->sym_options;
	int ret = MD_ENOENT;

	if (d->kind == DSO_VDSO)
		path = c->vdso.path ? c->vdso.path : d->build_id.size ? "[vdso]" : "";
	else if (d->kind != DSO_FILE)
		path = "";
	if (d->kind != DSO_FILE)
		/* a different file is read in place of the mapped one: kallsyms, a perf map, or a
		 * copy of the vdso. d->doubt says whether that file fits, so the checks for mapped
		 * files are switched off */
		o.origin = NULL;
	if (d->kind == DSO_KERNEL)
		ret = open_kernel(c, d);
	else if (d->kind == DSO_JIT)
		ret = open_jit(c, d);
	else if (d->kind == DSO_KSYMBOL)
		ret = sym_single_open(d->path, d->hi, &d->file, NULL);
	if (ret &&
	    sym_file_open(path, d->build_id.size ? &d->build_id : NULL, &o, &d->file, NULL)) {
		c->nomem = true;
		return NULL;
	}
	if (d->kind == DSO_FILE)
		d->doubt = sym_file_doubt(d->file);
	else if (d->kind == DSO_VDSO && !d->build_id.size && sym_file_state(d->file) == SYM_OK)
		d->doubt = c->vdso.doubt;
	d->has_range = sym_load_range(d->file, &d->lo, &d->hi);
	return d->file;
}

/* Opens the file at the first call. The time for opening is added to symbol_ns. */
struct sym_file *code_file(struct code *c, uint32_t dso)
{
	struct dso *d = &AT_ID(c->dsos, dso);
	uint64_t start;

	if (d->file)
		return d->file;
	start = monotonic_ns();
	open_file(c, d);
	c->symbol_ns += monotonic_ns() - start;
	return d->file;
}

/* Finds or adds the id of a symbol. Each symbol of an open file has one struct sym_symbol, so the
 * address of the struct identifies the symbol. Returns 0 when out of memory. */
static uint32_t symbol_id(struct code *c, uint32_t dso, const struct sym_symbol *sym)
{
	uint32_t hash = index_hash((uintptr_t)sym, 1), place = hash, id;

	while ((id = index_next(&c->symbol_index, hash, &place)))
		if (AT_ID(c->symbols, id).sym == sym)
			return id;
	if (!VEC_ROOM(&c->symbols) || !index_add(&c->symbol_index, hash, c->symbols.n + 1))
		return code_nomem(c);
	c->symbols.at[c->symbols.n++] = (struct symbol){ .dso = dso, .sym = sym };
	return c->symbols.n;
}

/* A location in a kernel module is looked up in the kernel's list of symbols, which includes those
 * of modules. */
uint32_t code_location(struct code *c, uint32_t dso, uint64_t offset)
{
	uint32_t hash = index_hash(offset, dso), place = hash, id;
	const struct sym_symbol *sym;
	struct sym_file *file;
	struct location l = { .dso = dso, .offset = offset };
	uint64_t start;

	while ((id = index_next(&c->location_index, hash, &place))) {
		const struct location *have = &AT_ID(c->locations, id);

		if (have->offset == offset && have->dso == dso)
			return id;
	}
	if (dso && AT_ID(c->dsos, dso).kind == DSO_MODULE)
		file = code_file(c, code_kernel(c));
	else
		file = dso ? code_file(c, dso) : NULL;
	start = monotonic_ns();
	sym = file ? sym_symbol_at(file, offset) : NULL;
	c->symbol_ns += monotonic_ns() - start;
	if (sym)
		l.symbol = symbol_id(c, dso, sym);
	if (!VEC_ROOM(&c->locations) || !index_add(&c->location_index, hash, c->locations.n + 1))
		return code_nomem(c);
	c->locations.at[c->locations.n++] = l;
	return c->locations.n;
}

const char *code_symbol_name(const struct code *c, uint32_t symbol)
{
	return symbol ? AT_ID(c->symbols, symbol).sym->pretty : NULL;
}

const char *code_region(struct code *c, uint32_t location, bool use_lines)
{
	const struct location *l = &AT_ID(c->locations, location);
	struct symbol *s = l->symbol ? &AT_ID(c->symbols, l->symbol) : NULL;
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned n = 0;

	if (!s)
		return "";
	if (s->region)
		return s->region;
	s->region = region_is(s->sym->pretty) ? s->sym->pretty : "";
	if (*s->region && !region_owner_length(s->region) && use_lines)
		n = sym_lines_at(code_file(c, l->dso), l->offset, lines, SYM_MAX_INLINE);
	if (n && lines[n - 1].function) /* the others are inlined into it */
		s->region = lines[n - 1].function;
	return s->region;
}

/* out->key is the same for all locations in one function, so callers can use it as a key for cached
 * results. */
bool code_bytes(struct code *c, uint32_t location, struct code_bytes *out)
{
	const struct location *l = &AT_ID(c->locations, location);
	struct sym_file *file = l->dso ? code_file(c, l->dso) : NULL;

	*out = (struct code_bytes){ 0 };
	if (!file)
		return false;
	out->code = sym_code_at(file, l->offset, &out->len, &out->at, &out->from_start, &out->key);
	out->key ^= (uint64_t)l->dso << 48;
	return out->code;
}

/* Decodes the code at a location into a recipe (struct dec_recipe). With `alone`, ignores the
 * instructions before the location. If decoding fails, the recipe contains the reason. */
static struct dec_recipe decode_at(struct code *c, uint32_t location, bool alone)
{
	struct dec_recipe r = {
		.source = ADDR_NONE, .reason = ADDR_NO_CODE, .base = -1, .index = -1
	};
	struct code_bytes b;

	if (!c->decoder || !code_bytes(c, location, &b))
		return r;
	if (alone)
		decoder_recipe(c->decoder, 0, b.code + b.at, b.len - b.at, 0, false, &r);
	else
		decoder_recipe(c->decoder, b.key, b.code, b.len, b.at, b.from_start, &r);
	return r;
}

/* Returns the recipe of a location, decoded at the first call. With `alone`, the instructions
 * before the location are ignored. NULL means out of memory. */
static const struct dec_recipe *recipe_at(struct code *c, uint32_t location, bool alone)
{
	struct location *l = &AT_ID(c->locations, location);
	uint32_t *id = alone ? &l->own_recipe : &l->recipe;

	if (!*id) {
		struct dec_recipe r = decode_at(c, location, alone);

		if (!VEC_ROOM(&c->recipes)) {
			code_nomem(c);
			return NULL;
		}
		c->recipes.at[c->recipes.n++] = r;
		*id = c->recipes.n;
	}
	return &AT_ID(c->recipes, *id);
}

const struct dec_recipe *code_recipe(struct code *c, uint32_t location)
{
	return recipe_at(c, location, false);
}

/*
 * For a location that is itself the accessing instruction: ignores the instructions before it.
 * code_recipe() considers them, because the ip of a timer sample may be one instruction after the
 * access.
 */
const struct dec_recipe *code_instruction(struct code *c, uint32_t location)
{
	return recipe_at(c, location, true);
}
