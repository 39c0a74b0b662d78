"""Python with numpy, whose linear algebra runs on threads."""

import numpy

from ugi import play

generator = numpy.random.default_rng(1)
weights = generator.random((400, 400))


def choose(moves):
    values = numpy.linalg.solve(weights @ weights + numpy.eye(400), generator.random(400))
    return moves[int(numpy.argmax(values[: len(moves)]))]


play(choose)
