#!/usr/bin/env python3
"""A bot for linesman that plays Quixo by looking one move ahead.

    linesman match --game quixo --bot "python3 bots/python/greedy_quixo_bot.py" \
                   --bot "python3 bots/kits/python/bot.py" --games 10 --movetime 200ms

It asks for the position (`state`) and the legal moves (`legal`), tries each move
on a board of its own and plays the one after which the board looks best.
"""

import random
import sys


def read(token):
    """The board by rank and file, from a1, and whose turn it is: `x` or `o`."""
    rows, seat, _ply = token.split(":")
    return [list(row) for row in reversed(rows.split("/"))], "xo"[int(seat) - 1]


def play(board, move, symbol):
    """The board after a move: `c1c5` takes the cube at c1 and puts it back at c5."""
    from_file, from_rank, to_file, to_rank = (
        ord(move[0]) - ord("a"), int(move[1]) - 1, ord(move[2]) - ord("a"), int(move[3]) - 1
    )
    board = [row[:] for row in board]
    if from_rank == to_rank:
        row = board[from_rank]
        row.pop(from_file)
        row.insert(to_file, symbol)
    else:
        column = [row[from_file] for row in board]
        column.pop(from_rank)
        column.insert(to_rank, symbol)
        for row, cube in zip(board, column):
            row[from_file] = cube
    return board


def lines(board):
    """Every row, column and long diagonal."""
    yield from board
    yield from zip(*board)
    yield [row[at] for at, row in enumerate(board)]
    yield [row[-1 - at] for at, row in enumerate(board)]


def value(board, own):
    """How good a board is for `own`, who has just moved: long lines count most."""
    size = len(board)
    other = "o" if own == "x" else "x"
    total = 0
    won = False
    for line in lines(board):
        owns, others = line.count(own), line.count(other)
        if others == size:
            return -1_000_000  # making the other's line loses, whatever else happens
        won = won or owns == size
        total += owns**3 - others**3
    return 1_000_000 if won else total


game, board, symbol, legal = "quixo", [], "x", []

for line in sys.stdin:
    verb, *words = line.split() or [""]
    if verb == "ugi":
        print("id name Greedy (Python)\nfeature state legal\nugiok", flush=True)
    elif verb == "game":
        game = words[0]
        random.seed(line.strip())
    elif verb == "isready":
        print("readyok", flush=True)
    elif verb == "state" and game == "quixo":
        board, symbol = read(words[0])
    elif verb == "legal":
        legal = words
    elif verb == "go" and game != "quixo":
        print("bestmove resign", flush=True)  # it knows no other game
    elif verb == "go":
        random.shuffle(legal)  # so that equal moves are played in turn
        best = max(legal, key=lambda move: value(play(board, move, symbol), symbol))
        print("bestmove", best, flush=True)
    elif verb == "quit":
        break
