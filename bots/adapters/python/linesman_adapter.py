#!/usr/bin/env python3
"""Lets linesman play with a Python function or class that was written for something else.

    python3 linesman_adapter.py my_bot.py:choose
    python3 linesman_adapter.py my_pkg.module:ClassName --shape player

The guide `docs/how-to/bring-your-bot.md` describes the shapes, and how to write one.

Exit status: 0 at the end of the input, 1 if the bot failed, 2 if the bot can't be used in this
way, 70 if the adapter itself failed.
"""

import sys

# A file of the bot may be named like a module that is imported here, such as `queue.py`.
if not getattr(sys.flags, "safe_path", False):
    del sys.path[0]

import argparse
import ast
import asyncio
import copy
import enum
import importlib
import importlib.machinery
import importlib.util
import inspect
import operator
import os
import random
import re
import textwrap
import time
import traceback
import types

BOT_FAILED, CANT_USE, ADAPTER_FAILED = 1, 2, 70
METHODS = (
    "choose choose_move get_move select_move make_move choose_action get_action select_action "
    "act play move predict next_move get_next_move best_move get_best_move find_move find_best_move "
    "pick_move play_move decide think __call__"
).split()
FUNCTIONS = METHODS[:-1] + "agent bot my_agent player policy strategy".split()
SHAPES = ["function", "class", "player", "agent", "gym"]
LONGEST_ANSWER = 1000
GUIDE = "docs/how-to/bring-your-bot.md"
# The first characters of the cells of each game, those of seat 1 or its team first.
SIDES = {"quixo": ["x", "o"], "quixo-teams": ["ns", "we"], "trexo": ["x", "o"], "kengu": ["Xx", "Oo"],
         "tandem": ["1", "2", "3", "4"]}
SQUARE = re.compile("[a-z][1-9][0-9]?")


class CantUse(Exception):
    """The bot can't be used in this way."""


class BotFailed(Exception):
    """The code of the user failed."""


class MissingKey(KeyError):
    """An error that reads as a text, where a `KeyError` puts its text between quotes."""

    __str__ = Exception.__str__


MissingKey.__module__, MissingKey.__qualname__ = "builtins", "KeyError"


class Observation(dict):
    """A dictionary whose keys are attributes as well, and which has all that a parameter may ask for."""

    def __missing__(self, name):
        if str(name).lower() not in VALUES:
            raise MissingKey(missing(name))
        return VALUES[str(name).lower()](self.turn)

    def __getitem__(self, name):
        if name in LEGAL:
            self.turn.has_shown_legal = True
        return super().__getitem__(name) if name in self else self.__missing__(name)

    def get(self, name, default=None):
        return self[name] if name in self or str(name).lower() in VALUES else default

    def __getattr__(self, name):
        return attribute(self, name)


class Shown(str):
    """A text, such as the position, that also has what an observation has: `state["board"]`, `game.board`."""

    def __getitem__(self, at):
        return self.turn.observation[at] if isinstance(at, str) else super().__getitem__(at)

    def get(self, name, default=None):
        return self.turn.observation.get(name, default)

    def keys(self):
        return self.turn.observation.keys()

    def __getattr__(self, name):
        return attribute(self, name)


def attribute(shown, name):
    """A key as an attribute, or as a method such as `get_board()`."""
    if name == "turn" or name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("get_") and name[4:] in VALUES:
        return lambda: shown[name[4:]]
    try:
        return shown[name]
    except KeyError:
        raise AttributeError(missing(name)) from None


def missing(name):
    return "%s (it has `board`, `legal`, `player` and more; a shape makes what the bot expects: %s)" % (name, GUIDE)


def shown_text(text, turn):
    shown = Shown(text)
    shown.turn = turn
    return shown


class Cells:
    """The values of cells that `--cells` names: that of an empty one, then those of each side."""

    def __init__(self, text):
        self.text = text
        *words, values = text.split(":")
        self.is_own, self.is_flat = "own" in words, "flat" in words
        self.values = [self.value(value) for value in values.split("/")]
        if set(words) - {"own", "flat"} or len(self.values) < 3:
            raise CantUse("`--cells %s` names no cells\n"
                          "hint: give the values of an empty cell and of those of each seat, such as `0/1/2` or "
                          "`own:0/1/-1`" % text)

    @staticmethod
    def value(text):
        if re.fullmatch("-?[0-9]+", text):
            return int(text)
        return None if text in ("None", "null") else text

    def sides(self, turn):
        """The characters of each side's cells, in the order of the values."""
        sides = turn.sides
        return sides[turn.side:] + sides[:turn.side] if self.is_own else sides

    def legend(self, turn):
        """The values by the first character of a cell."""
        sides, (empty, *values) = self.sides(turn), self.values
        letters = "".join(sides)
        if len(values) == len(letters):
            pairs = zip(letters, values)
        elif len(values) == len(sides):
            pairs = [(letter, value) for side, value in zip(sides, values) for letter in side]
        else:
            raise CantUse("`--cells %s` has %d values, and in %s there are %s\nhint: name those of empty cells, %s"
                          % (self.text, len(self.values), turn.game,
                             " or ".join(str(1 + count) for count in sorted({len(sides), len(letters)})),
                             ", ".join("`%s`" % letter for letter in letters)))
        return dict(pairs, **{".": empty})

    def rows(self, turn):
        legend = self.legend(turn)
        boards = [[[legend[cell[0]] for cell in row] for row in board] for board in turn.boards_of_text]
        if self.is_flat:
            boards = [[cell for row in board for cell in row] for board in boards]
        return boards


