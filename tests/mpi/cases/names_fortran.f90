! Fortran's mpif.h: MPI_X on some ranks, PMPI_X on others.
! @run 2,3
program names_fortran
  implicit none
  include 'mpif.h'
  external PMPI_ALLREDUCE, PMPI_BCAST, PMPI_BARRIER
  integer :: rank, ranks, i, mine, total, word, wrong, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  wrong = 0
  do i = 1, 20
    mine = rank + i
    total = -1
    word = rank
    if (mod(rank + i, 2) == 0) then
      call PMPI_ALLREDUCE(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
      call MPI_BCAST(word, 1, MPI_INTEGER, mod(i, ranks), MPI_COMM_WORLD, error)
      call PMPI_BARRIER(MPI_COMM_WORLD, error)
    else
      call MPI_ALLREDUCE(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
      call PMPI_BCAST(word, 1, MPI_INTEGER, mod(i, ranks), MPI_COMM_WORLD, error)
      call MPI_BARRIER(MPI_COMM_WORLD, error)
    end if
    if (total /= ranks * (ranks - 1) / 2 + ranks * i) wrong = 1
    if (word /= mod(i, ranks)) wrong = 1
  end do
  if (wrong /= 0) print '(a,i0)', 'WRONG: on rank ', rank
  if (rank == 0 .and. wrong == 0) print '(a)', 'ok'
  call MPI_Finalize(error)
end program
