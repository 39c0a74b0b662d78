"""Python with a process pool of the standard library."""

import multiprocessing

from ugi import play


def value(move):
    return len(move), move


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        play(lambda moves: max(zip(pool.map(value, moves), moves))[1])