class Turn:
    """Everything that the referee has said about the position in which the bot must move."""

    def __init__(self, convention=None):
        self.game, self.seat, self.seats, self.id, self.options = "", 1, 2, "", {}
        self.start, self.history, self.state, self.listed, self.clocks = "startpos", [], "", [], {}
        self.rng = random.Random()
        self.convention, self.has_shown_legal = convention, False
        self.remarks = {}

    def new_game(self, line, words):
        self.__init__(self.convention)
        after = dict(zip(words[1:], words[2:]))
        self.game = words[0] if words else ""
        self.seat, self.seats = int(after.get("seat", 1)), int(after.get("seats", 2))
        self.id = after.get("id", "")
        pairs = (pair.partition("=") for pair in after.get("options", "").split(",") if pair)
        self.options = {name: int(value) if value.isdigit() else value for name, _, value in pairs}
        self.rng.seed(line)

    def remark(self, kind, text):
        """Keeps what `--explain` tells of how the bot is asked and understood; of each kind once in a game."""
        self.remarks.setdefault(kind, text)

    def remark_on_cells(self, shape):
        """Tells of the cells that the bot is shown, once there are some."""
        if "sight" in self.remarks or "cells" in self.remarks or not shape.shows_board:
            return
        cells = self.boards if self.convention and self.convention.is_flat else sum(self.boards, [])
        kinds = sorted({repr(cell) for row in cells for cell in row})
        if len(kinds) > 2:
            shown = "`, `".join(kinds[:4])
            self.remark("cells", "the bot is shown cells such as `%s` (`--cells` gives it others)" % shown)

    @property
    def legal(self):
        """The legal moves, for a shape or a bot that looks at them."""
        self.has_shown_legal = True
        return self.listed

    @property
    def fields(self):
        return self.state.split(":")

    @property
    def ply(self):
        return int(self.fields[2]) if len(self.fields) > 2 else len(self.history)

    @property
    def boards_of_text(self):
        return [
            [row.split(",") if "," in row else list(row) for row in board.split("/")]
            for board in self.fields[0].split("|")
        ]

    @property
    def boards(self):
        """All boards of the game, as rows of cells from the top."""
        return self.convention.rows(self) if self.convention else self.boards_of_text

    @property
    def board(self):
        """Rows of cells from the top. Where a game has two boards, a list of both."""
        boards = self.boards
        return boards if len(boards) > 1 else boards[0]

    def cells(self, convention):
        """The board with other values for its cells, such as `turn.cells("0/1/2")`."""
        boards = Cells(convention).rows(self)
        return boards if len(boards) > 1 else boards[0]

    def squares(self, *places):
        """The text of squares that are given as (row, column), counted from 0 at the top left."""
        texts = [square(place, self) for place in places]
        if None in texts:
            raise ValueError("%r is no square" % (places[texts.index(None)],))
        return "".join(texts)

    def places(self, move):
        """The squares of a move as (row, column), counted from 0 at the top left."""
        rows = len(self.boards_of_text[0])
        return [(rows - int(row), ord(column) - ord("a")) for column, row in re.findall("([a-z])([0-9]+)", move)]

    @property
    def sides(self):
        if self.game not in SIDES:
            raise CantUse("`--cells` knows no cells of %s" % self.game)
        return SIDES[self.game][:self.seats]

    @property
    def side(self):
        return (self.seat - 1) % len(self.sides)

    @property
    def symbol(self):
        """The value of the own cells on the board."""
        letter = self.sides[self.side][0]
        return self.convention.legend(self)[letter] if self.convention else {"n": "x", "w": "o"}.get(letter, letter)

    @property
    def mark(self):
        """The own seat, or the value of the own cells that `--cells` gives."""
        return self.symbol if self.convention else self.seat

    @property
    def clock(self):
        """Milliseconds left on the own clock; without a clock, those for this move."""
        times = [self.clocks.get(name) for name in ("p%dtime" % self.seat, "movetime")]
        return next((value for value in times if value is not None), None)

    @property
    def time(self):
        """Milliseconds that this move may take, by a plan for 30 more moves on a clock."""
        most = self.clocks.get("movetime", float("inf"))
        left = self.clocks.get("p%dtime" % self.seat)
        if left is not None:
            gain = self.clocks.get("p%dinc" % self.seat, 0)
            most = min(most, left, left / max(1, self.clocks.get("movestogo", 30)) + gain)
        return None if most == float("inf") else int(most)

    @property
    def mask(self):
        return [1] * len(self.listed)

    @property
    def observation(self):
        observation = Observation(
            observation=self.board, board=self.board, state=self.state, legal=list(self.listed),
            legal_actions=list(range(len(self.listed))), action_mask=self.mask, player=self.mark,
            mark=self.mark, seat=self.seat, step=self.ply, history=list(self.history), game=self.game,
            remainingOverageTime=(self.clock or 0) / 1000, current_player=self.mark, to_move=self.mark,
        )
        observation.turn = self
        return observation

    @property
    def configuration(self):
        limit = (self.time or 0) / 1000
        return Observation(self.options, game=self.game, actTimeout=limit, timeout=limit, seats=self.seats)


def legal_of(turn):
    return list(turn.legal)


def mask_of(turn):
    turn.has_shown_legal = True
    return turn.mask


