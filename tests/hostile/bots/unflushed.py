"""Never flushes, even with unbuffered output requested, so its answers never arrive in time."""

import io
import sys

out = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False), 65536), write_through=False)
for line in sys.stdin:
    verb, *rest = line.split() or [""]
    if verb == "ugi":
        print("ugiok", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "go":
        out.write("bestmove a1a3\n")
    elif verb == "quit":
        break
