! SPDX-License-Identifier: GPL-2.0-or-later
! An unstructured mesh: each edge reads the values of the two cells at its ends (value: 16 MiB), and adds a flux to both (flux: 16 MiB).
! ends: 32 MiB, area: 32 MiB. All are allocatable arrays of a module.
! held out
! object ends -DEND_AT(x)=(iand(x,63)+1)
! object area -DAREA_AT(x)=(iand(x,63)+1)
! object value -DVALUE_AT(x)=(iand(x,63)+1)
! object flux -DFLUX_AT(x)=(iand(x,63)+1)
#ifndef END_AT
#define END_AT(x) x
#endif
#ifndef AREA_AT
#define AREA_AT(x) x
#endif
#ifndef VALUE_AT
#define VALUE_AT(x) x
#endif
#ifndef FLUX_AT
#define FLUX_AT(x) x
#endif
module mesh
  use iso_c_binding
  implicit none
  integer, parameter :: cells = 2097152, edges = 4194304
  integer, allocatable, save :: ends(:, :)
  real(c_double), allocatable, save :: area(:), value(:), flux(:)
contains
  subroutine init() bind(c)
    integer(c_int64_t) :: state
    integer :: k, side
    allocate (ends(2, edges), area(edges), value(cells), flux(cells))
    state = 1
    do k = 1, edges
      do side = 1, 2
        state = iand(state * 1103515245_c_int64_t + 12345_c_int64_t, 2147483647_c_int64_t)
        ends(side, k) = int(iand(ishft(state, -5), int(cells - 1, c_int64_t)))
      end do
      area(k) = 1.0d-3
    end do
    value = 1.0d0
    flux = 0.0d0
  end subroutine

  function kernel() bind(c) result(answer)
    real(c_double) :: answer, f
    integer :: repeat, k, left, right
    integer(c_int64_t) :: mix
    do repeat = 1, 9
      do k = 1, edges
        ! The place stays scattered even if ends is local.
        mix = iand(k * 2654435761_c_int64_t, 4294967295_c_int64_t)
        left = iand(ieor(ends(1, END_AT(k)), int(iand(ieor(mix, ishft(mix, -9)), cells - 1_c_int64_t))), cells - 1) + 1
        right = iand(ieor(ends(2, END_AT(k)), int(iand(ieor(mix, ishft(mix, -11)), cells - 1_c_int64_t))), cells - 1) + 1
        f = area(AREA_AT(k)) * (value(VALUE_AT(left)) - 0.5d0 * value(VALUE_AT(right)))
        flux(FLUX_AT(left)) = flux(FLUX_AT(left)) + f
        flux(FLUX_AT(right)) = flux(FLUX_AT(right)) - f
      end do
    end do
    answer = flux(7)
  end function
end module
