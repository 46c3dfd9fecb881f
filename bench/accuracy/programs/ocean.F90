! SPDX-License-Identifier: GPL-2.0-or-later
! A vertical mixing step of an ocean model with the loops in the wrong order: the innermost loop goes down the
! levels, so each element is a whole horizontal plane away from the one before. Levels below the bottom are skipped. Three
! fields of 80 levels (97 MiB each). If a field is local, all its levels are the first one.
! held out
! object heat -DHEAT_STEP=0
! object salt -DSALT_STEP=0
! object mixing -DMIXING_STEP=0
! object bottom -DBOTTOM(i,j)=bottom(iand(i,7)+1,1)
#ifndef HEAT_STEP
#define HEAT_STEP 1
#endif
#ifndef SALT_STEP
#define SALT_STEP 1
#endif
#ifndef MIXING_STEP
#define MIXING_STEP 1
#endif
#ifndef BOTTOM
#define BOTTOM(i,j) bottom(i,j)
#endif
module ocean
  use iso_c_binding
  implicit none
  integer, parameter :: nx = 401, ny = 397, nz = 80
  real(c_double), allocatable, save :: heat(:, :, :), salt(:, :, :), mixing(:, :, :)
  integer, allocatable, save :: bottom(:, :)
  ! Volatile, so the compiler makes the same code whether or not all levels are the first one.
  integer(8), volatile :: heat_step = HEAT_STEP, salt_step = SALT_STEP, mixing_step = MIXING_STEP
contains
  subroutine init() bind(c)
    integer :: i, j
    integer(8) :: x
    allocate (heat(nx, ny, nz), salt(nx, ny, nz), mixing(nx, ny, nz), bottom(nx, ny))
    heat = 1.0d0
    salt = 2.0d0
    mixing = 0.5d0
    x = 1
    do j = 1, ny
      do i = 1, nx
        x = mod(x * 48271_8, 2147483647_8)
        bottom(i, j) = 40 + int(mod(x / 1000, 60_8))
      end do
    end do
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer, total
    integer :: repeat, i, j, deepest
    integer(8) :: k, hs, ss, ms
    hs = heat_step
    ss = salt_step
    ms = mixing_step
    answer = 0.0d0
    do repeat = 1, 3
      do j = 1, ny
        do i = 1, nx
          deepest = BOTTOM(i, j)
          total = 0.0d0
          do k = 1, nz
            if (k <= deepest .and. iand(k * 7 + i, 15_8) /= 3) then
              total = total + mixing(i, j, 1 + (k - 1) * ms) * (heat(i, j, 1 + (k - 1) * hs) - salt(i, j, 1 + (k - 1) * ss))
            end if
          end do
          answer = answer + total
        end do
      end do
    end do
  end function
end module
