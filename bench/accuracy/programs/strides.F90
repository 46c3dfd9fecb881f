! SPDX-License-Identifier: GPL-2.0-or-later
! Sums along the rows of an allocated matrix that is stored column by column (128 MiB), weighted by a vector. If
! the matrix is local, all its columns are the first column.
! object matrix -DMATRIX_STEP=0
! object weights -DWEIGHT_INDEX(j)=(iand(j,7)+1)
! object sums -DSUM_INDEX(i)=(iand(i,7)+1)
#ifndef MATRIX_STEP
#define MATRIX_STEP 1
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
  ! Volatile, so the compiler makes the same code whether or not all columns are the first column.
  integer, volatile :: matrix_step = MATRIX_STEP
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
    integer :: repeat, i, j, step
    step = matrix_step
    do repeat = 1, 8
      do i = 1, rows
        total = 0.0d0
        do j = 1, columns
          total = total + matrix(i, 1 + (j - 1) * step) * weights(WEIGHT_INDEX(j)) * (1.0d0 + total * 1.0d-30)
        end do
        sums(SUM_INDEX(i)) = total
      end do
    end do
    answer = sums(7)
  end function
end module
