#!/usr/bin/env python3
"""A bot for linesman that talks with its teammate, in games of teams.

    linesman match --game quixo-teams --options consultation=true --movetime 200ms --games 10 \\
                   --bot "python3 bots/python/team_bot.py" --bot "linesman bot random" \\
                   --bot "python3 bots/python/team_bot.py" --bot "linesman bot random --seed 2"

It tells its teammate each move that it plays. It plays the legal move whose spelling
is closest to the last move that its teammate has told it, otherwise a random one.
"""

import os
import random
import sys

legal, talks, example = [], False, ""

for line in sys.stdin:
    verb, *words = line.split() or [""]
    if verb == "ugi":
        print("id name Team (Python)\nfeature legal\nugiok", flush=True)
    elif verb == "game":  # the options say whether teammates may talk
        random.seed(line.strip())
        talks, example = "consultation=true" in line, ""
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "told":  # told 3 like c1c5n: comes while others think, before our own turn
        if words[1:2] == ["like"] and len(words) == 3:
            example = words[2]
    elif verb == "legal":
        legal = words
    elif verb == "go":
        random.shuffle(legal)
        move = max(legal, key=lambda own: len(os.path.commonprefix([own, example])))
        if talks:  # on move, before the answer
            print("tell like", move, flush=True)
        print("bestmove", move, flush=True)
    elif verb == "quit":
        break
