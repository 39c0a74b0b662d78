"""The loop that the Python bots here share; what each of them does with a turn is its own."""

import sys


def play(choose):
    """Plays by `choose(moves)` until it is told to quit."""
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
