#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that each array of one ALLOCATE statement has its own name. If it is unknown which array is which, each has
# all names. The program is C with #line directives that name a Fortran source. Like code of gfortran, it calls malloc
# once for each array, in the order of the statement. If gfortran is installed, a real Fortran program is tested too.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "there is no C compiler"

cat >"$T/arrays.f90" <<'EOF'
subroutine lists(n)
  real(8), allocatable :: a(:), b(:), c(:), u(:), v(:), w(:), x(:), y(:)
  allocate(a(n), b(n), c(n), stat=ierr)
  allocate(u(n), &
           v(n))
  allocate(x(n), y(n))
end subroutine
EOF
# Line 6 of the Fortran source names two arrays but calls malloc three times, as if one of them had an allocatable
# component. So it is unknown which block belongs to which array.
cat >"$T/arrays.c" <<EOF
#include <stdlib.h>
int main(void)
{
	volatile char *p[8];
#line 3 "$T/arrays.f90"
	p[0] = malloc(1000); p[1] = malloc(2000); p[2] = malloc(3000);
#line 5
	p[3] = malloc(4000); p[4] = malloc(5000);
#line 6
	p[5] = malloc(6000); p[6] = malloc(7000); p[7] = malloc(8000);
#line 100 "$T/arrays.c"
	for (int i = 0; i < 8; i++)
		p[i][0] = 1;
	return 0;
}
EOF
cc -g -O1 -o "$T/arrays" "$T/arrays.c"
record --sampler=timer "$T/arrays"
assert_eq "names" "a 1000
b 2000
c 3000
u 4000
v 5000
x|y 6000
x|y 7000
x|y 8000" "$(sql "SELECT name || ' ' || size_bytes FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 1000 AND 8000
	AND size_bytes % 1000 = 0 ORDER BY size_bytes")"

command -v gfortran >/dev/null || { echo "no gfortran: only as C"; exit 0; }
cat >"$T/real.f90" <<'EOF'
program real
  implicit none
  real(8), allocatable :: first(:), second(:,:), third(:)
  integer :: n, ierr
  read(*, *) n
  allocate(first(n), second(n, 2), &
    third(3 * n), stat=ierr)
  first = 1; second = 2; third = 3
  print *, sum(first) + sum(second) + sum(third)
end program
EOF
gfortran -g -O2 -o "$T/real" "$T/real.f90"
"$MEMDB" record -q -o "$T/real.db" -- "$T/real" <<<100000 >/dev/null 2>"$T/stderr" || fail "memdb record real"
assert_eq "names by gfortran" "first 800000
second 1600000
third 2400000" "$(sqlite3 "$T/real.db" "SELECT name || ' ' || size_bytes FROM objects WHERE kind = 'heap' AND size_bytes >= 800000
	ORDER BY size_bytes")"

# The bounds of an automatic array are arguments. gfortran allocates such arrays where the function begins; the source
# does not show in which order it allocates those of one declaration. The module has the name of a library of Rust.
cat >"$T/core.f90" <<'EOF'
module core
  implicit none
contains
  subroutine gather(n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: s
    real(8) :: work(n), fixed(3)
    real(8) :: left(n + 1), right(n + 2)
    integer(4), dimension(2 * n) :: order
    character(len=16) :: words(n)
    integer :: i
    fixed = 1; left = 2; right = 3
    do i = 1, n
      work(i) = i; order(i) = n + 1 - i; words(i) = 'word'
    end do
    do i = 1, n
      s = s + work(order(i)) + left(order(i)) + right(order(i)) + fixed(1)
      if (words(order(i)) == 'none') s = s + 1
    end do
  end subroutine
end module
program p
  use core
  real(8) :: s
  integer :: i
  s = 0
  do i = 1, 60
    call gather(100000, s)
  end do
  print *, s
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -o "$T/core" "$T/core.f90"
	record --sampler=timer "$T/core"
	assert_eq "$build: automatic arrays" "left|right 800008 real(kind=8)
left|right 800016 real(kind=8)
order 800000 integer(kind=4)
words 1600000 character(len=16)
work 800000 real(kind=8)" "$(sql "SELECT o.name || ' ' || o.size_bytes || ' ' || coalesce(t.name, '-') FROM objects o
		LEFT JOIN types t ON t.id = o.type_id WHERE o.kind = 'heap' AND o.size_bytes >= 800000 ORDER BY 1")"
done
gfortran -O2 -fno-inline -o "$T/core" "$T/core.f90"
record --sampler=timer "$T/core"
assert_match "a module called core, without debug information" '^core::gather\+0x' "$(sql "
	SELECT name FROM objects WHERE kind = 'heap' AND size_bytes >= 800000 LIMIT 1")"

# A procedure allocates a part of its argument, for which each caller has another name.
cat >"$T/parts.f90" <<'EOF'
module parts
  implicit none
  type :: grid
    real(8), allocatable :: u(:)
  contains
    procedure :: init => grid_init
  end type
  type :: level
    type(grid) :: g
  end type
contains
  subroutine grid_init(self, n)
    class(grid), intent(inout) :: self
    integer, intent(in) :: n
    allocate(self%u(n))
    self%u = 1
  end subroutine
  subroutine make(g, n)
    type(grid), intent(inout) :: g
    integer, intent(in) :: n
    call grid_init(g, n)
    if (n < 0) print *, g%u
  end subroutine
  subroutine grow(list, n)
    real(8), allocatable, intent(inout) :: list(:)
    integer, intent(in) :: n
    real(8), allocatable :: tmp(:)
    allocate(tmp(n))
    tmp = 1
    call move_alloc(tmp, list)
  end subroutine
end module
program p
  use parts
  type(level) :: levels(2)
  type(grid) :: single
  real(8), allocatable :: list(:)
  integer :: n
  read(*, *) n
  call make(levels(2)%g, n)
  call make(g=single, n=2 * n)
  call levels(1)%g%init(3 * n)
  call grow(list, 4 * n)
  print *, levels(2)%g%u(1) + single%u(2) + levels(1)%g%u(n) + list(n)
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2" "gfortran -g -O2 -fno-inline"; do
	$build -o "$T/parts" "$T/parts.f90"
	"$MEMDB" record -q --force -o "$T/parts.db" -- "$T/parts" <<<10000 >/dev/null 2>"$T/stderr" || fail "memdb record parts"
	assert_eq "$build: names of the caller" "levels(2)%g%u 80000
single%u 160000
levels(1)%g%u 240000
list 320000" "$(sqlite3 "$T/parts.db" "SELECT name || ' ' || size_bytes FROM objects WHERE kind = 'heap' AND size_bytes >= 80000
		ORDER BY size_bytes")"
done

# An assignment may allocate temporary arrays for its value besides the variable, and only the variable if it has another
# size. The names say so. A number has no block.
cat >"$T/temporary.f90" <<'EOF'
subroutine build(n, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: s
  real(8), allocatable :: w(:), z(:), twice(:)
  integer :: i
  w = [(real(i, 8), i = 1, n)]
  z = (/ w, w /)
  twice = 2 * w
  s = s + sum([(w(i) * 2, i = 1, n)]) + z(n) + twice(n)
  print '(a, i0)', 'w ', loc(w), 'z ', loc(z), 'twice ', loc(twice)
  w = [(real(n - i, 8), i = 1, n)]
  s = s + w(1)
end subroutine
program p
  real(8) :: s
  integer :: n
  read(*, *) n
  s = 0
  call build(n, s)
  if (s < 0) print *, s
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -o "$T/temporary" "$T/temporary.f90"
	"$MEMDB" record -q --force --all-blocks -o "$T/temporary.db" -- "$T/temporary" <<<50000 >"$T/truth" 2>"$T/stderr" ||
		fail "memdb record temporary"
	assert_eq "$build: blocks with the names of variables" "$(grep twice "$T/truth")" "$(sqlite3 "$T/temporary.db" "
		SELECT DISTINCT o.name || ' ' || a.address_start FROM allocations a JOIN objects o ON o.id = a.object_id
		WHERE a.size_bytes >= 400000 AND o.name NOT LIKE 'build_ (%' AND o.name NOT LIKE '%temporary%'")"
	# if enough accesses in other statements were sampled, the block is certainly the variable's
	assert_eq "$build: blocks of the variables" "$(grep -v twice "$T/truth" | sort)" "$(sqlite3 "$T/temporary.db" "
		SELECT DISTINCT replace(o.name, '|[temporary]', '') || ' ' || a.address_start FROM allocations a JOIN objects o ON o.id = a.object_id
		WHERE a.size_bytes >= 400000 AND a.address_start IN ($(grep -v twice "$T/truth" | cut -d ' ' -f 2 | paste -s -d ,))
			AND o.line < 10 AND o.name NOT LIKE 'build_ (%' ORDER BY 1")"
	assert_ge "$build: sums without a name" 1 "$(sqlite3 "$T/temporary.db" "
		SELECT count(*) FROM objects WHERE size_bytes >= 400000 AND name = 'build_ (temporary.f90:10)'")"
done

# A variable of the right size gets no block, so the only block of the assignment may be a temporary array.
cat >"$T/rearranged.f90" <<'EOF'
subroutine turn(n, v, ix)
  implicit none
  integer, intent(in) :: n, ix(n)
  real(8), intent(inout) :: v(n)
  v = v(ix)
end subroutine
program p
  real(8), allocatable :: v(:)
  integer, allocatable :: ix(:)
  integer :: n, i
  read(*, *) n
  allocate(v(n), ix(n))
  v = 3
  do i = 1, n
    ix(i) = n + 1 - i
  end do
  call turn(n, v, ix)
  if (v(1) < 0) print *, v(1)
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2 -fno-inline"; do
	$build -o "$T/rearranged" "$T/rearranged.f90"
	"$MEMDB" record -q --force --all-blocks -o "$T/rearranged.db" -- "$T/rearranged" <<<50000 >/dev/null 2>"$T/stderr" ||
		fail "memdb record rearranged"
	assert_eq "$build: the block of the assignment" "v|[temporary]" "$(sqlite3 "$T/rearranged.db" "
		SELECT DISTINCT o.name FROM allocations a JOIN objects o ON o.id = a.object_id WHERE a.size_bytes = 400000 AND o.line = 5")"
done

# A procedure allocates parts of an object of CLASS, one of which belongs to the parent of its type. The runtime library
# allocates a buffer for a file, whose unit is no name for it.
cat >"$T/class.f90" <<'EOF'
module layers
  implicit none
  type :: layer
    real(4), allocatable :: biases(:)
  end type
  type, extends(layer) :: dense
    real(8), allocatable :: weights(:, :)
  contains
    procedure :: init => dense_init
  end type
contains
  subroutine dense_init(self, n)
    class(dense), intent(inout) :: self
    integer, intent(in) :: n
    allocate(self%weights(n, n))
    allocate(self%biases(n * n))
  end subroutine
end module
program p
  use layers
  class(dense), allocatable :: d
  integer :: n, u
  read(*, *) n
  allocate(d)
  call d%init(n)
  d%weights = 1
  d%biases = 2
  open(newunit=u, status='scratch', access='stream')
  write(u) d%biases(1)
  print *, sum(d%weights), sum(d%biases)
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -o "$T/class" "$T/class.f90"
	"$MEMDB" record -q --force -o "$T/class.db" -- "$T/class" <<<400 >/dev/null 2>"$T/stderr" || fail "memdb record class"
	assert_eq "$build: parts of an object of CLASS" "d%weights real(kind=8) 1280000
d%biases real(kind=4) 640000" "$(sqlite3 "$T/class.db" "SELECT o.name || ' ' || t.name || ' ' || o.size_bytes
		FROM objects o JOIN types t ON t.id = o.type_id WHERE o.kind = 'heap' AND o.size_bytes >= 640000 ORDER BY 1 DESC")"
	assert_eq "$build: a file's buffer" 0 "$(sqlite3 "$T/class.db" "SELECT count(*) FROM objects WHERE name GLOB '*newunit*'")"
done

# gfortran inlines the program into main(), so the debug information has no address for the variables of its COMMON block.
# Those of the block that a procedure shares with the program have one. The variables of a block with padding are unknown.
cat >"$T/common.f90" <<'EOF'
program blocks
  implicit none
  complex(8) :: plane(50000)
  real(4) :: pad(4), row(100000)
  integer(4) :: odd, cells(60000)
  real(8) :: values(60000), own(70000)
  common /big/ plane, pad, row
  common /padded/ odd, values
  common /shared/ cells, own
  call add(plane, row, values)
  call add_shared()
end program
subroutine add(plane, row, values)
  implicit none
  complex(8), intent(inout) :: plane(50000)
  real(4), intent(in) :: row(50000)
  real(8), intent(in) :: values(50000)
  integer :: i, k
  do k = 1, 400
    do i = 1, 50000
      plane(i) = plane(i) + row(mod(i * 79 + k, 50000) + 1) + values(mod(i * 7919, 50000) + 1)
    end do
  end do
end subroutine
subroutine add_shared()
  implicit none
  integer(4) :: cells(60000)
  real(8) :: own(70000)
  common /shared/ cells, own
  integer :: i, k
  do k = 1, 400
    do i = 1, 60000
      own(i) = own(i) + cells(mod(i * 79 + k, 60000) + 1)
    end do
  end do
end subroutine
EOF
for build in "-O2 -flto" -O2; do
	# shellcheck disable=SC2086
	gfortran -g $build -w -o "$T/common" "$T/common.f90"
	record --sampler=timer "$T/common"
	assert_eq "$build: variables of COMMON blocks" "big::plane|complex(kind=8)|800000
big::row|real(kind=4)|400000
shared::own|real(kind=8)|560000" "$(sql "SELECT o.name, t.name, o.size_bytes FROM objects o LEFT JOIN types t ON t.id = o.type_id
		WHERE o.name IN ('big::plane', 'big::row', 'shared::own', 'big_', 'shared_') AND o.first_sample_id IS NOT NULL ORDER BY 1")"
done
assert_eq "a block with padding" "padded_" "$(sql "SELECT name FROM objects
	WHERE name GLOB 'padded*' AND first_sample_id IS NOT NULL")"

# A COMMON block of which each thread has its own.
cat >"$T/private.f90" <<'EOF'
program p
  implicit none
  real(8) :: first(1000), second(1000)
  integer :: i, k
  common /own/ first, second
!$omp threadprivate(/own/)
  first = 1; second = 2
  do k = 1, 300000
    do i = 1, 1000
      second(i) = second(i) + first(mod(i * 79 + k, 1000) + 1)
    end do
  end do
  print *, sum(second)
end program
EOF
gfortran -g -O2 -fopenmp -o "$T/private" "$T/private.f90"
record --sampler=timer "$T/private"
assert_eq "a COMMON block of each thread" "own::first|real(kind=8)
own::second|real(kind=8)" "$(sql "SELECT DISTINCT o.name, t.name FROM objects o LEFT JOIN types t ON t.id = o.type_id
	WHERE (o.name GLOB 'own*' OR o.name GLOB '*thread-local variables of private*') AND o.first_sample_id IS NOT NULL ORDER BY 1")"

# A procedure with intent(out) deallocates its argument before the call. The line of the first such call is then that of an
# earlier statement.
cat >"$T/out.f90" <<'EOF2'
module m
contains
subroutine make(y, n)
  real(8), allocatable, intent(out) :: y(:)
  integer, intent(in) :: n
  allocate(y(n))
  y = n
end subroutine
subroutine solve(n)
  integer, intent(in) :: n
  real(8), allocatable :: a(:), b(:), c(:)
  print *, n
  call make(a, n)
  call make(b, n + 1)
  if (n > 3) then
    call make(c, n + 2)
  end if
  print *, a(2), b(2), c(2)
end subroutine
end module
program p
  use m
  call solve(100000)
end program
EOF2
for build in -O0 -O2; do
	gfortran -g $build -fno-inline -J "$T" -o "$T/out" "$T/out.f90"
	record --sampler=timer "$T/out"
	assert_eq "$build: arrays of the caller" "a 800000
b 800008
c 800016" "$(sql "SELECT name || ' ' || size_bytes FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 800000 AND 800016 ORDER BY size_bytes")"
done

# Blocks that other statements access are no temporary arrays. An assignment also copies components.
cat >"$T/outlives.f90" <<'EOF'
module kinds
  implicit none
  type field
    real(8), allocatable :: u(:)
    real(8), allocatable :: k(:)
  end type
contains
  real(8) function half(i)
    integer, intent(in) :: i
    half = i / 2d0
  end function
  subroutine make(f, n)
    type(field), intent(inout) :: f
    integer, intent(in) :: n
    integer :: i
    f%k = [(half(i), i = 1, n)]
  end subroutine
end module
program p
  use kinds
  implicit none
  type(field) :: old, made
  class(*), allocatable :: any
  type(field), allocatable :: new
  type(field), allocatable :: many(:), copy(:)
  real(8) :: s
  real :: now, start
  integer :: n, i, j
  integer, allocatable :: order(:)
  read(*, *) n
  allocate(old%u(n), old%k(n), order(n))
  old%u = 1; old%k = 2
  do i = 1, n
    order(i) = mod(i * 7919, n) + 1
  end do
  allocate(new)
  new%u = old%u
  new%k = old%k(order)
  allocate(many(2))
  do i = 1, 2
    many(i)%u = old%u
    many(i)%k = old%k
  end do
  copy = many
  call make(made, n)
  allocate(any, source=old)
  s = 0
  call cpu_time(start)
  do
    do i = 1, n
      s = s + new%u(order(i)) + new%k(order(i)) + made%k(order(i))
      do j = 1, 2
        s = s + many(j)%u(order(i)) + many(j)%k(order(i)) + copy(j)%u(order(i)) + copy(j)%k(order(i))
      end do
    end do
    call cpu_time(now)
    if (now - start > 2) exit
  end do
  if (s < 0) print *, s
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -o "$T/outlives" "$T/outlives.f90"
	"$MEMDB" record -q --force --sampler=timer -o "$T/outlives.db" -- "$T/outlives" <<<250007 >/dev/null 2>"$T/stderr" ||
		fail "memdb record outlives"
	sqlite3 "$T/outlives.db" "SELECT DISTINCT o.name FROM access_samples AS s JOIN objects AS o ON o.id = s.object_id
		WHERE o.kind = 'heap' AND o.line > 15 AND o.name NOT IN ('old%u', 'old%k', 'order') AND o.size_bytes > 100000 GROUP BY o.id HAVING count(*) > 10" >"$T/names"
	assert_ge "$build: blocks that outlive their statement" 2 "$(wc -l <"$T/names")"
	assert_eq "$build: wrong names of such blocks" "" \
		"$(grep -vFx -e 'copy (components)' -e 'many(i)%k' -e 'many(i)%u' -e 'new%k' -e 'new%u' -e 'made%k' "$T/names")"
	assert_eq "$build: copies of components" "[components of a copied field] 2" "$(sqlite3 "$T/outlives.db" "
		SELECT name || ' ' || count(*) FROM objects WHERE name LIKE '[components%' AND size_bytes > 100000 GROUP BY name")"
done

# An operator of the program is a procedure, too: it accesses its temporary result while the statement runs.
cat >"$T/operator.f90" <<'EOF'
module vecs
  implicit none
  type vec
    real(8) :: x, y
  end type
  interface operator(+)
    module procedure add
  end interface
contains
  function add(a, b) result(r)
    type(vec), intent(in) :: a(:), b(:)
    type(vec) :: r(size(a))
    integer :: i, k
    do k = 1, 100
      do i = 1, size(a)
        r(i)%x = a(i)%x + b(i)%x * k + r(mod(i * 7919, size(a)) + 1)%y
        r(i)%y = a(i)%y - b(i)%y
      end do
    end do
  end function
end module
program p
  use vecs
  implicit none
  type(vec), allocatable :: a(:), b(:), c(:), d(:)
  integer :: i, n
  read(*, *) n
  allocate(a(n), b(n), d(n))
  do i = 1, n
    a(i) = vec(i, i); b(i) = vec(1, 2); d(i) = b(i)
  end do
  c = a + b + d
  print '(i0)', loc(c)
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -J "$T" -o "$T/operator" "$T/operator.f90"
	"$MEMDB" record -q --force --all-blocks --sampler=timer -o "$T/operator.db" -- "$T/operator" <<<100003 >"$T/truth" 2>"$T/stderr" ||
		fail "memdb record operator"
	assert_eq "$build: temporary arrays with the variable's name" "" "$(sqlite3 "$T/operator.db" "
		SELECT DISTINCT o.name || ' ' || a.address_start FROM allocations a JOIN objects o ON o.id = a.object_id
		WHERE o.size_bytes > 1000000 AND o.name = 'c' AND a.address_start <> $(cat "$T/truth")")"
done

# An assignment to an element of a derived type copies its components, and needs no temporary array.
cat >"$T/elements.f90" <<'EOF'
module m
  implicit none
  type :: op
    real(8), allocatable :: coef(:)
    integer, allocatable :: idx(:)
  end type
  type :: table
    type(op) :: first, fixed(3)
  end type
contains
  subroutine setup(t, n)
    type(table), intent(inout) :: t
    integer, intent(in) :: n
    allocate(t%first%coef(n), t%first%idx(n))
    t%first%coef = 1
    t%first%idx = 2
    t%fixed(3) = t%first
  end subroutine
end module
program p
  use m
  type(table) :: t
  type(op), allocatable :: single(:), all(:)
  integer :: n
  read(*, *) n
  call setup(t, n)
  allocate(single(2))
  single(2) = t%fixed(3)
  all = single
  print *, sum(t%fixed(3)%coef), sum(single(2)%idx), sum(all(2)%idx)
end program
EOF
for build in "gfortran -g -O0" "gfortran -g -O2"; do
	$build -J "$T" -o "$T/elements" "$T/elements.f90"
	"$MEMDB" record -q --force -o "$T/elements.db" -- "$T/elements" <<<40000 >/dev/null 2>"$T/stderr" || fail "memdb record elements"
	assert_eq "$build: copied components" "all (components) 160000
all (components) 320000
single(2) (components) 160000
single(2) (components) 320000
t%first%coef 320000
t%first%idx 160000
t%fixed(3) (components) 160000
t%fixed(3) (components) 320000" "$(sqlite3 "$T/elements.db" "SELECT name || ' ' || size_bytes FROM objects WHERE kind = 'heap' AND size_bytes >= 160000
		ORDER BY name, size_bytes")"
done
