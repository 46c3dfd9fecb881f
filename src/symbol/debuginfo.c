/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/child.h"
#include "symbol/unit.h"
#include "symbol/unpacked.h"

enum {
	MAX_UNITS = 1 << 20,
	/* maximum number of ranges that a lookup examines. It begins with the last range that
	 * starts at or before the address and goes backwards, because ranges may overlap */
	MAX_OVERLAP = 16,
};

void *unit_must(void *p)
{
	if (!p)
		_exit(CHILD_NO_MEMORY);
	return p;
}

static __attribute__((noreturn)) void no_memory(void)
{
	_exit(CHILD_NO_MEMORY);
}

/* Adds the address ranges of compilation unit number n to d->ranges. */
static void add_ranges(struct debuginfo *d, size_t *cap, uint32_t n)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while (d->work++ < UNIT_MAX_WORK) {
		at = dwarf_ranges(&d->units[n].die, at, &base, &lo, &hi);
		if (at <= 0)
			return;
		if (lo >= hi || !lo) /* a function at address 0 was discarded by the linker */
			continue;
		if (d->nranges == *cap) {
			*cap = *cap ? 2 * *cap : 256;
			d->ranges = unit_must(realloc(d->ranges, *cap * sizeof(*d->ranges)));
		}
		d->ranges[d->nranges++] = (struct unit_range){ .lo = lo, .hi = hi, .unit = n };
	}
}

static int by_lo(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void add_unit(struct debuginfo *d, size_t *cap, const struct unit *u)
{
	if (d->nunits == *cap) {
		*cap = *cap ? 2 * *cap : 64;
		d->units = unit_must(realloc(d->units, *cap * sizeof(*d->units)));
	}
	d->units[d->nunits++] = *u;
}

/* Reads all compilation and type units of the file. Returns false if one of them is damaged,
 * because the units after it cannot be found then. */
static bool read_units(struct debuginfo *d)
{
	size_t cap = 0, cap_ranges = 0;
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	struct unit u = { 0 };
	uint8_t type;
	int ret = 0;

	while (d->nunits < MAX_UNITS) {
		ret = dwarf_get_units(d->dw, cu, &cu, &version, &type, &u.die, NULL);
		if (ret)
			break;
		if (dwarf_tag(&u.die) != DW_TAG_compile_unit && type != DW_UT_skeleton &&
		    type != DW_UT_type)
			continue;
		u.in_types = type == DW_UT_type && version < 5;
		add_unit(d, &cap, &u);
		add_ranges(d, &cap_ranges, (uint32_t)d->nunits - 1);
	}
	if (d->nranges)
		qsort(d->ranges, d->nranges, sizeof(*d->ranges), by_lo);
	return ret >= 0;
}

struct debuginfo *debuginfo_open(int fd, char *damage, size_t size)
{
	struct debuginfo *d = unit_must(calloc(1, sizeof(*d)));
	size_t len;

	*damage = '\0';
	elf_version(EV_CURRENT);
	d->bytes = unpacked_elf(fd, &len);
	d->elf =
		d->bytes ? elf_memory((char *)d->bytes, len) : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!d->elf || elf_kind(d->elf) != ELF_K_ELF)
		goto fail;
	d->dw = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dw) {
		snprintf(damage, size, "%s", dwarf_errmsg(-1));
		goto fail;
	}
	dwarf_new_oom_handler(d->dw, no_memory);
	if (!read_units(d))
		snprintf(damage, size, "%s behind the first %zu units", dwarf_errmsg(-1),
			 d->nunits);
	if (!d->nunits)
		goto fail;
	/* libelf has read the file, so the descriptor can be closed */
	elf_cntl(d->elf, ELF_C_FDREAD);
	close(fd);
	return d;
fail:
	debuginfo_close(d);
	close(fd);
	return NULL;
}

void debuginfo_damage(struct debuginfo *d, char *damage, size_t size)
{
	const char *why = dwarf_errmsg(d->bad_lines_error);

	*damage = '\0';
	/* elfutils exports no constant for this error, so its text is compared */
	if (d->bad_lines && strcmp(why, "out of memory") == 0)
		no_memory();
	if (d->bad_lines)
		snprintf(damage, size, "%s in the line tables of %zu units", why, d->bad_lines);
	else if (d->no_body)
		snprintf(damage, size, "the split DWARF (.dwo) of %zu units is not available",
			 d->no_body);
	d->bad_lines = d->no_body = 0;
}

void debuginfo_close(struct debuginfo *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nunits; i++) {
		free(d->units[i].scopes);
		free(d->units[i].pieces);
		free(d->units[i].containers);
		free(d->units[i].names.at);
	}
	free(d->units);
	free(d->ranges);
	free(d->frames.at);
	free(d->pretty.at);
	free(d->layouts.at);
	index_release(&d->layout_index);
	strings_release(&d->linked);
	strings_release(&d->paths);
	arena_release(&d->arena);
	dwarf_end(d->dw);
	elf_end(d->elf);
	free(d->bytes);
	free(d);
}

static struct unit *unit_by_offset(struct debuginfo *d, bool in_types, Dwarf_Off offset)
{
	size_t lo = 0, hi = d->nunits;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		struct unit *u = &d->units[mid];

