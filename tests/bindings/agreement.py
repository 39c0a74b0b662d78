"""Replays random games written by the Rust rules, and compares everything."""

import hashlib
import json
import sys

import linesman


def digest(moves):
    """Returns the number of moves and the digest of their texts."""
    return [len(moves), hashlib.sha256(" ".join(moves).encode()).hexdigest()[:16]]


def refusal(position, text):
    """Returns the objection to a move."""
    try:
        position.copy().play(text)
    except linesman.Error as error:
        return [text, getattr(error, "rule", None), str(error)]
    return None


def compare(game, what, own, expected):
    if own != expected:
        sys.exit(f"{game['game']} {game['options']}: {what} is {own}, not {expected}")


def replay(game):
    """Replays one game and returns its number of plies."""
    setup = linesman.Game(game["game"], **game["options"])
    position = setup.start() if game["start"] is None else setup.from_token(game["start"])
    for step in game["plies"]:
        if step["move"] is not None:
            position.play(step["move"])
        for what in ("token", "seat", "ply"):
            compare(game, what, getattr(position, what), step[what])
        compare(game, "the list of legal moves", digest(position.legal()), step["legal"])
        compare(game, "what is refused", refusal(position, step["refused"][0]), step["refused"])
    outcome = position.outcome
    for what in ("places", "scores"):
        compare(game, what, list(getattr(outcome, what)), game["outcome"][what])
    for what in ("reason", "why"):
        compare(game, what, getattr(outcome, what), game["outcome"][what])
    compare(game, "lines", [mark["squares"] for mark in outcome.marks], game["outcome"]["lines"])
    return len(game["plies"]) - 1


with open(sys.argv[1], encoding="utf-8") as file:
    plies = [replay(json.loads(line)) for line in file]
print(f"Python agrees with Rust on {sum(plies)} plies of {len(plies)} games")
