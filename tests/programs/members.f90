! SPDX-License-Identifier: GPL-2.0-or-later
! Objects of derived types: on the heap, behind pointers, and in a module. The program prints each type with its
! members as "part TYPE MEMBER OFFSET BYTES", and each array with its type as "typed ARRAY TYPE BYTES START".
module members
  use iso_c_binding
  implicit none
  type order
    integer(4) :: id
    real(8) :: price, amount
    integer(1) :: side
  end type
  type point
    real(4) :: x, y, z
  end type
  type node
    integer(8) :: key
    real(8) :: weight
    type(node), pointer :: next
  end type
  type(order) :: table(2000)
  type(point) :: cloud(3000)
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
  subroutine tell(name, type, address, bytes, size, from)
    character(*), intent(in) :: name, type
    integer(8), intent(in) :: address, bytes, size, from
    print '(a,a,a,i0,a,i0,a,i0,a,i0,a,i0,a,i0)', 'array ', name, ' ', address, ' ', bytes, ' ', getpid(), ' 0 ', from, ' ', ns(1)
    print '(a,a,a,a,a,i0,a)', 'typed ', name, ' ', type, ' ', size, ' 0'
  end subroutine
  subroutine part(type, member, offset, bytes)
    character(*), intent(in) :: type, member
    integer(8), intent(in) :: offset, bytes
    print '(a,a,a,a,a,i0,a,i0)', 'part ', type, ' ', member, ' ', offset, ' ', bytes
  end subroutine
  subroutine use_orders(name, o)
    character(*), intent(in) :: name
    type(order), intent(inout) :: o(:)
    integer(8) :: from, until
    integer :: i
    from = ns(1)
    until = ns(3) + 50000000
    do while (ns(3) < until)
      do i = 1, size(o)
        o(i)%amount = o(i)%amount * 0.99d0 + o(i)%price
        o(i)%id = o(i)%id + 1
      end do
    end do
    call tell(name, 'order', loc(o(1)), size(o) * 32_8, 32_8, from)
  end subroutine
  subroutine use_cloud()
    integer(8) :: from, until
    integer :: i
    from = ns(1)
    until = ns(3) + 50000000
    do while (ns(3) < until)
      do i = 1, size(cloud)
        cloud(i)%x = cloud(i)%x * 0.99 + cloud(mod(i * 79, 3000) + 1)%z
      end do
    end do
    call tell('cloud', 'point', loc(cloud(1)), 36000_8, 12_8, from)
  end subroutine
end module

program main
  use members
  implicit none
  type(order), allocatable :: orders(:)
  type(node), pointer :: nodes(:), at
  integer(8) :: from, until
  integer :: i
  real(8) :: s
  call part('order', 'id', 0_8, 4_8)
  call part('order', 'price', 8_8, 8_8)
  call part('order', 'amount', 16_8, 8_8)
  call part('order', 'side', 24_8, 1_8)
  call part('point', 'x', 0_8, 4_8)
  call part('point', 'y', 4_8, 4_8)
  call part('point', 'z', 8_8, 4_8)
  call part('node', 'key', 0_8, 8_8)
  call part('node', 'weight', 8_8, 8_8)
  call part('node', 'next', 16_8, 8_8)
  allocate(orders(5000), nodes(5000))
  do i = 1, 5000
    orders(i)%id = i; orders(i)%price = i; orders(i)%amount = 1; orders(i)%side = 1
    nodes(i)%key = i; nodes(i)%weight = i; nodes(i)%next => nodes(mod(i * 79, 5000) + 1)
  end do
  table = orders(1:2000)
  cloud%x = 1; cloud%y = 2; cloud%z = 3
  call use_orders('orders', orders)
  call use_orders('table', table)
  call use_cloud()
  from = ns(1)
  until = ns(3) + 50000000
  s = 0
  at => nodes(1)
  do while (ns(3) < until)
    do i = 1, 5000
      s = s + at%weight
      at => at%next
    end do
  end do
  call tell('nodes', 'node', loc(nodes(1)), 5000 * 24_8, 24_8, from)
  if (s == 1) print *, s
end program
