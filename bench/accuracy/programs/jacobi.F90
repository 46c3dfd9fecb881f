! SPDX-License-Identifier: GPL-2.0-or-later
! A stencil of five points on allocated arrays, with an array of conductivities (64 MiB each). If an array is local,
! only two of its columns are used.
! object old -DOLD_COLUMN(j)=(iand(j,1)+2)
! object new -DNEW_COLUMN(j)=(iand(j,1)+2)
! object conductivity -DCONDUCTIVITY_COLUMN(j)=(iand(j,1)+2)
#ifndef OLD_COLUMN
#define OLD_COLUMN(j) (j)
#endif
#ifndef NEW_COLUMN
#define NEW_COLUMN(j) (j)
#endif
#ifndef CONDUCTIVITY_COLUMN
#define CONDUCTIVITY_COLUMN(j) (j)
#endif
module field
  use iso_c_binding
  implicit none
  integer, parameter :: n = 2896
  real(c_double), allocatable, save :: old(:, :), new(:, :), conductivity(:, :)
contains
  subroutine init() bind(c)
    allocate (old(n, n))
    allocate (new(n, n))
    allocate (conductivity(n, n))
    old = 1.0d0
    new = 0.0d0
    conductivity = 0.25d0
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer
    integer :: repeat, i, j
    do repeat = 1, 60
      do j = 2, n - 1
        do i = 2, n - 1
          new(i, NEW_COLUMN(j)) = conductivity(i, CONDUCTIVITY_COLUMN(j)) * &
            (old(i - 1, OLD_COLUMN(j)) + old(i + 1, OLD_COLUMN(j)) + old(i, OLD_COLUMN(j - 1)) + old(i, OLD_COLUMN(j + 1)))
        end do
      end do
    end do
    answer = new(7, 2)
  end function
end module
