"""Python with joblib, which starts worker processes and shares large arrays with them through files."""

import warnings

import numpy
from joblib import Parallel, delayed

from ugi import play

# Make joblib's warnings errors, since it falls back to slower ways with only a warning.
warnings.simplefilter("error")
table = numpy.ones((600, 600))


def value(table, number):
    return float(table[number % 600].sum()) + number


def choose(moves):
    values = Parallel(n_jobs=2)(delayed(value)(table, number) for number in range(len(moves)))
    return moves[values.index(max(values))]


play(choose)