# The names that parameters may have, and the values that these get.
NAMES = {
    "state token position pos fen game_state board_state": lambda turn: shown_text(turn.state, turn),
    "board grid rows": lambda turn: turn.board,
    "boards": lambda turn: turn.boards,
    "legal legal_moves moves actions legal_actions valid_moves valid_actions available_moves "
    "available_actions possible_moves possible_actions choices": legal_of,
    "seat my_seat player_id": lambda turn: turn.seat,
    "player me current_player mark to_move": lambda turn: turn.mark,
    "symbol my_symbol color colour piece sign": lambda turn: turn.symbol,
    "seats players num_players n_players": lambda turn: turn.seats,
    "game game_name": lambda turn: shown_text(turn.game, turn),
    "ply step move_number": lambda turn: turn.ply,
    "history past_moves moves_so_far played": lambda turn: list(turn.history),
    "time time_ms ms movetime budget_ms time_limit_ms": lambda turn: turn.time,
    "clock clock_ms time_left time_left_ms remaining remaining_ms": lambda turn: turn.clock,
    "seconds time_limit timeout time_limit_seconds": lambda turn: turn.time and turn.time / 1000,
    "clocks": lambda turn: dict(turn.clocks),
    "options game_options": lambda turn: dict(turn.options),
    "observation obs": lambda turn: turn.observation,
    "configuration config conf": lambda turn: turn.configuration,
    "mask action_mask action_masks legal_mask": mask_of,
    "rng": lambda turn: turn.rng,
    "context ctx everything": lambda turn: turn,
}
VALUES = {name: value for names, value in NAMES.items() for name in names.split()}
LEGAL = {name for name, value in VALUES.items() if value in (legal_of, mask_of)}
# The names by which a bot sees the position.
SIGHT = {name for names in NAMES for name in names.split()
         if names.split()[0] in ("state", "board", "boards", "game", "history", "observation", "context")}
FOR_KEYWORDS = "state board legal seat seats game ply history time clock".split()


def parameters(call):
    """The parameters of something that can be called; none if it does not tell."""
    try:
        return list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        return []


def arguments_for(call, what):
    """A function that makes the arguments of a call, by the names of its parameters."""
    positional, keywords, is_open, remarks = [], [], False, {}
    for parameter in parameters(call):
        name = parameter.name.strip("_").lower()
        if parameter.kind == parameter.VAR_KEYWORD:
            is_open = True
        elif parameter.kind == parameter.VAR_POSITIONAL:
            continue
        elif name not in VALUES:
            if parameter.default is parameter.empty:
                known = ", ".join(names.split()[0] for names in NAMES)
                raise CantUse(
                    "%s asks for `%s`, and the adapter does not know what that is\n"
                    "hint: the names that it knows begin with %s; write a shape for other bots (%s)"
                    % (what, parameter.name, known, GUIDE)
                )
            if isinstance(parameter.default, str) and len(parameter.default) == 1:
                # It may be a mark, and the bot plays from other seats as well.
                remarks["default"] = ("%s keeps `%s=%r`: the adapter does not know what `%s` is"
                                      % (what, parameter.name, parameter.default, parameter.name))
        elif parameter.kind == parameter.POSITIONAL_ONLY:
            positional.append(name)
        else:
            keywords.append((parameter.name, name))

    def make(turn):
        named = {own: VALUES[name](turn) for own, name in keywords}
        if is_open:
            named = dict({name: VALUES[name](turn) for name in FOR_KEYWORDS}, **named)
        return [VALUES[name](turn) for name in positional], named

    asked = set(positional).union(name for _, name in keywords)
    if not is_open and not asked & SIGHT:
        remarks["sight"] = "%s is not shown the position: %s" % (
            what, "its parameters ask for other things only" if asked else "it has no parameter that asks for it")
    make.remarks = remarks
    return make


def method_of(thing):
    return next((name for name in METHODS if callable(getattr(thing, name, None))), None)


def escaped(text):
    """A text as one word: what a line can't hold is written as Python writes it."""
    def one(letter):
        if letter.isprintable() and not letter.isspace():
            return letter
        return "\\x20" if letter == " " else letter.encode("unicode_escape").decode("ascii")

    return "".join(map(one, text[:LONGEST_ANSWER])) or '""'


def whole(value):
    """A whole number, of Python or numpy; None if it is something else."""
    return operator.index(value) if not isinstance(value, bool) and hasattr(type(value), "__index__") else None


def by_key(answer, names):
    return next((answer[name] for name in names.split() if name in answer), None)


def lowered(answer):
    return {str(key).lower(): value for key, value in answer.items()}


def square(said, turn):
    """A square from its name, its row and column, or its number, counted from 0 at the top left; or None."""
    board = turn.boards_of_text[0]
    rows, columns = len(board), len(board[0])
    if isinstance(said, str):
        return said if SQUARE.fullmatch(said) else None
    if whole(said) is not None:
        said = divmod(whole(said), columns)
    if isinstance(said, dict):
        said = [by_key(lowered(said), "row r y"), by_key(lowered(said), "col column c x")]
    if not isinstance(said, (list, tuple)) or len(said) != 2 or None in map(whole, said):
        return None
    row, column = map(whole, said)
    return "%s%d" % (chr(ord("a") + column), rows - row) if 0 <= row < rows and 0 <= column < columns else None


ENDS = {"top": "t top u up n north", "bottom": "b bottom d down s south", "left": "l left w west",
        "right": "r right e east"}
DIRECTIONS = {word: end for end, words in ENDS.items() for word in words.split()}
STARTS_OF_MOVES = "from start source src take cube piece origin square pos position cross from_pos"
ENDS_OF_MOVES = "to end target destination dest put nought to_pos direction dir slide side"


def pushed(start, direction, turn):
    """The square where a cube is put back that goes in a direction, as far as it can."""
    end = DIRECTIONS[direction.lower()]
    board = turn.boards_of_text[0]
    last = chr(ord("a") + len(board[0]) - 1)
    return {"top": start[0] + str(len(board)), "bottom": start[0] + "1", "left": "a" + start[1:],
            "right": last + start[1:]}[end]


