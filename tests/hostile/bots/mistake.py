"""Fails in its first move with a traceback, like beginners' bots. Not named `traceback.py`, because Python imports `traceback`."""

import sys

for line in sys.stdin:
    verb, *rest = line.split() or [""]
    if verb == "ugi":
        print("ugiok", flush=True)
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "go":
        print("bestmove", {}["legal"], flush=True)
    elif verb == "quit":
        break
