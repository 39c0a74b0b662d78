"""Leaves a daemon behind, plays one good move and exits with 21."""

import os
import sys
import time


def leave_a_daemon():
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for stream in range(3):
        os.close(stream)
    # Bounded, in case the test does not end it.
    time.sleep(8)
    os._exit(0)


legal, moves = [], 0
for line in sys.stdin:
    verb, *rest = line.split() or [""]
    if verb == "ugi":
        print("feature legal\nugiok", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "legal":
        legal = rest
    elif verb == "go":
        moves += 1
        if moves > 1:
            sys.exit(21)
        leave_a_daemon()
        print("bestmove", legal[0], flush=True)
    elif verb == "quit":
        break
