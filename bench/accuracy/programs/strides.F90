! SPDX-License-Identifier: GPL-2.0-or-later
! Sums along the rows of an allocated matrix whose columns lie in memory (128 MiB), weighted by a vector, with a
! permutation of the rows. Local: each column is the first.
! object matrix -DMATRIX_COLUMN(j)=1
! object weights -DWEIGHT_INDEX(j)=(iand(j,7)+1)
! object sums -DSUM_INDEX(i)=(iand(i,7)+1)
#ifndef MATRIX_COLUMN
#define MATRIX_COLUMN(j) (j)
#endif
#ifndef WEIGHT_INDEX
#define WEIGHT_INDEX(j) (j)
#endif
#ifndef SUM_INDEX
#define SUM_INDEX(i) (i)
#endif
module table
  use iso_c_binding
  implicit none
  integer, parameter :: rows = 4099, columns = 4093
  real(c_double), allocatable, save :: matrix(:, :), weights(:), sums(:)
contains
  subroutine init() bind(c)
    allocate (matrix(rows, columns))
    allocate (weights(columns))
    allocate (sums(rows))
    matrix = 1.0d0
    weights = 0.5d0
    sums = 0.0d0
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer, total
    integer :: repeat, i, j
    do repeat = 1, 8
      do i = 1, rows
        total = 0.0d0
        do j = 1, columns
          total = total + matrix(i, MATRIX_COLUMN(j)) * weights(WEIGHT_INDEX(j)) * (1.0d0 + total * 1.0d-30)
        end do
        sums(SUM_INDEX(i)) = total
      end do
    end do
    answer = sums(7)
  end function
end module
