! SPDX-License-Identifier: GPL-2.0-or-later
! Multiplies a sparse matrix by a vector, as the method of conjugate gradients does: static arrays, rows of 24 values.
! p: 24 MiB, a: 32 MiB, columns: 16 MiB, first: 700 KiB.
! object p -DP_INDEX(x)=(iand(x,63)+1)
! object a -DA_INDEX(x)=(iand(x,63)+1)
! object columns -DCOLUMN_INDEX(x)=(iand(x,63)+1)
! object q -DQ_INDEX(x)=(iand(x,63)+1)
#ifndef P_INDEX
#define P_INDEX(x) x
#endif
#ifndef A_INDEX
#define A_INDEX(x) x
#endif
#ifndef COLUMN_INDEX
#define COLUMN_INDEX(x) x
#endif
#ifndef Q_INDEX
#define Q_INDEX(x) x
#endif
module matrix
  use iso_c_binding
  implicit none
  integer, parameter :: n = 3145728, rows = 174762, values_in_row = 24, nonzero = rows * values_in_row
  real(c_double), save :: a(nonzero), p(n), q(rows)
  integer, save :: columns(nonzero), first(rows + 1)
contains
  subroutine init() bind(c)
    integer(c_int64_t) :: state
    integer :: k
    state = 1
    do k = 1, nonzero
      state = iand(state * 1103515245_c_int64_t + 12345_c_int64_t, 2147483647_c_int64_t)
      columns(k) = int(mod(ishft(state, -3) * 37_c_int64_t + k * 7919_c_int64_t, int(n, c_int64_t))) + 1
      a(k) = 1.0d0 / k
    end do
    p = 1.0d0
    do k = 1, rows + 1
      first(k) = (k - 1) * values_in_row + 1
    end do
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer, total
    integer :: repeat, j, k, place
    do repeat = 1, 12
      do j = 1, rows
        total = 0.0d0
        do k = first(j), first(j + 1) - 1
          ! The place stays scattered even if columns is local.
          place = mod(ieor(columns(COLUMN_INDEX(k)), iand(k * 40503, 1048575)), n) + 1
          total = total + a(A_INDEX(k)) * p(P_INDEX(place))
        end do
        q(Q_INDEX(j)) = total
      end do
      p(repeat) = p(repeat) + 1.0d-9
    end do
    answer = q(7)
  end function
end module
