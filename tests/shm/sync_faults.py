"""Mistakes to plant in src/shm/sync: slots, backlog and pairwise rings (faults.py has the others)."""

from fault import Fault

SYNC = (
    Fault(
        "a slot is reused one turn too early",
        "sync/slots.hpp",
        ".turn <= left_by_all_; }",
        ".turn <= left_by_all_ + 1; }",
        "2:bba",
    ),
    Fault(
        "a turn is known to be left when it is only met",
        "sync/slots.hpp",
        "if (turn - 1 > left_by_all_) left_by_all_ = turn - 1;",
        "if (turn > left_by_all_) left_by_all_ = turn;",
    ),
    Fault("a slot's only reader is not waited for", "sync/slots.cpp", "return has_left(use.reader);", "return true;"),
    Fault(
        "one reader in the row is not waited for",
        "sync/slots.cpp",
        "member == me_) continue;\n    if (!has_left",
        "member == 0) continue;\n    if (!has_left",
    ),
    Fault(
        "a reader's progress is taken for one turn more",
        "sync/slots.cpp",
        "if (known >= turn) return;",
        "if (known + 1 >= turn) return;",
    ),
    Fault(
        "backlog: an entry is freed while it is read",
        "sync/slots.cpp",
        "have_left(backlog_.oldest())) backlog_.free_oldest();\n    if (std::byte* const payload",
        "true) backlog_.free_oldest();\n    if (std::byte* const payload",
        "2:8*bcast 1 root 0",
    ),
    Fault(
        "backlog: a place of the index is taken again one turn too early",
        "sync/backlog.cpp",
        "turn >= places_",
        "turn > places_",
        "2:3*bcast 1 root 0,2*bcast 0,2*bcast 1 root 0",
    ),
    Fault(
        "backlog: an entry is announced before it is there",
        "sync/slots.cpp",
        "  note_place();\n  backlog_.keep(",
        "  newest_ahead(me_).store(turn);\n  notify(bell(me_));\n  backlog_.keep(",
        "2:5*bcast 1 root 0",
    ),
    Fault(
        "backlog: a slot that holds a later turn is taken for the reader's",
        "sync/slots.hpp",
        "    if (seen != turn) [[unlikely]]\n",
        "    if (seen < turn) [[unlikely]]\n",
        "2:8*bcast 1 root 0",
    ),
    Fault(
        "backlog: readers wait for the slot alone",
        "sync/slots.hpp",
        "until_either(mark(member, turn), newest_ahead(member),",
        "until_either(mark(member, turn), mark(member, turn),",
        "2:5*bcast 1 root 0",
    ),
    Fault(
        "ring: a place is filled before it has been read",
        "sync/pairwise_rings.cpp",
        "  slots_.until(mine.read, held.number, held.reader);\n",
        "",
    ),
    Fault(
        "ring: a chunk is given back before it is copied",
        "sync/pairwise_rings.cpp",
        "  slots_.read(Traffic::ring, theirs.note, into, payload(owner, theirs), bytes);\n",
        (
            "  theirs.read.store(number, std::memory_order_release);\n"
            "  slots_.ring();\n"
            "  slots_.read(Traffic::ring, theirs.note, into, payload(owner, theirs), bytes);\n"
        ),
    ),
    Fault(
        "ring: a chunk is announced before it is there",
        "sync/pairwise_rings.cpp",
        "  const Note note = slots_.fill_ring(memory_for(mine, number, from, bytes), from, bytes, held.reader);\n",
        (
            "  mine.written.store(number, std::memory_order_release);\n"
            "  slots_.ring();\n"
            "  const Note note = slots_.fill_ring(memory_for(mine, number, from, bytes), from, bytes, held.reader);\n"
        ),
    ),
    Fault(
        "long ring: memory is taken while others still read it",
        "sync/long_ring.hpp",
        "      if (!is_over) return none;\n",
        "      static_cast<void>(is_over);\n",
        "2l:3*bcast 70 root 0",
    ),
    Fault(
        "long ring: a chunk counts as read one number too early",
        "sync/long_ring.hpp",
        "->load(std::memory_order_acquire) >= number; }",
        "->load(std::memory_order_acquire) + 1 >= number; }",
        "2l:3*alltoall 40",
    ),
    Fault(
        "long ring: a payload that begins where another does is not seen",
        "sync/long_ring.hpp",
        "begin >= other.end) continue;",
        "begin >= other.begin) continue;",
        "2l:3*bcast 70 root 0",
    ),
    Fault(
        "long ring: a post does not say that its payload lies there",
        "sync/slots.cpp",
        "long_at_ = LongRing::none, note_ |= elsewhere;",
        "long_at_ = LongRing::none;",
        "2l:bcast 70 root 0",
    ),
    Fault(
        "forfeit: what a member has heard is not passed on",
        "sync/slots.hpp",
        "note_ | marks_ |",
        "note_ | (forfeits_ ? marks_ : 0) |",
        "3/010:allreduce 1 without 2",
    ),
    Fault(
        "forfeit: the mark outlives the call",
        "sync/forfeits.hpp",
        "std::exchange(marks_, forfeits_ ? hollow | failed : 0) != 0",
        "marks_ != 0",
        "2:allreduce 1 without 0,alltoall 1 and 20",
    ),
)
