! Collectives from Fortran's three interfaces, and one collective in which some ranks call C and others Fortran.
! Prints `fortran: right`, and how many calls tutti has seen.
module old_interface
contains
  subroutine with_mpif_h(rank, ranks, wrong)
    implicit none
    include 'mpif.h'
    integer, intent(in) :: rank, ranks
    integer, intent(inout) :: wrong
    integer :: values(4), sums(4), error, all
    all = ranks * (ranks - 1) / 2
    values = rank
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Allreduce(values, sums, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (any(sums /= all)) wrong = wrong + 1
    call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (any(values /= all)) wrong = wrong + 1
    if (rank == 0) values = 42
    call MPI_Bcast(values, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    if (any(values /= 42)) wrong = wrong + 1
  end subroutine
end module

program fortran
  use mpi_f08
  use iso_c_binding
  use old_interface
  implicit none
  interface
    subroutine c_allreduce(value, total) bind(c)
      import :: c_int
      integer(c_int), intent(in) :: value
      integer(c_int), intent(out) :: total
    end subroutine
    subroutine c_barrier() bind(c)
    end subroutine
    integer(c_int64_t) function c_counted() bind(c)
      import :: c_int64_t
    end function
  end interface
  integer :: rank, ranks, round, wrong, anywhere, value, total, all
  integer, allocatable :: from(:), to(:)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  all = ranks * (ranks - 1) / 2
  wrong = 0
  allocate (from(ranks), to(ranks))
  do round = 1, 10
    call with_mpif_h(rank, ranks, wrong)
    call MPI_Barrier(MPI_COMM_WORLD)
    from = rank
    call MPI_Alltoall(from, 1, MPI_INTEGER, to, 1, MPI_INTEGER, MPI_COMM_WORLD)
    if (sum(to) /= all) wrong = wrong + 1
    value = rank
    if (mod(rank, 2) == 0) then
      call MPI_Barrier(MPI_COMM_WORLD)
      call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    else
      call c_barrier()
      call c_allreduce(value, total)
    end if
    if (total /= all) wrong = wrong + 1
  end do
  call MPI_Allreduce(wrong, anywhere, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) then
    if (anywhere == 0) print '(a)', 'fortran: right'
    print '(a,i0)', 'fortran: counted ', c_counted()
  end if
  call MPI_Finalize()
end program
