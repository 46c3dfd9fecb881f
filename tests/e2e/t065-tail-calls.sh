#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that names are followed through functions that leave no frame on the stack: if the last statement of a function is a
# call, optimising compilers make it a jump. Each block has a different size, by which the test finds its object.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/fields.h" <<'EOF'
struct fields { double *u; float *v; };
struct solver { struct fields state; int n; };
void fields_init(struct fields *f, int n);
void solver_build(struct solver *s, int n);
void solver_prepare(struct solver *s, int n);
EOF
cat >"$T/fields.c" <<'EOF'
#include <stdlib.h>
#include "fields.h"

__attribute__((noinline)) void fields_init(struct fields *f, int n)
{
	f->u = malloc(n * sizeof(double));
	f->v = calloc(n, sizeof(float));
	if (!f->u || !f->v)
		abort();
	f->u[0] = f->v[0] = 1;
}
__attribute__((noinline)) void solver_build(struct solver *s, int n)
{
	s->n = n;
	fields_init(&s->state, n);
}
/* jumps to a function that jumps to a function that allocates */
__attribute__((noinline)) void solver_prepare(struct solver *s, int n)
{
	if (n > 1)
		solver_build(s, n);
}
EOF
cat >"$T/main.cc" <<'EOF'
extern "C" {
#include "fields.h"
}
#include <cstring>

struct Hydro {
	double *pressure;
	int n;
	explicit Hydro(int zones);
	void init();
};
__attribute__((noinline)) void Hydro::init()
{
	pressure = new double[n];
	memset(pressure, 1, n * sizeof(double));
}
__attribute__((noinline)) Hydro::Hydro(int zones) : n(zones)
{
	init();
}
struct Driver {
	Hydro *hydro;
	solver *gas;
};
int main()
{
	Driver drv;
	solver first, second;

	drv.hydro = new Hydro(10007);
	solver_build(&first, 10009);
	drv.gas = &second;
	solver_prepare(drv.gas, 10037);
	asm volatile("" : : "r"(&first), "r"(&drv) : "memory");
	return first.n + second.n + drv.hydro->n == 30053 ? 0 : 1;
}
EOF
cat >"$T/expected" <<'EOF'
40036 first.state.v float
40148 drv.gas->state.v float
80056 drv.hydro->pressure double
80072 first.state.u double
80296 drv.gas->state.u double
EOF

# check BUILD: records the program that BUILD made, and compares its objects.
check()
{
	record --sampler=timer "$T/tail"
	assert_eq "$1: objects" "$(cat "$T/expected")" \
		"$(sql "SELECT o.size_bytes, o.name, coalesce(t.name, '') FROM objects AS o LEFT JOIN types AS t ON t.id = o.type_id WHERE o.kind = 'heap' AND o.size_bytes BETWEEN 40000 AND 99999 AND o.name NOT LIKE 'libstdc++%' ORDER BY 1" | tr '|' ' ')"
}

for build in "gcc -O0" "gcc -O2" "gcc -O3" "clang -O0" "clang -O2"; do
	cc=${build% *} flags=${build#* }
	cxx=${cc/gcc/g++} cxx=${cxx/clang/clang++}
	command -v "$cxx" >/dev/null || continue
	"$cc" -g "$flags" -c -o "$T/fields.o" "$T/fields.c"
	"$cxx" -g "$flags" -o "$T/tail" "$T/main.cc" "$T/fields.o"
	check "$build"
	# calls and jumps in a library and to it go through its table of functions, because other files may replace them
	"$cc" -g "$flags" -fPIC -shared -Wl,-z,lazy -o "$T/libfields.so" "$T/fields.c"
	"$cxx" -g "$flags" -Wl,-z,lazy -o "$T/tail" "$T/main.cc" -L"$T" -lfields -Wl,-rpath,"$T"
	check "$build, a library"
done
