#!/usr/bin/env python3
"""A bot for linesman that talks with its team mate, in games that have teams.

    linesman match --game quixo-teams --options consultation=true --movetime 200ms --games 10 \\
                   --bot "python3 bots/python/team_bot.py" --bot "linesman bot random" \\
                   --bot "python3 bots/python/team_bot.py" --bot "linesman bot random --seed 2"

It plays by chance, but tells the mate what it has played, and follows what the
mate has told: of all legal moves it takes the one that is spelled most like it.
"""

import os
import random
import sys

legal, talks, example = [], False, ""

for line in sys.stdin:
    verb, *words = line.split() or [""]
    if verb == "ugi":
        print("id name Team (Python)\nfeature legal\nugiok", flush=True)
    elif verb == "game":  # the options say whether mates may talk
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
