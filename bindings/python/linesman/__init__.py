"""The rules of linesman's games: Quixo, Quixo in teams, Trexo, Kengu and Tandem.

>>> import linesman
>>> position = linesman.Game("quixo", size=3).start()
>>> for move in "a1a3 c1c3 a1a3 c1c3 a1a3".split():
...     position.play(move)
>>> position.outcome.places, position.outcome.reason
((1, 2), 'line')

`env` makes an environment for PettingZoo; it needs the extra `linesman[environments]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._rules import (
    BadOption,
    Error,
    Game,
    IllegalMove,
    NoSuchGame,
    NoSuchSeat,
    NotAMove,
    NotAPosition,
    Position,
    __version__,
    games,
)
from ._values import Outcome, Plane

if TYPE_CHECKING:
    from pettingzoo import AECEnv  # type: ignore[import-untyped]

__all__ = [
    "BadOption",
    "Error",
    "Game",
    "IllegalMove",
    "NoSuchGame",
    "NoSuchSeat",
    "NotAMove",
    "NotAPosition",
    "Outcome",
    "Plane",
    "Position",
    "__version__",
    "env",
    "games",
    "raw_env",
]


def env(name: str, *, render_mode: Optional[str] = None, **options: Any) -> "AECEnv[Any, Any, Any]":
    """Make a PettingZoo environment of a game, with PettingZoo's wrappers for wrong actions.

    `render_mode` is None, "ansi" or "human". All else are options of the game. An action that the mask forbids ends
    the game with a reward of -1 for its agent.
    """
    from . import environment

    return environment.env(name, render_mode=render_mode, **options)


def raw_env(name: str, *, render_mode: Optional[str] = None, **options: Any) -> "AECEnv[Any, Any, Any]":
    """Make a PettingZoo environment of a game without wrappers: a wrong action raises an error."""
    from . import environment

    return environment.Environment(name, render_mode=render_mode, **options)
