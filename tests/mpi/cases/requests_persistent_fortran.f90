! Persistent requests from Fortran, made by the first request calls of the program: they are served, and right.
! (Of the MPIs here with Fortran, Debian's MPICH alone has them.)
! @run[debian-mpich] 2,3,5
program requests_persistent_fortran
  use iso_c_binding
  implicit none
  include 'mpif.h'
  abstract interface
    function asked(name, found) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: found(5)
      integer(c_int) :: asked
    end function
  end interface
  interface
    function dlsym(handle, name) bind(c)
      import
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: dlsym
    end function
  end interface
  integer :: me, ranks, code, turn, wrong = 0
  integer, volatile :: mine, total, word, inplace ! by calls that do not name them
  integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE)

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call MPI_Allreduce_init(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), code)
  call MPI_Bcast_init(word, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), code)
  call MPI_Allreduce_init(MPI_IN_PLACE, inplace, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), &
                          code)
  call expect_served('allreduce_init', 2)
  call expect_served('bcast_init', 1)
  do turn = 1, 100
    mine = me + turn
    inplace = me * turn
    word = merge(turn, -1, me == ranks - 1)
    call MPI_Startall(3, requests, code)
    call MPI_Wait(requests(1), status, code)
    if (mod(turn, 2) == 0) call MPI_Wait(requests(3), MPI_STATUS_IGNORE, code)
    call MPI_Waitall(3, requests, statuses, code)
    if (total /= ranks * (ranks - 1) / 2 + ranks * turn) call complain('sum')
    if (inplace /= (ranks - 1) * turn) call complain('in place')
    if (word /= turn) call complain('word')
    if (any(requests == MPI_REQUEST_NULL)) call complain('a request is gone')
  end do
  do turn = 1, 3
    call MPI_Request_free(requests(turn), code)
    if (requests(turn) /= MPI_REQUEST_NULL) call complain('Request_free leaves a request')
  end do
  call finish()
contains
  include 'requests_fortran.inc'

  ! Nothing without tutti.
  subroutine expect_served(name, number)
    character(len=*), intent(in) :: name
    integer, intent(in) :: number
    procedure(asked), pointer :: ask
    integer(c_int64_t) :: found(5)
    type(c_funptr) :: there
    there = dlsym(c_null_ptr, 'tutti_get_counters' // c_null_char)
    if (.not. c_associated(there)) return
    call c_f_procpointer(there, ask)
    turn = 0
    if (ask(name // c_null_char, found) /= 0) return
    if (found(3) /= number) call complain(name // ' is not served')
  end subroutine
end program
