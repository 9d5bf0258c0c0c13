! /* Fortran's types of a size: a rank says MPI_REAL8 and MPI_INTEGER4, another MPI_DOUBLE_PRECISION and MPI_INTEGER; logicals, and complex numbers.
!  @run 2,3
!  @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(native) */
program types_sized_fortran
  use mpi
  implicit none
  integer :: me, ranks, code, turn, reals, integers, complexes, number, all, any_wrong
  integer :: wrong = 0
  double precision :: mine(2), total(2)
  complex(8) :: one, sum
  logical :: here, everywhere

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  do turn = 1, 10
    reals = merge(MPI_REAL8, MPI_DOUBLE_PRECISION, mod(me + turn, 2) == 0)
    integers = merge(MPI_INTEGER4, MPI_INTEGER, mod(me + turn, 2) == 0)
    complexes = merge(MPI_COMPLEX16, MPI_DOUBLE_COMPLEX, mod(me + turn, 2) == 0)
    mine = [dble(me), 0.5d0]
    call MPI_Allreduce(mine, total, 2, reals, MPI_SUM, MPI_COMM_WORLD, code)
    if (total(1) /= ranks * (ranks - 1) / 2 .or. total(2) /= 0.5d0 * ranks) wrong = 1
    number = me + turn
    call MPI_Allreduce(number, all, 1, integers, MPI_MAX, MPI_COMM_WORLD, code)
    if (all /= ranks - 1 + turn) wrong = 1
    one = cmplx(me, -turn, 8)
    call MPI_Allreduce(one, sum, 1, complexes, MPI_SUM, MPI_COMM_WORLD, code)
    if (sum /= cmplx(ranks * (ranks - 1) / 2, -turn * ranks, 8)) wrong = 1
    here = me /= mod(turn, ranks)
    call MPI_Allreduce(here, everywhere, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, code)
    if (everywhere) wrong = 1
    call MPI_Allreduce(here, everywhere, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, code)
    if (.not. everywhere) wrong = 1
  end do
  call MPI_Allreduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, code)
  if (wrong /= 0) print '(a,i0)', 'WRONG: rank ', me
  if (me == 0 .and. any_wrong == 0) print '(a)', 'ok'
  call MPI_Finalize(code)
end program types_sized_fortran
