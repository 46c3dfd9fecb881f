! SPDX-License-Identifier: GPL-2.0-or-later
! Assembles a matrix: each element reads the values at its four corners (nodes: 16 MiB, at random), and adds their weighted sum to an
! entry of the matrix (64 MiB, at random). corners: 32 MiB, in order.
! held out
! object corners -DCORNER_AT(x)=(iand(x,63)+1)
! object nodes -DNODE_AT(x)=(iand(x,1023)+1)
! object matrix -DMATRIX_AT(x)=(iand(x,1023)+1)
#ifndef CORNER_AT
#define CORNER_AT(x) x
#endif
#ifndef NODE_AT
#define NODE_AT(x) x
#endif
#ifndef MATRIX_AT
#define MATRIX_AT(x) x
#endif
module assembly
  use iso_c_binding
  implicit none
  integer, parameter :: count = 2097152, entries = 8388608
  integer, allocatable, save :: corners(:, :)
  real(c_double), allocatable, save :: nodes(:), matrix(:)
contains
  subroutine init() bind(c)
    integer(c_int64_t) :: state
    integer :: e, k
    allocate (corners(4, count), nodes(count), matrix(entries))
    state = 1
    do e = 1, count
      do k = 1, 4
        state = iand(state * 1103515245_c_int64_t + 12345_c_int64_t, 2147483647_c_int64_t)
        corners(k, e) = int(iand(ishft(state, -5), int(count - 1, c_int64_t)))
      end do
    end do
    nodes = 1.0d0
    matrix = 0.0d0
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer, local
    integer :: repeat, e, k, at, place
    integer(c_int64_t) :: mix
    do repeat = 1, 6
      do e = 1, count
        local = 0.0d0
        place = 0
        do k = 1, 4
          ! The place stays scattered even if corners is local.
          mix = iand((4 * e + k) * 2654435761_c_int64_t, 4294967295_c_int64_t)
          at = iand(ieor(corners(k, CORNER_AT(e)), int(ishft(mix, -10))), count - 1) + 1
          local = local + 0.25d0 * k * nodes(NODE_AT(at))
          place = ieor(ishft(place, 1), at)
        end do
        place = iand(ieor(place, ishft(place, 2)), entries - 1) + 1
        matrix(MATRIX_AT(place)) = matrix(MATRIX_AT(place)) + local
      end do
    end do
    answer = matrix(7)
  end function
end module
