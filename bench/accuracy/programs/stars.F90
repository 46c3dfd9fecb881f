! SPDX-License-Identifier: GPL-2.0-or-later
! Adds to a grid (64 MiB, at random) the weights of those particles that are in a random half (order: 32 MiB, in order; weights: 16 MiB at random).
! held out
! object cell -DCELL_INDEX(i)=(iand(i,15)+1)
! object weight -DWEIGHT_INDEX(i)=(iand(i,7)+1)
! object grid -DGRID_INDEX(i)=(iand(i,7)+1)
#ifndef CELL_INDEX
#define CELL_INDEX(i) (i)
#endif
#ifndef WEIGHT_INDEX
#define WEIGHT_INDEX(i) (i)
#endif
#ifndef GRID_INDEX
#define GRID_INDEX(i) (i)
#endif
module stars
  use iso_c_binding
  implicit none
  integer, parameter :: particles = 8388608, cells = 8388608, weights = 2097152
  integer(c_int), allocatable, save :: cell(:)
  real(c_double), allocatable, save :: weight(:), grid(:)
contains
  subroutine init() bind(c)
    integer :: i
    integer(8) :: x
    allocate (cell(particles), weight(weights), grid(cells))
    x = 1
    do i = 1, particles
      x = mod(x * 48271_8, 2147483647_8)
      cell(i) = int(x)
    end do
    weight = 1.0d0
    grid = 0.0d0
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer
    integer :: repeat, i, mixed, g, w
    do repeat = 1, 3
      do i = 1, particles
        mixed = ieor(cell(CELL_INDEX(i)), i + repeat * particles) * 1640531535
        mixed = ieor(mixed, ishft(mixed, -15)) * 506632851
        mixed = ieor(mixed, ishft(mixed, -13))
        if (btest(mixed, 30)) then
          g = iand(mixed * 5, cells - 1) + 1
          w = iand(ishft(mixed, -9), weights - 1) + 1
          grid(GRID_INDEX(g)) = grid(GRID_INDEX(g)) + weight(WEIGHT_INDEX(w))
        end if
      end do
    end do
    answer = grid(7)
  end function
end module
