#!/usr/bin/env python3
"""my-bot, a bot for linesman. It plays every game; your idea goes into `choose`."""

import random
import sys
from dataclasses import dataclass, field


@dataclass
class Turn:
    """What the bot knows when it is on move."""

    game: str = ""  # its name, such as quixo
    options: str = ""  # such as size=5,max_plies=200,repetition=3
    seat: int = 1  # the bot's own, counted from 1
    seats: int = 2
    state: str = ""  # the position as a token
    legal: list[str] = field(default_factory=list)  # every legal move
    clocks: list[int] = field(default_factory=list)  # milliseconds left, by seat; empty without clocks
    time: float = 0  # milliseconds to think about this move


def choose(turn):
    """The move to play: here goes your idea. Until then, any legal move."""
    # Standard output belongs to the referee. Messages of your own go to standard error:
    # print("position", turn.state, file=sys.stderr)
    return random.choice(turn.legal)


def main():
    turn = Turn()
    for line in sys.stdin:
        verb, *words = line.split() or [""]
        if verb == "ugi":
            say("id name my-bot", "feature state legal", "ugiok")
        elif verb == "game":  # game quixo seat 1 seats 2 id a~b~1 options size=5,...
            random.seed(line.strip())  # a game that is played again goes the same way
            turn = Turn(
                game=words[0],
                options=after(words, "options", ""),
                seat=int(after(words, "seat", 1)),
                seats=int(after(words, "seats", 2)),
            )
        elif verb == "isready":
            say("readyok")
        elif verb == "state":
            turn.state = words[0]
        elif verb == "legal":
            turn.legal = words
        elif verb == "go":  # go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
            seats = range(1, turn.seats + 1) if "p1time" in words else []
            turn.clocks = [int(after(words, f"p{seat}time", 0)) for seat in seats]
            turn.time = time_to_think(words, turn.seat)
            say("bestmove " + choose(turn))
        elif verb == "quit":
            break


def time_to_think(words, seat):
    """Milliseconds for a move: a share of the clock, and a fifth less than is allowed."""
    most = float(after(words, "movetime", "inf"))
    clock = float(after(words, f"p{seat}time", "inf"))
    share = clock / int(after(words, "movestogo", 30)) + int(after(words, f"p{seat}inc", 0))
    return 0.8 * min(most, clock, share)


def after(words, name, default):
    """The word that follows a name, such as 1000 in `movetime 1000`."""
    return words[words.index(name) + 1] if name in words else default


def say(*lines):
    """Writes lines to the referee. Without the flush they might wait in a buffer."""
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