		if (u->in_types == in_types ? dwarf_dieoffset(&u->die) < offset : in_types)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->nunits && d->units[lo].in_types == in_types &&
			       dwarf_dieoffset(&d->units[lo].die) == offset
		       ? &d->units[lo]
		       : NULL;
}

struct unit *unit_of(struct debuginfo *d, Dwarf_Die *die)
{
	struct unit *u;
	Dwarf_Die head;

	if (!dwarf_cu_die(die->cu, &head, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	for (int in_types = 0; in_types < 2; in_types++) {
		u = unit_by_offset(d, in_types, dwarf_dieoffset(&head));
		if (u && unit_body(u) && u->body.cu == die->cu)
			return u;
	}
	/* In split DWARF, the entry `die` is in a different file than the unit's head, so its
	 * offset does not identify the unit. So all units are compared. */
	for (size_t i = 0; i < d->nunits; i++)
		if (d->units[i].body.addr && d->units[i].body.cu == die->cu)
			return &d->units[i];
	return NULL;
}

struct unit *unit_at(struct debuginfo *d, uint64_t vaddr)
{
	size_t lo = 0, hi = d->nranges;
	Dwarf_Die die;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->ranges[mid].lo <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t back = 0; back < MAX_OVERLAP && back < lo; back++) {
		const struct unit_range *r = &d->ranges[lo - 1 - back];

		if (vaddr < r->hi)
			return &d->units[r->unit];
	}
	/* A unit without ranges of its own may be listed in .debug_aranges. */
	if (!dwarf_addrdie(d->dw, vaddr, &die))
		return NULL;
	return unit_by_offset(d, false, dwarf_dieoffset(&die));
}

bool unit_body(struct unit *u)
{
	Dwarf_Die split;
	uint8_t type;

	if (u->body.addr)
		return true;
	if (dwarf_cu_info(u->die.cu, NULL, &type, NULL, &split, NULL, NULL, NULL) != 0)
		return false;
	if (type != DW_UT_skeleton)
		u->body = u->die;
	else if (split.addr)
		u->body = split;
	return u->body.addr != NULL;
}

bool unit_die(const struct unit *u, Dwarf_Off offset, Dwarf_Die *out)
{
	Dwarf *dw = dwarf_cu_getdwarf(u->body.cu);

	return u->in_types ? dwarf_offdie_types(dw, offset, out) : dwarf_offdie(dw, offset, out);
}

bool unit_is_type(const struct unit *u)
{
	Dwarf_Die die = u->die;

	return dwarf_tag(&die) == DW_TAG_type_unit;
}

enum unit_language unit_language(const Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return LANGUAGE_OTHER;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return LANGUAGE_C;
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return LANGUAGE_FORTRAN;
	}
	return LANGUAGE_OTHER;
}

void unit_follow_signature(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die full;

	if (dwarf_attr(die, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &full))
		*die = full;
}

/* dwarf_decl_file() would be simpler, but it aborts on some units of split DWARF. */
const char *unit_file(struct debuginfo *d, struct unit *u, uint64_t file)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(&u->body, &files, &n) != 0 &&
	    dwarf_getsrcfiles(&u->die, &files, &n) != 0)
		return NULL;
	return file < n ? unit_path(d, u, dwarf_filesrc(files, file, NULL, NULL)) : NULL;
}

/*
 * Appends `path`, component by component, to the absolute path out[0..n). A "." is dropped, and a
 * ".." removes the component before it. Returns the new length; 0 if there is no room.
 */
static size_t path_append(char *out, size_t n, size_t size, const char *path)
{
	while (*path) {
		size_t part = strcspn(path, "/");

		if (part == 2 && !memcmp(path, "..", 2)) {
			while (n && out[--n] != '/')
				;
		} else if (part && !(part == 1 && *path == '.')) {
			if (part + 1 > size - n)
				return 0;
			out[n++] = '/';
			memcpy(out + n, path, part);
			n += part;
		}
		path += part + strspn(path + part, "/");
	}
	return n;
}

const char *unit_path(struct debuginfo *d, struct unit *u, const char *path)
{
	Dwarf_Attribute attr;
	const char *folder;
	char absolute[4096];
	size_t n = 0;

	if (!path)
		return NULL;
	if (*path != '/') {
		folder = dwarf_formstring(dwarf_attr(&u->die, DW_AT_comp_dir, &attr));
		if (!folder || *folder != '/')
			return path;
		n = path_append(absolute, 0, sizeof(absolute), folder);
		if (!n)
			return path;
	}
	n = path_append(absolute, n, sizeof(absolute), path);
	return n ? strings_text(&d->paths, strings_id_n(&d->paths, absolute, n)) : path;
}

bool unit_next_sibling(struct debuginfo *d, Dwarf_Die *die)
{
	Dwarf_Off here = dwarf_dieoffset(die);
	Dwarf_Die next;

	if (++d->work > UNIT_MAX_WORK || dwarf_siblingof(die, &next) != 0)
		return false;
	*die = next;
	return dwarf_dieoffset(die) > here;
}