def of_cards(said, turn):
    """A move of Kengu from its flip, its place and its color."""
    flip, place = said["flip"], said.get("place")
    parts = []
    if flip is not None:
        ends = [square(end, turn) for end in flip] if isinstance(flip, (list, tuple)) and len(flip) == 2 else [None]
        parts.append(None if None in ends else "".join(ends))
    if place is not None:
        color = str(by_key(said, "color colour"))[:1].lower()
        at = square(place, turn)
        parts.append(at + color if at is not None and color in ("r", "y") else None)
    return None if None in parts else "/".join(parts)


def of_squares(said, turn):
    """The move of an answer made of squares, rows and columns, or a direction; None if it is none of these."""
    if isinstance(said, dict):
        said = lowered(said)
        if turn.game == "kengu" and "flip" in said:
            return of_cards(said, turn)
        start = by_key(said, STARTS_OF_MOVES)
        parts = [said if start is None else start, by_key(said, ENDS_OF_MOVES)]
    elif isinstance(said, (list, tuple)):
        parts = list(said)
        if len(parts) in (3, 4) and None not in map(whole, parts[:2]):
            parts = [parts[:2]] + ([parts[2]] if len(parts) == 3 else [parts[2:]])
    else:
        return None
    if turn.game not in ("quixo", "trexo") or len(parts) != 2:
        return None
    start, end = square(parts[0], turn), parts[1]
    if start is None:
        return None
    if turn.game == "quixo" and isinstance(end, str) and end.lower() in DIRECTIONS:
        return start + pushed(start, end, turn)
    end = square(end, turn)
    return None if end is None else start + end


def as_move(said, turn):
    """The nearest text to an answer. It is never made right: the referee judges it."""
    if isinstance(said, bytes):
        said = said.decode("utf-8", "replace")
    if isinstance(said, str):
        return str(said)
    if isinstance(said, dict):
        for key in ("move", "action", "bestmove"):
            if key in said:
                return as_move(said[key], turn)
    if getattr(said, "ndim", 0) > 0 and said.size > 1:
        said = said.tolist()
    move = of_squares(said, turn)
    if move is not None:
        if not is_of_texts(said):
            turn.remark("squares", "the answer `%s` is read as `%s`: rows and columns are counted from 0 at the top "
                        "left" % (short(said), move))
        return move
    if is_of_texts(said):
        return "".join(said)
    if getattr(said, "size", None) == 1 and callable(getattr(said, "item", None)):
        said = said.item()
    if whole(said) is not None:
        index = whole(said)
        if not turn.has_shown_legal:
            turn.remark("number", "the answer `%d` is read as the number of a legal move, but the bot has not looked "
                        "at these" % index)
        return turn.listed[index] if 0 <= index < len(turn.listed) else str(index)
    if isinstance(said, enum.Enum):
        return str(said.value)
    try:
        return repr(said)
    except Exception:
        return object.__repr__(said)


def is_of_texts(said):
    return isinstance(said, (list, tuple)) and bool(said) and all(isinstance(part, str) for part in said)


def short(said):
    return " ".join(repr(said).split())[:60]


class Shape:
    """The way in which a position is shown to a bot, and its answer becomes a move."""

    GAMES = None  # all
    shows_board = True

    def __init__(self, target):
        self.target, self.bot, self.call = target, None, None

    def make(self, turn):
        """A bot for a new game."""
        if inspect.isclass(self.target):
            self.bot = self.made("the class `%s`" % self.target.__name__, turn)
        else:
            self.bot = self.target
        self.find_call()
        self.look(turn)

    def made(self, what, turn):
        """What the target makes of what it asks for. A bot is not told of the position when it is made."""
        arguments = arguments_for(self.target, what)
        turn.remarks.update((kind, text) for kind, text in arguments.remarks.items() if kind != "sight")
        positional, named = arguments(turn)
        return self.target(*positional, **named)

    def find_call(self):
        """What is called of the bot: a method, unless it is a function."""
        is_function = inspect.isroutine(self.bot)
        name = None if is_function else method_of(self.bot)
        if not is_function and name is None:
            raise without_method(self.bot)
        self.call = self.bot if is_function else getattr(self.bot, name)

    def look(self, turn):
        """Reads what the bot asks for."""
        self.arguments = self.arguments_of(self.call)
        turn.remarks.update(getattr(self.arguments, "remarks", {}))

    def arguments_of(self, call):
        return arguments_for(call, "`%s`" % getattr(call, "__name__", "the bot"))

    def ask(self, turn):
        positional, named = self.arguments(turn)
        return self.call(*positional, **named)

    def answer(self, said, turn):
        return as_move(said, turn)


class AgentShape(Shape):
    """`agent(observation, configuration)`, whatever the names."""

    second = "configuration"

    def arguments_of(self, call):
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        taken = [parameter for parameter in parameters(call) if parameter.kind in kinds]
        needed = [parameter for parameter in taken if parameter.default is parameter.empty]
        second = taken[1] if len(taken) > 1 else None
        # A parameter that may be left out is given only if its name says that it is this one.
        is_given = second is not None and (second in needed or VALUES.get(second.name) is VALUES[self.second])
        return lambda turn: ([turn.observation] + [VALUES[self.second](turn)] * is_given, {})


class GymShape(AgentShape):
    """`act(observation, action_mask)` or `predict(observation)`, which may return a state as well."""

    second = "action_mask"

    def answer(self, said, turn):
        return as_move(said[0] if isinstance(said, tuple) and len(said) == 2 else said, turn)


