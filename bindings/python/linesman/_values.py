"""Values that the rules return."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple


class Outcome(NamedTuple):
    """The end of a game."""

    places: Tuple[int, ...]
    """The place of each seat in turn order: 1 for those who came in first."""
    scores: Tuple[float, ...]
    """The share of its opponents that each seat beat, ties counting half."""
    reason: str
    """The rule that ended the game, in one word: `line`, `repetition`."""
    why: str
    """The reason in a sentence without a full stop, by seats and squares."""
    marks: List[Dict[str, Any]]
    """The squares that decided the game, as in a scene."""


class Plane(NamedTuple):
    """The description of one plane of an observation."""

    name: str
    """The meaning of its numbers."""
    most: int
    """Its greatest number. The least is 0."""
