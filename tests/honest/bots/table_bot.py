"""Python that reads a table of 100 MB in its folder, also with `mmap`."""

import mmap
import pathlib
import sys

from ugi import play

path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "table.bin")
table = path.read_bytes()
assert len(table) == 100_000_000
with path.open("rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def choose(moves):
    place = hash(moves[0]) % len(table)
    assert table[place] == mapped[place]
    return moves[place % len(moves)]


play(choose)