class PlayerShape(Shape):
    """`make_move(self, game) -> ((column, row), direction)`, for Quixo on five by five squares."""

    GAMES = ["quixo"]
    shows_board = False
    DIRECTIONS = ["TOP", "BOTTOM", "LEFT", "RIGHT"]

    def make(self, turn):
        if turn.options.get("size", 5) != 5:
            raise CantUse("a bot of the shape `player` plays on boards of five by five squares only")
        super().make(turn)

    def arguments_of(self, call):
        return lambda turn: ([filled_game(turn)], {})

    def answer(self, said, turn):
        try:
            (column, row), direction = said
            column, row = operator.index(column), operator.index(row)
        except (TypeError, ValueError):
            return as_move(said, turn)
        name = str(getattr(direction, "name", direction)).rpartition(".")[2].upper()
        if name not in self.DIRECTIONS:
            value = getattr(direction, "value", direction)
            name = self.DIRECTIONS[value] if value in range(4) else str(value).upper()
        places = {"TOP": (column, 0), "BOTTOM": (column, 4), "LEFT": (0, row), "RIGHT": (4, row)}
        if name not in places or not 0 <= column < 26:
            return repr(said)
        return "".join("%s%d" % (chr(ord("a") + x), 5 - y) for x, y in [(column, row), places[name]])


class CoroutineShape(Shape):
    """A generator that is sent what has become of the game, and yields its moves."""

    def make(self, turn):
        self.bot = self.made("`%s`" % self.target.__name__, turn)
        next(self.bot)

    def ask(self, turn):
        return self.bot.send(shown_text(turn.state, turn))


def is_sent_values(function):
    """True of a generator that uses what its `yield` gives it."""
    if not inspect.isgeneratorfunction(function):
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return False
    unused = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return any(isinstance(node, ast.Yield) and id(node) not in unused for node in ast.walk(tree))


class FileShape(Shape):
    """A shape that the user wrote: a module with some of `show`, `make`, `ask`, `answer`, `GAMES`, `CELLS`."""

    FUNCTIONS = "show ask answer make".split()

    def __init__(self, target, path, module, labels):
        super().__init__(target)
        self.path, self.module, self.labels, self.GAMES = path, module, labels, games_of(module)
        self.shows_board = not self.has("show") and not self.has("ask")

    def own(self, name, *arguments):
        """Calls a function of the shape. What fails in the code of the bot is the bot's failure."""
        return guarded(self.path, getattr(self.module, name), *arguments, labels=self.labels)

    def has(self, name):
        return hasattr(self.module, name)

    def make(self, turn):
        if not self.has("make"):
            return super().make(turn)
        self.bot = self.own("make", self.target, turn)
        if not self.has("ask"):
            self.find_call()
            self.look(turn)

    def find_call(self):
        # What `ask` calls is its own affair.
        if not self.has("ask"):
            super().find_call()

    def look(self, turn):
        if not self.has("ask") and not self.has("show"):
            super().look(turn)

    def ask(self, turn):
        if self.has("ask"):
            return self.own("ask", self.bot, turn)
        if not self.has("show"):
            return super().ask(turn)
        shown = self.own("show", turn)
        if isinstance(shown, dict):
            self.refuse_unknown(shown)
            return self.call(**shown)
        return self.call(*shown) if isinstance(shown, tuple) else self.call(shown)

    def refuse_unknown(self, shown):
        taken = parameters(self.call)
        unknown = sorted(set(map(str, shown)) - {parameter.name for parameter in taken})
        if unknown and taken and not any(parameter.kind == parameter.VAR_KEYWORD for parameter in taken):
            raise BotFailed("%s failed: the keys of the dictionary that `show` returned are names of parameters, and "
                            "`%s` has no `%s`\nhint: return `(dictionary,)` to pass one dictionary"
                            % (self.path, getattr(self.call, "__name__", "the bot"), "`, `".join(unknown)))

    def answer(self, said, turn):
        if self.has("answer"):
            said = self.own("answer", said, turn)
            turn.has_shown_legal = True  # The shape knows what its numbers mean.
        return as_move(said, turn)


def load_shape(path):
    if not os.path.isfile(path):
        raise CantUse("there is no shape `%s`\nhint: name a file, or one of %s" % (path, ", ".join(SHAPES)))
    module = guarded(path, load_file, path)
    if not any(hasattr(module, name) for name in FileShape.FUNCTIONS):
        raise CantUse("the shape `%s` has no function `show`, `ask`, `answer` or `make`" % path)
    return module


def games_of(module):
    """The games that a shape names in `GAMES`: a list, or one name."""
    games = getattr(module, "GAMES", None)
    return [games] if isinstance(games, str) else games and list(games)


# The module `game` of a course's Quixo project, for bots that do not bring their own.


class Move(enum.Enum):
    TOP, BOTTOM, LEFT, RIGHT = range(4)


class Player:
    def __init__(self):
        pass

    def make_move(self, game):
        raise NotImplementedError


class Grid:
    """As much of a two-dimensional array of numpy as most bots use."""

    def __init__(self, rows):
        self.cells = [list(row) for row in rows]

    @property
    def shape(self):
        return len(self.cells), len(self.cells[0])

    @property
    def T(self):
        return Grid(zip(*self.cells))

    @property
    def flat(self):
        return iter(self.flatten())

    def __len__(self):
        return len(self.cells)

    def __iter__(self):
        return iter(self.cells)

    def __getitem__(self, at):
        if not isinstance(at, tuple):
            return self.cells[at]
        row, column = at
        rows = self.cells[row]
        return [cells[column] for cells in rows] if isinstance(row, slice) else rows[column]

    def __setitem__(self, at, value):
        if isinstance(at, tuple):
            self.cells[at[0]][at[1]] = value
        else:
            self.cells[at] = list(value)

    def __eq__(self, other):
        if isinstance(other, int):
            return Grid([cell == other for cell in row] for row in self.cells)
        return self.cells == [list(row) for row in other]

    __hash__ = None

    def __repr__(self):
        return "\n".join(" ".join("%2d" % cell for cell in row) for row in self.cells)

    def tolist(self):
        return [list(row) for row in self.cells]

    def copy(self):
        return Grid(self.cells)

    def flatten(self):
        return [cell for row in self.cells for cell in row]

    def any(self):
        return any(self.flatten())

    def all(self):
        return all(self.flatten())

    def sum(self):
        return sum(self.flatten())


