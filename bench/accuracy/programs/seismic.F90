! SPDX-License-Identifier: GPL-2.0-or-later
! Repeats one step of a wave in three dimensions on 224^3 cells: the new value of a cell, in last, depends on seven
! points of field and on the cell's velocity (43 MiB each). If an array is local, only the first rows of its first
! planes are used.
! held out
! object field -DFIELD_AT(k)=(iand(k,1)+2)
! object last -DLAST_AT(k)=(iand(k,1)+2)
! object velocity -DVELOCITY_AT(k)=(iand(k,1)+2)
#ifndef FIELD_AT
#define FIELD_AT(k) (k)
#endif
#ifndef LAST_AT
#define LAST_AT(k) (k)
#endif
#ifndef VELOCITY_AT
#define VELOCITY_AT(k) (k)
#endif
module wave_equation
  use iso_c_binding
  implicit none
  integer, parameter :: n = 224
  real(c_float), allocatable, save :: field(:, :, :), last(:, :, :), velocity(:, :, :)
contains
  subroutine init() bind(c)
    allocate (field(n, n, n), last(n, n, n), velocity(n, n, n))
    field = 0.0
    field(n / 2, n / 2, :) = 1.0
    last = 0.0
    velocity = 0.1
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer
    integer :: step, i, j, k, f, g, l, m, v, w
    do step = 1, 24
      do k = 2, n - 1
        g = FIELD_AT(k)
        m = LAST_AT(k)
        w = VELOCITY_AT(k)
        do j = 2, n - 1
          f = FIELD_AT(j)
          l = LAST_AT(j)
          v = VELOCITY_AT(j)
          do i = 2, n - 1
            last(i, l, m) = 2.0 * field(i, f, g) - last(i, l, m) + velocity(i, v, w) * &
              (field(i - 1, f, g) + field(i + 1, f, g) + field(i, f - 1, g) + field(i, f + 1, g) + &
              field(i, f, g - 1) + field(i, f, g + 1) - 6.0 * field(i, f, g))
          end do
        end do
      end do
    end do
    answer = last(n / 2, 2, 2)
  end function
end module
