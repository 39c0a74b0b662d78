"""A program that uses the rules' whole public interface; it is only checked by mypy."""

from typing import List, Optional, Tuple

import linesman


def played_out(name: str) -> Tuple[int, ...]:
    """Returns the places after the first moves."""
    game = linesman.Game(name, max_plies=5)
    position: linesman.Position = game.start()
    while not position.is_over:
        legal: List[str] = position.legal()
        position.play(legal[0])
    outcome: Optional[linesman.Outcome] = position.outcome
    assert outcome is not None
    copy = game.replay(position.moves, token=None).copy()
    print(copy.token, copy.seat, copy.ply, copy.scene["boards"], copy.explain("none"), game.actions[0])
    print(game.planes[0].name, game.observation_shape[0], len(position.mask()) + len(position.observe(1)))
    return outcome.places


def rule(name: str, move: str) -> str:
    """Returns the rule that a move breaks at the start."""
    try:
        linesman.Game(name).start().play(move)
    except linesman.IllegalMove as error:
        return error.rule
    except linesman.Error as error:
        return str(error)
    return ""
