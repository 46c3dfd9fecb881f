/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

#include "base/prefix.h"

/* Limits on names: a short mangled name may expand to an exponentially long one. */
enum { MAX_PRETTY = 64 << 10, MAX_MANGLED = 32 << 10 };

struct pretty {
	size_t len;
	jmp_buf full;
	char text[MAX_PRETTY + 1];
};

static void append_text(const char *s, size_t n, void *arg)
{
	struct pretty *p = arg;
	size_t left = MAX_PRETTY - p->len;

	if (!n) /* s may be NULL if n is 0, and memcpy() must not get NULL */
		return;
	memcpy(p->text + p->len, s, n < left ? n : left);
	p->len += n < left ? n : left;
	if (n > left)
		/* safe, because the callback forms of the demanglers use no memory but the stack */
		longjmp(p->full, 1);
}

static bool by_libiberty(const char *name, struct pretty *p)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;

	p->len = 0;
	if (!begins_with(name, "_Z") && !begins_with(name, "_R") && !begins_with(name, "__Z"))
		return false;
	if (strnlen(name, MAX_MANGLED) == MAX_MANGLED)
		return false;
	if (setjmp(p->full))
		return true;
	if (rust_demangle_callback(name, 0, append_text, p))
		return true;
	p->len = 0;
	return cplus_demangle_v3_callback(name, options, append_text, p);
}

static const char *demangle_cxx(struct arena *a, const char *name)
{
	static struct pretty p; /* static, because 64 KiB are too much for a stack */
	const char *copy;

	if (!by_libiberty(name, &p) || !p.len)
		return NULL;
	copy = arena_copy(a, p.text, p.len);
	return copy ? copy : name;
}
#else
static const char *demangle_cxx(struct arena *a, const char *name)
{
	return NULL;
}
#endif

/* Converts a name of gfortran: __mesh_MOD_cells becomes mesh::cells. Returns NULL for other
 * names. */
static const char *demangle_fortran(struct arena *a, const char *name)
{
	const char *mod = strncmp(name, "__", 2) ? NULL : strstr(name + 2, "_MOD_");
	size_t head, tail;
	char *copy;

	if (!mod || mod == name + 2 || !mod[5])
		return NULL;
	head = (size_t)(mod - (name + 2));
	tail = strlen(mod + 5);
	copy = arena_alloc(a, head + 2 + tail + 1);
	if (!copy)
		return name;
	memcpy(copy, name + 2, head);
	memcpy(copy + head, "::", 2);
	memcpy(copy + head + 2, mod + 5, tail + 1);
	return copy;
}

static const char *demangle_bare(struct arena *a, const char *name)
{
	const char *pretty = demangle_cxx(a, name);

	return pretty ? pretty : demangle_fortran(a, name);
}

/*
 * Converts the name of a PLT stub: _ZN2ns1fEi@plt becomes ns::f(int)@plt. `bare` is the name
 * without "@plt".
 */
static const char *demangle_stub(struct arena *a, const char *name, const char *bare)
{
	const char *pretty = demangle_bare(a, bare);
	size_t n = pretty ? strlen(pretty) : 0;
	char *copy = pretty ? arena_alloc(a, n + sizeof("@plt")) : NULL;

	if (!copy)
		return name;
	memcpy(copy, pretty, n);
	memcpy(copy + n, "@plt", sizeof("@plt"));
	return copy;
}

const char *demangle_name(struct arena *a, const char *name)
{
	const char *suffix = strchr(name, '@');
	const char *bare = name, *pretty;

	if (suffix && suffix > name)
		bare = arena_copy(a, name, (size_t)(suffix - name));
	if (!bare)
		return name;
	if (suffix && strcmp(suffix, "@plt") == 0)
		return demangle_stub(a, name, bare);
	pretty = demangle_bare(a, bare);
	return pretty ? pretty : bare;
}
