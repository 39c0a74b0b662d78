from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, final

from ._values import Outcome, Plane

__all__ = [
    "BadOption",
    "Error",
    "Game",
    "IllegalMove",
    "NoSuchGame",
    "NoSuchSeat",
    "NotAMove",
    "NotAPosition",
    "Position",
    "__version__",
    "games",
]

__version__: str

class Error(ValueError):
    """A request that can't be met."""

class NoSuchGame(Error):
    """There is no game of this name."""

class BadOption(Error):
    """There is no such option, or it can't have this value."""

class NotAPosition(Error):
    """A token that can't be read."""

    place: str
    """The place of the mistake in the token."""

class NotAMove(Error):
    """Text that is not a move under any options of the game."""

class IllegalMove(Error):
    """A move that is not legal here."""

    rule: str
    """The code of the rule that it breaks."""

class NoSuchSeat(Error):
    """There is no seat of this number."""

def games() -> Tuple[str, ...]:
    """The names of all games."""

@final
class Game:
    """A game with its options fixed.

    Errors: NoSuchGame, and BadOption for an unknown option or a value that the option can't have.
    """

    def __new__(cls, name: str, /, **options: Union[int, bool, str]) -> Game: ...
    @property
    def name(self) -> str:
        """The game's name, such as `quixo-teams`."""
    @property
    def title(self) -> str:
        """The game's name for people."""
    @property
    def about(self) -> str:
        """A description of the game in one line."""
    @property
    def page(self) -> str:
        """The page that explains the game, as Markdown."""
    @property
    def options(self) -> Dict[str, Union[int, bool, str]]:
        """Every option with its value."""
    @property
    def seats(self) -> int:
        """The number of seats."""
    @property
    def sides(self) -> Tuple[int, ...]:
        """The side that each seat plays for, from 0, in turn order. Teammates have the same one."""
    @property
    def actions(self) -> Tuple[str, ...]:
        """The actions of which moves are made, by their numbers.

        In most games an action is a whole move. In Tandem a move is its actions joined: `1c3`, `/2d4`, `!1a3e3`.
        """
    @property
    def planes(self) -> Tuple[Plane, ...]:
        """The planes of an observation."""
    @property
    def observation_shape(self) -> Tuple[int, int, int]:
        """The numbers of planes, rows and columns of an observation."""
    def start(self) -> Position:
        """The position in which the game starts."""
    def from_token(self, token: str) -> Position:
        """The position of a token, with which the history begins. Error: NotAPosition."""
    def replay(self, moves: Sequence[str], token: Optional[str] = None) -> Position:
        """The position to which moves lead from the start, or from a token.

        Errors: NotAPosition, NotAMove, IllegalMove.
        """
    def __getnewargs_ex__(self) -> Tuple[Tuple[str], Dict[str, Union[int, bool, str]]]: ...

@final
class Position:
    """A position of a game that is being played. `Game.start` and `Game.from_token` make one."""

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def token(self) -> str:
        """The position as one word."""
    @property
    def seat(self) -> int:
        """The seat to move, from 1; at the end, the one whose turn it would be."""
    @property
    def ply(self) -> int:
        """The number of plies since the start of the game."""
    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
    @property
    def moves(self) -> List[str]:
        """The moves that were played since the history began."""
    @property
    def outcome(self) -> Optional[Outcome]:
        """The end of the game, if it has ended."""
    @property
    def scene(self) -> Dict[str, Any]:
        """The contents of a picture: `boards`, `marks` and `captions`."""
    def legal(self) -> List[str]:
        """The legal moves, in byte order."""
    def play(self, move: str, /) -> None:
        """Play a move, or put seat 3 out of a game of three sides or more: `!3`.

        Errors: NotAMove, IllegalMove. The position has not changed then.
        """
    def explain(self, move: str, /) -> Optional[str]:
        """The reason why a move can't be played, or None if it can."""
    def mask(self, chosen: str = "") -> bytes:
        """A byte 1 for each action that can come next in this turn, and 0 for each other one.

        `chosen` are the actions of this turn so far, joined.
        """
    def observe(self, seat: int) -> bytes:
        """The position as a seat sees it, as 16-bit numbers in the order of the machine.

        `numpy.frombuffer(position.observe(1), "int16").reshape(game.observation_shape)` makes an array of it: planes,
        rows from the top, columns. Error: NoSuchSeat.
        """
    def copy(self) -> Position:
        """An independent copy."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