def array(rows):
    try:
        import numpy
    except ImportError:
        return Grid(rows)
    return numpy.array(rows)


class Game:
    def __init__(self):
        self._board = array([[-1] * 5 for _ in range(5)])
        self.current_player_idx = 1
        self._mover = None

    def get_board(self):
        return copy.deepcopy(self._board)

    def get_current_player(self):
        return self.current_player_idx

    def print(self):
        print(self._board)

    def check_winner(self):
        """The player with a line, or -1. If both have one, it is the one who has not moved."""
        rows = [[int(cell) for cell in row] for row in self._board]
        diagonals = [[rows[i][i] for i in range(5)], [rows[i][4 - i] for i in range(5)]]
        lines = rows + [list(column) for column in zip(*rows)] + diagonals
        owners = {line[0] for line in lines if line[0] >= 0 and len(set(line)) == 1}
        others = owners - {self.current_player_idx if self._mover is None else self._mover}
        return min(others or owners or {-1})

    def play(self, player1, player2):
        players, winner = [player1, player2], -1
        while winner < 0:
            self.current_player_idx = (self.current_player_idx + 1) % 2
            is_played = False
            while not is_played:
                from_pos, slide = players[self.current_player_idx].make_move(self)
                is_played = self.__move(from_pos, slide, self.current_player_idx)
            winner = self.check_winner()
        return winner

    def __move(self, from_pos, slide, player_id):
        if player_id > 2:
            return False
        place = (from_pos[1], from_pos[0])
        before = copy.deepcopy(self._board[place])
        is_played = self.__take(place, player_id) and self.__slide(place, slide)
        if is_played:
            self._mover = player_id
        else:
            self._board[place] = before
        return is_played

    def __take(self, place, player_id):
        row, column = place
        is_border = row in range(5) and column in range(5) and (row in (0, 4) or column in (0, 4))
        is_taken = is_border and self._board[place] in (-1, player_id)
        if is_taken:
            self._board[place] = player_id
        return bool(is_taken)

    def __slide(self, place, slide):
        row, column = place
        name = slide.name
        ends = {"TOP": (0, column), "BOTTOM": (4, column), "LEFT": (row, 0), "RIGHT": (row, 4)}
        end = ends[name]
        if end == place:
            return False
        piece = self._board[place]
        down, right = (end[0] > row) - (end[0] < row), (end[1] > column) - (end[1] < column)
        while (row, column) != end:
            self._board[(row, column)] = self._board[(row + down, column + right)]
            row, column = row + down, column + right
        self._board[end] = piece
        return True


class GameFinder:
    """Provides the module `game` where no file of that name does: it is asked last."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, cls) if name == "game" else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        module.Game, module.Move, module.Player = Game, Move, Player


def filled_game(turn):
    """The position as an object of the bot's own class `Game`, or of the one above."""
    numbers = [[".xo".index(cell) - 1 for cell in row] for row in turn.boards_of_text[0]]
    game = getattr(importlib.import_module("game"), "Game", Game)()
    for name, value in [("board", array(numbers)), ("current_player_idx", turn.seat - 1)]:
        names = [name, "_" + name] + (["current_player", "_current_player"] if name != "board" else [])
        names = [own for own in names if own in vars(game)]
        if not names:
            raise CantUse("the class `Game` of the bot's own `game.py` has no `%s` to be filled" % name)
        before = getattr(game, names[0])
        setattr(game, names[0], numbers if isinstance(before, list) else value)
    return game


