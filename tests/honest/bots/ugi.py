"""The main loop shared by the Python bots; each one chooses its own moves."""

import sys


def play(choose):
    """Plays the moves of `choose(moves)` until `quit`."""
    moves = []
    for line in sys.stdin:
        verb, *words = line.split() or [""]
        if verb == "ugi":
            print("feature legal\nugiok", flush=True)
        elif verb == "isready":
            print("readyok", flush=True)
        elif verb == "legal":
            moves = words
        elif verb == "go":
            print("bestmove", choose(moves), flush=True)
        elif verb == "quit":
            break
