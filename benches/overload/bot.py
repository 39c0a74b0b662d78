"""A bot with a given use of CPU time: `bot.py KIND LIMIT_MS MARGIN_MS`."""

import os
import random
import sys
import time

kind, limit, margin = sys.argv[1], float(sys.argv[2]) / 1000, float(sys.argv[3]) / 1000


def use_cpu(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def burn_for_ever():
    while True:
        pass


def think(turn):
    """Uses CPU time according to the bot's kind; some kinds never return."""
    if kind.startswith("honest-"):
        use_cpu(limit * int(kind.removeprefix("honest-")) / 100)
    elif kind == "too-slow":
        use_cpu((limit + margin) * 1.2)
    elif kind.startswith("burns-"):
        use_cpu(limit * 0.2)
    elif turn < 2:
        use_cpu(limit * 0.2)
    elif kind == "hangs":
        burn_for_ever()
    elif kind == "sleeps":
        time.sleep(3600)
    elif kind == "eight-threads":
        # Processes, because Python runs one thread at a time.
        for _ in range(7):
            if os.fork() == 0:
                burn_for_ever()
        burn_for_ever()


legal, turn, burns = [], 0, False
for line in sys.stdin:
    verb, *rest = line.split() or [""]
    if verb == "ugi":
        print("feature legal\nugiok", flush=True)
    elif verb == "uginewgame":
        turn = 0
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "legal":
        legal = rest
    elif verb == "go":
        turn += 1
        think(turn)
        print("bestmove", random.choice(legal), flush=True)
        if kind.startswith("burns-") and not burns:
            # Only one child in the league, so that the bot is not late by its own CPU time.
            burns = True
            for _ in range(4 if kind == "burns-by-four" else 1):
                if os.fork() == 0:
                    burn_for_ever()
    elif verb == "quit":
        break
