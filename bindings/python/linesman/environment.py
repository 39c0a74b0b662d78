"""Environments for PettingZoo: every game, turn by turn.

The agents are `seat_1`, `seat_2` and so on. An action is the number of an action of the game (`Game.actions`). Its
observation is a dictionary: `observation`, the planes of `Game.planes`, and `action_mask`, a 1 for each action that can
be taken. At the end every agent is rewarded with 2 s - 1, s being its score: 1 for a win over all, 0 for a draw, -1.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    hint = "install the package with its extra `environments`"
    raise ModuleNotFoundError(f"environments need numpy, gymnasium and pettingzoo: {error}; {hint}") from error

from ._rules import Error, Game, Position

__all__ = ["Environment", "env"]


def env(name: str, *, render_mode: Optional[str] = None, **options: Any) -> "AECEnv[str, Any, Any]":
    """Make an environment with PettingZoo's wrappers for wrong actions."""
    wrapped: Any = Environment(name, render_mode=render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class Environment(AECEnv, EzPickle):  # type: ignore[misc]
    """An environment of one game. A wrong action raises `linesman.Error`."""

    metadata: Dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 1}

    def __init__(self, name: str, *, render_mode: Optional[str] = None, **options: Any) -> None:
        EzPickle.__init__(self, name, render_mode=render_mode, **options)
        AECEnv.__init__(self)
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"there is no render mode `{render_mode}`; use {' or '.join(modes)}")
        self.game = Game(name, **options)
        self.metadata = {**self.metadata, "name": f"{name.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self.position: Position = self.game.start()
        self.chosen = ""
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.game.seats + 1)]
        self.agents: List[str] = []
        self._numbers = {action: number for number, action in enumerate(self.game.actions)}
        shape = self.game.observation_shape
        most = np.array([plane.most for plane in self.game.planes], dtype=np.int16)
        high = np.broadcast_to(most[:, None, None], shape).astype(np.int16)
        actions = len(self.game.actions)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low=np.zeros(shape, np.int16), high=high, dtype=np.int16),
                    "action_mask": spaces.Box(low=0, high=1, shape=(actions,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._action_spaces[agent]

    def number(self, action: str) -> int:
        """The number of an action that is given as text, such as `c1c5`."""
        return self._numbers[action]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begin a game, from the position `options["token"]` if that is given.

        No game has chance in it, so that the seed changes nothing.
        """
        token = (options or {}).get("token")
        position = self.game.start() if token is None else self.game.from_token(token)
        if position.is_over:
            raise Error(f"the game is over in the position `{token}`")
        self.position = position
        self.chosen = ""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, str]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> Dict[str, Any]:
        """What an agent sees, and the actions that it can take: none unless it is its turn."""
        seen = np.frombuffer(self.position.observe(self.possible_agents.index(agent) + 1), dtype=np.int16)
        if agent == self._to_move() and not self.position.is_over:
            mask = np.frombuffer(self.position.mask(self.chosen), dtype=np.int8).copy()
        else:
            mask = np.zeros(len(self.game.actions), dtype=np.int8)
        return {"observation": seen.reshape(self.game.observation_shape).copy(), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Take an action. In Tandem a turn is two actions or more, and the agent stays the same until it is whole."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._take(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.position.outcome
        if outcome is None:
            self.agent_selection = self._to_move()
        else:
            for other, score in zip(self.agents, outcome.scores):
                self.rewards[other] = 2.0 * score - 1.0
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {other: {"reason": outcome.reason, "why": outcome.why} for other in self.agents}
            self.agent_selection = self._to_move()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        """The position as text: returned with the mode "ansi", printed with "human"."""
        if self.render_mode is None:
            return None
        text = _text(self.position)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _to_move(self) -> str:
        return self.possible_agents[self.position.seat - 1]

    def _take(self, action: Any) -> None:
        """Play an action: the move, once the turn is whole."""
        if not self.action_space(self.agent_selection).contains(action):
            raise Error(f"there is no action {action!r}: actions are 0 to {len(self.game.actions) - 1}")
        text = self.chosen + self.game.actions[int(action)]
        try:
            self.position.play(text)
            self.chosen = ""
        except Error:
            if not any(self.position.mask(text)):
                raise
            self.chosen = text


def _text(position: Position) -> str:
    """The boards as rows of symbols with ranks and files, then the captions and the seat to move."""
    scene = position.scene
    lines: List[str] = []
    for board in scene["boards"]:
        if board["title"]:
            lines.append(board["title"])
        width = board["width"]
        for rank in reversed(range(board["height"])):
            cells = board["cells"][rank * width : (rank + 1) * width]
            lines.append(f"{rank + 1:2} " + " ".join(_symbol(cell) for cell in cells))
        lines.append("   " + " ".join("abcdefghijklmnopqrstuvwxyz"[:width]))
    lines.extend(scene["captions"])
    outcome = position.outcome
    lines.append(f"seat {position.seat} to move" if outcome is None else outcome.why)
    return "\n".join(lines)


def _symbol(cell: Dict[str, Any]) -> str:
    piece = cell["piece"]
    return "." if piece is None else str(piece["symbol"])
