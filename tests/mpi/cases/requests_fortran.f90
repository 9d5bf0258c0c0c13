! Requests from Fortran: nonblocking collectives beside messages and null requests, by every call that completes them,
! with statuses and with the constants that ignore them; MPI_IN_PLACE; MPI_Request_get_status.
! @run 2,3,5
program requests_fortran
  implicit none
  include 'mpif.h'
  integer, parameter :: most = 5
  integer :: me, ranks, code, turn, wrong = 0
  integer :: mine, total, word, gathered(64), inplace, sent, received, world
  integer :: requests(most), statuses(MPI_STATUS_SIZE, most), status(MPI_STATUS_SIZE), indices(most)

  call MPI_Init(code)
  call MPI_Comm_dup(MPI_COMM_WORLD, world, code)
  call MPI_Comm_rank(world, me, code)
  call MPI_Comm_size(world, ranks, code)
  do turn = 1, 80
    call start()
    call complete(mod(turn, 8))
    call check()
  end do
  call MPI_Comm_free(world, code)
  call finish()
contains
  include 'requests_fortran.inc'

  subroutine start()
    integer :: next, previous
    next = mod(me + 1, ranks)
    previous = mod(me + ranks - 1, ranks)
    mine = me + turn
    total = -1
    word = merge(turn, -1, me == mod(turn, ranks))
    gathered = -1
    inplace = me
    sent = 100 * me + turn
    received = -1
    requests = MPI_REQUEST_NULL
    call MPI_Iallreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, world, requests(1), code)
    call MPI_Irecv(received, 1, MPI_INTEGER, previous, 7, world, requests(2), code)
    call MPI_Ibcast(word, 1, MPI_INTEGER, mod(turn, ranks), world, requests(3), code)
    if (mod(turn, 3) == 0) then
      call MPI_Iallreduce(MPI_IN_PLACE, inplace, 1, MPI_INTEGER, MPI_SUM, world, requests(4), code)
    else
      call MPI_Iallgather(me, 1, MPI_INTEGER, gathered, 1, MPI_INTEGER, world, requests(4), code)
    end if
    call MPI_Send(sent, 1, MPI_INTEGER, next, 7, world, code)
  end subroutine

  subroutine complete(how)
    integer, intent(in) :: how
    integer :: i, number, index
    logical :: flag
    select case (how)
    case (0)
      do i = 1, most
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE, code)
      end do
    case (1)
      call MPI_Waitall(most, requests, statuses, code)
      if (statuses(MPI_TAG, 2) /= 7 .or. statuses(MPI_SOURCE, 2) /= mod(me + ranks - 1, ranks)) call complain('status')
    case (2)
      do i = 1, most - 1
        call MPI_Waitany(most, requests, index, status, code)
        if (index < 1 .or. index > most - 1) call complain('index of Waitany')
        if (index == 2 .and. status(MPI_TAG) /= 7) call complain('status of Waitany')
      end do
      call MPI_Waitany(most, requests, index, MPI_STATUS_IGNORE, code)
      ! MPICH 4.0's Fortran gives MPI_UNDEFINED + 1.
      if (index > 0) call complain('Waitany of nothing')
    case (3)
      call sometimes(.true.)
    case (4)
      call sometimes(.false.)
    case (5)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(most, requests, flag, MPI_STATUSES_IGNORE, code)
      end do
    case (6)
      do i = most, 1, -1
        flag = .false.
        do while (.not. flag)
          call MPI_Test(requests(i), flag, status, code)
        end do
      end do
    case (7)
      flag = .false.
      do while (.not. flag)
        ! With MPI_STATUS_IGNORE, Open MPI 4.1's never says that it is complete.
        call MPI_Request_get_status(requests(1), flag, status, code)
      end do
      if (requests(1) == MPI_REQUEST_NULL) call complain('get_status completes')
      number = 0
      do while (number < most - 1)
        call MPI_Testany(most, requests, index, flag, status, code)
        if (flag) number = number + 1
        if (flag .and. (index < 1 .or. index > most - 1)) call complain('index of Testany')
      end do
    end select
    if (any(requests /= MPI_REQUEST_NULL)) call complain('requests are left')
  end subroutine

  subroutine sometimes(waits)
    logical, intent(in) :: waits
    integer :: left, number, i
    left = most - 1
    do while (left > 0)
      if (waits) then
        call MPI_Waitsome(most, requests, number, indices, statuses, code)
      else
        call MPI_Testsome(most, requests, number, indices, MPI_STATUSES_IGNORE, code)
      end if
      do i = 1, number
        if (indices(i) < 1 .or. indices(i) > most - 1) call complain('index of some')
        if (waits .and. indices(i) == 2 .and. statuses(MPI_TAG, i) /= 7) call complain('status of some')
      end do
      if (number == MPI_UNDEFINED) call complain('some of nothing')
      if (number == MPI_UNDEFINED) exit
      left = left - number
    end do
  end subroutine

  subroutine check()
    integer :: i
    if (total /= ranks * (ranks - 1) / 2 + ranks * turn) call complain('sum')
    if (word /= turn) call complain('word')
    if (received /= 100 * mod(me + ranks - 1, ranks) + turn) call complain('message')
    if (mod(turn, 3) == 0) then
      if (inplace /= ranks * (ranks - 1) / 2) call complain('in place')
    else
      do i = 1, ranks
        if (gathered(i) /= i - 1) call complain('gathered')
      end do
    end if
  end subroutine
end program