def load_file(path):
    """The module that a file is, as a part of its package if it has one."""
    path = os.path.abspath(path)
    name, folder = os.path.splitext(os.path.basename(path))[0], os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    names = [name]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    if len(names) > 1:
        sys.path.insert(0, folder)
        return importlib.import_module(".".join(names))
    if name in sys.modules:
        name = "bot_" + name
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise CantUse("`%s` is no Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def guarded(label, call, *arguments, labels=None):
    """Calls code of the user. If it fails, that is told as its failure, with its own frames only.

    The innermost of the files that have a label of their own is the one that failed."""
    try:
        return call(*arguments)
    except (CantUse, BotFailed):
        raise
    except BaseException as error:
        kept, frames = error.__traceback__, []
        while kept is not None:
            frame, kept_now = kept.tb_frame, kept
            kept = kept.tb_next
            is_own = frame.f_globals is not globals()
            if is_own and not frame.f_code.co_filename.startswith("<frozen importlib"):
                frames.append((frame, kept_now.tb_lineno))
        text = traceback.TracebackException(type(error), error, None)
        if frames:
            text.stack = traceback.StackSummary.extract(iter(frames))
        files = [os.path.abspath(frame.f_code.co_filename) for frame, _ in frames]
        label = next((labels[file] for file in reversed(files) if file in labels), label) if labels else label
        said = "".join(text.format()).rstrip("\n")
        if frames and not said.startswith("Traceback"):
            said = "Traceback (most recent call last):\n" + said
        missing = (getattr(error, "name", None) or "").split(".")[0] if isinstance(error, ImportError) else ""
        if missing == "numpy":
            said += "\nhint: install numpy for the `python3` that the referee starts (package `python3-numpy`)"
        elif missing and missing not in sys.modules:
            said += ("\nhint: install `%s` for the `python3` that is the first in your `PATH`, or activate the virtual "
                     "environment that has it before you start linesman" % missing)
        if isinstance(error, OverflowError) and "out of bounds for uint" in str(error):
            said += "\nhint: numpy 2 refuses what numpy 1 took: install a version of numpy below 2"
        raise BotFailed("%s failed: %s" % (label, said)) from None


def find_target(module, name, is_called_by_shape):
    """The function, class or object that a name means, or the only one that can be meant."""
    if name:
        inside = module
        for part in name.split("."):
            if not hasattr(inside, part):
                raise CantUse("`%s` has no `%s`" % (inside.__name__, part))
            owner, inside = inside, getattr(inside, part)
        if inspect.isclass(owner) and inspect.isfunction(inside) and "self" in inspect.signature(inside).parameters:
            raise CantUse("`%s` is a method, which needs an object\n"
                          "hint: name the class, `%s`: the adapter makes an object of it and finds methods such as "
                          "`choose` and `get_move`; for another method, write a shape with `make` (%s)"
                          % (name, name.rpartition(".")[0], GUIDE))
        return inside
    own = candidates(module)
    classes = [key for key, value in own.items() if inspect.isclass(value)]
    players = [key for key in classes if method_of_class(own[key])]
    functions = [key for key, value in own.items() if inspect.isfunction(value)]
    known = [key for key in functions if key in FUNCTIONS]
    objects = [key for key, value in own.items() if key not in classes + functions and method_of(value)]
    others = [key for key in classes if key not in players]
    # Such a shape knows the methods of a class, and other functions are its helpers.
    found = players + known or objects or is_called_by_shape and others or functions + others
    if len(found) == 1:
        return own[found[0]]
    told = "nothing to call" if not found else "several bots: " + ", ".join(sorted(found))
    raise CantUse("`%s` has %s\nhint: name the bot, as in `FILE:NAME`" % (module.__name__, told))


def candidates(module):
    """What a module defines and what may be its bot, by name."""
    return {
        key: value
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", None) == module.__name__
        and not (inspect.isclass(value) and (issubclass(value, (BaseException, enum.Enum)) or inspect.isabstract(value)))
    }


def without_method(bot):
    """The complaint about an object whose methods the adapter does not know, and what helps."""
    kind = type(bot)
    methods = sorted(name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name, None)))
    said = "the class `%s` has no method such as `choose` or `get_move`" % kind.__name__
    if methods:
        said += "; it has `%s`" % "`, `".join(methods[:8])
    said += "\nhint: call its methods in the function `ask` of a shape (%s, \"A shape of your own\")" % GUIDE
    module = sys.modules.get(kind.__module__)
    others = [key for key, value in candidates(module).items() if callable(value) and value is not kind]
    if kind.__module__ != "builtins" and others:
        said += "; if another one is the bot, name it as in `FILE:NAME`: " + ", ".join(sorted(others))
    return CantUse(said)


def method_of_class(target):
    # Every class can be called, so `__call__` counts only where it is an object's.
    names = [name for name in METHODS[:-1] if callable(getattr(target, name, None))]
    return names[0] if names else ("__call__" if any("__call__" in vars(own) for own in target.__mro__[:-1]) else None)


def shape_of(target, name, module, labels):
    """The shape that was asked for, or the one that a bot seems to have."""
    if module is not None:
        return FileShape(target, name, module, labels)
    if name and name not in SHAPES:
        raise CantUse("there is no shape `%s`\nhint: choose one of %s, or a file" % (name, ", ".join(SHAPES)))
    if not callable(target) and method_of(target) is None:
        raise CantUse("the bot is neither a function nor an object with a method such as `choose`")
    if name in ("function", "class"):
        is_function = inspect.isroutine(target)
        if is_function != (name == "function"):
            raise CantUse("the bot is %s" % ("a function" if is_function else "no function"))
    if name is None:
        name = guessed(target)
    if name in ("function", "class") and is_sent_values(target):
        return CoroutineShape(target)
    return {"player": PlayerShape, "agent": AgentShape, "gym": GymShape}.get(name, Shape)(target)


def guessed(target):
    if inspect.isroutine(target):
        unknown = [one for one in parameters(target) if one.name.lower() not in VALUES]
        return "agent" if target.__name__.endswith("agent") and unknown else "function"
    method = method_of_class(target) if inspect.isclass(target) else method_of(target)
    call = getattr(target, method) if method else None
    asked = [one.name for one in parameters(call) if one.name != "self"]
    if method == "make_move" and asked == ["game"]:
        return "player"
    return "gym" if method == "predict" or any("mask" in name for name in asked) else "class"


