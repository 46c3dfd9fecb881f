#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the local arrays of functions that run one after the other, on which the threads of parallel regions work,
# have their names without a copy of the stack, in all threads: of inlined functions, of recursive ones, at any depth of
# the stack, and in functions that a region calls. A name is never that of another array.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(uname -m)" = x86_64 ] || skip "no x86-64 machine"
export OMP_WAIT_POLICY=passive # a thread that waits uses no CPU time

# judge: prints for each array how many samples in it have its name and the offset in it, and how many have another
# name: that of a stack or of a pointer (unknown), or any other (wrong).
judge()
{
	read_answers "$T/stdout"
	sqlite3 "$DB" "
		ATTACH '$T/answers.db' AS a;
		SELECT r.name, sum(o.name = r.name AND s.object_offset = s.address - r.address),
			sum(o.name <> r.name AND (o.name LIKE '[stack of %' OR o.name LIKE '*%')),
			sum(NOT (o.name = r.name AND s.object_offset = s.address - r.address OR o.name LIKE '[stack of %' OR o.name LIKE '*%'))
		FROM a.arrays r
		JOIN samples s ON s.address >= r.address AND s.address < r.address + r.bytes AND s.time BETWEEN r.start_ns AND r.end_ns
		LEFT JOIN objects o ON o.id = s.object_id
		GROUP BY 1" | tee "$T/verdicts"
}

# check_names SOURCE PERCENT ARRAYS: builds and records the program. At least ARRAYS arrays must have samples, PERCENT of
# the samples must have their name, and no name may be wrong.
check_names()
{
	local source=$1 percent=$2 arrays=$3

	"${build%% *}" -fopenmp -x c -o "$T/probe" - <<<'int main(void) { return 0; }' 2>"$T/why" ||
		{ echo "no ${build%% *} with OpenMP"; return 0; }
	$build -fopenmp -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/regions" "$source"
	record --sampler=timer "$T/regions"
	judge
	assert_ge "$build: arrays with samples" "$arrays" "$(grep -c . "$T/verdicts")"
	assert_eq "$build: wrong names" 0 "$(awk -F'|' '{ n += $4 } END { print n }' "$T/verdicts")"
	assert_ge "$build: percent with their name" "$percent" "$(awk -F'|' '{ n += $2; all += $2 + $3 + $4 } END { print 100 * n / all }' "$T/verdicts")"
}

# Without optimisation, and after clang, registers seldom have the address of the array of a function that is called at
# two depths: it stays unknown.
for build in "gcc -O2" "gcc -O3 -fno-omit-frame-pointer" "g++ -O2 -x c++"; do
	check_names "$SRC/tests/programs/regions.c" 97 8
done
for build in "gcc -O0" "clang -O2"; do
	check_names "$SRC/tests/programs/regions.c" 75 8
done

cat >"$T/regions.f90" <<'EOF'
module clocks
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function clock_gettime(which, t) bind(c)
      import
      integer(c_int), value :: which
      integer(c_int64_t) :: t(2)
    end function
  end interface
contains
  integer(8) function ns(which)
    integer(c_int), intent(in) :: which
    integer(c_int64_t) :: t(2)
    integer(c_int) :: unused
    unused = clock_gettime(which, t)
    ns = t(1) * 1000000000_8 + t(2)
  end function
  subroutine tell(name, address, bytes, from)
    character(*), intent(in) :: name
    integer(8), intent(in) :: address, bytes, from
    print '(a,a,a,i0,a,i0,a,i0,a,i0)', 'array ', name, ' ', address, ' ', bytes, ' 0 0 ', from, ' ', ns(1)
  end subroutine
end module

subroutine one()
  use clocks
  real(8) :: a(8192)
  integer(8) :: from, until
  integer :: i
  from = ns(1)
  a = 1
  until = ns(3) + 2000000
  do while (ns(3) < until)
!$omp parallel do num_threads(3)
    do i = 1, 8192
      a(i) = a(i) * 0.999d0 + i
    end do
  end do
  call tell('one::a', loc(a), 8192 * 8_8, from)
  if (a(7) == 3) stop 1
end subroutine

subroutine two()
  use clocks
  real(8) :: b(8192), c(8192)
  integer(8) :: from, until
  integer :: i
  from = ns(1)
  b = 1
  c = 2
  until = ns(3) + 2000000
  do while (ns(3) < until)
!$omp parallel do num_threads(3)
    do i = 1, 8192
      b(i) = b(i) * 0.999d0 + c(i)
      c(i) = c(i) + i
    end do
  end do
  call tell('two::b', loc(b), 8192 * 8_8, from)
  call tell('two::c', loc(c), 8192 * 8_8, from)
  if (b(7) == 3) stop 1
end subroutine

program regions
  implicit none
  integer :: k
  do k = 1, 20
    call one()
    call two()
  end do
end program
EOF
for build in "gfortran -O2" "gfortran -O0"; do
	check_names "$T/regions.f90" 97 3
done
