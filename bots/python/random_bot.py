#!/usr/bin/env python3
"""A bot for linesman that plays any game, by chance: a start for your own.

    linesman match --game quixo --bot "python3 bots/python/random_bot.py" --bot "linesman bot greedy" \
                   --games 10 --movetime 200ms

The referee writes lines to the bot's standard input and reads its answers from
the standard output. Two habits keep a bot alive: flush what you print, and skip
lines that you don't know.
"""

import random
import sys

legal = []  # the moves to choose from

for line in sys.stdin:
    verb, *words = line.split() or [""]
    if verb == "ugi":  # the referee says hello; `feature legal` asks for the list of legal moves
        print("id name Random (Python)\nfeature legal\nugiok", flush=True)
    elif verb == "game":  # game quixo seat 1 seats 2 id a~b~1 options size=5,...
        random.seed(line.strip())  # the same game, played again, goes the same way
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "legal":  # legal a1a5 a1e1 a2a1 ...
        legal = words
    elif verb == "go":  # go movetime 1000: answer in time; here is the place for thought
        print("bestmove", random.choice(legal), flush=True)
    elif verb == "quit":
        break