class Adapter:
    def __init__(self, label, shape, write, arguments, convention):
        self.label, self.shape, self.write, self.loop = label, shape, write, None
        self.again, self.explains = arguments.again, arguments.explain
        self.turn, self.is_new = Turn(convention), True

    def line(self, text):
        """Answers a line; true at `quit`."""
        verb, words = (text.split()[:1] or [""])[0], text.split()[1:]
        turn = self.turn
        if verb == "ugi":
            self.write("id name %s\nfeature state legal\nugiok\n" % self.label)
        elif verb == "uginewgame":
            self.is_new = True
        elif verb == "game":
            turn.new_game(text.strip(), words)
            self.is_new = True
        elif verb == "isready":
            self.new_bot()
            self.write("readyok\n")
        elif verb == "position":
            at = words.index("moves") if "moves" in words else len(words)
            turn.start, turn.history = " ".join(words[:at][-1:]), words[at + 1:]
        elif verb == "state":
            turn.state = " ".join(words)
        elif verb == "legal":
            turn.listed = words
        elif verb == "go":
            turn.clocks = {name: int(value) for name, value in zip(words, words[1:]) if value.isdigit()}
            self.new_bot()
            move = self.choose()
            self.explain()
            self.write("bestmove %s\n" % escaped(move))
        return verb == "quit"

    def new_bot(self):
        if not self.is_new or not self.turn.game:
            return
        games = self.shape.GAMES
        if games and self.turn.game not in games:
            raise CantUse("the bot plays %s and not %s" % (", ".join(games), self.turn.game))
        guarded(self.label, self.shape.make, self.turn)
        self.is_new = False

    def explain(self):
        """Tells the next remark, each once in a game: a record keeps one text for each move."""
        if not self.explains:
            return
        self.turn.remark_on_cells(self.shape)
        kind = next((kind for kind, text in self.turn.remarks.items() if text), None)
        if kind is not None:
            told, self.turn.remarks[kind] = self.turn.remarks[kind], None
            self.write("info string %s\n" % told.encode("ascii", "backslashreplace").decode("ascii"))

    def choose(self):
        while True:
            said = guarded(self.label, self.finished, guarded(self.label, self.shape.ask, self.turn))
            move = self.shape.answer(said, self.turn)
            if not self.again or move in self.turn.listed:
                return move
            print("%s: the answer `%s` is not legal; it is asked again" % (self.label, escaped(move)), file=sys.stderr)

    def finished(self, said):
        """The value of what a function returned. Of a generator it is the last, or that at the end of the time."""
        if inspect.isawaitable(said):
            return self.wait(said)
        is_asynchronous = inspect.isasyncgen(said)
        if not is_asynchronous and not inspect.isgenerator(said):
            return said
        limit, last = self.turn.time, None
        end = time.monotonic() + (0.8 * limit / 1000 if limit is not None else float("inf"))
        try:
            while True:
                last = self.wait(said.__anext__()) if is_asynchronous else next(said)
                if time.monotonic() >= end:
                    break
        except StopAsyncIteration:
            return last
        except StopIteration as ending:
            return last if ending.value is None else ending.value
        self.wait(said.aclose()) if is_asynchronous else said.close()
        return last

    def wait(self, awaitable):
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)

        async def wrapped():
            return await awaitable

        return self.loop.run_until_complete(wrapped())


def private_streams():
    """The referee's lines and the way to it, on descriptors of their own: the bot's stdout is stderr."""
    lines = os.fdopen(os.dup(0), "rb")
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)

    def write(text):
        rest = text.encode("utf-8", "replace")
        while rest:
            rest = rest[os.write(out, rest):]

    return lines, write


def parsed():
    """The words of the command line."""
    known = argparse.ArgumentParser(prog="linesman_adapter.py", description=__doc__,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("bot", metavar="MODULE[:NAME]", help="file or module, and a name in it")
    known.add_argument("--shape", help="one of %s, or a file" % ", ".join(SHAPES))
    known.add_argument("--cells", metavar="VALUES",
                       help="values of empty cells and of those of each seat, such as 0/1/2")
    known.add_argument("--again", action="store_true", help="ask again after an answer that is not legal")
    known.add_argument("--claims", action="store_true", help="print the games that the bot plays, and exit")
    known.add_argument("--explain", action="store_true", help="tell how the bot is asked and understood")
    known.add_argument("--names", action="store_true", help="print the known names of parameters, and exit")
    return known.parse_args()


def is_shape_file(shape):
    if shape is not None and os.path.splitext(shape)[1] in (".js", ".mjs", ".cjs"):
        raise CantUse("the shape `%s` is in JavaScript, and the bot is in Python\nhint: write the shape in Python"
                      % shape)
    return shape is not None and shape.endswith(".py")


def claim(write, games):
    write("".join("plays %s\n" % game for game in games or ["all"]))


def play():
    arguments = parsed()
    lines, write = private_streams()
    if arguments.names:
        return write("".join("%s\n" % names for names in list(NAMES) + [" ".join(METHODS[:-1])]))
    place, _, name = arguments.bot.partition(":")
    label = os.path.basename(place)
    sys.meta_path.append(GameFinder)
    sys.path.insert(0, os.getcwd())
    sys.argv = [place]
    is_file = place.endswith(".py") or os.path.isfile(place)
    if is_file and not os.path.isfile(place):
        raise CantUse("there is no file `%s`" % place)
    shape_file = arguments.shape if is_shape_file(arguments.shape) else None
    if shape_file and is_file:
        sys.path.insert(0, os.path.dirname(os.path.abspath(place)))
    if shape_file and arguments.claims:
        return claim(write, games_of(load_shape(shape_file)))
    module = guarded(label, load_file if is_file else importlib.import_module, place)
    own = load_shape(shape_file) if shape_file else None
    labels = {getattr(module, "__file__", None): label, os.path.abspath(shape_file or ""): shape_file}
    is_called_by_shape = own is not None and (hasattr(own, "make") or hasattr(own, "ask"))
    shape = shape_of(find_target(module, name, is_called_by_shape), arguments.shape, own, labels)
    if arguments.claims:
        return claim(write, shape.GAMES)
    cells = arguments.cells if arguments.cells is not None else getattr(own, "CELLS", None)
    convention = None if cells is None else Cells(cells)
    if not inspect.isclass(shape.target) and type(shape) is Shape:
        shape.make(Turn())  # so that a parameter without a meaning is told before the first game
    adapter = Adapter(label, shape, write, arguments, convention)
    for line in iter(lines.readline, b""):
        if adapter.line(line.decode("utf-8", "replace")):
            break


def main():
    try:
        play()
        status = 0
    except BotFailed as error:
        print(error, file=sys.stderr)
        status = BOT_FAILED
    except CantUse as error:
        print("linesman_adapter: %s" % error, file=sys.stderr)
        status = CANT_USE
    except BrokenPipeError:
        status = 0
    except Exception:
        print("linesman_adapter failed: %s" % traceback.format_exc(), file=sys.stderr)
        status = ADAPTER_FAILED
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    # Threads that the bot has left running keep no process alive.
    os._exit(status)


if __name__ == "__main__":
    main()
